#include "elements/discrete_system.h"

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/discrete_matrix.h"
#include "solver/eigen.h"

namespace symdyn
{
DiscreteSystem::DiscreteSystem(Parts given) : parts(std::move(given))
{
  const int n = parts.dimension;
  dofs = std::make_shared<dealii::Utilities::MPI::Partitioner>(dealii::complete_index_set(n * parts.points.size()), MPI_COMM_WORLD);
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    for (int d = 0; d < n; ++d)
    {
      const Point &point = parts.points[k];
      masses.push_back(point.mass);
      X.push_back(point.position[d]);
      damping.push_back(parts.dashpots.empty() ? 0. : parts.dashpots[k]);
      weight.push_back(-point.mass * parts.gravity[d]);
      held.push_back(point.fixed);
      any_held = any_held || point.fixed;
      damped = damped || damping.back() != 0.;
      has_gravity = has_gravity || parts.gravity[d] != 0.;
    }
}

DiscreteSystem::~DiscreteSystem() = default;

std::vector<double> DiscreteSystem::coordinates(const Vector &q) const
{
  std::vector<double> x(X);
  for (unsigned int i = 0; i < size(); ++i)
    x[i] += q.local_element(i);
  return x;
}

template <class Visit>
void DiscreteSystem::for_terms(const Part part, const Visit &visit) const
{
  for (const Bar &bar : parts.bars)
    if (part == Part::all || bar.stiff)
      visit(bar);
  for (const FormulaPotential &formula : parts.formulas)
    if (part == Part::all || formula.stiff)
      visit(formula);
}

void DiscreteSystem::mass(const Vector &v, Vector &Mv) const
{
  for (unsigned int i = 0; i < size(); ++i)
    Mv.local_element(i) = masses[i] * v.local_element(i);
}

void DiscreteSystem::mass_solve(const Vector &p, Vector &v, double) const
{
  for (unsigned int i = 0; i < size(); ++i)
    v.local_element(i) = held[i] ? 0. : p.local_element(i) / masses[i];
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
  const std::vector<double> x = coordinates(q);
  std::copy(weight.begin(), weight.end(), f.begin());
  for_terms(Part::all, [&](const auto &term) { term.add_force(x.data(), f.begin()); });
  finite = std::all_of(f.begin(), f.end(), [](const double value) { return std::isfinite(value); });
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

double DiscreteSystem::dissipation(const Vector &, const Vector &v) const
{
  double R = 0;
  for (unsigned int i = 0; i < size(); ++i)
    R += 0.5 * damping[i] * v.local_element(i) * v.local_element(i);
  return R;
}

void DiscreteSystem::damping_force(const Vector &, const Vector &v, Vector &f) const
{
  for (unsigned int i = 0; i < size(); ++i)
    f.local_element(i) = damping[i] * v.local_element(i);
}

void DiscreteSystem::applied_force(const double t, const Vector &, const Vector &, Vector &f) const
{
  f = 0.;
  const double at[] = {0., 0., 0., t};
  for (const Load &load : parts.loads)
    for (int d = 0; d < parts.dimension; ++d)
      f.local_element(parts.dimension * load.point + d) += load_factor * load.force[d](at);
  // Gravity stands in V at full strength; a static stage that has applied only a part of it adds the rest back.
  for (unsigned int i = 0; i < size() && has_gravity && load_factor != 1.; ++i)
    f.local_element(i) += (1. - load_factor) * weight[i];
}

void DiscreteSystem::impose(double, Vector &q, Vector &v, Vector &a) const
{
  for (unsigned int i = 0; i < size() && any_held; ++i)
    if (held[i])
      q.local_element(i) = v.local_element(i) = a.local_element(i) = 0.;
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
      xi.local_element(n * k + i) = 1.;
    else
    {
      xi.local_element(n * k + first) = -x[n * k + second];
      xi.local_element(n * k + second) = x[n * k + first];
    }
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
      return !parts.loads.empty();
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
    case Feature::quadratic_energy:
      return parts.formulas.empty();
    case Feature::stiffness_damping:
    case Feature::nonlinear_damping:
    case Feature::follower_loads:
    case Feature::moving_supports:
      return false;
  }
  return false;
}

std::string DiscreteSystem::diagnose(const Vector &q) const
{
  const std::vector<double> x = coordinates(q);
  for (const FormulaPotential &formula : parts.formulas)
  {
    std::vector<double> f(size(), 0.);
    formula.add_force(x.data(), f.data());
    for (unsigned int i = 0; i < size(); ++i)
      if (!std::isfinite(f[i]))
        return fmt::format("the force of potential '{}' on point '{}' is not finite", formula.name, parts.points[i / parts.dimension].name);
  }
  for (unsigned int i = 0; i < size(); ++i)
    if (!std::isfinite(x[i]))
      return fmt::format("point '{}' is at no finite place", parts.points[i / parts.dimension].name);
  return "";
}

double DiscreteSystem::potential_rounding() const
{
  double sum = 0;
  for (const Bar &bar : parts.bars)
    sum += bar.k * std::pow(bar.length, 4);
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
  if (size() > dense_limit)
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
