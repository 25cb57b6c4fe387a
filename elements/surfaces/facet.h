#pragma once
#include <vector>

#include "elements/body_surface.h"
#include "elements/surfaces/box.h"

namespace symdyn
{
/// A piece of a face between nodes of it, with straight edges: degree² of them a face; in 2-D, pieces of a line.
struct Facet
{
  int face = 0;                    ///< its number in a list of faces
  std::vector<FacePlace> s;        ///< its corners on the face, in turn
  std::vector<Place> x;            ///< where they are [m]
  Place middle{};                  ///< the mean of them [m]
  Place normal{};                  ///< outward, of length 1
  std::array<Place, 2> tangent{};  ///< orthonormal, in its mean plane; in 2-D the first alone
};

/// Those of all faces. dim: 2 or 3.
std::vector<Facet> facets_of(const std::vector<SurfaceFace> &faces, int dim);
std::vector<Box> boxes_of(const std::vector<Facet> &facets);

/// The mean length of the edges of faces [m].
double mean_size(const std::vector<SurfaceFace> &faces, int dim);

/// X(s) - origin of a face [m], to the rounding of the face's size, and dX/ds_i if it is not null.
Place place_on(const SurfaceFace &face, const FacePlace &s, std::array<Place, 2> *along = nullptr, const Place &origin = {});

/// s of the place on a face that lies on the line through `x` orthogonal to two directions (2-D: one), by Newton's method from `s`. False:
/// there is none near.
bool project_along(const SurfaceFace &face, int dim, const std::array<Place, 2> &across, const Place &x, FacePlace &s);
}  // namespace symdyn
