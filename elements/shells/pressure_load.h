#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/shells/surface_load.h"

namespace symdyn
{
/// A pressure p on groups of a surface, positive along the normal of the shell: f_a = ∫ p N_a (x,xi x x,eta) dxi deta [N], x present places
/// or those at rest.
class PressureLoad : public SurfaceLoad
{
public:
  void declare(Parameters &p) override;
  void prepare(const SurfaceInSystem &surface) override;
  const Amplitude *in_time() const override { return &amplitude; }

protected:
  struct Cell
  {
    std::vector<unsigned int> sites;
    std::vector<GramVector> rest;
    bool owned;  ///< this rank counts it; others know it for the rows of their matrices
  };
  using Tangents = std::array<GramVector, 2>;

  /// `area`: what p is per, for the help.
  explicit PressureLoad(std::string area) : area(std::move(area)) {}

  /// f += factor times the load, about the displacements q; nullptr: at rest.
  void add_forces(const Moment &now, const Vector *q, double factor, Vector &f) const;
  void for_points(const Cell &cell, const Moment &now, const std::function<void(const SurfacePoint &, double)> &act) const;
  static Tangents tangents(const Cell &cell, const SurfacePoint &point, const Vector *q);

  Amplitude amplitude;
  std::vector<Cell> cells;

private:
  void add_cell(const SurfaceMesh::Cell &cell, const SurfaceInSystem &surface);

  std::string area, where;
  std::vector<std::string> groups;
  Expression pressure;
};
}  // namespace symdyn
