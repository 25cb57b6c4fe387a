#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *ELEMENT: cells, and which of them a deck computes.
namespace symdyn::abaqus
{
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
    {"C3D10", {"few-points"}},
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
    {"CPS6", {"few-points"}},
    {"CPE6", {"few-points"}},
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

class Elements : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"ELEMENT"}}; }
  Turn turn() const override { return Turn::mesh; }
  void read_mesh(Model &model, const Keyword &card) override;
  void write(Job &job) override;
};
SYMDYN_REGISTER(Translator, Elements, "elements");

void Elements::read_mesh(Model &model, const Keyword &card)
{
  require_options(model.scanner, card, {"TYPE", "ELSET"});
  const std::string name = upper(model.required(card, "TYPE"));
  const ElementType type = element_type(model.scanner, card, name);
  std::vector<long> numbers;
  std::size_t first_line = 0;
  for (const Line &line : card.data)
  {
    if (numbers.empty())
      first_line = line.number;
    for (std::size_t i = 0; i < line.words.size(); ++i)
      if (!line.words[i].empty() || i + 1 < line.words.size())
        numbers.push_back(model.number(line, line.words[i], "the number of an element or of its node"));
    if (numbers.size() < type.nodes() + 1)
      continue;
    if (numbers.size() > type.nodes() + 1)  // CalculiX reads no further
    {
      model.cut_elements.push_back({first_line, "TYPE=" + name,
                                    fmt::format("of element {} the first {} nodes count, as in CalculiX; there are {}", numbers[0],
                                                type.nodes(), numbers.size() - 1)});
      numbers.resize(type.nodes() + 1);
    }
    if (type.shape == Shape::line && type.nodes() == 3)  // end, middle, end
      std::swap(numbers[2], numbers[3]);
    model.add_element(first_line, type, name, numbers);
    if (card.has("ELSET"))
      model.set(model.element_sets, model.required(card, "ELSET"), card.line).members.push_back(model.mesh.elements.size() - 1);
    numbers.clear();
  }
  if (!numbers.empty())
    model.scanner.fail_at(first_line, "element " + std::to_string(numbers[0]),
                          "a " + shape_name(type.shape) + " of type " + name + " has " + std::to_string(type.nodes()) +
                              " nodes, here are only " + std::to_string(numbers.size() - 1) + ".");
}

/// The cells of the body: the first of each type, and the element of the quadrilaterals and hexahedra.
struct Cells
{
  std::map<std::string, const FileElement *> first_of_type;
  const FileElement *first = nullptr, *first_cube = nullptr;
  std::string element = "standard", state;  ///< of the first cell where there are none; state: CPS, CPE
};

const Formulation &formulation_of(const Job &job, const FileElement &cell, const std::string &type)
{
  const auto found = formulations.find(type);
  if (found != formulations.end())
    return found->second;
  std::vector<std::string> known;
  for (const auto &entry : formulations)
    known.push_back(entry.first);
  job.fail(cell.line, "TYPE=" + type, "elements of this type cannot be computed. Use one of: " + join(nearest_first(type, known)) + ".");
}

/// Errors: InputError for cells that cannot be computed, or not beside others. A warning for those that are computed as others.
Cells cells_of(Job &job)
{
  Cells cells;
  for (std::size_t e = 0; e < job.model.mesh.elements.size(); ++e)
  {
    const FileElement &cell = job.model.mesh.elements[e];
    const std::string &type = job.model.types[e];
    if (!job.is_solid(e))
      continue;  // beams and shells; bars, springs, dashpots, masses
    const auto &formulation = formulation_of(job, cell, type);
    const std::string of_plane = job.dim == 2 ? type.substr(0, 3) : "";
    const bool is_cube = cell.shape == Shape::quadrilateral || cell.shape == Shape::hexahedron;
    if (!cells.first)
    {
      cells.first = &cell;
      cells.element = formulation.element;
      cells.state = of_plane;
    }
    if (is_cube && !cells.first_cube)
    {
      cells.first_cube = &cell;
      cells.element = formulation.element;
    }
    const bool other_cube = is_cube && (cells.element != formulation.element || cells.first_cube->middle_nodes != cell.middle_nodes);
    if (other_cube || (cells.first->middle_nodes > 0) != (cell.middle_nodes > 0) || cells.state != of_plane)
      job.fail(
          cell.line, "TYPE=" + type,
          fmt::format(
              "the mesh also has elements of type {}; those of one shape must be of one type, and all of one order. Save the mesh with one type.",
              job.model.types[(other_cube ? cells.first_cube : cells.first) - job.model.mesh.elements.data()]));
    if (cells.first_of_type.emplace(type, &cell).second && !formulation.substitute.empty())
      job.out.warn(cell.line, "TYPE=" + type, "computed with " + formulation.substitute);
  }
  return cells;
}

/// Of beams and shells, whose sections are in thin_sections.cc.
void check_thin(Job &job)
{
  for (std::size_t e = 0; e < job.model.types.size(); ++e)
    if (const FileElement &element = job.model.mesh.elements[e]; !job.is_cell(e) && dimension(element.shape) > 1)
      job.fail(element.line, "TYPE=" + job.model.types[e],
               "is a plane element, and the file also has beams or shells, which are in space. Write a file of each.");
  const auto full = std::find(job.model.types.begin(), job.model.types.end(), "S8");
  if (full != job.model.types.end())
    job.out.warn(job.model.mesh.elements[full - job.model.types.begin()].line, "TYPE=S8",
                 "computed as S8R, with 2 x 2 points of integration");
}

void write_thin(Job &job)
{
  const std::size_t line = job.model.mesh.elements.front().line;
  job.out.add(line, "Mesh", "Type", "file");
  job.out.add(line, "Mesh", "File", std::filesystem::path(job.model.mesh.name).filename().string());
}

void Elements::write(Job &job)
{
  if (job.bodiless)
    return;
  if (job.thin)
    check_thin(job);
  if (!job.solid)
    return write_thin(job);
  const Cells cells = cells_of(job);
  for (const auto &[type, cell] : cells.first_of_type)
    if (const std::string other = mass_of_calculix(type, cell->shape, formulations.at(type).element); !job.rests() && !other.empty())
      job.out.warn(cell->line, "TYPE=" + type, other);
  const FileElement &first = *cells.first;
  job.plane_stress = cells.state == "CPS";
  job.out.add(first.line, "Mesh", "Dimension", std::to_string(job.dim));
  job.out.add(first.line, "Mesh", "Type", "file");
  job.out.add(first.line, "Mesh", "File", std::filesystem::path(job.model.mesh.name).filename().string());
  if (first.middle_nodes > 0)
    job.out.add(first.line, "Mesh", "Order", "2");
  if (cells.element != "standard")
    job.out.add(first.line, "Mesh", "Element", cells.element);
}
}  // namespace
}  // namespace symdyn::abaqus
