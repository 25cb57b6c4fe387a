#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elements/place.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
template <int dim>
Place as_place(const dealii::Tensor<1, dim> &x)
{
  Place place{};
  for (int d = 0; d < dim; ++d)
    place[d] = x[d];
  return place;
}

/// A face of a boundary with the cell behind it, as every rank knows it.
struct GatheredFace
{
  unsigned int region, face;        ///< the number of the cell's region, and the face's in the cell
  double thickness;                 ///< of plane cells [m]; else 1
  std::vector<std::int64_t> nodes;  ///< of the cell, over all ranks
  std::vector<Place> X;             ///< of them [m]
};

/// All faces of boundaries, in an order that knows nothing of ranks. Collective. Errors: InputError that lists the boundaries.
template <int dim>
std::vector<GatheredFace> gather_faces(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries);
}  // namespace symdyn
