#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// Times that are closer than this part of a step are one to a scheme.
constexpr double jump_width = 0.01;

/// The step, or the part from t0 to t1 of one, that loads are evaluated for [s]: a table that jumps at t0 has jumped, one that jumps at t1
/// has not. h: the length of the step, which says how close two rows of a table are where they mean a jump (jump_width h); infinite: no
/// step.
struct Interval
{
  double t0 = -std::numeric_limits<double>::infinity(), t1 = std::numeric_limits<double>::infinity(),
         h = std::numeric_limits<double>::infinity();
  bool of_a_step() const { return std::isfinite(h); }
  double width() const { return jump_width * std::abs(h); }
};

/// Whether loads and the base have the means of their tables over steps of length h from `start` on (StepMean) in place of their values
/// [s].
struct Averaging
{
  double h = 0, start = 0;
  bool on() const { return h > 0.; }
};

/// When an amplitude is evaluated, and for which step. From a time alone: the value of a table there.
struct Moment
{
  Moment(const double t) : t(t) {}  // NOLINT: a time is a moment
  Moment(const double t, const Interval &seen, const Averaging &averaging) : t(t), seen(seen), averaging(averaging) {}
  double t;  ///< [s]
  Interval seen;
  Averaging averaging;
};

/// How strongly loads and supports act, and for which step. A stage owns the value and changes it; systems refer to it and read it alone.
/// Within a stage the strength of each load goes from what it was before to 1 (it acts in the stage) or 0,
///     c_i = from_i + s (to_i - from_i),   0 <= s <= 1
/// and that of prescribed motion, and of what has no name of its own, to 1. The default: everything acts in full.
struct Actions
{
  std::vector<double> from, to;    ///< by the number of the load (Diagnosis::load_names); of those beyond their end: 0, 1
  double motion_from = 0;          ///< of prescribed motion
  std::vector<std::string> apart;  ///< names of contacts that do not act in the present stage
  double reached = 1;              ///< s: how far the stage has come
  double heating = 1;          ///< the part of the way from their temperatures to those of the deck that bodies go in an increment; 0: none
  bool begun = false;          ///< a stage has begun
  std::size_t stage = 0;       ///< its number
  bool statics = false;        ///< the present stage is static: M and C do not enter, in no load either
  bool holds_motions = false;  ///< the present stage holds what moves freely (HeldMotions)
  Interval seen;
  Averaging averaging;
  Vector fading;  ///< a load (1 - s) f of supports that are taken away [N]; empty: none

  double strength(const std::size_t load) const
  {
    const double before = load < from.size() ? from[load] : 0., then = load < to.size() ? to[load] : 1.;
    return before + reached * (then - before);
  }
  double motion() const { return motion_from + reached * (1. - motion_from); }
  Moment at(const double t) const { return {t, seen, averaging}; }

  /// A stage begins in which these loads act; others that acted before it go. `reached` is 0 then.
  void begin(const std::vector<bool> &act);
  bool are_apart(const std::string &contact) const { return std::find(apart.begin(), apart.end(), contact) != apart.end(); }
  /// From now on this load acts with this strength, also within a stage.
  void set_strength(std::size_t load, double strength);

  /// Everything acts in full, in no step: for systems that nobody gives actions.
  static const Actions &all();
};
}  // namespace symdyn
