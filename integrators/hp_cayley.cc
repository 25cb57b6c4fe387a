#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;  ///< by rows

double product(const Triple &a, const Triple &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple cross(const Triple &a, const Triple &b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
/// a + s b
Triple sum(const Triple &a, const double s, const Triple &b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

/// Solves A x = b by Cramer's rule.
Triple solve(const Matrix3 &A, const Triple &b)
{
  const Triple c0{A[0][0], A[1][0], A[2][0]}, c1{A[0][1], A[1][1], A[2][1]}, c2{A[0][2], A[1][2], A[2][2]};
  const double determinant = product(c0, cross(c1, c2));
  return {product(b, cross(c1, c2)) / determinant, product(c0, cross(b, c2)) / determinant, product(c0, cross(c1, b)) / determinant};
}

/// cay(h Omega) x, (1 - h Omega^/2)^-1 (1 + h Omega^/2)
Triple cayley(const double h, const Triple &Omega, const Triple &x)
{
  const Triple once = cross(Omega, x), twice = cross(Omega, once);
  const double factor = 1. / (1. + 0.25 * h * h * product(Omega, Omega));
  return sum(sum(x, factor * h, once), 0.5 * factor * h * h, twice);
}
}  // namespace

/// The Lie group method of Hamilton-Pontryagin type with the Cayley map for bodies that turn (Bou-Rabee, Marsden 2009, sect. 4; Tao, Owhadi 2015,
/// sect. 4.5). R_1 = R_0 cay(h Omega) is a rotation whatever Omega is, to rounding. With the momentum Pi of the body that arrives at R_0, its torque
/// tau and its principal moments I
///     I Omega + h/2 Omega x I Omega + h²/4 (Omega·I Omega) Omega = Pi_0 + h tau(R_0),   Pi_1 = cay(h Omega)ᵀ (Pi_0 + h tau)
/// started with Omega_0 in the left side. Centres and other points: symplectic Euler, v_1 = v_0 + h a(q_0), q_1 = q_0 + h v_1. Order 1; variational, so
/// that the energy oscillates, and the momentum about an axis of symmetry of body and potential is kept. state.v is R Omega^, memory "Pi" Pi_1. Needs bodies
/// without a penalty. Errors: ComputationError if Omega is not found: the step turns the body by about half a circle.
class HpCayley : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }
  bool keeps_rotations() const override { return true; }
  double solver_tolerance() const override { return 0.; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, "hp-cayley", "newmark");
    if (system.rotations().empty())
      p.fail("", "hp-cayley turns rigid bodies, and the deck has none. Add a section \"Rigid bodies\", or use Scheme = symplectic-euler");
    if (system.has(Feature::stiff_part))
      p.fail("", "hp-cayley keeps RᵀR = 1 by itself: a penalty has no effect. Use --set \"Rigid bodies/NAME/Rigidity=0\" (and no other stiff part)");
  }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 1;
    promise.energy_bounded = true;
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
      const Triple arriving = momentum(bodies[b], h, turning(bodies[b], state));
      std::copy(arriving.begin(), arriving.end(), Pi.begin() + 3 * b);
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
    free_motion(system, next);
    state = std::move(next);
    return report;
  }

private:
  /// I_j = E_i + E_k
  static Triple moments(const Rotation &body) { return {body.E[1] + body.E[2], body.E[2] + body.E[0], body.E[0] + body.E[1]}; }
  static Triple times(const Triple &I, const Triple &Omega) { return {I[0] * Omega[0], I[1] * Omega[1], I[2] * Omega[2]}; }

  static Triple momentum(const Rotation &body, const double h, const Triple &Omega)
  {
    const Triple L = times(moments(body), Omega);
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
      const Triple L = times(I, Omega), r = sum(wanted, -1., momentum(body, h, Omega));
      Matrix3 A{};
      for (int j = 0; j < 3; ++j)
      {
        Triple e{};
        e[j] = 1.;
        const Triple column = sum(sum(sum(times(I, e), 0.5 * h, cross(e, L)), 0.5 * h, cross(Omega, times(I, e))), 0.5 * h * h * L[j], Omega);
        for (int i = 0; i < 3; ++i)
          A[i][j] = column[i] + (i == j ? 0.25 * h * h * product(Omega, L) : 0.);
      }
      const Triple change = solve(A, r);
      Omega = sum(Omega, 1., change);
      const double size = std::sqrt(product(change, change));
      if (size == 0. || (size >= last && size <= 1e-12 * std::sqrt(product(Omega, Omega))))
        return iteration;
      last = size;
    }
    throw ComputationError("hp-cayley: the angular velocity of a step is not found. Lower \"Time step\"");
  }

  /// R of the state: entry (i, j) is component i of director j.
  static Matrix3 matrix(const Rotation &body, const State &state)
  {
    Matrix3 R;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        R[i][j] = body.axes[3 * j + i] + state.q.local_element(body.first + 3 * j + i);
    return R;
  }
  /// Rᵀ x
  static Triple into_body(const Matrix3 &R, const Triple &x)
  {
    Triple y{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        y[j] += R[i][j] * x[i];
    return y;
  }

  /// Omega of Rᵀ R' = Omega^.
  static Triple turning(const Rotation &body, const State &state)
  {
    const Matrix3 R = matrix(body, state);
    Matrix3 W;  // columns of RᵀR'
    for (int j = 0; j < 3; ++j)
      W[j] = into_body(R, {state.v.local_element(body.first + 3 * j), state.v.local_element(body.first + 3 * j + 1), state.v.local_element(body.first + 3 * j + 2)});
    return {0.5 * (W[1][2] - W[2][1]), 0.5 * (W[2][0] - W[0][2]), 0.5 * (W[0][1] - W[1][0])};
  }

  static int turn(const Rotation &body, const double h, const std::size_t number, const Vector &force, const State &state,
                  State &next)
  {
    const Matrix3 R = matrix(body, state);
    Vector &kept = next.memory.at("Pi");
    Triple Pi{kept.local_element(3 * number), kept.local_element(3 * number + 1), kept.local_element(3 * number + 2)};
    for (int j = 0; j < 3; ++j)  // torque sum_j E_j x Rᵀ f_j
    {
      Triple e{};
      e[j] = 1.;
      const Triple f{force.local_element(body.first + 3 * j), force.local_element(body.first + 3 * j + 1), force.local_element(body.first + 3 * j + 2)};
      Pi = sum(Pi, h, cross(e, into_body(R, f)));
    }
    Triple Omega = turning(body, state);
    const int iterations = solve_turning(body, h, Pi, Omega);
    const Triple back{-Omega[0], -Omega[1], -Omega[2]};
    Pi = cayley(h, back, Pi);
    std::copy(Pi.begin(), Pi.end(), kept.begin() + 3 * number);
    for (int j = 0; j < 3; ++j)
    {
      Triple e{};
      e[j] = 1.;
      const Triple to = cayley(h, Omega, e), rate = cayley(h, Omega, cross(Omega, e));  // Omega^ and cay(h Omega) commute
      for (int i = 0; i < 3; ++i)
      {
        next.q.local_element(body.first + 3 * j + i) = product(R[i], to) - body.axes[3 * j + i];
        next.v.local_element(body.first + 3 * j + i) = product(R[i], rate);
      }
    }
    return iterations;
  }
};

SYMDYN_REGISTER(Integrator, HpCayley, "hp-cayley");
}  // namespace symdyn
