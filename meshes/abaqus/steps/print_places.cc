#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/steps/print_places.h"
#include "solver/base/names.h"

// Where *NODE PRINT and *EL PRINT have their components: along which axes, and of nodes that are points.
namespace symdyn::abaqus
{
namespace
{
/// Stresses of bars of small displacements.
void write_print_lines(Job &job, const Keyword &card, const Set &set, const std::string &path)
{
  if (job.nonlinear)
    job.fail(card.line, "*EL PRINT, ELSET=" + set.name, "stresses of bars are written without NLGEOM only. Print RF of their nodes.");
  std::vector<std::string> lines, numbers;
  std::vector<double> areas;
  for (const std::size_t e : set.members)
  {
    const auto bar = job.bars.find(e);
    if (bar == job.bars.end())
      job.fail(card.line, "*EL PRINT, ELSET=" + set.name,
               fmt::format("element {} is no bar: it has no stress. Print RF of its nodes.", job.model.mesh.elements[e].number));
    lines.push_back(bar->second.first);
    areas.push_back(bar->second.second);
    numbers.push_back(std::to_string(job.model.mesh.elements[e].number));
  }
  job.out.add(card.line, path, "Lines", join(lines));
  job.out.add(card.line, path, "Areas", written(areas));
  job.out.add(card.line, path, "Numbers", join(numbers));
}
/// Beams and shells.
void check_print_of_sections(Job &job, const Keyword &card, const Set &set)
{
  if (upper(card.option("GLOBAL")) == "YES")
    job.out.warn(card.line, "GLOBAL=YES", "section forces and stresses of shells are along the axes of their section");
  for (const std::size_t e : set.members)
    if (!job.is_cell(e))
      return job.out.warn(card.line, "*EL PRINT, ELSET=" + set.name,
                          fmt::format("element {} is of type {}: it has no row in the tables, which are of beams and shells",
                                      job.model.mesh.elements[e].number, job.model.types[e]));
}

void write_print_axes_of_elements(Job &job, const Keyword &card, const Set &set, const std::string &path)
{
  if (upper(card.option("GLOBAL")) == "YES")
    return;
  std::map<std::size_t, std::string> of_element;
  for (const Keyword &section : job.before)
    if (section.name == "SOLID SECTION")
      for (const std::size_t e : job.model.elements_named(section))
        of_element[e] = section.option("ORIENTATION");
  std::set<std::string> orientations;
  const Keyword *section = nullptr;
  for (const std::size_t e : set.members)
    orientations.insert(upper(of_element[e]));
  if (orientations == std::set<std::string>{""})
    return;
  if (orientations.size() > 1)
    job.fail(card.line, "*EL PRINT, ELSET=" + set.name,
             "its elements have several *ORIENTATIONs. Print each by itself, or write GLOBAL=YES.");
  for (const Keyword &other : job.before)
    if (other.name == "SOLID SECTION" && upper(other.option("ORIENTATION")) == *orientations.begin())
      section = &other;
  const Keyword &orientation = orientation_of(job, section->line, section->option("ORIENTATION"));
  job.out.add(card.line, path, "Axes", "rectangular");
  job.out.add(card.line, path, "Axes points", written(points_of_axes(job, orientation)));
}
}  // namespace

void write_print_places(Job &job, const Keyword &card, const Set &set, const std::string &path)
{
  const std::string global = upper(card.option("GLOBAL"));
  if (!global.empty() && global != "YES" && global != "NO")
    job.fail(card.line, "GLOBAL=" + card.option("GLOBAL"), "is YES or NO.");
  if (card.name == "EL PRINT" && job.bodiless)
    return write_print_lines(job, card, set, path);
  if (card.name == "EL PRINT" && !job.solid && job.thin)
    return check_print_of_sections(job, card, set);
  if (card.name == "EL PRINT")
    return write_print_axes_of_elements(job, card, set, path);
  std::vector<std::string> names, numbers, turned, rotations, rotation_numbers;
  std::set<int> axes;
  for (const std::size_t node : set.members)
  {
    if ((is_outer(job, node) || job.turns(node)) && job.points.used.count(node))
    {
      names.push_back(point(job, node, card.line));
      numbers.push_back(std::to_string(job.model.mesh.numbers[node]));
    }
    if (const auto turning = job.couplings.of_turned.find(node); turning != job.couplings.of_turned.end())
    {
      const std::string &section = job.couplings.all[turning->second].section;
      rotations.push_back(section.substr(section.find('/') + 1));
      rotation_numbers.push_back(std::to_string(job.model.mesh.numbers[node]));
    }
    if (const int transform = transform_of(job, node); transform >= 0 && global != "YES")
    {
      axes.insert(transform);
      turned.push_back(std::to_string(job.model.mesh.numbers[node]));
    }
  }
  if (!names.empty())
  {
    job.out.add(card.line, path, "Points", join(names));
    job.out.add(card.line, path, "Numbers", join(numbers));
  }
  if (!rotations.empty())
  {
    job.out.add(card.line, path, "Rotations", join(rotations));
    job.out.add(card.line, path, "Rotation numbers", join(rotation_numbers));
  }
  if (axes.empty())
    return;
  if (axes.size() > 1)
    return job.out.warn(
        card.line, "*NODE PRINT, NSET=" + set.name,
        "its nodes have the axes of several *TRANSFORMs, and the table has global ones. Print the nodes of each by themselves "
        "for theirs");
  write_axes(job, card.line, path, *axes.begin());
  if (turned.size() < set.members.size())
    job.out.add(card.line, path, "Axes of", join(turned));
}
}  // namespace symdyn::abaqus
