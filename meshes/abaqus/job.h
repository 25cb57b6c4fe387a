#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meshes/abaqus/amplitude.h"
#include "meshes/abaqus/axes.h"
#include "meshes/abaqus/couplings.h"
#include "meshes/abaqus/entries.h"
#include "meshes/abaqus/loads.h"
#include "meshes/abaqus/model.h"
#include "meshes/abaqus/points.h"
#include "meshes/abaqus/supports.h"
#include "meshes/abaqus/translator.h"

namespace symdyn::abaqus
{
/// What *STEP ... *END STEP says.
struct Step
{
  std::size_t line = 0;
  std::string name, procedure;
  ProcedureTraits traits;
  bool is_open = true;          ///< no *END STEP yet
  Keyword card;                 ///< the procedure
  std::vector<Keyword> inside;  ///< all other keywords
  bool nonlinear = false, perturbation = false;
  std::string amplitude;                           ///< AMPLITUDE=STEP or RAMP of this step or of one before
  std::map<std::string, std::string> loads;        ///< names of the loads that begin here, by what they act on
  std::set<std::string> removes;                   ///< kinds of loads of earlier steps that end here
  std::vector<std::string> quadrature;             ///< loads of LOAD CASE=2: a quarter of a period ahead
  std::vector<long> loaded_sectors;                ///< numbers, from 1, of a cyclic model; {}: no load names its sector
  long increments = 0;                             ///< INC; 0: not given
  std::map<std::string, const Keyword *> varying;  ///< cards of loads that begin here with an AMPLITUDE, by what they act on
  double start = 0;                                ///< of the deck's time: statics take none [s]
  double total_start = 0;                          ///< of the total time of the file
  double period = 1;
  bool takes_time = false;  ///< a static step has a Duration
  bool periodic = false;    ///< *STEADY STATE DYNAMICS, HARMONIC=NO
  /// Whether amplitudes are functions of time, and where theirs begins in the deck.
  bool follows_amplitudes() const { return traits.takes_time || periodic; }
  double start_of(const AmplitudeTable &table) const { return periodic ? 0. : table.total_time ? start - total_start : start; }
};

/// Cells of one material, orientation and thickness.
struct Section
{
  std::string material, orientation;
  double thickness;
  std::vector<std::string> groups;
  bool thin = false;  ///< of beams and shells
};
/// A material of a section while its cards are read.
struct Material
{
  const Section &section;
  std::string path;
  double density = 0;  ///< [kg/m³]; 0: not given
  std::size_t laws = 0;
  std::string flow = "";                  ///< type of a law that flows: plastic, creep; "": elastic
  bool combined = false;                  ///< isotropic and kinematic hardening
  bool cyclic = false;                    ///< *CYCLIC HARDENING has its isotropic part
  std::vector<double> temperatures = {};  ///< of a law that flows, at which its constants are written; empty: they hold at all
  bool turned = false;                    ///< its Axes are written
  bool relaxes = false;                   ///< *VISCOELASTIC: its law is the elastic one at the start
  double shear_rise = 1, bulk_rise = 1;   ///< moduli at the start over those of the cards, which are of the long term
};
struct Materials
{
  std::vector<Section> sections;
  std::vector<double> densities;
  bool creep = false;  ///< one of a section does, or relaxes
  struct Weightless
  {
    std::string material;
    std::vector<std::string> groups;
  };
  std::vector<Weightless> weightless;  ///< materials without a density, and their sets of elements
  /// Of beams and shells: by upper-case name, their sets of elements, and the name in the deck.
  struct OfThin
  {
    std::vector<std::string> groups;
    std::string name;
  };
  std::map<std::string, OfThin> thin;
};
/// *DAMPING, one for all materials.
struct Damping
{
  std::size_t line = 0;  ///< 0: there is none
  double mass = 0, stiffness = 0, structural = 0;
};
/// What the last *FREQUENCY and *MODAL DAMPING amount to, which stay in force.
struct Modes
{
  std::vector<std::pair<std::string, std::string>> entries;  ///< empty: there are no modes
  long count = 0;                                            ///< that are asked for
  std::map<std::string, std::string> damping;
};

constexpr int components_with_rotations = 6;  ///< of a node: 3 displacements, 3 rotations

/// What a file describes: plain data that translators fill, use and write into the entries of a deck.
struct Job
{
  Job(const Model &model, const Translators &translators) : model(model), translators(translators), out(model.scanner, model.all) {}

  const Model &model;  ///< nodes, elements, sets, and all keywords
  const Translators &translators;
  Entries out;

  int dim = 3;
  bool bodiless = false;                             ///< there are no cells
  bool thin = false, solid = false;                  ///< there are beams or shells; there are cells of solids
  std::vector<bool> of_thin;                         ///< nodes of beams and shells
  bool plane_stress = false, nonlinear = false;      ///< nonlinear: a step has NLGEOM
  std::vector<Keyword> before;                       ///< outside of the steps
  std::vector<Step> steps;                           ///< one at least
  std::map<std::string, AmplitudeTable> amplitudes;  ///< by upper-case name
  Axes axes;
  Materials materials;
  Damping damping;
  Modes modes;
  Supports supports;
  Loads loads;
  Couplings couplings;
  Points points;
  std::map<std::array<std::string, 2>, std::string> contacts;  ///< by their surfaces, the dependent one first, in upper case
  std::vector<Equation> equations;
  std::set<std::size_t> with_properties;                       ///< elements
  std::set<std::size_t> shapeless;                             ///< beams whose section is numbers alone
  std::map<std::size_t, std::pair<std::string, double>> bars;  ///< by element: its section in Springs, and its area

  /// Components of the motion of a node: rotations, too, where there are beams, shells or couplings.
  int components() const { return thin || !couplings.all.empty() ? components_with_rotations : dim; }
  /// Whether an element is a part of the body, not a bar, spring, dashpot or mass beside it.
  bool is_cell(const std::size_t e) const { return is_thin(model.types[e]) || is_solid(e); }
  bool is_solid(const std::size_t e) const { return !is_thin(model.types[e]) && dimension(model.mesh.elements[e].shape) == dim; }
  /// Whether a node is of beams or shells; without solids all are.
  bool turns(const std::size_t node) const { return thin && (!solid || of_thin[node]); }
  bool discrete() const { return bodiless || (thin && !solid); }
  /// Of elements that a line of data names.
  bool any_thin(const Line &line, const std::string &word) const
  {
    const std::vector<std::size_t> elements = model.elements_of(line, word);
    return std::any_of(elements.begin(), elements.end(), [this](const std::size_t e) { return is_thin(model.types[e]); });
  }
  /// Whether all steps are static, or like it: nothing needs a mass.
  bool rests() const;
  /// Whether a material of the file flows: then increments matter without NLGEOM, too.
  bool flows() const;
  bool creeps() const;
  /// Whether temperatures matter: a step changes them, or moduli depend on them.
  bool heats() const;
  // Errors of the file, and words of its lines: as of the model.
  [[noreturn]] void fail(std::size_t line, const std::string &value, const std::string &rule) const
  {
    model.scanner.fail_at(line, value, rule);
  }
  std::string word(const Line &line, std::size_t i) const { return model.word(line, i); }
  double real(const Line &line, std::size_t i, const char *what) const { return model.real(line, model.word(line, i), what); }
  double real_or(const Line &line, std::size_t i, double otherwise, const char *what) const;
  /// Reads word i as the temperature of what stands before it, if that is a number with a point: behind `0` of `0, 3` it would be a decimal
  /// comma, and stays unread.
  void pass_temperature(const Line &line, std::size_t i) const;
  const Line &only_line(const Keyword &keyword, const char *what) const;
};

/// Errors: InputError for a material of a section that the file does not have.
void require_material(const Job &job, std::size_t line, const std::string &material);
/// Whether TYPE= of *ELASTIC or *EXPANSION says so, or nothing.
bool is_isotropic(const Keyword &card);
/// Type of the material; of one that relaxes, of its law at the start.
void write_law(Job &job, std::size_t line, const Material &material, const std::string &type);
/// *VISCOELASTIC among the cards of a material: what the constants of the others are raised by. Errors: InputError.
void find_relaxation(const Job &job, const std::vector<Keyword> &cards, Material &material);
/// *PLASTIC, HARDENING=JOHNSON COOK.
void write_johnson_cook(Job &job, const Keyword &card, const Material &material);
/// Where the temperature stands in a line of constants of a law that flows, or of *ELASTIC.
std::size_t temperature_column(const Keyword &card);
/// *EXPANSION as entries of a section.
void write_expansion(Job &job, const Keyword &card, const std::string &path);
/// Whether constants of a law, or *EXPANSION, stand at several temperatures.
bool is_over_temperature(const Keyword &card);
/// The section that has the constants at a temperature of `material.temperatures`.
std::string section_at(const Material &material, double T);
/// Between rows "T value" that ascend in T linearly, beyond them constant.
double between_rows(const std::vector<std::pair<double, double>> &rows, double T);
/// Entries of modes of a stage. Errors: InputError if no *FREQUENCY stands before it.
void write_mode_entries(Job &job, const Keyword &card, const std::string &path);
/// *MODAL DAMPING of the step, or of one before.
void write_modal_damping(Job &job, const Step &step, const std::string &path);
/// The smallest and the largest increment, which constant ones do not need, and what CalculiX has behind them.
void read_limits_of_increments(const Job &job, const Line &line);
/// *BASE MOTION of a harmonic step.
void write_base_motion(Job &job, const Step &step, const std::string &path);
}  // namespace symdyn::abaqus
