#include "elements/beams/beam_course.h"

#include <map>
#include <utility>

#include "solver/error.h"

namespace symdyn
{
BeamCourse::Directors BeamCourse::frame(const GramVector &direction, const GramVector &tangent)
{
  const GramVector normal = combination(direction, -dot(direction, tangent), tangent);
  constexpr double along_it = 1e-3;
  if (!(norm(normal) > along_it * norm(direction)))
    return {};
  const GramVector d1 = scaled(1. / norm(normal), normal);
  return {d1, cross(tangent, d1)};
}

namespace
{
/// Of a node of a line, whose file may give axis 2 there.
BeamCourse::Directors directors_at(const SurfaceMesh::Line &line, const int node, const GramVector &tangent, const GramVector &direction)
{
  if (line.normals.empty() || norm(line.normals[node]) == 0.)
  {
    const BeamCourse::Directors frame = BeamCourse::frame(direction, tangent);
    if (norm(frame[0]) == 0.)
      throw InputError("Direction is along " + line.name + ". Give a direction of axis 1 of the section that is not");
    return frame;
  }
  constexpr double along_it = 1e-3;
  const GramVector axis_1 = cross(line.normals[node], tangent);
  if (!(norm(axis_1) > along_it))
    throw InputError("the normal that the file gives at a node of " + line.name + " is along it. Give axis 2 of the section there");
  return BeamCourse::frame(axis_1, tangent);
}
}  // namespace

BeamCourse course_of_lines(const MeshLines &of_mesh, const SurfaceSites &sites, const std::vector<std::size_t> &lines,
                           const std::string &type, const GramVector &direction)
{
  BeamCourse course;
  std::map<unsigned int, int> index;
  const std::vector<std::vector<GramVector>> tangents = of_mesh.tangents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i)
  {
    const SurfaceMesh::Line &line = of_mesh.mesh().lines[lines[i]];
    const std::string of_line = line.nodes.size() == 2 ? "B31" : "B32";
    if (of_line != type)
      throw InputError(line.name + " has " + std::to_string(line.nodes.size()) + " nodes: set Type = " + of_line);
    const std::vector<int> order = line.nodes.size() == 2 ? std::vector<int>{0, 1} : std::vector<int>{0, 2, 1};
    BeamCourse::Element element{{}, {}, line.groups, line.number};
    for (const int a : order)
    {
      const auto [known, is_new] = index.emplace(line.nodes[a], int(course.places.size()));
      if (is_new)
      {
        course.places.push_back(sites(line.nodes[a]));
        course.positions.push_back(of_mesh.mesh().nodes[line.nodes[a]]);
      }
      element.nodes.push_back(known->second);
      if (norm(tangents[i][a]) == 0.)
        throw InputError(line.name + " has no length. Remove it from the mesh");
      element.directors.push_back(directors_at(line, a, tangents[i][a], direction));
    }
    course.elements.push_back(std::move(element));
  }
  return course;
}

namespace
{
/// Ends of elements at each node.
std::map<int, std::vector<BeamCut>> all_cuts(const BeamCourse &course)
{
  std::map<int, std::vector<BeamCut>> cuts;
  for (std::size_t e = 0; e < course.elements.size(); ++e)
  {
    cuts[course.elements[e].nodes.front()].push_back({"", e, true});
    cuts[course.elements[e].nodes.back()].push_back({"", e, false});
  }
  return cuts;
}
}  // namespace

std::vector<BeamCut> ends_of(const BeamCourse &course)
{
  std::vector<BeamCut> ends;
  for (const auto &[node, cuts] : all_cuts(course))
    if (cuts.size() == 1)
      ends.push_back(cuts.front());
    else if (cuts.size() > 2)
      return {};
  if (ends.size() != 2)
    return {};
  if (!ends[0].at_start && ends[1].at_start)
    std::swap(ends[0], ends[1]);
  ends[0].name = "from";
  ends[1].name = "to";
  return ends;
}

BeamCut cut_at(const BeamCourse &course, const SitePlan::Site place, const std::string &name)
{
  for (const auto &[node, cuts] : all_cuts(course))
    if (course.places[node] == place)
    {
      if (cuts.size() > 2)
        throw InputError("'" + name + "': " + std::to_string(cuts.size()) + " elements of the beam meet there. Make a beam of each branch");
      const bool is_end = cuts.size() == 2 && cuts.front().at_start && !cuts.back().at_start;
      BeamCut cut = is_end ? cuts.back() : cuts.front();
      cut.name = name;
      return cut;
    }
  throw InputError("'" + name + "' is no end of an element of the beam. Give a node at which elements of its Groups end");
}
}  // namespace symdyn
