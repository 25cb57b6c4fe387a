#pragma once
#include <functional>

#include "elements/site_mass.h"
#include "elements/space/discretisation.h"
#include "solver/block_matrix.h"

namespace symdyn
{
enum class MassType
{
  consistent,
  lumped
};

/// The mass matrix M_ab = ∫ density N_a N_b dX [kg], the same for each component. Consistent: a sparse matrix over
/// nodes. Lumped: as the formulations of the cells have it (Formulation::lump): row sums for Q1 and P1, with the nodes as quadrature points
/// (Gauss–Lobatto) for Qk, elsewhere the diagonal scaled to the mass of the cell.
/// Incompatible modes add blocks to the consistent one that are not the same for each component (ModeInertia); none of
/// them moves with a rigid body, and sums of rows and the diagonal are without them.
template <int dim>
class MassMatrix : public SiteMass
{
public:
  /// Writes what incompatible modes add to the mass of a batch of cells, as ModeInertia does.
  using ModeMass = std::function<void(const CellRegion<dim> &region, std::size_t batch, Wide *M)>;
  /// `density` of a material id [kg/m³]; in 2-D [kg/m³] of unit thickness.
  MassMatrix(const Discretisation<dim> &discretisation, MassType type, const std::function<double(unsigned int)> &density,
             const BlockPattern *pattern, const ModeMass &of_modes = {});

  void multiply(const Vector &v, Vector &Mv) const override;
  void add_product(double m, const Vector &x, Vector &y) const override;
  bool needs_matrix() const override { return diagonal() || mesh.degree() == 1; }
  bool diagonal() const override { return type == MassType::lumped; }
  int rows() const override { return mesh.n_owned_nodes(); }
  void add_to(double m, const BlockMatrix &A) const override;
  std::vector<double> lumped_diagonal() const override;
  /// Of a local node, lumped only [kg].
  double lumped(unsigned int node) const { return diagonal_values[node]; }
  /// M_aa of an owned node [kg].
  double diagonal_entry(unsigned int node) const override { return diagonal_values[node]; }
  /// Entry at a local column, which has this position in the pattern.
  double entry(int row, int column, int position) const;
  bool has_modes() const { return !own_modes.empty(); }
  /// What incompatible modes add to it: the block [i*dim + k] of this position in the pattern; nullptr: nothing.
  const double *of_modes(int position) const
  {
    if (own_modes.empty())
      return nullptr;
    return position >= 0 ? &own_modes[position * dim * dim] : &ghost_modes[~position * dim * dim];
  }
  double total() const { return total_mass; }  ///< [kg]
  /// Σ_b M_ab of the owned nodes: for centre of mass and momenta [kg].
  double nodal(unsigned int node) const { return row_sum[node]; }

private:
  void assemble_consistent(const std::function<double(unsigned int)> &density);
  void add_consistent(const CellRegion<dim> &region, const std::function<double(unsigned int)> &density);
  void add_modes(const double *from, double *to) const;
  void add_modes_of(const CellRegion<dim> &region, const ModeMass &of_modes);
  void assemble_modes(const ModeMass &of_modes);
  void assemble_lumped(const std::function<double(unsigned int)> &density);

  const Discretisation<dim> &mesh;
  MassType type;
  std::function<double(unsigned int)> density_of;
  const BlockPattern *pattern;
  std::vector<double> own, ghost;              // consistent, as the pattern
  std::vector<double> own_modes, ghost_modes;  // of incompatible modes, blocks as the pattern; empty: none
  std::vector<double> diagonal_values;         // lumped: local nodes; consistent: M_aa of the owned ones
  std::vector<double> row_sum;
  double total_mass = 0;
};
}  // namespace symdyn
