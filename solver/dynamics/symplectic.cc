#include "solver/dynamics/symplectic.h"

#include <deal.II/base/mpi.h>

#include <cmath>
#include <random>

#include "solver/archive.h"
#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/rotations.h"
#include "solver/nodal_constraints.h"
#include "solver/searching.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
constexpr double rounding_per_step = 1e-14;

double form_product(const MechanicalSystem &system, const Vector &a, const Vector &b)
{
  Vector Mb = system.new_vector();
  system.mass(b, Mb);
  return a * Mb;
}

Vector moved(const Vector &x, const double s, const Vector &y)
{
  Vector z = x;
  z.add(s, y);
  z.update_ghost_values();
  return z;
}
/// Whether a motion xi leaves all g as they are.
bool constraints_allow(const MechanicalSystem &system, const Vector &q, const Vector &xi)
{
  constexpr double relative = 1e-8;
  if (const NodalConstraints *nodal = system.nodal_constraints())
  {
    Vector along = xi;
    nodal->subtract_forces(q, along);
    along -= xi;
    if (along.l2_norm() > relative * xi.l2_norm())
      return false;
  }
  if (!system.constraints())
    return true;
  const HolonomicConstraints &g = *system.constraints();
  std::vector<double> u, w;
  ConstraintRows G;
  g.gather(q, u);
  g.gather(xi, w);
  g.jacobian(u, G);
  for (int i = 0; i < G.size(); ++i)
  {
    double size = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; ++k)
      size += std::abs(G.value[k] * w[G.column[k]]);
    if (std::abs(G.times(i, w)) > relative * size)
      return false;
  }
  return true;
}

/// q and its internal force: here, and at places nearby that can be, small beside `length`.
std::vector<std::pair<Vector, Vector>> forces_around(const MechanicalSystem &system, const Vector &q, const double length)
{
  constexpr double noise = 1e-3, smallest_noise = 1e-7;
  constexpr unsigned int places = 3;
  std::vector<std::pair<Vector, Vector>> samples;
  Vector f = system.new_vector();
  system.internal_force(q, f);
  samples.emplace_back(q, f);
  for (unsigned int k = 0; k < places; ++k)
  {
    const Vector r = random_vector(system, 100 + k);
    for (double size = noise * length; size > smallest_noise * length; size *= 0.1)
    {
      const Vector near = moved(q, size, r);
      if (!system.internal_force(near, f).admissible())
        continue;
      samples.emplace_back(near, f);
      break;
    }
  }
  return samples;
}
}  // namespace

double mass_norm(const MechanicalSystem &system, const Vector &a) { return std::sqrt(std::max(0., form_product(system, a, a))); }

Vector random_vector(const MechanicalSystem &system, const unsigned int seed)
{
  Vector x = system.new_vector();
  std::mt19937 generator(seed + 7919u * dealii::Utilities::MPI::this_mpi_process(x.get_mpi_communicator()));
  // Of our own making: what std::uniform_real_distribution returns differs between standard libraries.
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    x.local_element(i) = 2. * (generator() / double(std::mt19937::max())) - 1.;
  system.project(x);
  x.update_ghost_values();
  return x;
}

SymplecticForm::SymplecticForm(const MechanicalSystem &system, const Integrator &integrator, const State &started, const double h,
                               const unsigned int seed)
{
  for (State &d : delta)
    d.q = d.v = system.new_vector();
  delta[0].q = random_vector(system, seed);
  if (const double length = delta[0].q.l2_norm(); length > 0.)
    delta[0].q *= 1. / length;
  system.mass_solve(delta[0].q, delta[1].v);
  begin(system, integrator, started, h);
}

SymplecticForm::SymplecticForm(const MechanicalSystem &system, const Integrator &integrator, const State &started, const double h,
                               std::array<State, 2> tangents)
    : delta(std::move(tangents))
{
  begin(system, integrator, started, h);
}

void SymplecticForm::begin(const MechanicalSystem &system, const Integrator &integrator, const State &started, const double h)
{
  for (State &d : delta)
  {
    d.a = system.new_vector();
    d.q.update_ghost_values();
    d.v.update_ghost_values();
    if (is_constrained(system))
      project_tangent(system, started, d.q, d.v);
    else
      project_tangent_on_rotations(system, started, d.q, d.v);
    integrator.start_tangent(system, started, h, d);
  }
  first = now = evaluate(system, started.q, integrator.suris_shift() * h * h);
}

SymplecticForm::Values SymplecticForm::evaluate(const MechanicalSystem &system, const Vector &q, const double shift) const
{
  const auto &[a, b] = delta;
  Values values;
  values.omega_qv = form_product(system, a.q, b.v) - form_product(system, b.q, a.v);
  values.bound_qv = mass_norm(system, a.q) * mass_norm(system, b.v) + mass_norm(system, b.q) * mass_norm(system, a.v);
  values.omega = values.omega_qv;
  values.bound = values.bound_qv;
  if (shift == 0.)
    return values;
  Vector Ha = system.new_vector(), Hb = Ha;
  system.stiffness(q, a.q, Ha);
  system.stiffness(q, b.q, Hb);
  system.project(Ha);
  system.project(Hb);
  values.omega += shift * (Ha * b.v - Hb * a.v);
  values.bound += std::abs(shift) * (Ha.l2_norm() * b.v.l2_norm() + Hb.l2_norm() * a.v.l2_norm());
  return values;
}

void SymplecticForm::measure_linearity(const MechanicalSystem &system, const Integrator &integrator, const State &before,
                                       const State &after, const double h, State sum)
{
  integrator.step_tangent(system, before, after, h, sum);
  Vector q = moved(delta[0].q, 1., delta[1].q), v = moved(delta[0].v, 1., delta[1].v);
  const double length = std::abs(h) * v.l2_norm() + q.l2_norm();
  q -= sum.q;
  v -= sum.v;
  if (length > 0.)
    linearity = (std::abs(h) * v.l2_norm() + q.l2_norm()) / length;
}

void SymplecticForm::advance(const MechanicalSystem &system, const Integrator &integrator, const State &before, const State &after,
                             const double h)
{
  State sum;
  if (count == 0)
  {
    sum = delta[0];
    sum.q = moved(delta[0].q, 1., delta[1].q);
    sum.v = moved(delta[0].v, 1., delta[1].v);
    sum.a = moved(delta[0].a, 1., delta[1].a);
    for (auto &[name, vector] : sum.memory)
      vector = moved(vector, 1., delta[1].memory.at(name));
  }
  for (State &d : delta)
    integrator.step_tangent(system, before, after, h, d);
  if (count == 0)
    measure_linearity(system, integrator, before, after, h, sum);
  ++count;
  now = evaluate(system, after.q, integrator.suris_shift() * h * h);
}

void SymplecticForm::save(Archive archive) const
{
  archive.put("tangent 1", delta[0]);
  archive.put("tangent 2", delta[1]);
  archive.put("linearity", linearity);
  archive.put("count", count);
  archive.put("values", std::vector<double>{first.omega, first.omega_qv, first.bound, first.bound_qv, now.omega, now.omega_qv, now.bound,
                                            now.bound_qv});
}

void SymplecticForm::load(const Archive &archive)
{
  delta = {archive.get<State>("tangent 1"), archive.get<State>("tangent 2")};
  archive.get("linearity", linearity);
  archive.get("count", count);
  const auto numbers = archive.get<std::vector<double>>("values");
  std::size_t i = 0;
  for (Values *values : {&first, &now})
    for (double *value : {&values->omega, &values->omega_qv, &values->bound, &values->bound_qv})
      *value = numbers.at(i++);
}

void SymplecticForm::replace(const MechanicalSystem &system, const Integrator &integrator, const State &after, const double h,
                             std::array<State, 2> tangents)
{
  delta = std::move(tangents);
  ++count;
  now = evaluate(system, after.q, integrator.suris_shift() * h * h);
}

double SymplecticForm::drift() const { return std::abs(now.omega - first.omega) / std::max(now.bound, std::numeric_limits<double>::min()); }

double SymplecticForm::drift_qv() const
{
  return std::abs(now.omega_qv - first.omega_qv) / std::max(now.bound_qv, std::numeric_limits<double>::min());
}

double SymplecticForm::floor() const { return std::max<double>(1., count) * std::max(rounding_per_step, linearity); }

std::vector<double> momenta_of(const MechanicalSystem &system, const State &state)
{
  std::vector<double> momenta(system.unknowns().momenta().size());
  Vector Mv = system.new_vector(), xi = Mv;
  system.mass(state.v, Mv);
  for (std::size_t i = 0; i < momenta.size(); ++i)
  {
    system.unknowns().generator(i, state.q, xi);
    momenta[i] = xi * Mv;
  }
  return momenta;
}

std::vector<double> canonical_momenta(const MechanicalSystem &system, const Integrator &integrator, const State &state, const double h)
{
  std::vector<double> momenta = momenta_of(system, state);
  const double shift = integrator.suris_shift() * h * h;
  if (shift == 0.)
    return momenta;
  Vector f = system.new_vector(), zero = f, xi = f, xi_0 = f;
  system.internal_force(state.q, f);
  f.update_ghost_values();
  for (std::size_t i = 0; i < momenta.size(); ++i)
  {
    system.unknowns().generator(i, f, xi);
    system.unknowns().generator(i, zero, xi_0);
    xi -= xi_0;
    momenta[i] += shift * (xi * state.v);
  }
  return momenta;
}

namespace
{
/// The forces after translations of all by parts of a length: what a body meets there, and does not touch yet.
void add_forces_farther(const MechanicalSystem &system, const Vector &q, const double length,
                        std::vector<std::pair<Vector, Vector>> &samples)
{
  const std::vector<std::string> names = system.unknowns().momenta();
  Vector xi = system.new_vector(), force = xi;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const double part : {-2., -1., -0.5, -0.25, 0.25, 0.5, 1., 2.})
      if (names[i][0] == 'P')
      {
        system.unknowns().generator(i, q, xi);
        Vector there = q;
        there.add(part * length, xi);
        there.update_ghost_values();
        system.internal_force(there, force);
        samples.emplace_back(there, force);
      }
}
}  // namespace

std::vector<bool> symmetries(const MechanicalSystem &system, const State &state)
{
  constexpr double relative = 1e-8, of_the_largest_force = 1e-11, held = 1e-12;
  const std::size_t n = system.unknowns().momenta().size();
  std::vector<bool> kept(n, true);
  Vector xi = system.new_vector();
  double length = 0;  // of the body about the origin, by its rotations; translations alone: that of the state
  for (std::size_t i = 0; i < n; ++i)
  {
    system.unknowns().generator(i, state.q, xi);
    Vector free = xi;
    system.project(free);
    free -= xi;
    kept[i] = free.l2_norm() <= held * xi.l2_norm() && constraints_allow(system, state.q, xi);
    length = std::max(length, xi.linfty_norm());
  }
  auto samples = forces_around(system, state.q, length);
  double largest = 0;
  for (const auto &sample : samples)
    largest = std::max(largest, sample.second.l2_norm());
  if (searching(system))
    add_forces_farther(system, state.q, length, samples);
  for (const auto &[q, force] : samples)
    for (std::size_t i = 0; i < n; ++i)
    {
      system.unknowns().generator(i, q, xi);
      kept[i] = kept[i] && constraints_allow(system, q, xi) &&
                std::abs(xi * force) <= xi.l2_norm() * (relative * force.l2_norm() + of_the_largest_force * largest);
    }
  return kept;
}
}  // namespace symdyn
