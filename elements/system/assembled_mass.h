#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "elements/site_mass.h"
#include "elements/space.h"
#include "elements/system/node_mass.h"

namespace symdyn
{
class DenseMasses;

/// M of a system: that of its cells, and of sites, M = M_cells + m: masses of sites, of pairs of them where they move together (beams,
/// shells), and dense ones of reduced models.
class AssembledMass
{
public:
  using Project = std::function<void(Vector &)>;

  /// `cells`: nullptr: there are none. `on_sites`: of the owned sites [kg]; empty: none has one of its own. `pairs`: what is added to that,
  /// of pairs of local sites, both ways round, the first one owned; `pairs_of_nodes`: each pair is of the place and the directors of one
  /// node. Collective.
  AssembledMass(const Space &space, std::shared_ptr<const SiteMass> cells, std::vector<double> on_sites, std::vector<PairMass> pairs = {},
                bool pairs_of_nodes = false, std::vector<DenseMass> dense_masses = {});
  ~AssembledMass();

  void multiply(const Vector &v, Vector &Mv) const;
  /// v = P v with P (M v - p) = 0, P the orthogonal projector on motions that are free: conjugate gradients preconditioned with the
  /// diagonal, to |P (M v - p)| <= tolerance |P p|, or to rounding of its terms; where P is one of sites, a division if M is diagonal, and
  /// small inverses if it joins sites of a node alone; dense masses are factored. Errors: ComputationError.
  void solve(const Vector &p, const Project &project, bool by_sites, double tolerance, Vector &v) const;
  /// Of motions T y: r <- Tᵀ r, 0 where y is held; x <- T x; D <- the diagonal of Tᵀ D T.
  struct Masters
  {
    Project reduce, extend, diagonal;
  };
  /// v = T y with Tᵀ (M v - p) = 0: no projection.
  void solve_by_masters(const Vector &p, const Masters &masters, double tolerance, Vector &v) const;
  bool diagonal() const { return !any_pairs && !dense && (!cells || cells->diagonal()); }
  /// Supports hold other sites from now on.
  void supports_changed() const;
  /// Whether M joins at most the place and the directors of a node.
  bool nodal() const { return diagonal() || (of_nodes && !dense); }
  /// Of an owned site [kg].
  double of_cells(const int site) const { return cells && site < cells->rows() ? cells->diagonal_entry(site) : 0.; }
  double of_site(const int site) const { return diagonal_of_sites.empty() ? 0. : diagonal_of_sites[site]; }
  double diagonal_entry(const int site) const { return of_cells(site) + of_site(site); }
  bool has_cells() const { return bool(cells); }
  bool is_dense() const { return bool(dense); }
  /// A += m_cells M_cells + m_sites m.
  void add_to(double m_cells, double m_sites, const BlockMatrix &A) const;
  /// y = (m_cells M_cells + m_sites m) x, without a matrix where that is the cheaper way; ghost entries too, the caller compresses.
  void begin_product(double m_cells, double m_sites, const Vector &x, Vector &y) const;
  /// Mv = M_cells v, zero where there are no cells.
  void multiply_cells(const Vector &v, Vector &Mv) const;
  /// Of owned sites, with the lumped mass of the cells, without pairs, with the mean of dense masses over the components [kg].
  std::vector<double> lumped_diagonal() const;

private:
  /// y += m (m of sites) x, x with ghost values.
  void add_sites(double m, const Vector &x, Vector &y) const;
  /// Where M is diagonal but for the dense masses, and P is one of sites.
  void solve_densely(const Vector &p, const Project &project, Vector &v) const;
  /// Without `extend` v = y, and `reduce` is P.
  void solve_iteratively(const Vector &p, const Masters &motions, bool by_sites, double tolerance, Vector &v) const;
  /// y = x / (w² D), D the diagonal of M, projected where P does not commute with that.
  void divide_by_diagonal(const Vector &x, const Project &project, bool by_sites, double w, Vector &y) const;
  /// Of `motions`, where they have one.
  Vector diagonal_of_masters(const Masters &motions, const Vector &like) const;

  const Space &space;
  std::shared_ptr<const SiteMass> cells;
  std::vector<double> on_sites;
  std::vector<PairMass> pairs;
  bool any_pairs = false;  ///< on any rank
  std::vector<double> diagonal_of_sites, diagonal_values;
  std::unique_ptr<NodeMass> of_nodes;
  std::unique_ptr<DenseMasses> dense;  ///< nullptr: there are none
};
}  // namespace symdyn
