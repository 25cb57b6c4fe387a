#pragma once
#include <vector>

namespace symdyn
{
/// The largest answers of an oscillator, z'' + 2 zeta omega z' + omega² z = -a_base, at rest at the first sample; z is relative to the
/// base, the acceleration in space is -(2 zeta omega z' + omega² z). Sizes are >= 0.
struct ShockResponse
{
  double positive = 0, negative = 0;  ///< of the acceleration in space, over all times [m/s²]
  double primary = 0, residual = 0;   ///< its largest size during the record, and after its end [m/s²]
  double displacement = 0;            ///< the largest size of z [m]
  double maximax() const { return positive > negative ? positive : negative; }
};

/// A base acceleration a(t) [m/s²], straight between samples; zero after the last one.
class ShockRecord
{
public:
  /// `times` ascend [s], two at least.
  ShockRecord(std::vector<double> times, std::vector<double> accelerations);

  /// Each oscillator is stepped exactly for straight input (Nigam, Jennings 1969; of the acceleration in space that is the ramp-invariant
  /// filter of Smallwood 1981), in steps of at most a fortieth of its period; peaks by parabolas. `zeta` < 1.
  ShockResponse response(double frequency, double zeta) const;
  double duration() const { return t.back() - t.front(); }
  /// Change of the velocity of the base [m/s].
  double velocity_change() const;
  double shortest_interval() const;
  /// The largest |a|.
  double peak() const;

private:
  std::vector<double> t, a;
};

/// From the lowest to the highest frequency, so many in each octave, both ends among them.
std::vector<double> octave_frequencies(double lowest, double highest, double per_octave);
}  // namespace symdyn
