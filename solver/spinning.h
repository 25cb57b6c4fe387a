#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/copied_system.h"

namespace symdyn
{
constexpr const char *load_of_frame = "rotation";  ///< the centrifugal load among the loads of a system

/// A named node of a rotor, and where it goes.
struct Station
{
  std::string name;
  std::array<double, 2> orbit;  ///< displacement across the axis, from the direction of Angle = 0 and a right angle ahead of it [m]
};

/// A bearing whose forces are not those of a spring that is the same at all speeds.
struct UnevenBearing
{
  std::string where, why;  ///< file:line; "Damping and k_xy"
};

/// Forms of a bearing with the motion u e^(lambda t) of its node: Re u*C_b u, Im u*(Omega C_b S) u, Im u*K_b u and Re u*K_b u.
struct BearingForms
{
  std::string name;
  double damping = 0, turning = 0, cross = 0, stiffness = 0;
};

/// What waves e^(i (omega t - k theta)) around the axis a motion (real + i imaginary) e^(i omega t) has.
struct Waves
{
  std::optional<int> number;     ///< k of a motion of which one wave has 99 parts in 100 at least; no value: it is none
  std::optional<int> diameters;  ///< |k| where two waves that travel both ways have them
  double forward = 0;            ///< the part of the waves k > 0, less that of the waves k < 0
};

/// A system whose frame may turn: displacements are those that are seen in the frame. With a bearing of Frame = fixed they are those that
/// are seen from the ground, at places in space through which the body moves.
class Spinning
{
public:
  virtual ~Spinning() = default;
  /// Where the deck says so; "": it rests.
  virtual std::string where_turning() const = 0;
  /// How strongly the centrifugal load acts: 1 in full.
  virtual double centrifugal() const = 0;
  virtual double speed() const = 0;  ///< Omega of the deck [rad/s]
  /// The system, which must outlive it, about a state, in a frame that turns at another speed [rad/s]; its elements bear `factor` times the
  /// stresses of a displacement u (BearsStress). At -speed M, C and K are transposed. Collective.
  virtual CopiedSystem turning(const State &about, double speed, const Vector &u, double factor) const = 0;
  /// The first one of the deck; no value: there is none.
  virtual std::optional<UnevenBearing> uneven_bearing() const = 0;
  /// Where the deck has the first bearing of Frame = fixed; "": the frame turns.
  virtual std::string fixed_bearing() const = 0;
  /// Errors: InputError where the frame is fixed and the body about this state is none of revolution. Collective.
  virtual void check_revolution(const State &about) const = 0;
  /// Of that frame at rest, from a load f that stands in the body: a x f, site by site, a quarter of a turn later.
  virtual Vector quarter_turn(const Vector &f) const = 0;
  /// Collective.
  virtual Waves waves(const Vector &real, const Vector &imaginary) const = 0;
  /// Of all bearings. Collective.
  virtual std::vector<BearingForms> bearing_forms(const Vector &real, const Vector &imaginary) const = 0;
  /// Bearings, then unbalances. Collective.
  virtual std::vector<Station> stations(const Vector &u) const = 0;
};

/// nullptr: its frame rests.
inline const Spinning *spinning(const MechanicalSystem &system)
{
  const auto *frame = dynamic_cast<const Spinning *>(&system);
  return frame && !frame->where_turning().empty() ? frame : nullptr;
}

/// Of frequencies: " in the frame of the rotor" or " in fixed axes"; "": the frame rests.
inline const char *in_its_frame(const MechanicalSystem &system)
{
  const Spinning *frame = spinning(system);
  return !frame ? "" : frame->fixed_bearing().empty() ? " in the frame of the rotor" : " in fixed axes";
}
}  // namespace symdyn
