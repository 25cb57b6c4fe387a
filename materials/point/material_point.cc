#include "materials/point/material_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/algebra/tensor_functions.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr const char *component[6] = {"11", "22", "33", "12", "13", "23"};

template <class T>
Symmetric<T> law_stress(const Material &law, const InelasticMaterial *inelastic_law, const Symmetric<T> &C, const Wide *m, const double dt)
{
  if (!inelastic_law)
    return law.stress(C);
  if constexpr (std::is_same_v<T, Wide>)
    return inelastic_law->incremental_stress(C, m, dt, nullptr);
  else
    return inelastic_law->incremental_stress(C, m, dt);
}

/// F S Fᵀ / det F of a symmetric F.
template <class T>
Symmetric<T> pushed(const Symmetric<T> &F, const Symmetric<T> &S)
{
  T FS[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      FS[i][j] = F(i, 0) * S(0, j) + F(i, 1) * S(1, j) + F(i, 2) * S(2, j);
  const T r = T(1.) / determinant(F);
  Symmetric<T> sigma;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      sigma(i, j) = r * (FS[i][0] * F(0, j) + FS[i][1] * F(1, j) + FS[i][2] * F(2, j));
  return sigma;
}

/// Solves A x = b by elimination with pivots; false where A is singular.
bool solve(std::vector<std::vector<double>> A, std::vector<double> b, std::vector<double> &x)
{
  const int n = int(b.size());
  for (int k = 0; k < n; ++k)
  {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k]))
        pivot = i;
    if (!(std::abs(A[pivot][k]) > 0.))
      return false;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < n; ++i)
    {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < n; ++j)
        A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  x.assign(n, 0.);
  for (int k = n - 1; k >= 0; --k)
  {
    x[k] = b[k];
    for (int j = k + 1; j < n; ++j)
      x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
  return true;
}
}  // namespace

MaterialPoint::MaterialPoint(const Material &given) : law(given), inelastic_law(inelastic(given)), C(identity<Wide>())
{
  if (inelastic_law)
    m = inelastic_law->virgin();
}

void MaterialPoint::begin(const std::vector<double> &variables)
{
  if (variables.size() != m.size())
    throw InputError(fmt::format("the law remembers {} numbers, not {}. Take the law from which they came", m.size(), variables.size()));
  std::copy(variables.begin(), variables.end(), m.begin());
}

template <class T>
Symmetric<T> MaterialPoint::C_of(const Symmetric<T> &strain) const
{
  const Symmetric<T> twice = scaled_by(T(2.), strain);
  return law.small_strain() ? shifted(twice, T(1.)) : exponential(twice);
}

template <class T>
Symmetric<T> MaterialPoint::stress_at(const Symmetric<T> &strain, const double dt) const
{
  const Symmetric<T> S = law_stress(law, inelastic_law, C_of(strain), m.data(), dt);
  return law.small_strain() ? S : pushed(exponential(strain), S);
}

namespace
{
/// Functions of users may leave energies out: they are not a number, and what is remembered of them neither.
void require_answer(const Symmetric<Wide> &stress, const double energy, const std::vector<Wide> &memory, const bool may_be_of_a_user)
{
  double sum = 0.;
  for (int c = 0; c < 6; ++c)
    sum += stress[c][0];
  if (!std::isnan(energy) || !may_be_of_a_user)
  {
    sum += energy;
    for (const Wide &value : memory)
      sum += value[0];
  }
  if (!std::isfinite(sum))
    throw ComputationError("the law has no answer at this strain: its stress or its memory is not a number. Take smaller steps");
}
}  // namespace

void MaterialPoint::accept(const Symmetric<Wide> &now, const Gradient &F, const double dt)
{
  std::vector<Wide> next(m.size());
  Symmetric<Wide> stress;
  double energy = 0.;
  if (inelastic_law)
  {
    stress = inelastic_law->incremental_stress(now, m.data(), dt, next.data());
    energy = inelastic_law->incremental_energy(now, m.data(), dt)[0];
  }
  else
  {
    stress = law.stress(now);
    energy = law.psi(now)[0];
  }
  require_answer(stress, energy, next, inelastic_law && !inelastic_law->has_potential());
  W = energy;
  C = now;
  if (dt > 0. || !inelastic_law)
    m = next;
  double J = 1.;
  if (!law.small_strain())
    J = F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) - F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
        F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
  constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c < 6; ++c)
  {
    S[c] = stress[c][0];
    sigma[c] = law.small_strain() ? S[c] : 0.;
    for (int i = 0; i < 3 && !law.small_strain(); ++i)
      for (int j = 0; j < 3; ++j)
        sigma[c] += F[row[c]][i] * stress(i, j)[0] * F[column[c]][j] / J;
  }
}

void MaterialPoint::step(const Gradient &F, const double dt)
{
  Symmetric<Wide> now;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
    {
      double sum = 0.;
      for (int k = 0; k < 3; ++k)
        sum += F[k][i] * F[k][j];
      now(i, j) = law.small_strain() ? F[i][j] + F[j][i] - (i == j ? 1. : 0.) : sum;
    }
  accept(now, F, dt);
  const Symmetric<Wide> strain = law.small_strain() ? scaled_by(Wide(0.5), shifted(now, Wide(-1.))) : scaled_by(Wide(0.5), logarithm(now));
  for (int c = 0; c < 6; ++c)
    eps[c] = strain[c][0];
}

/// d stress_i / d strain_j of the unknown components, and the solution of it for r.
std::vector<double> MaterialPoint::correction(const Symmetric<Wide> &strain, const std::vector<int> &unknown, const std::vector<double> &r,
                                              const double dt) const
{
  std::vector<std::vector<double>> A(unknown.size(), std::vector<double>(unknown.size()));
  for (std::size_t j = 0; j < unknown.size(); ++j)
  {
    Symmetric<Dual<Wide>> along;
    for (int c = 0; c < 6; ++c)
      along[c] = {strain[c], Wide(c == unknown[j] ? 1. : 0.)};
    const auto change = stress_at(along, dt);
    for (std::size_t i = 0; i < unknown.size(); ++i)
      A[i][j] = change[unknown[i]].d[0];
  }
  std::vector<double> d;
  if (!solve(A, r, d))
    throw ComputationError("the stress does not change with the strain here: the load is beyond the limit. Prescribe strains");
  return d;
}

/// Newton's method for the strains that are not given, with steps of at most 0.2.
Symmetric<Wide> MaterialPoint::strain_of(const Target &target, const double dt) const
{
  constexpr int most = 60, between = 6;
  constexpr double tolerance = 1e-12, rounding = 2e-15, longest = 0.2;
  std::vector<int> unknown;
  Symmetric<Wide> strain;
  for (int c = 0; c < 6; ++c)
  {
    if (target.is_stress[c])
      unknown.push_back(c);
    strain[c] = target.is_stress[c] ? eps[c] : target.value[c];
  }
  double scale = rounding / tolerance * law.longitudinal_modulus();  // strains are rounded beside 1
  for (int iteration = 0;; ++iteration)
  {
    const Symmetric<Wide> at = stress_at(strain, dt);
    std::vector<double> r;
    double size = 0., largest = 0.;
    for (int c = 0; c < 6; ++c)
      scale = std::max(scale, std::abs(at[c][0]));
    for (const int c : unknown)
    {
      r.push_back(target.value[c] - at[c][0]);
      size = std::max(size, std::abs(r.back()));
    }
    if (size <= tolerance * scale)
      return strain;
    if (iteration == most || !std::isfinite(size))
      throw ComputationError(fmt::format(
          "no strain was found that gives the stress: {:.3g} Pa are missing after {} iterations. Take smaller steps, or prescribe strains",
          size, iteration));
    // Beside a yield surface one slope would lead across it and the other back: elastic ones come between.
    const std::vector<double> d = correction(strain, unknown, r, iteration % between == 0 ? 0. : dt);
    for (const double step : d)
      largest = std::max(largest, std::abs(step));
    for (std::size_t i = 0; i < unknown.size(); ++i)
      strain[unknown[i]] += d[i] * std::min(1., longest / largest);
  }
}

void MaterialPoint::step(const Target &target, const double dt)
{
  const Symmetric<Wide> strain = strain_of(target, dt);
  Gradient F{};
  const Symmetric<Wide> U = law.small_strain() ? shifted(strain, Wide(1.)) : exponential(strain);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F[i][j] = U(i, j)[0];
  accept(C_of(strain), F, dt);
  for (int c = 0; c < 6; ++c)
    eps[c] = strain[c][0];
}

double MaterialPoint::stored_energy() const { return (inelastic_law ? inelastic_law->incremental_energy(C, m.data(), 0.) : law.psi(C))[0]; }
double MaterialPoint::dissipated() const { return inelastic_law ? inelastic_law->dissipated(m.data())[0] : 0.; }
double MaterialPoint::kept() const { return inelastic_law ? inelastic_law->stored(m.data())[0] : 0.; }
double MaterialPoint::flow() const { return inelastic_law ? inelastic_law->flow(m.data())[0] : 0.; }

std::vector<std::string> MaterialPoint::names() const
{
  std::vector<std::string> all;
  if (inelastic_law)
    for (const Remembered &one : inelastic_law->remembered())
      for (int c = 0; c < one.components; ++c)
        all.push_back((one.components == 1 ? one.name : one.name + "_" + component[c]) + (one.unit.empty() ? "" : " [" + one.unit + "]"));
  return all;
}

std::vector<double> MaterialPoint::memory() const
{
  std::vector<double> all;
  if (!inelastic_law)
    return all;
  std::vector<Wide> values(names().size());
  inelastic_law->show(m.data(), values.data());
  for (const Wide &value : values)
    all.push_back(value[0]);
  return all;
}
}  // namespace symdyn
