#pragma once
#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "solver/vibration/rotors/speed_modes.h"

namespace symdyn
{
struct SpeedBranchesRequest
{
  std::vector<double> speeds;  ///< Omega, ascending [rad/s]
  int number = 0;              ///< of modes of lowest |lambda| at a speed that are on branches
  int most = 0;                ///< that a search finds: more than `number` are asked for where motions decay without oscillating
  std::vector<double> orders;  ///< e of lines omega = e Omega
  bool fixed = false;          ///< lines cross frequencies in fixed axes, omega + k Omega
  SpeedModes::Search modes;
};

struct SpeedBranches
{
  struct Point
  {
    double speed;
    std::complex<double> lambda;
    double assurance;                                    ///< with the point before
    std::optional<double> forward = {};                  ///< RotorMode::forward
    ComplexModes::Kind kind = ComplexModes::oscillates;  ///< in the frame
  };
  struct Branch
  {
    std::vector<Point> points;
    std::optional<int> waves;
    /// |omega|, in fixed axes |omega + k Omega|; not a number where it is no wave [rad/s]
    double frequency(const Point &point, bool fixed) const;
    /// In the frame, or in fixed axes: 1: forward, with the rotor, -1: backward, 0: neither, or unknown.
    int direction(const Point &point, bool fixed) const;
    /// In the frame or in fixed axes.
    ComplexModes::Kind kind(const Point &point, bool fixed) const;
    /// It decays without going to and fro: overdamped, or the root of a divergence that decays.
    bool is_aside(const Point &point, bool fixed) const;
    /// At all of its points.
    bool is_aside(bool fixed) const;
  };
  /// Two branches meet: they cross, or veer away from each other and exchange their forms.
  struct Meeting
  {
    std::size_t one, other;
    double speed, omega, gap;  ///< gap: the smallest difference of both omega [rad/s]
    bool crosses;
  };
  /// A branch crosses omega = e Omega.
  struct Crossing
  {
    double order;
    std::size_t branch;
    double speed, omega;
  };
  std::vector<Branch> branches;
  std::vector<Meeting> meetings;
  std::vector<Crossing> crossings;
  std::vector<Crossing> unsure;  ///< the branch changes its side of the line, and could not be followed to where it does
  double onset = std::numeric_limits<double>::infinity();  ///< the speed from which on a motion grows
  std::complex<double> growing;                            ///< its lambda
  std::string cause;                                       ///< of its growth; "": not known
  int rigid = 0;                                           ///< motions with lambda = 0 at the first speeds, on no branch
  std::optional<SpeedModes::Lacking> lacking;              ///< the speed with the fewest modes, where there are fewer than `number`
  std::size_t speeds = 0;                                  ///< up to which branches are followed; fewer than asked for: interrupted

  /// How many branches are aside, at their last point of this kind.
  std::size_t aside(ComplexModes::Kind kind, bool fixed) const;
  /// Takes out branches without points, and what refers to them.
  void drop_empty();
  /// Branches of another search behind those of this one.
  void append(SpeedBranches other);
};

/// Branches from speed to speed, by assurance(). An interval in which a form changes much is halved. Two branches whose |Im lambda| change
/// their order cross where the difference goes through 0; where it jumps from one sign to the other they veer. Intervals end where an Im
/// lambda goes through 0. Crossings and the onset are found by the secant method (of Illinois: Dowell, Jarratt 1971) on the branch.
/// Branches end where no mode continues them, and new ones begin. Modes that decay without going to and fro are on branches, and count for
/// none of `number`.
/// Errors: those of `modes`; where it throws Interrupted the branches end at the last speed that is done.
SpeedBranches follow_branches(const SpeedBranchesRequest &request);
}  // namespace symdyn
