#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
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
  /// The same as an expression of the time t of the deck, where the table begins at `start`: a0 + sum of changes of slope times max(t - t_k, 0).
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
  std::string amplitude;        ///< AMPLITUDE=STEP or RAMP of this step or of one before
  std::map<std::string, std::string> loads;  ///< names of the loads that begin here, by what they act on
  std::set<std::string> removes;             ///< kinds of loads of earlier steps that end here
  std::vector<std::string> quadrature;       ///< loads of LOAD CASE=2: a quarter of a period ahead
  long increments = 0;             ///< INC; 0: not given
  double start = 0;                ///< of the deck's time: statics take none [s]
  double total_start = 0;          ///< of the total time of the file
  double period = 1;
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
  /// `first`: the step in which it begins.
  void read_boundary(const Keyword &card, std::size_t first);
  void write_loads();
  void read_loads(const Keyword &card, Step &step);
  void cload(const Keyword &card, Step &step);
  void dload(const Keyword &card, Step &step);
  void dsload(const Keyword &card, Step &step);
  void body_load(const Keyword &card, const Line &line, const std::string &label, Step &step);
  void require_whole_body(const Line &line, const std::string &elements) const;
  void write_amplitude(const Keyword &card, const Step &step, const std::string &path);
  /// The factor that an amplitude has at the end of a static step.
  double static_factor(const Keyword &card, const Step &step) const;
  /// TIME DELAY of the card [s].
  double delay(const Keyword &card) const;
  const AmplitudeTable *amplitude(const Keyword &card) const;
  void write_equations();
  void write_initial();
  void write_stages();
  void write_static(Step &step, const std::string &path);
  void write_dynamic(Step &step, const std::string &path);
  void write_modes(Step &step, const std::string &path);
  void write_modal(Step &step, const std::string &path);
  void write_harmonic(Step &step, const std::string &path);
  void write_mode_entries(const Keyword &card, const std::string &path);
  void write_modal_damping(const Step &step, const std::string &path);
  void write_stage_loads();
  void write_prints();
  void write_print(const Keyword &card, const Step &step, std::size_t stage);
  void write_time_points(const Keyword &card, const Step &step, const std::string &path);
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
  std::vector<std::pair<std::string, std::string>> modes;  ///< entries that the last *FREQUENCY amounts to; empty: there is none
  long mode_count = 0;  ///< that it asks for
  std::map<std::string, std::string> modal_damping;  ///< entries of the last *MODAL DAMPING, which stays in force
  double modulus = 1;  ///< of the first material [Pa]
  double mass_damping = 0, stiffness_damping = 0;
  std::size_t damping_line = 0;

  /// One *BOUNDARY: what it says of a set or node.
  struct Held
  {
    std::string word;
    std::size_t line, first;  ///< first: the step in which it begins
    bool stands = false;      ///< FIXED
    std::array<std::optional<double>, 3> value{};
    std::array<std::size_t, 3> lines{};
    const Keyword *card = nullptr;
    std::string text(int d) const;
    bool says_the_same(const Held &other, int d) const;
  };
  using Owners = std::map<std::pair<std::size_t, int>, std::size_t>;  ///< of a node and a component: index into held
  std::vector<Owners> owners_of_steps() const;
  void write_held(std::size_t h, const std::vector<Owners> &owners, std::vector<std::vector<std::string>> &in_step);
  std::vector<Held> held;
  std::set<std::size_t> frees_all;  ///< steps with OP=NEW
};
}  // namespace symdyn::abaqus
