#pragma once
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "elements/site_plan.h"
#include "elements/space/discretisation.h"
#include "meshes/surface.h"
#include "solver/error.h"

// A surface of shells and beams beside a body, of whose nodes some are nodes of the body.
namespace symdyn
{
/// The sites of the nodes of a surface beside a body: a node that stands where the body has one is that; the others stand behind those of
/// the body.
struct JoinedSurface
{
  std::vector<SitePlan::Site> sites;
  std::vector<Place> own;  ///< of the others
  std::int64_t nodes_of_body = 0;
};
/// Collective. Errors: InputError where two nodes of the body stand.
JoinedSurface join_surface(const SurfaceMesh &mesh, const Discretisation<3> &body);

/// The nodes of both as places for points and beams; the surface must outlive them.
std::unique_ptr<MeshPoints> mesh_points(std::unique_ptr<MeshPoints> body, const SurfaceMesh &mesh,
                                        const std::vector<SitePlan::Site> &sites);

/// Those of some names of sets and nodes that the surface does not have whole.
inline std::vector<std::string> names_of_body(const SurfaceMesh &mesh, const std::vector<std::string> &names)
{
  std::vector<std::string> left;
  std::copy_if(names.begin(), names.end(), std::back_inserter(left),
               [&](const std::string &name) { return !mesh.set_is_known(name) || mesh.cut.count(name) > 0; });
  return left;
}

/// What a body and a surface have under a name. Errors: InputError of the body, and of the surface, where neither has it.
template <class Node, class OfBody, class OfSurface>
std::vector<Node> of_both(const OfBody &of_body, const OfSurface &of_surface, const bool has_body)
{
  std::vector<Node> all;
  std::string fault;
  try
  {
    all = of_surface();
  }
  catch (const InputError &error)
  {
    if (!has_body)
      throw;
    fault = error.what();
  }
  if (!has_body)
    return all;
  try
  {
    const std::vector<Node> more = of_body();
    all.insert(all.end(), more.begin(), more.end());
  }
  catch (const InputError &error)
  {
    if (!fault.empty())
      throw InputError(std::string(error.what()) + "; " + fault);
  }
  return all;
}
}  // namespace symdyn
