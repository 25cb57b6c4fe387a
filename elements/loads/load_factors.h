#pragma once
#include <cstddef>
#include <vector>

namespace symdyn
{
/// How strongly loads act. Within a stage the factor of each goes from what it was before to 1 (it acts in the stage) or 0,
///     c_i(s) = c_i(0) + s (c_i(1) - c_i(0)),   0 <= s <= 1
/// and that of prescribed motion, and of what has no name of its own, to 1. Before any stage has begun all act.
class LoadFactors
{
public:
  explicit LoadFactors(const std::size_t loads = 0) : from(loads, 0.), to(loads, 1.) {}

  /// A stage begins in which these act. `set` says how far it has come.
  void begin(const std::vector<bool> &act)
  {
    for (std::size_t i = 0; i < to.size(); ++i)
    {
      from[i] = begun ? (*this)[i] : 0.;
      to[i] = act[i] ? 1. : 0.;
    }
    motion_from = begun ? motion() : 0.;
    begun = true;
    s = 0.;
  }
  void set(const double reached) { s = reached; }
  /// s: how far the stage has come.
  double reached() const { return s; }

  double operator[](const std::size_t i) const { return from[i] + s * (to[i] - from[i]); }
  double motion() const { return motion_from + s * (1. - motion_from); }

private:
  std::vector<double> from, to;
  double motion_from = 0, s = 1;
  bool begun = false;
};
}  // namespace symdyn
