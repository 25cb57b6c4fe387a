#include "elements/system/assembled_mass.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "elements/system/dense_masses.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Least and largest of the masses on all ranks; a rank may have none. Those behind the first `needed` may be zero: points that are fixed,
/// or that relations move.
std::pair<double, double> limits_of_masses(const std::vector<double> &values, const std::size_t needed, const MPI_Comm communicator)
{
  double least = std::numeric_limits<double>::max(), largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    least = values[i] > 0. || i < needed ? std::min(least, values[i]) : least;
    largest = std::max(largest, values[i]);
  }
  return {dealii::Utilities::MPI::min(least, communicator), dealii::Utilities::MPI::max(largest, communicator)};
}

/// to = from/(w² diagonal), site by site; 0 where there is no mass.
void divide_by(const int n, const Vector &from, const std::vector<double> &diagonal, const double w, Vector &to)
{
  const double *in = from.begin();
  double *out = to.begin();
  for (std::size_t site = 0; site < diagonal.size(); ++site)
  {
    const double inverse = diagonal[site] > 0. ? 1. / (w * diagonal[site] * w) : 0.;
    for (int d = 0; d < n; ++d)
      out[n * site + d] = inverse * in[n * site + d];
  }
}

/// to = w² diagonal from, site by site.
void scale_by(const int n, const std::vector<double> &diagonal, const double w, const Vector &from, Vector &to)
{
  const double *in = from.begin();
  double *out = to.begin();
  for (std::size_t site = 0; site < diagonal.size(); ++site)
    for (int d = 0; d < n; ++d)
      out[n * site + d] = w * diagonal[site] * w * in[n * site + d];
}
}  // namespace

AssembledMass::AssembledMass(const Space &space, std::shared_ptr<const SiteMass> of_cells_given, std::vector<double> masses,
                             std::vector<PairMass> given_pairs, const bool pairs_of_nodes, std::vector<DenseMass> dense_masses)
    : space(space),
      cells(std::move(of_cells_given)),
      on_sites(std::move(masses)),
      pairs(std::move(given_pairs)),
      any_pairs(dealii::Utilities::MPI::max(int(!pairs.empty()), space.communicator()) == 1),
      diagonal_of_sites(on_sites)
{
  diagonal_of_sites.resize(on_sites.empty() && !any_pairs && dense_masses.empty() ? 0 : space.owned(), 0.);
  for (const auto &[row, column, mass] : pairs)
    if (row == column)
      diagonal_of_sites[row] += mass;
  if (!dense_masses.empty())
  {
    std::vector<double> others;
    for (int site = 0; site < space.owned(); ++site)
      others.push_back(diagonal_entry(site));
    dense = std::make_unique<DenseMasses>(space, std::move(dense_masses), std::move(others));
    dense->add_diagonal(diagonal_of_sites);
  }
  for (int site = 0; site < space.owned(); ++site)
    diagonal_values.push_back(diagonal_entry(site));
  if (any_pairs && pairs_of_nodes && (!cells || cells->diagonal()))
    of_nodes = NodeMass::make(space, diagonal_values, pairs);
}

AssembledMass::~AssembledMass() = default;

void AssembledMass::supports_changed() const
{
  if (of_nodes)
    of_nodes->forget_held();
  if (dense)
    dense->forget_held();
}

void AssembledMass::multiply_cells(const Vector &v, Vector &Mv) const
{
  const unsigned int begin = cells ? space.block() * cells->rows() : 0;
  if (cells)
    cells->multiply(v, Mv);
  std::fill(Mv.begin() + begin, Mv.begin() + Mv.locally_owned_size(), 0.);
}

void AssembledMass::multiply(const Vector &v, Vector &Mv) const
{
  multiply_cells(v, Mv);
  if (any_pairs || dense)
    v.update_ghost_values();
  add_sites(1., v, Mv);
}

void AssembledMass::add_sites(const double m, const Vector &x, Vector &y) const
{
  const int n = space.block();
  for (std::size_t site = 0; site < on_sites.size(); ++site)
    for (int d = 0; d < n && on_sites[site] != 0.; ++d)
      y.local_element(n * site + d) += m * on_sites[site] * x.local_element(n * site + d);
  for (const auto &[row, column, mass] : pairs)
    for (int d = 0; d < n; ++d)
      y.local_element(n * row + d) += m * mass * x.local_element(n * column + d);
  if (dense)
    dense->add_product(m, x, y);
}

void AssembledMass::begin_product(const double m_cells, const double m_sites, const Vector &x, Vector &y) const
{
  y.zero_out_ghost_values();
  const bool by_matrix = m_cells != 0. && cells && cells->needs_matrix();
  if (by_matrix)
  {
    multiply_cells(x, y);
    y *= m_cells;
  }
  else
    y = 0.;
  x.update_ghost_values();
  if (m_cells != 0. && cells && !by_matrix)
    cells->add_product(m_cells, x, y);
  if (m_sites != 0.)
    add_sites(m_sites, x, y);
}

void AssembledMass::add_to(const double m_cells, const double m_sites, const BlockMatrix &A) const
{
  if (cells && m_cells != 0.)
    cells->add_to(m_cells, A);
  for (int site = 0; site < int(on_sites.size()); ++site)
    if (const double m = m_sites * on_sites[site]; m != 0.)
    {
      const auto block = A.at(site, A.pattern->position(site, site));
      for (int d = 0; d < space.block(); ++d)
        block(d, d) += m;
    }
  for (const auto &[row, column, mass] : pairs)
    for (int d = 0; d < space.block() && m_sites != 0.; ++d)
      A.at(row, A.pattern->position(row, column))(d, d) += m_sites * mass;
  if (dense && m_sites != 0.)
    dense->add_to(m_sites, A);
}

std::vector<double> AssembledMass::lumped_diagonal() const
{
  if (diagonal())
    return diagonal_values;
  std::vector<double> masses = cells ? cells->lumped_diagonal() : std::vector<double>();
  masses.resize(space.owned(), 0.);
  for (std::size_t site = 0; site < on_sites.size(); ++site)
    masses[site] += on_sites[site];
  if (dense)
    dense->add_diagonal(masses);
  return masses;
}

void AssembledMass::solve(const Vector &p, const Project &project, const bool by_sites, const double tolerance, Vector &v) const
{
  v.zero_out_ghost_values();
  if (of_nodes && by_sites && !dense)
    return of_nodes->solve(p, project, v);
  if (dense && by_sites && !any_pairs && (!cells || cells->diagonal()))
    return solve_densely(p, project, v);
  if (!diagonal() || !by_sites)
    return solve_iteratively(p, {project, {}, {}}, by_sites, tolerance, v);
  const int n = space.block();
  if (cells)  // the same in every direction, so P commutes with its inverse
    divide_by(n, p, diagonal_values, 1., v);
  else
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
      v.local_element(i) = diagonal_values[i / n] > 0. ? p.local_element(i) / diagonal_values[i / n] : 0.;
  project(v);
}

void AssembledMass::solve_densely(const Vector &p, const Project &project, Vector &v) const
{
  Vector free(p);
  free.zero_out_ghost_values();
  project(free);
  divide_by(space.block(), free, diagonal_values, 1., v);
  dense->solve(free, project, v);
  project(v);
}

namespace
{
struct MassOperator
{
  std::function<void(Vector &, const Vector &)> vmult;
};

/// Gives up, too, once the residual is about rounding and has not halved in many iterations.
class UntilItStagnates : public dealii::SolverControl
{
public:
  UntilItStagnates(const unsigned int most, const double tolerance, const double about_rounding)
      : dealii::SolverControl(most, tolerance), about_rounding(about_rounding)
  {
  }

  State check(const unsigned int step, const double residual) override
  {
    constexpr unsigned int patience = 30;
    if (step == 0 || residual < 0.5 * best)
    {
      best = residual;
      at = step;
    }
    const State state = dealii::SolverControl::check(step, residual);
    return state == iterate && residual <= about_rounding && step > at + patience ? failure : state;
  }

private:
  double about_rounding, best = 0;
  unsigned int at = 0;
};

/// Conjugate gradients for A v = p from v = 0, to |p - A v| <= tolerance |p|, or to rounding of the terms of p - A v, where the true
/// residual stays whatever the iteration does. `diagonal`: y = D x, D the diagonal of A, whose terms are about as large. Returns
/// iterations.
int solve_to_rounding(const MassOperator &A, const MassOperator &inverse_diagonal, const MassOperator &diagonal, const Vector &p,
                      const double tolerance, Vector &v, const std::function<std::string(double rest, double of)> &where)
{
  constexpr int most = 1000;
  constexpr double terms = 16.;  // a row has up to 81 of either sign: their rounding grows like the root of the number
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), least = 1e-3 * epsilon;  // below it the recurrence says nothing more
  constexpr double stagnates = 1e3 * epsilon;
  UntilItStagnates control(most, std::max(tolerance, least) * p.l2_norm(), stagnates * p.l2_norm());
  try
  {
    dealii::SolverCG<Vector>(control).solve(A, v, p, inverse_diagonal);
  }
  catch (const dealii::SolverControl::NoConvergence &)
  {
    Vector rest(p), sizes(p);
    A.vmult(rest, v);
    rest -= p;
    diagonal.vmult(sizes, v);
    const double rounding = terms * epsilon * (p.l2_norm() + sizes.l2_norm());
    if (!(rest.l2_norm() <= rounding))
      throw ComputationError(fmt::format(
          "mass matrix: conjugate gradients reach {} in {} iterations; the tolerance is {:g}, rounding about {:.1g} of the right side. "
          "Use --set \"Elements/Mass=lumped\"",
          where(rest.l2_norm(), p.l2_norm()), control.last_step(), tolerance, rounding / p.l2_norm()));
  }
  return int(control.last_step());
}

/// y = x / (w² D), 0 where D is.
void divide_by_masters(const Vector &x, const Vector &D, const double w, Vector &y)
{
  for (unsigned int i = 0; i < D.locally_owned_size(); ++i)
    y.local_element(i) = D.local_element(i) > 0. ? x.local_element(i) / (w * D.local_element(i) * w) : 0.;
}

void require_masses(const double least, const double largest)
{
  if (!(least > 0.) || !(largest > 0.))
    throw ComputationError("mass matrix: a node has no mass. Give every material a \"Density\" above 0");
}

void require_finite(const Vector &r)
{
  if (!std::isfinite(r.l1_norm()))  // the largest of numbers passes over what is none
    throw ComputationError("mass matrix: the force or momentum to be divided by it is not finite");
}

/// Errors: ComputationError for an acceleration whose square would be no number. `largest`: the largest force [N].
void check_acceleration(const Vector &a, const double largest, const double least_mass)
{
  constexpr double beyond_units = 1e150;
  if (const double fastest = a.linfty_norm(); !(fastest < beyond_units))
    throw ComputationError(fmt::format(
        "mass matrix: forces up to {:.3g} N on masses of nodes from {:.3g} kg give an acceleration of {:.3g} m/s^2. Correct \"Density\", or the units of the deck",
        largest, least_mass, fastest));
}
}  // namespace

void AssembledMass::solve_by_masters(const Vector &p, const Masters &masters, const double tolerance, Vector &v) const
{
  v.zero_out_ghost_values();
  solve_iteratively(p, masters, true, tolerance, v);
}

Vector AssembledMass::diagonal_of_masters(const Masters &motions, const Vector &like) const
{
  Vector D;
  if (!motions.extend)
    return D;
  D.reinit(like);
  for (unsigned int i = 0; i < D.locally_owned_size(); ++i)
    D.local_element(i) = diagonal_values[i / space.block()];
  motions.diagonal(D);
  return D;
}

void AssembledMass::divide_by_diagonal(const Vector &x, const Project &project, const bool by_sites, const double w, Vector &y) const
{
  divide_by(space.block(), x, diagonal_values, w, y);
  if (dense)
    dense->precondition(w, x, by_sites ? project : Project(), y);
  if (!by_sites)  // P does not commute with the diagonal
    project(y);
}

void AssembledMass::solve_iteratively(const Vector &p, const Masters &motions, const bool by_sites, const double tolerance, Vector &v) const
{
  const Project &reduce = motions.reduce, &extend = motions.extend;
  Vector r(p);
  r.zero_out_ghost_values();
  reduce(r);
  reduce(r);  // relations leave rounding of r where PMP is 0: conjugate gradients would divide by it
  v = 0.;
  const double largest = r.linfty_norm();
  require_finite(r);
  if (largest == 0.)
    return;
  // In r/s and M w²: products of tiny forces and densities would vanish. s and w are powers of 2, which change no digit.
  const auto [least_mass, largest_mass] = limits_of_masses(diagonal_values, cells ? cells->rows() : 0, space.communicator());
  require_masses(least_mass, largest_mass);
  const double s = std::exp2(std::ilogb(largest)), w = std::exp2(-std::floor(0.5 * std::ilogb(largest_mass)));
  for (double &value : r)
    value /= s;
  Vector scaled(v);
  const MassOperator PMP{[&](Vector &y, const Vector &x) {
    scaled.zero_out_ghost_values();
    scaled.equ(w, x);
    if (extend)
      extend(scaled);
    multiply(scaled, y);
    y *= w;
    reduce(y);
  }};
  const Vector D = diagonal_of_masters(motions, p);
  const MassOperator inverse_diagonal{
      [&](Vector &y, const Vector &x) { extend ? divide_by_masters(x, D, w, y) : divide_by_diagonal(x, reduce, by_sites, w, y); }};
  const MassOperator of_diagonal{[&](Vector &y, const Vector &x) { scale_by(space.block(), diagonal_values, w, x, y); }};
  solve_to_rounding(PMP, inverse_diagonal, of_diagonal, r, tolerance, v,
                    [&, least = least_mass, most = largest_mass](const double rest, const double of) {
                      return fmt::format("|p - M v| = {:.3g} of {:.3g}, masses of nodes {:.3g} to {:.3g} kg", s * rest, s * of, least,
                                         most);
                    });
  v *= w * s * w;
  if (extend)
    extend(v);
  check_acceleration(v, largest, least_mass);
}

}  // namespace symdyn
