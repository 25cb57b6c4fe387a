#include "elements/system/joint_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/system/joint_operator.h"
#include "solver/error.h"
#include "solver/linear/eigen.h"

namespace symdyn
{
namespace
{
DiscreteSystem::Parts on_each_rank(DiscreteSystem::Parts parts)
{
  parts.communicator = MPI_COMM_SELF;
  return parts;
}
}  // namespace

/// Of the coordinates of all points.
class JointSystem::Constraints : public ConstraintSet
{
public:
  Constraints(const JointLayout &layout, const DiscreteSystem::Parts &parts, const std::vector<std::shared_ptr<const Constraint>> &given)
      : ConstraintSet(given, positions(parts), held(layout, parts)), layout(layout)
  {
  }
  void gather(const Vector &x, std::vector<double> &w) const override { w = layout.gather(x); }
  void scatter_all(const std::vector<double> &w, Vector &x) const override { layout.add(w.data(), x); }

private:
  static std::vector<double> positions(const DiscreteSystem::Parts &parts)
  {
    std::vector<double> X;
    for (const auto &point : parts.points)
      X.insert(X.end(), point.position.begin(), point.position.begin() + parts.dimension);
    return X;
  }
  static std::vector<char> held(const JointLayout &layout, const DiscreteSystem::Parts &parts)
  {
    const int n = parts.dimension;
    std::vector<char> held;
    for (std::size_t k = 0; k < parts.points.size(); ++k)
      for (int i = 0; i < n; ++i)
      {
        for (int j = 0; j < n; ++j)
          if (i != j && std::abs(layout.projector(k)[n * i + j]) > 1e-12)
            throw InputError(fmt::format(
                "[Points/{}]: its node has a support that is not along an axis, where constraints cannot be. Turn the body, or hold "
                "the node by a constraint (Law = plane) instead of the support",
                parts.points[k].name));
        held.push_back(layout.projector(k)[n * i + i] < 0.5);
      }
    return held;
  }

  const JointLayout &layout;
};

JointSystem::JointSystem(NodalSystem &body, DiscreteSystem::Parts parts, std::shared_ptr<LinearSolver> solver, const double tolerance)
    : body(body),
      points(on_each_rank(std::move(parts))),
      layout(body, points.all_parts(), points.coupled_points(Part::all)),
      node_masses(std::make_unique<NodeMasses>(body, layout, points.all_parts())),
      ties(layout, points.all_parts()),
      linear_solver(std::move(solver)),
      linear_tolerance(tolerance)
{
  points_act = acts();
  const auto &all = points.all_parts();
  if (!all.constraints.empty())
    exact = std::make_unique<Constraints>(layout, all, all.constraints);
  if (!all.penalties.empty())
    soft = std::make_unique<Constraints>(layout, all, all.penalties);
}

JointSystem::~JointSystem() = default;

void JointSystem::begin_supports(const std::vector<bool> &equations)
{
  const auto &parts = points.all_parts();
  if (!parts.constraints.empty())
    throw InputError(
        "Supports that change from stage to stage cannot be computed with exact Constraints. Let all stages have the same Supports, or set Treatment = penalty");
  layout.find_projectors(parts);
  node_masses = std::make_unique<NodeMasses>(body, layout, parts);
  ties.hold(parts, equations);
  if (!parts.penalties.empty())
    soft = std::make_unique<Constraints>(layout, parts, parts.penalties);
  elimination = nullptr;
  mass_elimination = nullptr;
  weights_of_solver = nullptr;  // the operator stays: linear solvers know its pattern
  solver_is_set_up = false;
  ++linearisations;
}

bool JointSystem::acts() const
{
  const auto &parts = points.all_parts();
  const auto heavy = [](const auto &point) { return point.mass != 0.; };
  return layout.any_own() || ties.any() || !parts.terms.empty() || points.has(Feature::damping) || !parts.loads.empty() ||
         std::any_of(parts.points.begin(), parts.points.end(), heavy);
}

Vector JointSystem::of_body(const Vector &x) const
{
  if (layout.plain())
    return x;
  Vector part = body.new_vector();
  layout.to_body(x, part);
  part.update_ghost_values();
  return part;
}

const Vector &JointSystem::seen_by_body(const Vector &x, Vector &buffer) const
{
  if (layout.plain())
    return x;
  buffer = of_body(x);
  return buffer;
}

Vector JointSystem::of_points(const Vector &x) const
{
  Vector part = points.new_vector();
  layout.gather(x, part.begin());
  return part;
}

Vector JointSystem::joined(const Vector &of_body, const std::vector<double> &of_points) const
{
  Vector x = new_vector();
  layout.from_body(of_body, x);
  layout.assign_own(of_points.data(), x, [](int, int) { return true; });
  x.update_ghost_values();
  return x;
}

Vector JointSystem::on_nodes(const Vector &forces_on_points) const
{
  Vector all = new_vector(), nodes = body.new_vector();
  layout.add(forces_on_points.begin(), all);
  layout.to_body(all, nodes);
  return nodes;
}

void JointSystem::mass(const Vector &v, Vector &Mv) const
{
  on_body({&v}, Mv, [this](const Given &x, Vector &y) { body.mass(*x[0], y); });
  add_points({&v}, Mv, [this](const Given &x, Vector &y) { points.mass(*x[0], y); });
}

void JointSystem::mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  if (!ties.any())
    return untied_mass_solve(p, v, tolerance);
  if (!mass_elimination)
  {
    constexpr double exactly = 1e-14;
    mass_elimination = std::make_unique<Ties::Elimination>(
        ties, new_vector(), [&](const Vector &r, Vector &x) { untied_mass_solve(r, x, exactly); }, true);
  }
  Vector with_massless(p);
  ties.collect_massless(with_massless);
  untied_mass_solve(with_massless, v, tolerance);
  mass_elimination->apply(v);
  ties.follow_massless(v);
}

void JointSystem::untied_mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  on_body({&p}, v, [&](const Given &x, Vector &y) { body.mass_solve(*x[0], y, tolerance); });
  if (!points_act)
    return;
  const Vector of_points_now = of_points(p);
  Vector w = points.new_vector();
  points.mass_solve(of_points_now, w);
  layout.assign_own(w.begin(), v, [](int, int) { return true; });
  node_masses->solve(v);
}

double JointSystem::potential(const Vector &q) const
{
  Vector buffer;
  const double V = body.potential(seen_by_body(q, buffer));
  return points_act ? V + points.potential(of_points(q)) : V;
}

void JointSystem::internal_force(const Vector &q, Vector &f) const
{
  on_body({&q}, f, [this](const Given &x, Vector &y) { body.internal_force(*x[0], y); });
  add_points({&q}, f, [this](const Given &x, Vector &y) { points.internal_force(*x[0], y); });
}

void JointSystem::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  on_body({&q, &u}, Ku, [&](const Given &x, Vector &y) { body.stiffness(*x[0], *x[1], y, part); });
  add_points({&q, &u}, Ku, [&](const Given &x, Vector &y) { points.stiffness(*x[0], *x[1], y, part); });
}

void JointSystem::third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part) const
{
  on_body({&q, &a}, r, [&](const Given &x, Vector &y) { body.third_derivative(*x[0], *x[1], y, part); });
  add_points({&q, &a}, r, [&](const Given &x, Vector &y) { points.third_derivative(*x[0], *x[1], y, part); });
}

void JointSystem::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const
{
  on_body({&q0, &q1}, f, [this](const Given &x, Vector &y) { body.discrete_gradient(*x[0], *x[1], y); });
  add_points({&q0, &q1}, f, [this](const Given &x, Vector &y) { points.discrete_gradient(*x[0], *x[1], y); });
}

double JointSystem::dissipation(const Vector &q, const Vector &v) const
{
  Vector buffers[2];
  const double R = body.dissipation(seen_by_body(q, buffers[0]), seen_by_body(v, buffers[1]));
  return points_act ? R + points.dissipation(of_points(q), of_points(v)) : R;
}

void JointSystem::damping_force(const Vector &q, const Vector &v, Vector &f) const
{
  on_body({&q, &v}, f, [this](const Given &x, Vector &y) { body.damping_force(*x[0], *x[1], y); });
  add_points({&q, &v}, f, [this](const Given &x, Vector &y) { points.damping_force(*x[0], *x[1], y); });
}

double JointSystem::rounding(const Vector &q) const
{
  Vector buffer;
  return std::hypot(body.rounding(seen_by_body(q, buffer)), points_act ? points.rounding(of_points(q)) : 0.);
}

double JointSystem::highest_frequency(const double t, const Vector &q, const bool lumped) const
{
  // With the lumped mass of a body whose own is another one the points' part counts with that other one, which is about as large.
  Vector buffer;
  const double of_body_alone = lumped || !points_act ? body.highest_frequency(t, seen_by_body(q, buffer), lumped) : 0.;
  if (!points_act)
    return of_body_alone;
  Vector start = new_vector(), force = start;
  const auto first = start.get_partitioner()->local_range().first;
  for (unsigned int i = 0; i < start.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
    start.local_element(i) = std::sin(1. + 12.9898 * (i + first));
  project(start);
  const double largest = largest_eigenvalue(
      [&](const Vector &x, Vector &y) {
        stiffness(q, x, force);
        project(force);
        mass_solve(force, y);
      },
      start, false);
  return std::max(of_body_alone, std::sqrt(largest));
}

const HolonomicConstraints *JointSystem::constraints() const { return exact.get(); }
const HolonomicConstraints *JointSystem::penalties() const { return soft.get(); }

std::vector<std::uint64_t> JointSystem::identities() const
{
  std::vector<std::uint64_t> identities = body.identities();
  for (std::uint64_t i = identities.size(); i < new_vector().locally_owned_size(); ++i)  // of points, which stand behind those of the body
    identities.push_back(std::numeric_limits<std::uint64_t>::max() - (i - body.new_vector().locally_owned_size()));
  return identities;
}

void JointSystem::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  on_body({&q}, xi, [&](const Given &x, Vector &y) { body.generator(i, *x[0], y); });
  if (layout.any_own())
  {
    Vector own = points.new_vector();
    points.generator(i, of_points(q), own);
    layout.assign_own(own.begin(), xi, [](int, int) { return true; });
  }
  xi.update_ghost_values();
}

bool JointSystem::has(const Feature feature) const
{
  switch (feature)
  {
    case Feature::diagonal_mass:
    case Feature::follower_loads:
      return body.has(feature);
    case Feature::supports:
      return body.has(feature) || points.has(feature) || ties.any();
    case Feature::moving_supports:
      return body.has(feature) || points.has(feature) || ties.move();
    case Feature::linear:
    case Feature::momentum_gradient:
    case Feature::quadratic_energy:
      return body.has(feature) && points.has(feature);
    default:
      return body.has(feature) || points.has(feature);
  }
}

std::string JointSystem::diagnose(const Vector &q) const
{
  const std::string what = body.diagnose(of_body(q));
  return what.empty() ? points.diagnose(of_points(q)) : what;
}
}  // namespace symdyn
