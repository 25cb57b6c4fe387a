#include "solver/verify_pendulum.h"

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
using Pair = std::array<double, 2>;
double dot(const Pair &a, const Pair &b) { return a[0] * b[0] + a[1] * b[1]; }

class DenseSolve : public LinearSolve
{
public:
  explicit DenseSolve(const dealii::FullMatrix<double> &A) : A(A), inverse(A) { inverse.gauss_jordan(); }
  int solve(const Vector &r, Vector &x, double) const override
  {
    Vector correction = r, rest = r;
    multiply(inverse, r, x);
    multiply(A, x, rest);  // one refinement
    rest.sadd(-1., 1., r);
    multiply(inverse, rest, correction);
    x += correction;
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override { multiply(A, x, y); }
  double tolerance() const override { return 1e-15; }
  bool iterative() const override { return false; }

private:
  static void multiply(const dealii::FullMatrix<double> &B, const Vector &x, Vector &y)
  {
    for (unsigned int i = 0; i < B.m(); ++i)
    {
      double sum = 0;
      for (unsigned int j = 0; j < B.n(); ++j)
        sum += B(i, j) * x.local_element(j);
      y.local_element(i) = sum;
    }
  }
  dealii::FullMatrix<double> A, inverse;
};
}  // namespace

PenaltyPendulum::PenaltyPendulum(const double omega) : omega(omega) {}

State PenaltyPendulum::start() const
{
  constexpr Numbers q{0.3, -1.1, 1.2, -2.1}, v{0.2, -0.1, 0.3, 0.4};
  State state;
  state.q = state.v = state.a = new_vector();
  std::copy(q.begin(), q.end(), state.q.begin());
  std::copy(v.begin(), v.end(), state.v.begin());
  return state;
}

Vector PenaltyPendulum::new_vector() const { return Vector(m.size()); }

void PenaltyPendulum::mass(const Vector &v, Vector &Mv) const
{
  for (unsigned int i = 0; i < m.size(); ++i)
    Mv.local_element(i) = m[i] * v.local_element(i);
}

void PenaltyPendulum::mass_solve(const Vector &p, Vector &v) const
{
  for (unsigned int i = 0; i < m.size(); ++i)
    v.local_element(i) = p.local_element(i) / m[i];
}

std::array<double, 2> PenaltyPendulum::rod(const int k, const Vector &q)
{
  const auto e = [&](const int i) { return q.local_element(i); };
  return k == 0 ? Pair{e(0), e(1)} : Pair{e(2) - e(0), e(3) - e(1)};
}

void PenaltyPendulum::spread(const int k, const double factor, const Pair &e, Vector &r)
{
  for (int d = 0; d < 2; ++d)
  {
    r.local_element(2 * k + d) += factor * e[d];
    if (k == 1)
      r.local_element(d) -= factor * e[d];
  }
}

void PenaltyPendulum::pull(const Vector &q, Vector &f) const
{
  for (unsigned int i = 2; i < m.size(); ++i)
    f.local_element(i) += soft * q.local_element(i);
}

double PenaltyPendulum::potential(const Vector &q) const
{
  double V = 0;
  for (unsigned int i = 0; i < m.size(); ++i)
    V += gravity[i] * q.local_element(i);
  const Pair lower{q.local_element(2), q.local_element(3)};
  V += 0.5 * soft * dot(lower, lower);
  for (int k = 0; k < 2; ++k)
  {
    const Pair r = rod(k, q);
    V += 0.5 * omega * omega * std::pow(dot(r, r) - squares[k], 2);
  }
  return V;
}

void PenaltyPendulum::internal_force(const Vector &q, Vector &f) const
{
  std::copy(gravity.begin(), gravity.end(), f.begin());
  pull(q, f);
  for (int k = 0; k < 2; ++k)
  {
    const Pair r = rod(k, q);
    spread(k, 2. * omega * omega * (dot(r, r) - squares[k]), r, f);
  }
}

void PenaltyPendulum::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  const Vector direction = u;
  Ku = 0.;
  if (part == Part::all)
    pull(direction, Ku);
  for (int k = 0; k < 2; ++k)
  {
    const Pair r = rod(k, q), e = rod(k, direction);
    spread(k, 4. * omega * omega * dot(r, e), r, Ku);
    spread(k, 2. * omega * omega * (dot(r, r) - squares[k]), e, Ku);
  }
}

void PenaltyPendulum::third_derivative(const Vector &q, const Vector &a, Vector &result, Part) const
{
  const Vector direction = a;
  result = 0.;
  for (int k = 0; k < 2; ++k)
  {
    const Pair r = rod(k, q), e = rod(k, direction);
    spread(k, 4. * omega * omega * dot(e, e), r, result);
    spread(k, 8. * omega * omega * dot(r, e), e, result);
  }
}

void PenaltyPendulum::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const
{
  Vector middle = q0;
  middle.sadd(0.5, 0.5, q1);
  std::copy(gravity.begin(), gravity.end(), f.begin());
  pull(middle, f);
  for (int k = 0; k < 2; ++k)  // V is quadratic in r²: the mean of its slopes is the quotient
  {
    const Pair r0 = rod(k, q0), r1 = rod(k, q1), r = rod(k, middle);
    spread(k, omega * omega * (dot(r0, r0) + dot(r1, r1) - 2. * squares[k]), r, f);
  }
}

std::shared_ptr<const LinearSolve> PenaltyPendulum::factor(const Linearisation &terms) const
{
  dealii::FullMatrix<double> A(m.size(), m.size());
  Vector e = new_vector(), column = e, middle = e;
  for (const LinearTerm &term : terms)
    for (unsigned int j = 0; j < m.size(); ++j)
    {
      e = 0.;
      e.local_element(j) = 1.;
      if (term.from)
      {
        column = 0.;
        middle = e;
        middle *= 0.5;
        pull(middle, column);
        middle = *term.from;
        middle.sadd(0.5, 0.5, *term.q);
        for (int k = 0; k < 2; ++k)
        {
          const Pair r0 = rod(k, *term.from), r1 = rod(k, *term.q), r = rod(k, middle), d = rod(k, e);
          spread(k, 2. * omega * omega * dot(r1, d), r, column);
          spread(k, 0.5 * omega * omega * (dot(r0, r0) + dot(r1, r1) - 2. * squares[k]), d, column);
        }
      }
      else
        stiffness(*term.q, e, column, term.part);
      for (unsigned int i = 0; i < m.size(); ++i)
        A(i, j) += term.weights.k * column.local_element(i);
      A(j, j) += term.weights.m * m[j];
    }
  return std::make_shared<DenseSolve>(A);
}

double PenaltyPendulum::highest_frequency(double, const Vector &q, bool) const
{
  constexpr int iterations = 200;
  Vector u = new_vector(), Ku = u;
  for (unsigned int i = 0; i < m.size(); ++i)
    u.local_element(i) = 1. + 0.3 * i;
  double value = 0;
  for (int k = 0; k < iterations; ++k)
  {
    stiffness(q, u, Ku, Part::all);
    mass_solve(Ku, u);
    value = u.l2_norm();
    u *= 1. / value;
  }
  return std::sqrt(value);
}

void PenaltyPendulum::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  for (unsigned int k = 0; k < m.size(); k += 2)
  {
    const double x = q.local_element(k), y = q.local_element(k + 1);
    xi.local_element(k) = i == 0 ? 1. : i == 1 ? 0. : -y;
    xi.local_element(k + 1) = i == 0 ? 0. : i == 1 ? 1. : x;
  }
}

bool PenaltyPendulum::has(const Feature feature) const
{
  return feature == Feature::diagonal_mass || feature == Feature::stiff_part || feature == Feature::gravity ||
         feature == Feature::quadratic_energy || feature == Feature::momentum_gradient;
}
}  // namespace symdyn
