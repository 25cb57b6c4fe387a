#pragma once
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
class Parameters;

/// The iterated projection of Ariel, Sanz-Serna, Tsai (2012, sect. 3.2) onto the slow manifold of a stiff system, the states from which it
/// moves without fast oscillations. One iteration integrates the whole motion over the window t ± L/omega, L = 2 pi Periods, by velocity
/// Verlet with n steps of h = L/(n omega) each way, and filters the oscillations away (eq. 10 with the kernel of sect. 5.2):
///     q <- sum_j K(j/n)/n q(t + j h),  v <- sum_j K(j/n)/n v(t + j h),  |j| <= n
///     K(s) = 2 - 2|s| - 8 s² + 8 |s|³ for |s| <= 1/2, else 2 - 22/3 |s| + 8 s² - 8/3 |s|³
/// until the Euclidean norms of the changes of g [unit of g] and of G v [unit of g/s] are both below Tolerance (eq. 14). g are the
/// constraints that penalties keep about zero; without any, the changes are M^-1 K_stiff dq / omega² [m] and that of M^-1 K_stiff v /
/// omega² [m/s], which is Gᵀ dg and d(Gᵀ G v) of ½ omega² gᵀg. The work does not grow with omega. The result is O((L/omega)⁴) from the slow
/// manifold, and each iteration moves it as far along it. It cannot be better than rounding: epsilon q in g, which is omega² epsilon q in
/// the multipliers, and omega epsilon q in G v. Damping, loads and supports act within the window. Keeps linear momentum where V does;
/// nothing else.
class SlowManifold
{
public:
  /// After an iteration; the first is the start, without changes.
  struct Iterate
  {
    std::vector<double> g, rate;  ///< each constraint and its rate G v; empty without penalties
    double change = 0, change_of_rate = 0;
  };
  struct Report
  {
    double omega = 0;       ///< [rad/s]
    bool converged = true;  ///< false: the last iterate was to be accepted
    std::vector<Iterate> iterates;
    int iterations() const { return int(iterates.size()) - 1; }
    /// "3 iterations; |g| 0.03, 1e-4, ..., |G v| ..."
    std::string text() const;
  };

  void declare(Parameters &p);
  /// Refuses (InputError through `p`) a system without a stiff part.
  void check(const MechanicalSystem &system, const Parameters &p) const;
  /// Refuses a window about `state` that is longer than `duration` [s], the time that is computed.
  void check_window(const MechanicalSystem &system, const State &state, const Parameters &p, double duration) const;
  /// Moves q and v of the state, and makes a that of the equation of motion. Errors: ComputationError, the state unchanged, if it does not
  /// converge (and `Not converged` is fail), leaves the neighbourhood of the manifold within the window, or the slow motion changes too
  /// much within it.
  Report project(const MechanicalSystem &system, State &state) const;

  static double kernel(double s);

private:
  struct Window;
  /// omega of the deck; else that of the penalties, where the frequencies that they have with the masses of the system can be filtered with
  /// it; else the highest.
  double stiff_frequency(const MechanicalSystem &system, const Vector &q) const;
  /// From iterate `at` to the next. Errors: ComputationError.
  Iterate iterate(const MechanicalSystem &system, State &at, const Iterate &last, double omega_here, bool &bent) const;
  Window filtered(const MechanicalSystem &system, const State &state, double omega_here) const;
  void integrate(const MechanicalSystem &system, const State &state, double h, Window &window) const;
  [[noreturn]] void fail(const MechanicalSystem &system, const State &state, const std::string &what, const std::string &advice) const;

  double omega = 0., tolerance = 1e-9;
  int periods = 3, steps_per_period = 6, most_iterations = 10;
  std::string filter = "changes", not_converged = "fail";
};
}  // namespace symdyn
