#pragma once
#include <functional>
#include <memory>

#include "solver/diagnosis.h"
#include "solver/mechanical_system.h"
#include "solver/unknowns.h"

namespace symdyn::tests
{
/// One degree of freedom: m q'' + c q' + V'(q) = f(t), or its motion prescribed. No mesh, no matrix.
class Oscillator : public MechanicalSystem, private Unknowns, private Diagnosis
{
public:
  using Function = std::function<double(double)>;

  double m = 1., c = 0.;
  Function V = [](double) { return 0.; };
  Function V1 = V;         ///< V'
  Function V2 = V;         ///< V''
  Function force;          ///< f(t), none if empty
  Function prescribed[3];  ///< q(t), q'(t), q''(t); free if empty

  static Oscillator spring(const double m, const double k, const double c = 0.)
  {
    Oscillator s;
    s.m = m;
    s.c = c;
    s.V = [k](const double q) { return 0.5 * k * q * q; };
    s.V1 = [k](const double q) { return k * q; };
    s.V2 = [k](const double) { return k; };
    return s;
  }

  Vector new_vector() const override
  {
    Vector x;
    x.reinit(prototype);
    return x;
  }
  State start(const double q, const double v) const
  {
    State state;
    state.q = state.v = state.a = new_vector();
    state.q.local_element(0) = q;
    state.v.local_element(0) = v;
    return state;
  }

  void mass(const Vector &v, Vector &Mv) const override { set(Mv, m * value(v)); }
  void mass_solve(const Vector &p, Vector &v, double = 0.) const override { set(v, held() ? 0. : value(p) / m); }
  double potential(const Vector &q) const override { return V(value(q)); }
  ForceReport internal_force(const Vector &q, Vector &f) const override
  {
    set(f, V1(value(q)));
    return {};
  }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part = Part::all) const override { set(Ku, V2(value(q)) * value(u)); }
  void third_derivative(const Vector &, const Vector &, Vector &, Part = Part::all) const override { throw std::logic_error("not used"); }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
  {
    const double a = value(q0), b = value(q1);
    set(f, a == b ? V1(a) : (V(b) - V(a)) / (b - a));
    return {};
  }
  double dissipation(const Vector &, const Vector &v) const override { return 0.5 * c * value(v) * value(v); }
  void damping_force(const Vector &, const Vector &v, Vector &f) const override { set(f, c * value(v)); }
  void applied_force(const double t, const Vector &, const Vector &, Vector &f) const override { set(f, force ? force(t) : 0.); }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override
  {
    double A = 0, K = 0;
    for (const LinearTerm &term : terms)
    {
      K = V2(value(*term.q));
      A += term.weights.m * m + term.weights.c * c + term.weights.k * K;
    }
    return std::make_shared<Solve>(held() ? 0. : A, K);
  }
  void impose(const double t, Vector &q, Vector &v, Vector &a) const override
  {
    Vector *const fields[] = {&q, &v, &a};
    for (int i = 0; i < 3 && held(); ++i)
      set(*fields[i], prescribed[i](t));
  }
  void project(Vector &r) const override
  {
    if (held())
      r = 0.;
  }
  void project_prescribed(Vector &r) const override
  {
    if (!held())
      r = 0.;
  }
  bool has(const Feature feature) const override
  {
    return feature == Feature::diagonal_mass || (feature == Feature::damping && c != 0.) || (feature == Feature::loads && bool(force)) ||
           ((feature == Feature::supports || feature == Feature::moving_supports) && held());
  }
  const Unknowns &unknowns() const override { return *this; }
  const Diagnosis &diagnosis() const override { return *this; }

  static double value(const Vector &x) { return x.local_element(0); }

private:
  class Solve : public LinearSolve
  {
  public:
    Solve(const double A, const double K) : A(A), K(K) {}
    int solve(const Vector &r, Vector &x, double) const override
    {
      set(x, A == 0. ? 0. : value(r) / A);
      return 0;
    }
    void multiply(const Vector &x, Vector &y) const override { set(y, A * value(x)); }
    double rounding(const Vector &q) const override { return 1e-15 * std::abs(K * value(q)) + std::numeric_limits<double>::min(); }
    double tolerance() const override { return 1e-15; }
    bool iterative() const override { return false; }

  private:
    double A, K;
  };
  std::vector<std::uint64_t> identities() const override { return {0}; }
  double highest_frequency(double, const Vector &q, bool = false, Vector * = nullptr) const override { return std::sqrt(V2(value(q)) / m); }

  static void set(Vector &x, const double value) { x.local_element(0) = value; }
  bool held() const { return bool(prescribed[0]); }

  Vector prototype = Vector(1);
};
}  // namespace symdyn::tests
