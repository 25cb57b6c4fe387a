#include "elements/couplings/off_plane.h"

#include <deal.II/base/mpi.h>

#include "materials/algebra/jet.h"

namespace symdyn
{
namespace
{
template <class T>
Triple<T> multiple(const T &s, const Triple<T> &a)
{
  return {s * a[0], s * a[1], s * a[2]};
}
template <class T>
T inverse_length(const Triple<T> &a)
{
  using std::sqrt;
  return T(1.) / sqrt(dot(a, a));
}
/// d_1 x d_2 / |d_1 x d_2|
template <class T>
Triple<T> normal(const std::array<Triple<T>, 2> &d)
{
  const Triple<T> across = cross(d[0], d[1]);
  return multiple(inverse_length(across), across);
}
/// (dn/dd_i)ᵀ F
template <class T>
std::array<Triple<T>, 2> forces_on(const std::array<Triple<T>, 2> &d, const Triple<T> &F)
{
  const Triple<T> across = cross(d[0], d[1]);
  const T once = inverse_length(across);
  const Triple<T> n = multiple(once, across), rest = multiple(once, combination(F, -dot(n, F), n));
  return {cross(d[1], rest), cross(rest, d[0])};
}
GramVector at(const std::vector<Expression> &force, const double t)
{
  const double variables[] = {0., 0., 0., t};
  return {force[0](variables), force[1](variables), force[2](variables)};
}
}  // namespace

std::vector<std::pair<SitePlan::Site, OffPlaneReference>> OffPlaneReferences::in_system(const PlannedSites &sites) const
{
  std::vector<std::pair<SitePlan::Site, OffPlaneReference>> references;
  for (const auto &[site, reference] : all)
    references.emplace_back(site, OffPlaneReference(reference, sites));
  return references;
}

OffPlaneReference::OffPlaneReference(const OffPlaneReferences::Reference &reference, const PlannedSites &sites)
    : space(sites.space()), D(reference.rest), height(reference.height), owned(sites.owns(reference.directors[0]))
{
  for (std::size_t i = 0; i < local.size(); ++i)
    local[i] = sites.local(reference.directors[i]);
}

void OffPlaneReference::add_force(const GramVector &F, const Vector &q, const double factor, Vector &f) const
{
  if (!owned)
    return;
  std::array<GramVector, 2> d = D;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c)
      d[i][c] += q.local_element(3 * local[i] + c);
  const auto forces = forces_on(d, F);
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c)
      f.local_element(3 * local[i] + c) += factor * height * forces[i][c];
}

void OffPlaneReference::for_derivatives(const GramVector &F, const Vector &q, const std::function<void(int, int, double)> &act) const
{
  if (local[0] < 0 || local[1] < 0)
    return;
  constexpr int components = 6;
  for (int j = 0; j < components; ++j)
  {
    std::array<Triple<Dual<double>>, 2> d;
    for (int i = 0; i < components; ++i)
      d[i / 3][i % 3] = {D[i / 3][i % 3] + q.local_element(3 * local[i / 3] + i % 3), i == j ? 1. : 0.};
    const auto f = forces_on(d, Triple<Dual<double>>{F[0], F[1], F[2]});
    for (int i = 0; i < components; ++i)
      act(3 * local[i / 3] + i % 3, 3 * local[j / 3] + j % 3, height * f[i / 3][i % 3].d);
  }
}

std::array<GramVector, 2> OffPlaneReference::gathered(const Vector &x) const
{
  std::vector<double> of_both(6, 0.);
  for (std::size_t i = 0; i < local.size(); ++i)
    for (int c = 0; c < 3 && local[i] >= 0 && local[i] < space->owned(); ++c)
      of_both[3 * i + c] = x.local_element(3 * local[i] + c);
  dealii::Utilities::MPI::sum(of_both, space->communicator(), of_both);
  return {GramVector{of_both[0], of_both[1], of_both[2]}, GramVector{of_both[3], of_both[4], of_both[5]}};
}

std::array<GramVector, 3> OffPlaneReference::lift(const State &state) const
{
  std::array<Triple<Jet<double>>, 2> d;
  const std::array<GramVector, 2> none{};
  const auto u = gathered(state.q), v = state.v.size() > 0 ? gathered(state.v) : none, a = state.a.size() > 0 ? gathered(state.a) : none;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c)
      d[i][c] = {D[i][c] + u[i][c], v[i][c], a[i][c]};
  const Triple<Jet<double>> n = normal(d);
  const GramVector N = normal(D);
  std::array<GramVector, 3> lift;
  for (int c = 0; c < 3; ++c)
  {
    lift[0][c] = height * (n[c].x - N[c]);
    lift[1][c] = height * n[c].d;
    lift[2][c] = height * n[c].dd;
  }
  return lift;
}

GramVector OffPlaneReference::lift(const State *about, const Vector &u) const
{
  std::array<Triple<Dual<double>>, 2> d;
  const std::array<GramVector, 2> q = about ? gathered(about->q) : std::array<GramVector, 2>{}, move = gathered(u);
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c)
      d[i][c] = {D[i][c] + q[i][c], move[i][c]};
  const Triple<Dual<double>> n = normal(d);
  return {height * n[0].d, height * n[1].d, height * n[2].d};
}

GramVector OffPlaneReference::lift_here(const Vector &q) const
{
  std::array<GramVector, 2> d = D;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int c = 0; c < 3; ++c)
      d[i][c] += q.local_element(3 * local[i] + c);
  return scaled(height, combination(normal(d), -1., normal(D)));
}

GramVector OffPlaneReference::arm(const State &state) const
{
  std::array<GramVector, 2> d = gathered(state.q);
  for (std::size_t i = 0; i < d.size(); ++i)
    add(1., D[i], d[i]);
  return scaled(height, normal(d));
}

void OffPlaneForces::add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const
{
  on_sites->add_force(now, q, factor, f);
  for (const auto &[reference, force] : raised)
    reference->add_force(at(force, now.t), q, factor, f);
}

void OffPlaneForces::add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const
{
  for (const auto &[reference, force] : raised)
    reference->for_derivatives(at(force, now.t), q,
                               [&](const int row, const int column, const double value) { sink.add(row, column, -k * value); });
}

void OffPlaneForces::add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const
{
  for (const auto &[reference, force] : raised)
    if (reference->is_counted_here())
      reference->for_derivatives(at(force, now.t), q, [&](const int row, const int column, const double value) {
        Ku.local_element(row) -= factor * value * u.local_element(column);
      });
}
}  // namespace symdyn
