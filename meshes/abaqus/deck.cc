#include "meshes/abaqus/deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace abaqus
{
std::string written(const double value) { return fmt::format("{}", value); }

std::string written(const std::vector<double> &values)
{
  std::vector<std::string> words;
  for (const double value : values)
    words.push_back(written(value));
  return join(words);
}

DeckWriter::DeckWriter(const std::string &file) : model(file) {}

void DeckWriter::add(const std::size_t line, const std::string &path, const std::string &name, const std::string &value)
{
  text.lines.push_back({path, name, value, model.scanner.place(line)});
}

void DeckWriter::warn(const std::size_t line, const std::string &what, const std::string &message)
{
  text.warnings.push_back(fmt::format("{}: {}: {}", model.scanner.place(line), what, message));
}

std::string DeckWriter::fresh(const std::string &section, const std::string &name)
{
  std::string allowed = name;
  for (char &c : allowed)
    if (std::string("/#\\,[\"=").find(c) != std::string::npos || std::iscntrl(static_cast<unsigned char>(c)))
      c = '_';
  if (section == "Loads" && (allowed == "all" || allowed == "none"))
    allowed += "_";  // words of Stages/.../Loads
  const int count = ++names[section + "/" + upper(allowed)];
  return count == 1 ? allowed : fresh(section, fmt::format("{} ({})", allowed, count));
}

double DeckWriter::real(const Line &line, const std::size_t i, const char *what) const { return model.real(line, word(line, i), what); }

double DeckWriter::real_or(const Line &line, const std::size_t i, const double otherwise, const char *what) const
{
  return word(line, i).empty() ? otherwise : real(line, i, what);
}

const Line &DeckWriter::only_line(const Keyword &keyword, const char *what) const
{
  if (keyword.data.size() != 1)
    fail(keyword.line, "*" + keyword.name, fmt::format("needs one line of data: {}; it has {}.", what, keyword.data.size()));
  return keyword.data.front();
}

DeckText DeckWriter::write()
{
  sort_keywords();
  warn_of_remarks();
  refuse_others();
  refuse_between_steps();
  find_dimension();
  add(steps.front().line, "Units", "System", "none");  // the file does not say which it has
  bodiless ? write_discrete() : write_mesh();
  find_outer_nodes();
  read_transforms();
  write_materials();
  write_stages();
  write_supports();
  write_loads();
  write_springs();
  write_equations();
  write_initial();
  write_points();
  write_stage_supports();
  write_prints();
  write_files();
  refuse_unread();
  return std::move(text);
}

void DeckWriter::begin_step(const Keyword &keyword)
{
  Step step;
  step.line = keyword.line;
  step.name = fmt::format("step-{}", steps.size() + 1);
  const bool off = upper(keyword.option("NLGEOM")) == "NO";
  step.nonlinear = !off && (keyword.has("NLGEOM") || (!steps.empty() && steps.back().nonlinear));
  step.perturbation = keyword.has("PERTURBATION");
  step.amplitude = keyword.has("AMPLITUDE") ? upper(keyword.option("AMPLITUDE")) : steps.empty() ? "" : steps.back().amplitude;
  if (!step.amplitude.empty() && step.amplitude != "STEP" && step.amplitude != "RAMP")
    fail(keyword.line, "AMPLITUDE=" + step.amplitude, "is STEP or RAMP.");
  if (keyword.has("INC"))
    step.increments = model.number({keyword.line, {}}, keyword.option("INC"), "INC");
  steps.push_back(step);
}

/// Of the whole file: what one step deforms, those after it begin from.
void DeckWriter::find_nonlinearity()
{
  for (const Step &step : steps)
    nonlinear = nonlinear || step.nonlinear;
  bool loaded = false;
  for (const Step &step : steps)
  {
    if (step.perturbation && loaded && !nonlinear)
    {
      warn(step.line, "*STEP, PERTURBATION",
           "the stress of the steps before acts here: they are computed with large displacements, as with NLGEOM");
      nonlinear = true;
    }
    loaded = loaded || step.procedure == "STATIC";
  }
}

void DeckWriter::sort_keywords()
{
  static const std::set<std::string> procedures = {"STATIC", "DYNAMIC", "FREQUENCY", "MODAL DYNAMIC", "STEADY STATE DYNAMICS"};
  bool inside = false;
  for (const Keyword &keyword : model.all)
    if (keyword.name == "STEP")
    {
      require_options(model.scanner, keyword, {"NLGEOM", "INC", "PERTURBATION", "NAME", "AMPLITUDE"});
      if (inside)
        fail(keyword.line, "*STEP", fmt::format("the step of {} has no *END STEP.", model.scanner.place(steps.back().line)));
      inside = true;
      begin_step(keyword);
    }
    else if (keyword.name == "END STEP")
    {
      if (!inside)
        fail(keyword.line, "*END STEP", "there is no *STEP before it.");
      if (steps.back().procedure.empty())
        fail(steps.back().line, "*STEP", "says nothing to compute. Add *STATIC, *DYNAMIC or *FREQUENCY.");
      inside = false;
    }
    else if (!inside)
      before.push_back(keyword);
    else if (procedures.count(keyword.name))
    {
      Step &step = steps.back();
      if (!step.procedure.empty())
        fail(keyword.line, "*" + keyword.name, "the step has *" + step.procedure + " already. Make two steps.");
      step.procedure = keyword.name;
      step.card = keyword;
    }
    else
      steps.back().inside.push_back(keyword);
  if (inside && steps.size() > 1 && steps.back().procedure.empty() && steps.back().inside.empty())
  {
    warn(steps.back().line, "*STEP", "the last step is empty and has no *END STEP: it is left out, as in CalculiX");
    steps.pop_back();
    inside = false;
  }
  if (inside)
    fail(steps.back().line, "*STEP", "has no *END STEP. (CalculiX passes over such a step without a word.)");
  if (steps.empty())
    throw InputError(model.mesh.name +
                     ": has no *STEP: it is a mesh, and nothing is to be computed. Add a step, or name it in a deck's Mesh/File.");
  find_nonlinearity();
  for (const Keyword &keyword : model.all)
    if (keyword.name == "AMPLITUDE")
      read_amplitude(keyword);
}

void DeckWriter::refuse_others() const
{
  static const std::set<std::string> model_cards = {
      "HEADING",     "NODE",     "ELEMENT",      "NSET",     "ELSET",        "SURFACE",   "SOLID SECTION",      "MATERIAL",
      "DENSITY",     "ELASTIC",  "HYPERELASTIC", "DAMPING",  "BOUNDARY",     "AMPLITUDE", "INITIAL CONDITIONS", "PART",
      "END PART",    "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE", "PREPRINT",  "TIME POINTS",        "PRINT",
      "FILE FORMAT", "EQUATION", "TRANSFORM",    "SPRING",   "DASHPOT",      "MASS",      "ORIENTATION",        "RESTART"};
  static const std::set<std::string> step_cards = {
      "BOUNDARY",  "CLOAD",         "DLOAD",       "DSLOAD",      "NODE PRINT",     "EL PRINT",      "NODE FILE",
      "EL FILE",   "ENERGY FILE",   "OUTPUT",      "NODE OUTPUT", "ELEMENT OUTPUT", "ENERGY OUTPUT", "CONTROLS",
      "AMPLITUDE", "MONITOR",       "TIME POINTS", "NSET",        "ELSET",          "PRINT",         "FILE FORMAT",
      "RESTART",   "MODAL DAMPING", "EQUATION",    "BASE MOTION", "SECTION PRINT"};
  const auto check = [this](const std::vector<Keyword> &cards, const std::set<std::string> &known, const char *where) {
    for (const Keyword &card : cards)
      if (!known.count(card.name) && !(&cards == &before && without_effect().count(card.name)))
        fail(card.line, "*" + card.name,
             !way_out(card.name).empty()
                 ? way_out(card.name)
                 : fmt::format("cannot be computed {}. docs/inp.md says which keywords can, and what to do instead of others.", where));
  };
  check(before, model_cards, "before the first step");
  for (const Step &step : steps)
    check(step.inside, step_cards, "in a step");
}

namespace
{
/// The entry Mesh/Element for an element type, and what is computed in its place, if it is another.
struct Formulation
{
  std::string element, substitute = "";
};
const std::map<std::string, Formulation> formulations = {
    {"C3D4", {"standard"}},
    {"C3D6", {"standard"}},
    {"C3D8", {"standard"}},
    {"C3D8I", {"incompatible-modes"}},
    {"C3D8R", {"standard", "fully integrated C3D8 elements, which need no hourglass control"}},
    {"C3D10", {"standard"}},
    {"C3D15", {"standard"}},
    {"C3D20", {"serendipity"}},
    {"C3D20R", {"serendipity-reduced"}},
    {"CPS3", {"standard"}},
    {"CPE3", {"standard"}},
    {"CPS4", {"standard"}},
    {"CPE4", {"standard"}},
    {"CPS4R", {"standard", "fully integrated CPS4 elements"}},
    {"CPE4R", {"standard", "fully integrated CPE4 elements"}},
    {"CPS4I", {"incompatible-modes"}},
    {"CPE4I", {"incompatible-modes"}},
    {"CPS6", {"standard"}},
    {"CPE6", {"standard"}},
    {"CPS8", {"serendipity"}},
    {"CPE8", {"serendipity"}},
    {"CPS8R", {"serendipity-reduced"}},
    {"CPE8R", {"serendipity-reduced"}}};

/// How CalculiX 2.20 has another mass than full integration; "" if it has not.
std::string mass_of_calculix(const std::string &type, const Shape shape, const std::string &element)
{
  const std::string integrated = "computed with full integration of the mass, where CalculiX takes ";
  if (type == "C3D4")
    return integrated +
           "1 point an element: of the first ten frequencies of a beam of 8 x 2 x 2 bricks, cut into six, the first differs by 0.2 %, the sixth by 7 %";
  if (type == "C3D8I")
    return "computed with the mass of the body; CalculiX 2.20 reports effective masses 9 times as large, and frequencies that differ by 0.1 % (the first of a beam of 8 x 2 x 2 elements) to "
           "10 % (the tenth)";
  if (type == "C3D10")
    return "the mass is integrated exactly, where CalculiX takes 4 points an element: frequencies differ a little";
  if (shape == Shape::wedge)
    return integrated + "the few points of the stiffness";
  if (shape == Shape::triangle)
    return integrated + "the few points of a layer of wedges: the first frequency of a beam of 8 x 2 squares of CPS3 differs by 4 %";
  return element == "serendipity-reduced" ? integrated + "2 points a direction" : "";
}
}  // namespace

void DeckWriter::write_mesh()
{
  std::set<std::string> warned;
  const FileElement *first = nullptr;
  std::string element, state;
  for (std::size_t e = 0; e < model.mesh.elements.size(); ++e)
  {
    const FileElement &cell = model.mesh.elements[e];
    const std::string &type = model.types[e];
    if (dimension(cell.shape) != dim)
      continue;  // bars, springs, dashpots, masses
    const auto found = formulations.find(type);
    if (found == formulations.end())
    {
      std::vector<std::string> known;
      for (const auto &entry : formulations)
        known.push_back(entry.first);
      fail(cell.line, "TYPE=" + type, "elements of this type cannot be computed. Use one of: " + join(nearest_first(type, known)) + ".");
    }
    const std::string of_plane = dim == 2 ? type.substr(0, 3) : "";
    if (!first)
    {
      first = &cell;
      element = found->second.element;
      state = of_plane;
    }
    if (element != found->second.element || first->middle_nodes != cell.middle_nodes || state != of_plane)
      fail(cell.line, "TYPE=" + type,
           fmt::format("the mesh also has elements of type {}; all must be of one. Save the mesh with one type.",
                       model.types[first - model.mesh.elements.data()]));
    if (!found->second.substitute.empty() && warned.insert(type).second)
      warn(cell.line, "TYPE=" + type, "computed with " + found->second.substitute);
  }
  const bool has_mass = std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; });
  const std::string &type = model.types[first - model.mesh.elements.data()];
  if (const std::string other = mass_of_calculix(type, first->shape, element); has_mass && !other.empty())
    warn(first->line, "TYPE=" + type, other);
  plane_stress = state == "CPS";
  add(first->line, "Mesh", "Dimension", std::to_string(dim));
  add(first->line, "Mesh", "Type", "file");
  add(first->line, "Mesh", "File", std::filesystem::path(model.mesh.name).filename().string());
  if (first->middle_nodes > 0)
    add(first->line, "Mesh", "Degree", "2");
  if (element != "standard")
    add(first->line, "Mesh", "Element", element);
}
}  // namespace abaqus

namespace
{
/// Decks of Abaqus and CalculiX.
class AbaqusDeck : public DeckFormat
{
public:
  DeckText read(const std::string &file) const override { return abaqus::DeckWriter(file).write(); }
};

SYMDYN_REGISTER(DeckFormat, AbaqusDeck, ".inp");
}  // namespace
}  // namespace symdyn
