#include "elements/lumped/system.h"

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/lumped/matrix.h"
#include "solver/base/timer.h"
#include "solver/linear/eigen.h"

namespace symdyn
{
namespace
{
constexpr unsigned int dense_points = 120;  ///< up to which all eigenvalues are computed
}

std::string DiscreteSystem::Point::support() const
{
  std::string axes;
  for (int d = 0; d < 3; ++d)
    axes += free[d] ? fmt::format("{}{}", axes.empty() ? "" : ", ", "xyz"[d]) : "";
  return name + (axes.empty() ? " (fixed)" : " (fixed but for " + axes + ")");
}

DiscreteSystem::DiscreteSystem(Parts given) : parts(std::move(given)), load_factors(parts.load_names.size())
{
  const int n = parts.dimension;
  dofs = std::make_shared<dealii::Utilities::MPI::Partitioner>(dealii::complete_index_set(n * parts.points.size()), parts.communicator);
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    for (int d = 0; d < n; ++d)
    {
      const Point &point = parts.points[k];
      masses.push_back(point.mass);
      X.push_back(point.position[d]);
      damping.push_back(parts.dashpots.empty() ? 0. : parts.dashpots[k]);
      weight.push_back(point.director_of < 0 ? -point.mass * parts.gravity[d] : 0.);
      held.push_back(point.holds(d));
      any_held = any_held || point.holds(d);
      moves = moves || !point.motion.empty();
      damped = damped || damping.back() != 0.;
      has_gravity = has_gravity || parts.gravity[d] != 0.;
    }
  damped = damped || !parts.damping.empty();
  exact = ConstraintSet(parts.constraints, X, held);
  soft = ConstraintSet(parts.penalties, X, held);
  if (parts.base)
    prepare_base();
}

void DiscreteSystem::prepare_base()
{
  moves = moves || (base_carries() && any_held);
  bool acts = false;
  for (int d = 0; d < parts.dimension; ++d)
  {
    Vector pattern = new_vector(), r = new_vector();
    for (std::size_t k = 0; k < parts.points.size(); ++k)
      if (const unsigned int i = parts.dimension * k + d; parts.points[k].director_of < 0)
      {
        pattern.local_element(i) = parts.base->relative() ? masses[i] : damping[i];
        r.local_element(i) = held[i] ? 1. : 0.;
      }
    for (const auto &term : parts.damping)
      if (base_carries())
        term->add_ground(d, pattern.begin());
    acts = acts || pattern.linfty_norm() > 0.;
    base_patterns.push_back(pattern);  // of every direction: the place is the direction
    if (base_carries())
      base_held.push_back(r);
  }
  if (!acts)
    base_patterns.clear();
}

DiscreteSystem::~DiscreteSystem() = default;

std::vector<double> DiscreteSystem::coordinates(const Vector &q) const
{
  std::vector<double> x(X);
  for (unsigned int i = 0; i < size(); ++i)
    x[i] += q.local_element(i);
  return x;
}

void DiscreteSystem::mass(const Vector &v, Vector &Mv) const
{
  for (unsigned int i = 0; i < size(); ++i)
    Mv.local_element(i) = masses[i] * v.local_element(i);
}

void DiscreteSystem::mass_solve(const Vector &p, Vector &v, double) const
{
  for (unsigned int i = 0; i < size(); ++i)
    v.local_element(i) = held[i] || masses[i] == 0. ? 0. : p.local_element(i) / masses[i];  // massless: see Ties
}

double DiscreteSystem::potential(const Vector &q) const
{
  const std::vector<double> x = coordinates(q);
  double V = 0;
  for (unsigned int i = 0; i < size() && has_gravity; ++i)
    V += weight[i] * x[i];
  for_terms(Part::all, [&](const auto &term) { V += term.potential(x.data()); });
  return V;
}

void DiscreteSystem::internal_force(const Vector &q, Vector &f) const
{
  const ScopedTimer timer("force", ScopedTimer::worth_it(size()));
  const std::vector<double> x = coordinates(q);
  std::copy(weight.begin(), weight.end(), f.begin());
  for_terms(Part::all, [&](const auto &term) { term.add_force(x.data(), f.begin()); });
  finite = std::all_of(f.begin(), f.end(), [](const double value) { return std::isfinite(value); });
}

void DiscreteSystem::term_force(const Vector &q, Vector &f) const
{
  const std::vector<double> x = coordinates(q);
  f = 0.;
  for_terms(Part::all, [&](const auto &term) { term.add_force(x.data(), f.begin()); });
}

void DiscreteSystem::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  const std::vector<double> x = coordinates(q);
  Ku = 0.;
  for_terms(part, [&](const auto &term) { term.add_stiffness(x.data(), u.begin(), Ku.begin()); });
}

void DiscreteSystem::third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part) const
{
  const std::vector<double> x = coordinates(q);
  r = 0.;
  for_terms(part, [&](const auto &term) { term.add_third(x.data(), a.begin(), r.begin()); });
}

void DiscreteSystem::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const
{
  const std::vector<double> x0 = coordinates(q0), x1 = coordinates(q1);
  std::copy(weight.begin(), weight.end(), f.begin());
  for_terms(Part::all, [&](const auto &term) { term.add_discrete_gradient(x0.data(), x1.data(), f.begin()); });
  finite = std::all_of(f.begin(), f.end(), [](const double value) { return std::isfinite(value); });
}

double DiscreteSystem::dissipation(const Vector &q, const Vector &v) const
{
  double R = 0;
  for (unsigned int i = 0; i < size(); ++i)
    R += 0.5 * damping[i] * v.local_element(i) * v.local_element(i);
  if (!parts.damping.empty())
  {
    const std::vector<double> x = coordinates(q);
    for (const auto &term : parts.damping)
      R += term->dissipation(x.data(), v.begin());
  }
  return R;
}

void DiscreteSystem::damping_force(const Vector &q, const Vector &v, Vector &f) const
{
  for (unsigned int i = 0; i < size(); ++i)
    f.local_element(i) = damping[i] * v.local_element(i);
  if (parts.damping.empty())
    return;
  const std::vector<double> x = coordinates(q);
  for (const auto &term : parts.damping)
    term->add_force(x.data(), v.begin(), f.begin());
}

void DiscreteSystem::applied_force(const double t, const Vector &, const Vector &, Vector &f) const
{
  f = 0.;
  if (parts.base)
    parts.base->add_load(t, base_patterns, statics, mean_of_tables, f);
  const double at[] = {0., 0., 0., t};
  for (const Load &load : parts.loads)
    for (int d = 0; d < parts.dimension; ++d)
      f.local_element(parts.dimension * load.point + d) += load_factors[load.name] * load.force[d](at);
  // Gravity stands in V at full strength; a static stage that has applied only a part of it adds the rest back.
  for (unsigned int i = 0; i < size() && has_gravity && load_factors.motion() != 1.; ++i)
    f.local_element(i) += (1. - load_factors.motion()) * weight[i];
}

std::vector<DrivingTable> DiscreteSystem::driving_tables() const
{
  std::vector<DrivingTable> driving;
  if (parts.base)
    parts.base->add_tables(driving);
  return driving;
}

void DiscreteSystem::load_force(const std::size_t number, const double t, const Vector &, Vector &f) const
{
  f = 0.;
  const double at[] = {0., 0., 0., t};
  for (const Load &load : parts.loads)
    for (int d = 0; d < parts.dimension && load.name == number; ++d)
      f.local_element(parts.dimension * load.point + d) += load.force[d](at);
}

void DiscreteSystem::impose(const double t, Vector &q, Vector &v, Vector &a) const
{
  const int n = parts.dimension;
  for (std::size_t k = 0; k < parts.points.size() && any_held; ++k)
    for (int d = 0; d < n; ++d)
    {
      if (!parts.points[k].holds(d))
        continue;
      const auto &motion = parts.points[k].motion;
      const auto &integrals = parts.points[k].integrals;
      const Jet<double> u = motion.empty()
                                ? Jet<double>(0.)
                                : load_factors.motion() * (integrals.empty() ? motion[d].in_time(nullptr, 0, t) : (*integrals[d])(t));
      q.local_element(n * k + d) = u.x;
      v.local_element(n * k + d) = u.d;
      a.local_element(n * k + d) = u.dd;
    }
  if (base_carries())
    parts.base->carry(t, base_held, q, v, a);
}

void DiscreteSystem::project(Vector &r) const
{
  for (unsigned int i = 0; i < size() && any_held; ++i)
    if (held[i])
      r.local_element(i) = 0.;
}

void DiscreteSystem::project_prescribed(Vector &r) const
{
  for (unsigned int i = 0; i < size(); ++i)
    if (!held[i])
      r.local_element(i) = 0.;
}

std::vector<std::string> DiscreteSystem::momenta() const
{
  if (parts.dimension == 1)
    return {"P_x"};
  if (parts.dimension == 2)
    return {"P_x", "P_y", "J_z"};
  return {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"};
}

void DiscreteSystem::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  const int n = parts.dimension;
  const std::vector<double> x = coordinates(q);
  const int first = n == 2 ? 0 : (int(i) - n + 1) % 3, second = n == 2 ? 1 : (int(i) - n + 2) % 3;  // of the plane that turns
  xi = 0.;
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    if (int(i) < n)
      xi.local_element(n * k + i) = parts.points[k].director_of < 0 ? 1. : 0.;
    else
    {
      xi.local_element(n * k + first) = -x[n * k + second];
      xi.local_element(n * k + second) = x[n * k + first];
    }
}

std::vector<Rotation> DiscreteSystem::rotations() const
{
  std::vector<Rotation> bodies;
  for (std::size_t k = 0; k + 2 < parts.points.size(); ++k)
    if (parts.points[k].director_of >= 0)
    {
      Rotation body{};
      body.first = 3 * k;
      body.held = parts.points[k].rigid;
      for (int j = 0; j < 3; ++j, ++k)
      {
        std::copy(parts.points[k].position.begin(), parts.points[k].position.end(), body.axes.begin() + 3 * j);
        body.E[j] = parts.points[k].mass;
      }
      --k;
      bodies.push_back(body);
    }
  return bodies;
}

bool DiscreteSystem::has(const Feature feature) const
{
  bool stiff = false;
  switch (feature)
  {
    case Feature::diagonal_mass:
      return true;
    case Feature::damping:
      return damped;
    case Feature::loads:
      return !parts.loads.empty() || !base_patterns.empty();
    case Feature::gravity:
      return has_gravity;
    case Feature::supports:
      return any_held;
    case Feature::linear:
      return linear();
    case Feature::stiff_part:
      for_terms(Part::all, [&](const auto &term) { stiff = stiff || term.stiff; });
      return stiff;
    case Feature::momentum_gradient:
      return std::all_of(parts.terms.begin(), parts.terms.end(), [](const auto &term) { return term->momentum_gradient(); }) &&
             std::all_of(parts.constraints.begin(), parts.constraints.end(),
                         [](const auto &constraint) { return constraint->momentum_gradient(); });
    case Feature::quadratic_energy:
      return std::all_of(parts.terms.begin(), parts.terms.end(), [](const auto &term) { return term->quadratic(); });
    case Feature::stiffness_damping:
      return !parts.damping.empty();
    case Feature::nonlinear_damping:
      return std::any_of(parts.damping.begin(), parts.damping.end(), [](const auto &term) { return !term->linear(); });
    case Feature::moving_supports:
      return moves;
    case Feature::follower_loads:
      return false;
  }
  return false;
}

std::string DiscreteSystem::diagnose(const Vector &q) const
{
  const std::vector<double> x = coordinates(q);
  std::vector<std::string> names;
  for (const Point &point : parts.points)
    names.push_back(point.name);
  for (unsigned int i = 0; i < size(); ++i)
    if (!std::isfinite(x[i]))
      return fmt::format("point '{}' is at no finite place", names[i / parts.dimension]);
  for (const auto &term : parts.terms)
    if (const std::string what = term->diagnose(x.data(), names); !what.empty())
      return what;
  return "";
}

double DiscreteSystem::potential_rounding() const
{
  double sum = 0;
  for_terms(Part::all, [&](const auto &term) { sum += term.scale(); });
  for (unsigned int i = 0; i < size(); ++i)
    sum += std::abs(weight[i] * X[i]);
  return std::numeric_limits<double>::epsilon() * sum;
}

double DiscreteSystem::highest_frequency(double, const Vector &q, bool) const
{
  Vector scaled = new_vector(), start = new_vector();
  const auto scale = [this](Vector &x) {  // M^-1/2
    for (unsigned int i = 0; i < size(); ++i)
      x.local_element(i) = held[i] ? 0. : x.local_element(i) / std::sqrt(masses[i]);
  };
  const auto multiply = [&](const Vector &x, Vector &y) {
    scaled = x;
    scale(scaled);
    stiffness(q, scaled, y);
    scale(y);
  };
  double largest = 0;
  if (size() > dense_points)
  {
    for (unsigned int i = 0; i < size(); ++i)  // no mode is orthogonal to it by symmetry
      start.local_element(i) = held[i] ? 0. : std::sin(1. + 12.9898 * i);
    largest = largest_eigenvalue(multiply, start, true);
    return std::sqrt(std::max(0., largest));
  }
  dealii::LAPACKFullMatrix<double> B(size(), size());
  Vector column = new_vector();
  for (unsigned int j = 0; j < size(); ++j)
  {
    start = 0.;
    start.local_element(j) = 1.;
    multiply(start, column);
    for (unsigned int i = 0; i < size(); ++i)
      B(i, j) = column.local_element(i);
  }
  B.compute_eigenvalues();
  for (unsigned int i = 0; i < size(); ++i)
    largest = std::max(largest, B.eigenvalue(i).real());
  return std::sqrt(largest);
}
}  // namespace symdyn
