#include "elements/beams/beam_course.h"

#include <map>

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

BeamCourse course_of_lines(const MeshLines &of_mesh, const std::vector<std::size_t> &lines, const std::string &type,
                           const GramVector &direction)
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
    BeamCourse::Element element{{}, {}, line.groups};
    for (const int a : order)
    {
      const auto [known, is_new] = index.emplace(line.nodes[a], int(course.places.size()));
      if (is_new)
      {
        course.places.push_back(line.nodes[a]);
        course.positions.push_back(of_mesh.mesh().nodes[line.nodes[a]]);
      }
      element.nodes.push_back(known->second);
      if (norm(tangents[i][a]) == 0.)
        throw InputError(line.name + " has no length. Remove it from the mesh");
      element.directors.push_back(BeamCourse::frame(direction, tangents[i][a]));
      if (norm(element.directors.back()[0]) == 0.)
        throw InputError("Direction is along " + line.name + ". Give a direction of axis 1 of the section that is not");
    }
    course.elements.push_back(std::move(element));
  }
  return course;
}
}  // namespace symdyn
