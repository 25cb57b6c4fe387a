#pragma once
#include <map>
#include <string>

namespace symdyn
{
/// Wall time of a phase of the run: Phase phase("assemble"); until the end of the scope. Inner phases do not count for the
/// outer one, so the sum is the time of the run.
class Phase
{
public:
  explicit Phase(const char *name);
  ~Phase();
  Phase(const Phase &) = delete;
  Phase &operator=(const Phase &) = delete;

  /// Seconds so far, on this rank.
  static std::map<std::string, double> seconds();
  static double now();

private:
  const char *name;
  Phase *outer;
  double start, inner = 0;
};
}  // namespace symdyn
