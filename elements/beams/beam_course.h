#pragma once
#include <array>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/gram/mesh_lines.h"
#include "elements/gram/surface_sites.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// Nodes and elements of a beam at rest.
struct BeamCourse
{
  using Directors = std::array<GramVector, 2>;  ///< d1, d2
  struct Element
  {
    std::vector<int> nodes;            ///< end, (middle,) end: indices of places
    std::vector<Directors> directors;  ///< of each node, unit vectors normal to the beam
    std::vector<int> groups;           ///< of a line of the mesh
    long number = 0;                   ///< of a line of the mesh: in its file
  };
  std::vector<SitePlan::Site> places;  ///< of the nodes
  std::vector<GramVector> positions;   ///< [m]
  std::vector<Element> elements;

  /// Distance of both ends of an element [m].
  double chord(const Element &element) const
  {
    return norm(combination(positions[element.nodes.back()], -1., positions[element.nodes.front()]));
  }
  /// d1 along the part of `direction` that is normal to `tangent`, d2 = tangent x d1; all of them 0 where there is no such part.
  static Directors frame(const GramVector &direction, const GramVector &tangent);
};

/// An end of an element, at which a beam reports its section forces: the point of integration that is nearest.
struct BeamCut
{
  std::string name;
  std::size_t element;
  bool at_start;
};
/// "from" and "to" of elements that are one open line: `from` where an element starts, if there is such an end; of others none.
std::vector<BeamCut> ends_of(const BeamCourse &course);
/// At a node: of the element that ends there, or else of the one that starts there. Errors: InputError for a node that is no end of an
/// element, or one of three and more.
BeamCut cut_at(const BeamCourse &course, SitePlan::Site place, const std::string &name);

/// Along lines of a mesh. `type`: B31 for lines of 2 nodes, B32 for those of 3. Errors: InputError for lines of the other type, or without
/// length, and where the direction, or axis 2 that the file gives, is along the line.
BeamCourse course_of_lines(const MeshLines &of_mesh, const SurfaceSites &sites, const std::vector<std::size_t> &lines,
                           const std::string &type, const GramVector &direction);
}  // namespace symdyn
