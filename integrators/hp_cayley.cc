#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/dynamics/rotations.h"
#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Solves A x = b by Cramer's rule.
Triple solve_cayley(const Columns &A, const Triple &b)
{
  const double determinant = product(A[0], cross(A[1], A[2]));
  return {product(b, cross(A[1], A[2])) / determinant, product(A[0], cross(b, A[2])) / determinant,
          product(A[0], cross(A[1], b)) / determinant};
}

/// cay(h Omega) x, (1 - h Omega^/2)^-1 (1 + h Omega^/2)
Triple cayley(const double h, const Triple &Omega, const Triple &x)
{
  const Triple once = cross(Omega, x), twice = cross(Omega, once);
  const double factor = 1. / (1. + 0.25 * h * h * product(Omega, Omega));
  return sum(sum(x, factor * h, once), 0.5 * factor * h * h, twice);
}
}  // namespace

/// The Lie group method of Hamilton-Pontryagin type with the Cayley map for bodies that turn (Bou-Rabee, Marsden 2009, sect. 4; Tao, Owhadi
/// 2015, sect. 4.5). R_1 = R_0 cay(h Omega) is a rotation whatever Omega is, to rounding. With the momentum Pi of the body that arrives at
/// R_0, its torque tau and its principal moments I
///     I Omega + h/2 Omega x I Omega + h²/4 (Omega·I Omega) Omega = Pi_0 + h tau(R_0),   Pi_1 = cay(h Omega)ᵀ (Pi_0 + h tau)
/// started with Pi_0 = I Omega_0 + h²/4 (Omega_0·I Omega_0) Omega_0, as the benchmark of the second source is. Centres and other points:
/// symplectic Euler, v_1 = v_0 + h a(q_0), q_1 = q_0 + h v_1. Order 1; variational: symplectic, the energy oscillates, momenta that V keeps
/// are kept. state.v is that of Pi_1, R_1 (I^-1 Pi_1)^, from the start on; memory "Pi" Pi_1. Needs bodies without a penalty. Errors:
/// ComputationError if Omega is not found: the step turns the body by about half a circle.
class HpCayley : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }
  bool keeps_rotations() const override { return true; }
  double solver_tolerance() const override { return 0.; }

  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, "hp-cayley", "newmark, with a Rigidity of each body");
    if (system.rotations().empty())
      refuse_scheme(
          p, "hp-cayley turns rigid bodies, and the deck has none. Add a section \"Rigid bodies\", or use Scheme = symplectic-euler");
    if (system.has(Feature::stiff_part))
      refuse_scheme(
          p,
          "hp-cayley keeps RᵀR = 1 by itself: a penalty has no effect. Use --set \"Rigid bodies/NAME/Rigidity=0\" (and no other stiff part)");
  }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 1;
    promise.energy_bounded = true;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.stable_h_omega = 2.;
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    free_motion(system, state);
    Vector &Pi = state.memory["Pi"];
    const auto bodies = system.rotations();
    Pi.reinit(3 * bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b)
    {
      const Columns R = matrix(bodies[b], state.q);
      const Triple Omega = axial(R, columns(bodies[b], state.v)), L = scaled(moments(bodies[b]), Omega),
                   arriving = sum(L, 0.25 * h * h * product(Omega, L), Omega);
      std::copy(arriving.begin(), arriving.end(), Pi.begin() + 3 * b);
      carry(bodies[b], R, arriving, state.v);
    }
  }

  /// state.v carries Pi: R skew(Rᵀ v) = R (I^-1 Pi)^.
  void start_tangent(const MechanicalSystem &system, const State &started, const double, State &delta) const override
  {
    Vector force = system.new_vector();
    system.stiffness(started.q, delta.q, force);
    force *= -1.;
    delta.a = system.new_vector();
    system.mass_solve(force, delta.a);
    Vector &Pi = delta.memory["Pi"];
    const auto bodies = system.rotations();
    Pi.reinit(3 * bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b)
    {
      const Columns R = matrix(bodies[b], started.q), dR = columns(bodies[b], delta.q);
      const Triple change =
          scaled(moments(bodies[b]), sum(axial(R, columns(bodies[b], delta.v)), 1., axial(dR, columns(bodies[b], started.v))));
      std::copy(change.begin(), change.end(), Pi.begin() + 3 * b);
    }
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State next = state;
    next.v.add(h, state.a);
    next.q.add(h, next.v);
    Vector force = system.new_vector();
    system.mass(state.a, force);
    const auto bodies = system.rotations();
    StepReport report;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      report.newton = std::max(report.newton, turn(bodies[b], h, b, force, state, next));
    next.t = state.t + h;
    ++next.n;
    report.force = free_motion(system, next);
    state = std::move(next);
    return report;
  }

private:
  /// I_j = E_i + E_k
  static Triple moments(const Rotation &body) { return {body.E[1] + body.E[2], body.E[2] + body.E[0], body.E[0] + body.E[1]}; }
  static Triple scaled(const Triple &I, const Triple &Omega) { return {I[0] * Omega[0], I[1] * Omega[1], I[2] * Omega[2]}; }

  static Triple momentum(const Rotation &body, const double h, const Triple &Omega)
  {
    const Triple L = scaled(moments(body), Omega);
    return sum(sum(L, 0.5 * h, cross(Omega, L)), 0.25 * h * h * product(Omega, L), Omega);
  }

  /// Omega of that momentum by Newton's method; its iterations.
  static int solve_turning(const Rotation &body, const double h, const Triple &wanted, Triple &Omega)
  {
    constexpr int most = 50;
    const Triple I = moments(body);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 1; iteration <= most; ++iteration)
    {
      const Triple L = scaled(I, Omega), r = sum(wanted, -1., momentum(body, h, Omega));
      Columns A{};
      for (int j = 0; j < 3; ++j)
      {
        Triple e{};
        e[j] = 1.;
        const Triple column =
            sum(sum(sum(scaled(I, e), 0.5 * h, cross(e, L)), 0.5 * h, cross(Omega, scaled(I, e))), 0.5 * h * h * L[j], Omega);
        for (int i = 0; i < 3; ++i)
          A[j][i] = column[i] + (i == j ? 0.25 * h * h * product(Omega, L) : 0.);
      }
      const Triple change = solve_cayley(A, r);
      Omega = sum(Omega, 1., change);
      const double size = std::sqrt(product(change, change));
      if (size == 0. || (size >= last && size <= 1e-12 * std::sqrt(product(Omega, Omega))))
        return iteration;
      last = size;
    }
    throw ComputationError("hp-cayley: the angular velocity of a step is not found. Lower \"Time step\"");
  }

  /// v = R (I^-1 Pi)^
  static void carry(const Rotation &body, const Columns &R, const Triple &Pi, Vector &v)
  {
    const Triple I = moments(body);
    write(body, times_hat(R, {Pi[0] / I[0], Pi[1] / I[1], Pi[2] / I[2]}), v);
  }

  static int turn(const Rotation &body, const double h, const std::size_t number, const Vector &force, const State &state, State &next)
  {
    const Columns R = matrix(body, state.q), forces = columns(body, force);
    Vector &kept = next.memory.at("Pi");
    Triple Pi{kept.local_element(3 * number), kept.local_element(3 * number + 1), kept.local_element(3 * number + 2)};
    for (int j = 0; j < 3; ++j)  // torque sum_j E_j x Rᵀ f_j
    {
      Triple e{};
      e[j] = 1.;
      Pi = sum(Pi, h, cross(e, transposed_times(R, forces[j])));
    }
    Triple Omega = axial(R, columns(body, state.v));
    const int iterations = solve_turning(body, h, Pi, Omega);
    const Triple back{-Omega[0], -Omega[1], -Omega[2]};
    Pi = cayley(h, back, Pi);
    std::copy(Pi.begin(), Pi.end(), kept.begin() + 3 * number);
    Columns turned;
    for (int j = 0; j < 3; ++j)
    {
      Triple e{};
      e[j] = 1.;
      turned[j] = times(R, cayley(h, Omega, e));
    }
    write_matrix(body, turned, next.q);
    carry(body, turned, Pi, next.v);
    return iterations;
  }
};

SYMDYN_REGISTER(Integrator, HpCayley, "hp-cayley");
}  // namespace symdyn
