#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
class Model;
struct Job;
struct Material;
struct Step;

/// Where a keyword may stand.
enum class Where
{
  mesh,       ///< in files that are meshes only: there it is passed over
  model,      ///< outside of the steps
  material,   ///< likewise, behind the *MATERIAL that it belongs to
  step,       ///< in a step
  procedure,  ///< in a step, of which it says what is computed
  steps       ///< it begins or ends a step
};

/// What the steps of a procedure are.
struct ProcedureTraits
{
  bool takes_time = false;    ///< it moves the time of the deck, and amplitudes are functions of it
  bool moves = true;          ///< it needs masses
  bool linear = false;        ///< linear motion about the state before, with loads of its own
  bool carries_loads = true;  ///< its loads take the place of earlier ones, and act in later steps
  bool perturbation = false;  ///< *STEP, PERTURBATION may have it

  /// Of what is computed about the state before, and leaves it as it is.
  static ProcedureTraits about_a_state() { return {false, false, false, false, true}; }
};

using Options = std::set<std::string>;

/// A keyword that a translator reads: its name, in upper case, as the manuals write it, and what it may have.
struct KeywordRule
{
  std::string name;
  Where where = Where::model;
  std::optional<Options> options = {};    ///< those that are known, checked before the card is read; not given: read() checks them
  std::optional<std::size_t> lines = {};  ///< of data at most; not given: any number
  bool between_steps = false;             ///< of the model, and may stand behind a step
  ProcedureTraits procedure = {};
};

/// The turns of translators. One finds in the job what those of earlier turns have put there.
enum class Turn
{
  amplitudes,
  remarks,         ///< warnings of the file as a whole
  mesh,            ///< cells
  axes,            ///< of nodes
  materials,       ///< and which elements have them
  procedures,      ///< stages, and their times
  supports,        ///< what is held or moved
  moved_supports,  ///< what moves all that is held
  held,            ///< entries of supports
  loads,
  elements,  ///< beside cells: springs, dashpots, masses, bars
  equations,
  start,  ///< initial conditions
  points,
  step_supports,  ///< which supports and equations each step has
  tables,         ///< of nodes and elements
  last
};
constexpr Turn all_turns[] = {Turn::amplitudes, Turn::remarks,        Turn::mesh,          Turn::axes,   Turn::materials, Turn::procedures,
                              Turn::supports,   Turn::moved_supports, Turn::held,          Turn::loads,  Turn::elements,  Turn::equations,
                              Turn::start,      Turn::points,         Turn::step_supports, Turn::tables, Turn::last};

/// Translates a group of keywords: reads their cards into the job (job.h), and writes the entries of the deck that they amount to. One file
/// each, registered by a name of its own: SYMDYN_REGISTER(abaqus::Translator, Boundary, "boundary"). Each translation creates all of them,
/// so that members may remember what was read. Two may read the same keyword. Without keywords it writes what others have read. Errors:
/// InputError by Job::fail, with file:line.
///
/// In its turn: begin; read of its cards outside of the steps; then for each step begin_step, read of its cards there, end_step; at last
/// write. Cards come in the order of the file, also between translators of one turn, which else come in the order of their names.
class Translator
{
public:
  virtual ~Translator() = default;
  virtual std::vector<KeywordRule> keywords() const = 0;
  virtual Turn turn() const { return Turn::last; }

  /// While the file is read, in its order, also of files that are meshes only: nodes, elements, sets, faces.
  virtual void read_mesh(Model &, const Keyword &) {}
  /// When the mesh is handed over: which cells it shall name.
  virtual void name_cells(Model &, const Keyword &) {}

  virtual void begin(Job &) {}
  /// `step`: null outside of the steps.
  virtual void read(Job &, const Keyword &, Step *) {}
  virtual void begin_step(Job &, Step &) {}
  virtual void end_step(Job &, Step &) {}
  virtual void write(Job &) {}

  /// Of a keyword of Where::procedure: the entries of its stage, in the section `path`. It sets Step::period.
  virtual void write_procedure(Job &, Step &, const std::string &) {}
  /// Of a keyword of Where::material: for each section of cells that has the material.
  virtual void read_material(Job &, const Keyword &, Material &) {}
};

/// All translators that are registered.
class Translators
{
public:
  Translators();
  struct Reader
  {
    Translator *translator;
    KeywordRule rule;
  };
  /// Of a keyword, in the order of their names.
  std::vector<Translator *> of(const std::string &keyword) const;
  /// Its rules; those of one place.
  const std::vector<Reader> &readers(const std::string &keyword) const;
  std::vector<const Reader *> readers(const std::string &keyword, Where where) const;
  /// In the order of their names.
  std::vector<Translator *> with_turn(Turn turn) const;
  /// Names of all keywords, each once.
  const std::vector<std::string> &keywords() const { return names; }

private:
  std::vector<std::unique_ptr<Translator>> all;
  std::map<std::string, std::vector<Reader>> of_keyword;
  std::vector<std::string> names;
};
}  // namespace symdyn::abaqus
