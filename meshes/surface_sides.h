#pragma once
#include <deal.II/grid/reference_cell.h>

#include <string>

#include "meshes/mesh_file.h"

namespace symdyn
{
/// deal.II's cell of a shape of two or three dimensions.
inline dealii::ReferenceCell reference_cell(const Shape shape)
{
  if (shape == Shape::wedge)
    return dealii::ReferenceCells::Wedge;
  if (shape == Shape::pyramid)
    return dealii::ReferenceCells::Pyramid;
  return dimension(shape) == 2
             ? (is_simplex(shape) ? dealii::ReferenceCells::get_simplex<2>() : dealii::ReferenceCells::get_hypercube<2>())
             : (is_simplex(shape) ? dealii::ReferenceCells::get_simplex<3>() : dealii::ReferenceCells::get_hypercube<3>());
}

/// Name in FileNodes::cell_sets of the cells that have face number `face` of their reference cell in a surface of which the file has a
/// table. A surface is all of these faces, also inside the body.
inline std::string cells_at_face(const std::string &surface, const unsigned int face)
{
  return surface + " at face " + std::to_string(face);
}
constexpr unsigned int most_faces = 6;  ///< of a cell
}  // namespace symdyn
