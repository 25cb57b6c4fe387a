#pragma once
#include <deal.II/base/tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "elements/mesh_faces.h"

namespace symdyn
{
using OnFace = std::array<double, 2>;

/// The place of the reference cell at s.
inline Place reference_place(const BoundaryCell &cell, const OnFace &s)
{
  Place xi = cell.origin;
  for (int d = 0; d < 3; ++d)
    xi[d] += s[0] * cell.axis[0][d] + s[1] * cell.axis[1][d];
  return xi;
}

/// The cell behind a face at places of its reference cell.
class CellPlaces
{
public:
  CellPlaces(const BoundaryCell &cell, const int dim) : cell(cell), N(cell.nodes.size()), dim(dim), dN(cell.nodes.size()) {}

  Place xi(const OnFace &s) const { return reference_place(cell, s); }
  void go_to(const Place &xi);
  void go_to(const OnFace &s) { go_to(xi(s)); }
  /// Goes to the place where X = x, by Newton's method from s. Errors: std::domain_error with the place, if it is not in the cell or near
  /// it.
  void find(const Place &x, const OnFace &s);
  /// The outward normal at s, as long as a unit of s has area. Goes there.
  Place normal(const OnFace &s);
  /// The node at a corner of the face.
  std::int64_t node_at(const OnFace &s);

  const BoundaryCell &cell;
  Place X{};              ///< where it went [m]
  std::vector<double> N;  ///< shape functions there

private:
  int dim;
  std::vector<Place> dN;
  dealii::Tensor<2, 3> J;
};

std::vector<OnFace> corners_of(const BoundaryCell &cell);

/// Places of a face between which it is cut into facets: degree + 1 a direction.
struct Lattice
{
  explicit Lattice(const BoundaryCell &cell);
  std::vector<OnFace> places;
  std::vector<std::vector<int>> facets;  ///< of places, in turn: lines, triangles or quadrilaterals
};
}  // namespace symdyn
