#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// Files without cells: springs, bars, dashpots and masses become a discrete structure.
namespace symdyn::abaqus
{
void DeckWriter::find_dimension()
{
  const auto &elements = model.mesh.elements;
  bodiless = !elements.empty() &&
             std::all_of(elements.begin(), elements.end(), [](const FileElement &element) { return dimension(element.shape) < 2; });
  constexpr int space = 3;
  const bool in_plane = std::all_of(model.types.begin(), model.types.end(), [](const std::string &type) { return type == "T2D2"; });
  dim = !bodiless ? mesh_dimension(model.mesh) : in_plane ? 2 : space;
}

void DeckWriter::refuse_without_cells(const Keyword &card, const std::string &why) const
{
  fail(card.line, "*" + card.name, "cannot be computed in a file without cells: " + why);
}

void DeckWriter::write_discrete()
{
  const std::size_t line = model.mesh.elements.front().line;
  add(line, "", "Structure", "discrete");
  add(line, "Points", "Dimension", std::to_string(dim));
  for (const Keyword &card : before)
    if (card.name == "EQUATION")
      refuse_without_cells(card, "write it into a .prm deck as Constraints with Law = expression.");
    else if (card.name == "DAMPING")
      refuse_without_cells(card, "bars have no material damping. Add dashpots.");
  for (const Step &step : steps)
    for (const Keyword &card : step.inside)
      if (card.name == "DLOAD" || card.name == "DSLOAD")
        refuse_without_cells(card, "forces act on nodes (*CLOAD); gravity is Points/Gravity of a .prm deck.");
      else if (card.name == "EQUATION")
        refuse_without_cells(card, "write it into a .prm deck as Constraints with Law = expression.");
}

/// Whether nothing moves the component of a node: in statics it would have no stiffness.
bool DeckWriter::rests(const std::size_t node, const int d) const
{
  const PointUse &use = points.at(node);
  const bool statics = std::all_of(steps.begin(), steps.end(), [](const Step &step) { return step.procedure == "STATIC"; });
  return !use.forced[d] && !(nonlinear ? spanned[d] : use.stiff[d]) && (statics || (!use.joined && use.mass == 0.));
}

/// A point of a discrete structure: held, or moved, along some components.
void DeckWriter::write_alone(const std::size_t node, const std::string &path)
{
  const PointUse use = points.at(node);
  const Owners &first = owners.front();
  std::vector<std::string> free, motion(dim, "0");
  bool moves = false, turned = false;
  for (int d = 0; d < dim; ++d)
    if (const auto found = first.find({node, d}); found == first.end())
    {
      if (!rests(node, d))
        free.push_back(std::string(1, "xyz"[d]));
    }
    else if (const Held &by = held[found->second]; *by.value[d] != 0.)
    {
      motion[d] = motion_of(by, d);
      moves = true;
    }
  turned = transform_of(node) >= 0 && (moves || (!free.empty() && int(free.size()) < dim));
  if (turned)
    fail(use.line, std::to_string(model.mesh.numbers[node]),
         "this node has axes of its own (*TRANSFORM); in a file without cells such a node is held altogether, or not at all.");
  if (int(free.size()) < dim)
    add(use.line, path, "Fixed", "yes");
  if (int(free.size()) < dim && !free.empty())
    add(use.line, path, "Free", join(free));
  if (moves)
    add(use.line, path, "Motion", join(motion));
  if (!free.empty() && use.mass == 0.)
  {
    const auto moving = std::find_if(steps.begin(), steps.end(), [](const Step &step) { return step.procedure != "STATIC"; });
    if (moving != steps.end())
      fail(use.line, std::to_string(model.mesh.numbers[node]),
           fmt::format("this node has no mass, which the motion in {} needs. Add *MASS, or *DENSITY of its bars, or hold it.",
                       moving->name));
    add(use.line, path, "Mass", "1");  // statics do not feel it
  }
  if (!free.empty())
    write_start(node, path);
}

void DeckWriter::start_alone(const Line &line, const std::string &name, const std::set<std::size_t> &nodes, const int d)
{
  const double value = real(line, 2, "the value");
  std::vector<std::string> without_effect;
  for (const std::size_t node : nodes)
    if (points.count(node) && !owners.front().count({node, d}) && !rests(node, d))
      start_of_nodes[name][node][d] = value;
    else
      without_effect.push_back(std::to_string(model.mesh.numbers[node]));
  if (value == 0. || without_effect.empty())
    return;
  constexpr std::size_t most = 8;
  const std::size_t count = without_effect.size();
  without_effect.resize(std::min(count, most));
  warn(line.number, join(line.words),
       fmt::format("has no effect on {} {}{}, which *BOUNDARY holds along component {}, or which nothing moves that way",
                   count == 1 ? "node" : "nodes", join(without_effect), count > most ? ", ..." : "", d + 1));
}

void DeckWriter::write_start(const std::size_t node, const std::string &path)
{
  for (const auto &[name, nodes] : start_of_nodes)
    if (const auto found = nodes.find(node); found != nodes.end())
      add(points.at(node).line, path, name, written(std::vector<double>(found->second.begin(), found->second.begin() + dim)));
}

/// Stresses of bars of small displacements.
void DeckWriter::write_print_lines(const Keyword &card, const Set &set, const std::string &path)
{
  if (nonlinear)
    fail(card.line, "*EL PRINT, ELSET=" + set.name, "stresses of bars are written without NLGEOM only. Print RF of their nodes.");
  std::vector<std::string> lines, numbers;
  std::vector<double> areas;
  for (const std::size_t e : set.members)
  {
    const auto bar = sections_of_bars.find(e);
    if (bar == sections_of_bars.end())
      fail(card.line, "*EL PRINT, ELSET=" + set.name,
           fmt::format("element {} is no bar: it has no stress. Print RF of its nodes.", model.mesh.elements[e].number));
    lines.push_back(bar->second.first);
    areas.push_back(bar->second.second);
    numbers.push_back(std::to_string(model.mesh.elements[e].number));
  }
  add(card.line, path, "Lines", join(lines));
  add(card.line, path, "Areas", written(areas));
  add(card.line, path, "Numbers", join(numbers));
}
}  // namespace symdyn::abaqus
