#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "meshes/abaqus_model.h"
#include "solver/deck_format.h"

namespace symdyn::abaqus
{
/// A number as a deck has it.
std::string written(double value);
std::string written(const std::vector<double> &values);

/// *AMPLITUDE: a(t), linear between the points, constant beyond them.
struct AmplitudeTable
{
  std::vector<double> t, a;
  bool total_time = false;
  double at(double time) const;
  /// The same as an expression of the time t of the deck, where the table begins at `start`: piece by piece, found by halving.
  std::string formula(double start) const;
};

/// What *STEP ... *END STEP says.
struct Step
{
  std::size_t line = 0;
  std::string name, procedure;
  Keyword card;                 ///< the procedure
  std::vector<Keyword> inside;  ///< all other keywords
  bool nonlinear = false, perturbation = false;
  std::map<std::string, std::string> loads;  ///< names of the loads that begin here, by what they act on
  std::set<std::string> removes;             ///< kinds of loads of earlier steps that end here
  std::map<std::string, const Keyword *> varying;  ///< cards of loads that begin here with an AMPLITUDE, by what they act on
  double start = 0;                ///< of the deck's time: statics take none [s]
  double total_start = 0;          ///< of the total time of the file
  double period = 1;
  /// Linear motion about the state before, with loads of its own.
  bool is_linear() const { return procedure == "MODAL DYNAMIC" || procedure == "STEADY STATE DYNAMICS"; }
  bool takes_time() const { return procedure == "DYNAMIC" || procedure == "MODAL DYNAMIC"; }
};

/// Writes the deck that an Abaqus or CalculiX file amounts to. Errors: InputError naming file, line, keyword and the way out.
class DeckWriter
{
public:
  explicit DeckWriter(const std::string &file);
  DeckText write();

private:
  // The deck.
  void add(std::size_t line, const std::string &path, const std::string &name, const std::string &value);
  void warn(std::size_t line, const std::string &what, const std::string &text);
  [[noreturn]] void fail(std::size_t line, const std::string &value, const std::string &rule) const { model.scanner.fail_at(line, value, rule); }
  /// "name", or "name (2)", ... the first that the section does not have yet; without what a deck's names cannot hold.
  std::string fresh(const std::string &section, const std::string &name);
  double real(const Line &line, std::size_t word, const char *what) const;
  double real_or(const Line &line, std::size_t word, double otherwise, const char *what) const;
  std::string word(const Line &line, std::size_t i) const { return i < line.words.size() ? line.words[i] : ""; }
  const Line &only_line(const Keyword &keyword, const char *what) const;

  // What the file says, in the order in which it is read.
  void sort_keywords();
  void write_mesh();
  void write_materials();
  void read_material(const std::vector<Keyword> &cards, const std::vector<std::string> &groups);
  void elastic(const Keyword &card, const std::string &path);
  void hyperelastic(const Keyword &card, const std::string &path);
  void damping(const Keyword &card);
  void read_amplitude(const Keyword &card);
  void write_supports();
  void read_boundary(const Keyword &card, const Step *step);
  void write_loads();
  void read_loads(const Keyword &card, Step &step);
  void cload(const Keyword &card, Step &step);
  void dload(const Keyword &card, Step &step);
  void dsload(const Keyword &card, Step &step);
  void body_load(const Keyword &card, const Line &line, const std::string &label, Step &step);
  /// Where a load acts: components of nodes, faces by their nodes, elements.
  struct Region
  {
    std::string sort, word;  ///< "CLOAD", "DLOAD faces", "DLOAD GRAV 0, 0, -1": what takes the place of each other; as the file names it
    std::size_t line;
    std::set<std::array<std::size_t, 4>> places = {};
    std::vector<double> components = {};  ///< of a force
    bool varies = false;                  ///< has an amplitude
    /// Its key in Step::loads.
    std::string on() const;
  };
  /// The load of this name ("": none, its value is 0) acts from this step on in place of those of earlier steps in the same places; in one step loads
  /// add up. Errors: InputError if it takes the place of a part of an earlier load.
  void begin_load(const Keyword &card, Step &step, Region region, const std::string &name);
  void write_force(const Keyword &card, Step &step, std::size_t line, const std::string &on, const std::vector<std::string> &nodes,
                   const std::array<std::optional<double>, 3> &given);
  void pressure(const Keyword &card, const Line &line, const std::vector<std::string> &boundaries, double p, Step &step);
  /// Errors: InputError for a load of an earlier step whose amplitude would begin anew in this one.
  void require_same_amplitudes(const Step &step, const std::map<std::string, std::string> &now) const;
  void end_step_of_loads(const Step &step);
  void require_whole_body(const Line &line, const std::string &elements) const;
  void write_amplitude(const Keyword &card, const Step &step, const std::string &path);
  /// The factor that an amplitude has at the end of a static step.
  double static_factor(const Keyword &card, const Step &step) const;
  const AmplitudeTable *amplitude(const Keyword &card) const;
  void write_equations();
  void write_initial();
  void write_stages();
  void write_static(Step &step, const std::string &path);
  void write_dynamic(Step &step, const std::string &path);
  void write_modes(Step &step, const std::string &path);
  void write_modal(Step &step, const std::string &path);
  void write_harmonic(Step &step, const std::string &path);
  void write_modal_damping(const Step &step, const std::string &path);
  void write_stage_loads();
  void write_prints();
  void write_print(const Keyword &card, const Step &step, std::size_t stage);
  void refuse_others() const;

  double density_of_body(const Line &line) const;

  Model model;
  DeckText text;
  std::map<std::string, int> names;
  int dim = 3;
  bool plane_stress = false, needs_density = false, nonlinear = false;
  std::vector<Keyword> before;  ///< the steps
  std::vector<Step> steps;
  std::map<std::string, AmplitudeTable> amplitudes;
  std::vector<double> densities;
  long modes = 0;  ///< of the last *FREQUENCY
  double modulus = 1;  ///< of the first material [Pa]
  double mass_damping = 0, stiffness_damping = 0;
  std::size_t damping_line = 0;

  std::vector<Region> acting, begun;  ///< loads: of earlier steps, of this one
  std::map<std::array<std::size_t, 4>, std::vector<std::size_t>> acting_at;  ///< place: which of `acting`
  std::map<std::string, std::size_t> acting_on;                              ///< key: which of `acting`

  /// One *BOUNDARY: what it says of a set or node.
  struct Held
  {
    std::string word;
    std::size_t line;
    const Step *step;
    std::array<std::optional<double>, 3> value{};
    std::array<std::size_t, 3> lines{};
    const Keyword *card = nullptr;
  };
  std::vector<Held> held;
  std::map<std::tuple<std::string, const Step *, const Keyword *>, std::size_t> held_on;  ///< word, step, card with an amplitude: index into held
};
}  // namespace symdyn::abaqus
