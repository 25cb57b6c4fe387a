#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/shells/surface_load.h"

namespace symdyn
{
/// A pressure p on groups of a surface, positive along the normal of the shell. Its points at the nodes are y_a = x_a, or on a face of the
/// shell x_a + zeta d_a, thus sums of vectors c_i v_i, i of a; present ones or those at rest:
///     f_i = c_i ∫ p N_a (y,xi x y,eta) dxi deta [N]
class PressureLoad : public SurfaceLoad
{
public:
  void declare(Parameters &p) override;
  void prepare(const SurfaceInSystem &surface) override;
  const Amplitude *in_time() const override { return &amplitude; }

protected:
  struct Cell
  {
    std::vector<unsigned int> sites;  ///< of the vectors v
    std::vector<std::size_t> nodes;   ///< a of each
    std::vector<double> factors;      ///< c of each
    std::vector<GramVector> rest;     ///< y of each node
    bool owned;                       ///< this rank counts it; others know it for the rows of their matrices
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
  /// Of the surface on which the pressure acts from that of the nodes [m].
  double height(const SurfaceInSystem &surface, std::size_t cell) const;
  void add_cell(std::size_t number, const SurfaceInSystem &surface);

  std::string area, where, side = "nodes";
  std::vector<std::string> groups;
  Expression pressure;
};
}  // namespace symdyn
