#include "meshes/abaqus_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "solver/error.h"
#include "solver/names.h"
#include "solver/registry.h"

namespace symdyn
{
namespace abaqus
{
std::string written(const double value) { return fmt::format("{}", value); }

std::string written(const std::vector<double> &values)
{
  std::vector<std::string> words;
  for (const double value : values) words.push_back(written(value));
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
    if (std::string("/#\\,[\"=").find(c) != std::string::npos || std::iscntrl(static_cast<unsigned char>(c))) c = '_';
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
  refuse_others();
  write_mesh();
  write_materials();
  write_stages();
  write_supports();
  write_loads();
  write_initial();
  write_prints();
  return std::move(text);
}

void DeckWriter::sort_keywords()
{
  static const std::set<std::string> procedures = {"STATIC", "DYNAMIC", "FREQUENCY", "MODAL DYNAMIC", "STEADY STATE DYNAMICS"};
  bool inside = false;
  for (const Keyword &keyword : model.all)
    if (keyword.name == "STEP")
    {
      require_options(model.scanner, keyword, {"NLGEOM", "INC", "PERTURBATION", "NAME", "AMPLITUDE"});
      if (inside) fail(keyword.line, "*STEP", fmt::format("the step of {} has no *END STEP.", model.scanner.place(steps.back().line)));
      inside = true;
      Step step;
      step.line = keyword.line;
      step.name = fmt::format("step-{}", steps.size() + 1);
      const bool off = upper(keyword.option("NLGEOM")) == "NO";
      step.nonlinear = !off && (keyword.has("NLGEOM") || (!steps.empty() && steps.back().nonlinear));
      step.perturbation = keyword.has("PERTURBATION");
      steps.push_back(step);
    }
    else if (keyword.name == "END STEP")
    {
      if (!inside) fail(keyword.line, "*END STEP", "there is no *STEP before it.");
      if (steps.back().procedure.empty()) fail(steps.back().line, "*STEP", "says nothing to compute. Add *STATIC, *DYNAMIC or *FREQUENCY.");
      inside = false;
    }
    else if (!inside)
      before.push_back(keyword);
    else if (procedures.count(keyword.name))
    {
      Step &step = steps.back();
      if (!step.procedure.empty()) fail(keyword.line, "*" + keyword.name, "the step has *" + step.procedure + " already. Make two steps.");
      step.procedure = keyword.name;
      step.card = keyword;
    }
    else
      steps.back().inside.push_back(keyword);
  if (inside) fail(steps.back().line, "*STEP", "has no *END STEP.");
  if (steps.empty()) throw InputError(model.mesh.name + ": has no *STEP: it is a mesh, and nothing is to be computed. Add a step, or name it in a deck's Mesh/File.");
  for (const Step &step : steps) nonlinear = nonlinear || step.nonlinear;
  for (const Keyword &keyword : model.all)
    if (keyword.name == "AMPLITUDE") read_amplitude(keyword);
}

void DeckWriter::refuse_others() const
{
  static const std::set<std::string> model_cards = {"HEADING", "NODE", "ELEMENT", "NSET", "ELSET", "SURFACE", "SOLID SECTION", "MATERIAL", "DENSITY", "ELASTIC", "HYPERELASTIC",
                                                    "DAMPING", "BOUNDARY", "AMPLITUDE", "INITIAL CONDITIONS", "PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE",
                                                    "END INSTANCE", "PREPRINT", "TIME POINTS", "PRINT", "FILE FORMAT"};
  static const std::set<std::string> step_cards = {"BOUNDARY", "CLOAD", "DLOAD", "DSLOAD", "NODE PRINT", "EL PRINT", "NODE FILE", "EL FILE", "ENERGY FILE", "OUTPUT",
                                                   "NODE OUTPUT", "ELEMENT OUTPUT", "ENERGY OUTPUT", "CONTROLS", "AMPLITUDE", "MONITOR", "TIME POINTS", "NSET", "ELSET",
                                                   "PRINT", "FILE FORMAT", "RESTART"};
  const auto check = [this](const std::vector<Keyword> &cards, const std::set<std::string> &known, const char *where) {
    for (const Keyword &card : cards)
      if (!known.count(card.name))
        fail(card.line, "*" + card.name, fmt::format("cannot be computed {}. docs/inp.md says which keywords can, and what to do instead of others.", where));
  };
  check(before, model_cards, "before the first step");
  for (const Step &step : steps) check(step.inside, step_cards, "in a step");
}

void DeckWriter::write_mesh()
{
  static const std::set<std::string> exact = {"C3D4", "C3D8", "C3D10", "CPS3", "CPE3", "CPS4", "CPE4", "CPS6", "CPE6"};
  static const std::map<std::string, std::string> substitutes = {
      {"C3D8R", "fully integrated C3D8 elements, which need no hourglass control"}, {"C3D20", "hexahedra with 27 nodes"}, {"C3D20R", "fully integrated hexahedra with 27 nodes"},
      {"CPS8", "quadrilaterals with 9 nodes"}, {"CPE8", "quadrilaterals with 9 nodes"}, {"CPS8R", "fully integrated quadrilaterals with 9 nodes"},
      {"CPE8R", "fully integrated quadrilaterals with 9 nodes"}, {"CPS4R", "fully integrated quadrilaterals"}, {"CPE4R", "fully integrated quadrilaterals"}};
  dim = mesh_dimension(model.mesh);
  std::set<std::string> warned, states;
  bool first_order = false;
  std::size_t first_line = 0;
  for (std::size_t e = 0; e < model.mesh.elements.size(); ++e)
  {
    const FileElement &element = model.mesh.elements[e];
    const std::string &type = model.types[e];
    if (dimension(element.shape) != dim)
      fail(element.line, "TYPE=" + type, "bars, springs, dashpots and masses cannot be computed from an .inp file. Write them into a .prm deck (docs/decks.md, Points on solids).");
    first_line = first_line == 0 ? element.line : first_line;
    (element.middles.empty() ? first_order : second_order) = true;
    if (dim == 2) states.insert(type.substr(0, 3));
    if (exact.count(type) || !warned.insert(type).second) continue;
    const auto found = substitutes.find(type);
    if (found == substitutes.end()) fail(element.line, "TYPE=" + type, "elements of this type cannot be computed. Use C3D4, C3D8, C3D10, C3D20, CPS4, CPE4, CPS8, CPE8, CPS3, CPE3.");
    warn(element.line, "TYPE=" + type, "computed with " + found->second);
  }
  if (first_order && second_order) fail(first_line, "elements", "of first and of second order are in one mesh. Save it with one of both.");
  if (states.size() > 1) fail(first_line, "CPS and CPE", "plane stress and plane strain are in one mesh. Compute them apart.");
  plane_stress = states.count("CPS");
  add(first_line, "Mesh", "Dimension", std::to_string(dim));
  add(first_line, "Mesh", "Type", "file");
  add(first_line, "Mesh", "File", std::filesystem::path(model.mesh.name).filename().string());
  if (second_order) add(first_line, "Mesh", "Degree", "2");
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
