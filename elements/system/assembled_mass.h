#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "elements/site_mass.h"
#include "elements/space.h"

namespace symdyn
{
/// M of a system: that of its cells, and masses on sites, M = M_cells + diag(m).
class AssembledMass
{
public:
  using Project = std::function<void(Vector &)>;

  /// `cells`: nullptr: there are none. `on_sites`: of the owned sites [kg]; empty: none has one of its own.
  AssembledMass(const Space &space, std::shared_ptr<const SiteMass> cells, std::vector<double> on_sites);

  void multiply(const Vector &v, Vector &Mv) const;
  /// v = P v with P (M v - p) = 0, P the orthogonal projector on motions that are free: conjugate gradients preconditioned with the
  /// diagonal, to |P (M v - p)| <= tolerance |P p|, or to rounding of its terms; a division if M is diagonal and P is one of sites. Errors:
  /// ComputationError.
  void solve(const Vector &p, const Project &project, bool by_sites, double tolerance, Vector &v) const;
  bool diagonal() const { return !cells || cells->diagonal(); }
  /// Of an owned site [kg].
  double of_cells(const int site) const { return cells && site < cells->rows() ? cells->diagonal_entry(site) : 0.; }
  double of_site(const int site) const { return on_sites.empty() ? 0. : on_sites[site]; }
  double diagonal_entry(const int site) const { return of_cells(site) + of_site(site); }
  bool has_cells() const { return bool(cells); }
  /// A += m_cells M_cells + m_sites diag(m).
  void add_to(double m_cells, double m_sites, const BlockMatrix &A) const;
  /// y = (m_cells M_cells + m_sites diag(m)) x, without a matrix where that is the cheaper way; ghost entries too, the caller compresses.
  void begin_product(double m_cells, double m_sites, const Vector &x, Vector &y) const;
  /// Mv = M_cells v, zero where there are no cells.
  void multiply_cells(const Vector &v, Vector &Mv) const;
  /// Of owned sites, with the lumped mass of the cells [kg].
  std::vector<double> lumped_diagonal() const;

private:
  void solve_iteratively(const Vector &p, const Project &project, bool by_sites, double tolerance, Vector &v) const;

  const Space &space;
  std::shared_ptr<const SiteMass> cells;
  std::vector<double> on_sites, diagonal_values;
};
}  // namespace symdyn
