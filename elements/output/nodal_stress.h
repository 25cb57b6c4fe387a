#pragma once
#include <array>
#include <map>
#include <memory>

#include "elements/space/mass.h"
#include "elements/system/cell_stress.h"

namespace symdyn
{
enum class NodalRule
{
  averaged,  ///< sigma_a = mean over the cells at node a of what each has there (all cells count the same)
  projected  ///< the L2 projection: ∫ (sum_b N_b sigma_b - sigma) N_a dX = 0 for all a, consistent matrix (Oden and Brauchli 1971)
};

/// Cauchy stress [Pa] that is continuous inside each material: cells of another material do not count, so that jumps between materials
/// stay.
template <int dim>
class NodalStress
{
public:
  static constexpr int components = 6;  ///< xx, yy, zz, xy, yz, zx
  using Components = std::array<double, components>;

  NodalStress(const SolidBody<dim> &system, NodalRule rule);
  /// In a state. Collective. Errors: ComputationError if the projection does not converge.
  void compute(const State &state);
  /// Interpolated at a point of the reference cell.
  Components at(const typename Discretisation<dim>::Cell &cell, const dealii::Point<dim> &xi) const;
  /// The largest von Mises stress of the materials around an owned node [Pa].
  double von_mises_at(unsigned int node) const;

private:
  using Field = std::array<Vector, components>;  ///< over nodes, with ghosts
  void average(const State &state);
  void project(const State &state);
  void solve(const MassMatrix<dim> &mass, Field &field) const;

  const SolidBody<dim> &system;
  NodalRule rule;
  BlockPattern pattern;                                             ///< of the projection
  std::map<unsigned int, std::unique_ptr<MassMatrix<dim>>> volume;  ///< ∫ N_a N_b dX of each material's cells
  std::map<unsigned int, Field> fields;                             ///< by material
};
}  // namespace symdyn
