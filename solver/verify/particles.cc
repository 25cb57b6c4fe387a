#include "solver/verify/particles.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace symdyn
{
namespace
{
using Matrix = Particles::Matrix;

class Solve : public LinearSolve
{
public:
  Solve(const Particles &system, const Matrix &A) : system(system), A(A), inverse(A) { inverse.gauss_jordan(); }
  int solve(const Vector &r, Vector &x, double) const override
  {
    multiply(inverse, r, x);
    Vector rest = r;  // one step of refinement
    Vector correction = r;
    multiply(A, x, rest);
    rest.sadd(-1., 1., r);
    multiply(inverse, rest, correction);
    x += correction;
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override { multiply(A, x, y); }
  /// 4 epsilon |V''(q)| |q|, Frobenius
  double rounding(const Vector &q) const override
  {
    Vector e = system.new_vector(), column = e;
    double sum = 0;
    for (unsigned int j = 0; j < system.size(); ++j)
    {
      e = 0.;
      e.local_element(j) = 1.;
      system.stiffness(q, e, column);
      sum += column * column;
    }
    return 4. * std::numeric_limits<double>::epsilon() * std::sqrt(sum) * q.l2_norm();
  }
  double tolerance() const override { return 1e-15; }
  bool iterative() const override { return false; }

private:
  static void multiply(const Matrix &B, const Vector &x, Vector &y)
  {
    for (unsigned int i = 0; i < B.m(); ++i)
    {
      double sum = 0;
      for (unsigned int j = 0; j < B.n(); ++j)
        sum += B(i, j) * x.local_element(j);
      y.local_element(i) = sum;
    }
  }
  Particles system;  ///< who keeps a linearisation may keep it longer than the system
  Matrix A, inverse;
};
}  // namespace

Particles Particles::ring_well(const double m_x, const double m_y, const double c)
{
  Particles system({m_x, m_y});
  system.c = c;
  Matrix A(2, 2);
  A(0, 0) = A(1, 1) = 1.;
  system.terms.push_back({A,
                          {[](double s) { return s * (s - 1.) * (s - 1.); }, [](double s) { return 3. * s * s - 4. * s + 1.; },
                           [](double s) { return 6. * s - 4.; }, [](double) { return 6.; }}});
  return system;
}

Particles Particles::pendulum(const double omega, const double soft)
{
  Particles system({1., 1., 2., 2.});
  system.g = {0., 1., 0., 1.};
  for (const int bar : {0, 1})
  {
    Matrix A(4, 4);
    for (const int d : {0, 1})
    {
      A(2 * bar + d, 2 * bar + d) = 1.;
      if (bar == 1)
      {
        A(d, d) = 1.;
        A(d, 2 + d) = A(2 + d, d) = -1.;
      }
    }
    const double k = omega * omega, L2 = bar + 1.;
    system.terms.push_back({A,
                            {[=](double s) { return 0.5 * k * (s - L2) * (s - L2); }, [=](double s) { return k * (s - L2); },
                             [=](double) { return k; }, [](double) { return 0.; }},
                            true});
  }
  if (soft != 0.)
  {
    Matrix A(4, 4);
    A(2, 2) = A(3, 3) = 1.;
    system.terms.push_back({A,
                            {[=](double s) { return 0.5 * soft * s; }, [=](double) { return 0.5 * soft; }, [](double) { return 0.; },
                             [](double) { return 0.; }}});
  }
  return system;
}

State Particles::start(const std::vector<double> &q, const std::vector<double> &v) const
{
  State state;
  state.q = state.v = state.a = new_vector();
  std::copy(q.begin(), q.end(), state.q.begin());
  std::copy(v.begin(), v.end(), state.v.begin());
  return state;
}

Vector Particles::new_vector() const
{
  Vector x;
  x.reinit(prototype);
  return x;
}

void Particles::mass(const Vector &v, Vector &Mv) const
{
  for (unsigned int i = 0; i < size(); ++i)
    Mv.local_element(i) = m[i] * v.local_element(i);
}

void Particles::mass_solve(const Vector &p, Vector &v, double) const
{
  for (unsigned int i = 0; i < size(); ++i)
    v.local_element(i) = p.local_element(i) / m[i];
}

double Particles::potential(const Vector &q) const
{
  double V = 0;
  for (unsigned int i = 0; i < size(); ++i)
    V += g[i] * q.local_element(i);
  for (const Term &term : terms)
    V += term.phi[0](form(term, q, q));
  return V;
}

ForceReport Particles::internal_force(const Vector &q, Vector &f) const
{
  constant(f);
  for (const Term &term : terms)
    add(2. * term.phi[1](form(term, q, q)), term, q, f);
  return {};
}

void Particles::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  Ku = 0.;
  for (const Term &term : terms)
    if (part == Part::all || term.stiff)
    {
      const double s = form(term, q, q);
      add(4. * term.phi[2](s) * form(term, q, u), term, q, Ku);
      add(2. * term.phi[1](s), term, u, Ku);
    }
}

void Particles::third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part) const
{
  r = 0.;
  for (const Term &term : terms)
    if (part == Part::all || term.stiff)
    {
      const double s = form(term, q, q), qa = 2. * form(term, q, a), aa = 2. * form(term, a, a);
      add(2. * term.phi[3](s) * qa * qa + 2. * term.phi[2](s) * aa, term, q, r);
      add(4. * term.phi[2](s) * qa, term, a, r);
    }
}

ForceReport Particles::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const
{
  Vector middle = q0;
  middle.sadd(0.5, 0.5, q1);
  constant(f);
  for (const Term &term : terms)
  {
    const double s0 = form(term, q0, q0), s1 = form(term, q1, q1), ds = s1 - s0;
    const double slope = std::abs(ds) > 1e-7 ? (term.phi[0](s1) - term.phi[0](s0)) / ds : term.phi[1](0.5 * (s0 + s1));
    add(2. * slope, term, middle, f);
  }
  return {};
}

std::shared_ptr<const LinearSolve> Particles::factor(const Linearisation &linear_terms) const
{
  Matrix A(size(), size());
  Vector e = new_vector(), column = new_vector(), shifted = new_vector(), other = new_vector();
  for (const LinearTerm &term : linear_terms)
    for (unsigned int j = 0; j < size(); ++j)
    {
      e = 0.;
      e.local_element(j) = 1.;
      if (term.from)  // central differences: Newton converges all the same
      {
        shifted = *term.q;
        shifted.add(1e-6, e);
        discrete_gradient(*term.from, shifted, column);
        shifted.add(-2e-6, e);
        discrete_gradient(*term.from, shifted, other);
        column -= other;
        column *= 0.5e6;
      }
      else
        stiffness(*term.q, e, column, term.part);
      for (unsigned int i = 0; i < size(); ++i)
        A(i, j) += term.weights.k * column.local_element(i);
      A(j, j) += term.weights.m * m[j] + term.weights.c * c;
    }
  return std::make_shared<Solve>(*this, A);
}

std::vector<std::uint64_t> Particles::identities() const
{
  std::vector<std::uint64_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

double Particles::highest_frequency(double, const Vector &q, bool, Vector *) const
{
  dealii::LAPACKFullMatrix<double> B(size(), size());
  Vector e = new_vector(), column = new_vector();
  for (unsigned int j = 0; j < size(); ++j)
  {
    e = 0.;
    e.local_element(j) = 1. / std::sqrt(m[j]);
    stiffness(q, e, column);
    for (unsigned int i = 0; i < size(); ++i)
      B(i, j) = column.local_element(i) / std::sqrt(m[i]);
  }
  B.compute_eigenvalues();
  double largest = 0;
  for (unsigned int i = 0; i < size(); ++i)
    largest = std::max(largest, B.eigenvalue(i).real());
  return std::sqrt(largest);
}

void Particles::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  for (unsigned int k = 0; k < size(); k += 2)
  {
    xi.local_element(k) = i == 0 ? 1. : i == 1 ? 0. : -q.local_element(k + 1);
    xi.local_element(k + 1) = i == 0 ? 0. : i == 1 ? 1. : q.local_element(k);
  }
}

bool Particles::has(const Feature feature) const
{
  bool stiff = false;
  for (const Term &term : terms)
    stiff = stiff || term.stiff;
  return feature == Feature::diagonal_mass || feature == Feature::nodal_mass || feature == Feature::momentum_gradient ||
         (feature == Feature::damping && c != 0.) || (feature == Feature::stiff_part && stiff);
}

double Particles::form(const Term &term, const Vector &a, const Vector &b)
{
  double sum = 0;
  for (unsigned int i = 0; i < term.A.m(); ++i)
    for (unsigned int j = 0; j < term.A.n(); ++j)
      sum += a.local_element(i) * term.A(i, j) * b.local_element(j);
  return sum;
}

void Particles::add(const double factor, const Term &term, const Vector &u, Vector &r)
{
  for (unsigned int i = 0; i < term.A.m(); ++i)
    for (unsigned int j = 0; j < term.A.n(); ++j)
      r.local_element(i) += factor * term.A(i, j) * u.local_element(j);
}

void Particles::constant(Vector &f) const
{
  for (unsigned int i = 0; i < size(); ++i)
    f.local_element(i) = g[i];
}
}  // namespace symdyn
