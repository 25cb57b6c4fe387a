#pragma once
#include <string>
#include <vector>

#include "elements/mesh_faces.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// MeshFaces::faces() of a distributed mesh.
template <int dim>
std::vector<MeshFace> faces_of_body(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries, int points);
/// MeshFaces::boundary_cells().
template <int dim>
std::vector<BoundaryCell> boundary_cells_of(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries);
}  // namespace symdyn
