#pragma once
#include <array>
#include <memory>

#include "solver/history.h"
#include "solver/verify/particles.h"

namespace symdyn
{
/// What is wrong with the memory of a YieldingMass, for controls.
enum class MemoryFault
{
  none,
  flows_backwards,  ///< plastic flow that gives energy
  each_iteration,   ///< each force that is asked for is an accepted state
  in_the_system,    ///< the memory stands in the system, whatever the state
  flows_at_rest     ///< a frozen history flows on, as if the step before were taken again
};

/// A mass in the plane on a spring that yields in all directions, with hardening and viscous overstress: the smallest body whose flow
/// turns.
///     A = ½ k |u - u_p|² + ½ H p²,   |k (u - u_p)| <= Y + H p + eta p',   u_p' = p' n          (Simo, Hughes 1998, chapter 2)
/// An increment h from (u_p, p)_n: s = k (u - u_p,n), f = |s| - Y - H p_n, dp = f/(k + H + eta/h) if f > 0, n = s/|s|;
///     W_n = A(u, m_1) + Y dp + ½ eta dp²/h,   S = dW_n/du = s - k dp n
class YieldingMass : public Particles, public Remembering
{
public:
  explicit YieldingMass(double eta, MemoryFault fault = MemoryFault::none);

  bool remembers() const override { return true; }
  bool depends_on_rates() const override { return eta > 0.; }
  std::unique_ptr<Increment> increment(HistoryPointer from, double h, double t) const override;
  std::unique_ptr<Increment> at(const State &state) const override;
  HistoryPointer heated(HistoryPointer history, double) const override { return history; }
  double heating_work(const State &, const State &, bool) const override { return 0.; }
  Spent spent(const HistoryPointer &history) const override;
  /// Errors: std::logic_error. It has no restarts.
  void save_history(const HistoryPointer &history, Archive archive) const override;
  HistoryPointer load_history(const Archive &archive) const override;
  bool has(const Feature feature) const override { return feature == Feature::history || Particles::has(feature); }

private:
  class InStep;
  struct Memory : History
  {
    std::array<double, 2> u_p{};
    double p = 0, last = 0, dissipated = 0;
  };
  struct Answer;
  Answer answer(const Memory &m, const Vector &q, double h) const;

  static constexpr double k = 1., H = 0.1, Y = 0.4;
  double eta;
  MemoryFault fault;
  mutable Memory own;         ///< of MemoryFault::in_the_system
  mutable double last_h = 0;  ///< of MemoryFault::flows_at_rest
};
}  // namespace symdyn
