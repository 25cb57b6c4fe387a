#pragma once
#include <map>
#include <string>

namespace symdyn
{
/// Wall time of a phase of the run: ScopedTimer timer("assemble"); until the end of the scope. Inner phases do not count for the
/// outer one, so the sum is the time of the run. Where it does not count, its time is the outer one's.
class ScopedTimer
{
public:
  explicit ScopedTimer(const char *name, bool counts = true);
  /// The clock costs 0.1 us: a fifth of a force on four degrees of freedom.
  static bool worth_it(const unsigned int unknowns) { return unknowns >= 50; }
  ~ScopedTimer();
  ScopedTimer(const ScopedTimer &) = delete;
  ScopedTimer &operator=(const ScopedTimer &) = delete;

  /// Seconds so far, on this rank.
  static std::map<std::string, double> seconds();
  static double now();

private:
  const char *name;  ///< none: it does not count
  ScopedTimer *outer;
  double start, inner = 0;
};
}  // namespace symdyn
