#include "solver/verify/yielding.h"
#include "solver/archive.h"

#include <cmath>
#include <stdexcept>

namespace symdyn
{
struct YieldingMass::Answer
{
  std::array<double, 2> force{};
  std::array<std::array<double, 2>, 2> stiffness{};
  double W = 0;  ///< of an increment; of a frozen history A
  Memory next;
};

YieldingMass::YieldingMass(const double eta, const MemoryFault fault) : Particles({1., 2.}), eta(eta), fault(fault) {}

YieldingMass::Answer YieldingMass::answer(const Memory &m, const Vector &q, const double h) const
{
  const std::array<double, 2> s{k * (q.local_element(0) - m.u_p[0]), k * (q.local_element(1) - m.u_p[1])};
  const double size = std::hypot(s[0], s[1]), f = size - Y - H * m.p;
  const bool flows = h != 0. && f > 0.;
  const double slope = flows ? k + H + (eta > 0. ? eta / h : 0.) : 1., dp = flows ? f / slope : 0.,
               way = fault == MemoryFault::flows_backwards ? -0.2 * dp : dp;
  const std::array<double, 2> n{size > 0. ? s[0] / size : 1., size > 0. ? s[1] / size : 0.};
  Answer r;
  r.next = m;
  r.next.p += dp;
  r.next.last = dp;
  r.next.dissipated += Y * way + (flows && eta > 0. ? eta * dp * dp / h : 0.);
  for (int i = 0; i < 2; ++i)
  {
    r.next.u_p[i] += way * n[i];
    r.force[i] = s[i] - k * way * n[i];
    for (int j = 0; j < 2; ++j)
    {
      const double along = n[i] * n[j], across = (i == j ? 1. : 0.) - along;
      r.stiffness[i][j] = k * (along * (flows ? 1. - k / slope * way / dp : 1.) + across * (flows ? 1. - k * way / size : 1.));
    }
  }
  const double elastic = std::pow(size - k * way, 2) / (2. * k), hardening = 0.5 * H * r.next.p * r.next.p;
  r.W = elastic + hardening + Y * way + (flows && eta > 0. ? 0.5 * eta * dp * dp / h : 0.);
  return r;
}

/// A YieldingMass in an increment.
class YieldingMass::InStep : public Increment
{
public:
  InStep(const YieldingMass &system, HistoryPointer given, const double h) : system(system), own(std::move(given)), from(own), h(h) {}
  InStep(const YieldingMass &system, const State &state)
      : system(system), from(state.history), h(system.fault == MemoryFault::flows_at_rest ? system.last_h : 0.)
  {
  }

  double potential(const Vector &q) const override { return system.answer(memory(), q, h).W; }
  ForceReport internal_force(const Vector &q, Vector &f) const override
  {
    const Answer r = system.answer(memory(), q, h);
    for (int i = 0; i < 2; ++i)
      f.local_element(i) = r.force[i];
    if (system.fault == MemoryFault::each_iteration && h != 0.)
      carried = std::make_shared<Memory>(r.next);
    return {};
  }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part) const override
  {
    const Answer r = system.answer(memory(), q, h);
    for (int i = 0; i < 2; ++i)
      Ku.local_element(i) = r.stiffness[i][0] * u.local_element(0) + r.stiffness[i][1] * u.local_element(1);
  }
  void third_derivative(const Vector &, const Vector &, Vector &, Part) const override
  {
    throw std::logic_error("a spring that yields has no third derivative");
  }
  /// Gonzalez (1996), eq. 2.9.
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
  {
    Vector middle = q0, dq = q1;
    middle.sadd(0.5, 0.5, q1);
    dq -= q0;
    internal_force(middle, f);
    if (const double square = dq * dq; square > 0.)
      f.add((potential(q1) - potential(q0) - f * dq) / square, dq);
    return {};
  }
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override { return seen_as(terms).factor(terms); }
  using MechanicalSystem::factor;

  Vector new_vector() const override { return system.new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { system.mass(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, const double tolerance) const override { system.mass_solve(p, v, tolerance); }
  double dissipation(const Vector &, const Vector &) const override { return 0.; }
  void damping_force(const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  void applied_force(double, const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  void impose(double, Vector &, Vector &, Vector &) const override {}
  void project(Vector &) const override {}
  void project_prescribed(Vector &r) const override { r = 0.; }
  bool has(const Feature feature) const override { return system.has(feature); }
  const symdyn::Unknowns &unknowns() const override { return system.unknowns(); }
  const symdyn::Diagnosis &diagnosis() const override { return system.diagnosis(); }

  Committed commit(const Vector &q, const Vector *previous) const override
  {
    const Answer end = system.answer(memory(), q, h);
    Committed made{std::make_shared<Memory>(end.next)};
    if (previous)
    {
      const Memory &now = memory();
      made.lost = end.W - system.answer(end.next, q, 0.).W + system.answer(now, *previous, 0.).W - system.answer(now, *previous, h).W -
                  (end.next.dissipated - now.dissipated);
    }
    system.own = end.next;
    system.last_h = h;
    return made;
  }
  const MechanicalSystem &whole() const override { return system; }

private:
  /// Particles of the same masses with the spring of this increment, for matrices.
  class Bound : public Particles
  {
  public:
    explicit Bound(const InStep &step) : Particles({1., 2.}), step(step) {}
    double potential(const Vector &q) const override { return step.potential(q); }
    void stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const override { step.stiffness(q, u, Ku, part); }
    ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
    {
      return step.discrete_gradient(q0, q1, f);
    }

  private:
    const InStep &step;
  };
  const Bound &seen_as(const Linearisation &) const
  {
    if (!bound)
      bound = std::make_unique<Bound>(*this);
    return *bound;
  }
  const Memory &memory() const
  {
    static const Memory virgin;
    if (system.fault == MemoryFault::in_the_system)
      return system.own;
    const HistoryPointer &now = carried ? carried : from;
    return now ? static_cast<const Memory &>(*now) : virgin;
  }

  const YieldingMass &system;
  const HistoryPointer own;
  const HistoryPointer &from;
  const double h;
  mutable HistoryPointer carried;  // of MemoryFault::each_iteration
  mutable std::unique_ptr<Bound> bound;
};

std::unique_ptr<Increment> YieldingMass::increment(HistoryPointer from, const double h, double) const
{
  return std::make_unique<InStep>(*this, std::move(from), h);
}

std::unique_ptr<Increment> YieldingMass::at(const State &state) const { return std::make_unique<InStep>(*this, state); }

Spent YieldingMass::spent(const HistoryPointer &history) const
{
  if (!history)
    return {};
  const auto &m = static_cast<const Memory &>(*history);
  Spent now;
  now.dissipated = m.dissipated;
  now.stored = 0.5 * H * m.p * m.p;
  now.largest_flow = m.p;
  now.last_flow = m.last;
  return now;
}

void YieldingMass::save_history(const HistoryPointer &, Archive) const { throw std::logic_error("a control has no restarts"); }
HistoryPointer YieldingMass::load_history(const Archive &) const { throw std::logic_error("a control has no restarts"); }
}  // namespace symdyn
