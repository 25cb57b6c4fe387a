#include <fmt/format.h>

#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// Where *NODE PRINT and *EL PRINT have their components: along which axes, and of nodes that are points.
namespace symdyn::abaqus
{
void DeckWriter::write_print_places(const Keyword &card, const Set &set, const std::string &path)
{
  const std::string global = upper(card.option("GLOBAL"));
  if (!global.empty() && global != "YES" && global != "NO")
    fail(card.line, "GLOBAL=" + card.option("GLOBAL"), "is YES or NO.");
  if (card.name == "EL PRINT" && bodiless)
    return write_print_lines(card, set, path);
  if (card.name == "EL PRINT")
    return write_print_axes_of_elements(card, set, path);
  std::vector<std::string> names, numbers, turned;
  std::set<int> axes;
  for (const std::size_t node : set.members)
  {
    if (is_outer(node) && points.count(node))
    {
      names.push_back(point(node, card.line));
      numbers.push_back(std::to_string(model.mesh.numbers[node]));
    }
    if (const int transform = transform_of(node); transform >= 0 && global != "YES")
    {
      axes.insert(transform);
      turned.push_back(std::to_string(model.mesh.numbers[node]));
    }
  }
  if (!names.empty())
  {
    add(card.line, path, "Points", join(names));
    add(card.line, path, "Numbers", join(numbers));
  }
  if (axes.empty())
    return;
  if (axes.size() > 1)
    fail(card.line, "*NODE PRINT, NSET=" + set.name,
         "its nodes have the axes of several *TRANSFORMs. Print each by itself, or write GLOBAL=YES.");
  write_axes(card.line, path, *axes.begin());
  if (turned.size() < set.members.size())
    add(card.line, path, "Axes of", join(turned));
}

void DeckWriter::write_print_axes_of_elements(const Keyword &card, const Set &set, const std::string &path)
{
  if (upper(card.option("GLOBAL")) == "YES")
    return;
  std::map<std::size_t, std::string> of_element;
  for (const Keyword &section : before)
    if (section.name == "SOLID SECTION")
      for (const std::size_t e : model.elements_named(section))
        of_element[e] = section.option("ORIENTATION");
  std::set<std::string> orientations;
  const Keyword *section = nullptr;
  for (const std::size_t e : set.members)
    orientations.insert(upper(of_element[e]));
  if (orientations == std::set<std::string>{""})
    return;
  if (orientations.size() > 1)
    fail(card.line, "*EL PRINT, ELSET=" + set.name, "its elements have several *ORIENTATIONs. Print each by itself, or write GLOBAL=YES.");
  for (const Keyword &other : before)
    if (other.name == "SOLID SECTION" && upper(other.option("ORIENTATION")) == *orientations.begin())
      section = &other;
  const Keyword &orientation = read_orientation(*section);
  add(card.line, path, "Axes", "rectangular");
  add(card.line, path, "Axes points", written(points_of_axes(orientation)));
}
}  // namespace symdyn::abaqus
