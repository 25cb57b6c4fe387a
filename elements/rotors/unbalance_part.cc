#include <fmt/format.h>

#include <cmath>

#include "elements/rotors/rotor_part.h"

namespace symdyn
{
/// A mass m at a radius r from the axis of a frame that turns: m r Omega² in the frame, at an angle from TurningFrame::directions().
class UnbalanceLoad : public AppliedLoad, public LoadAtSpeed
{
public:
  UnbalanceLoad(RotorNode node, std::shared_ptr<const TurningFrame> frame, const double mass_times_radius, const double angle)
      : rotor_node(std::move(node)), frame(std::move(frame)), mass_times_radius(mass_times_radius), angle(angle)
  {
  }
  void add_force(const Moment &, const Vector &, const double factor, Vector &f) const override
  {
    if (rotor_node.site < 0)
      return;
    const auto e = frame->directions();
    const double force = factor * mass_times_radius * frame->speed * frame->speed;
    for (int i = 0; i < frame->dimension; ++i)
      f.local_element(frame->dimension * rotor_node.site + i) += force * (std::cos(angle) * e[0][i] + std::sin(angle) * e[1][i]);
  }
  std::shared_ptr<AppliedLoad> at_speed(const double speed) const override
  {
    return std::make_shared<UnbalanceLoad>(rotor_node, frame->at_speed(speed), mass_times_radius, angle);
  }
  RotorNode node() const override { return rotor_node; }

private:
  RotorNode rotor_node;
  std::shared_ptr<const TurningFrame> frame;
  double mass_times_radius, angle;  ///< [kg m], [rad]
};

class UnbalancePart : public RotorPart
{
public:
  void declare(const std::string &given_name, Parameters &p) override
  {
    declare_node(given_name, p, "the unbalance");
    p.add("Mass times radius", mass_times_radius, "m r [kg m]: the load is m r Omega^2, in the frame of Rotation. It adds no mass",
          positive());
    p.add(
        "Angle", angle,
        "of the unbalance around the axis [deg], from x, across the axis, with the sense of Rotation; from y where x is nearer to the axis");
    if (!p.given("Mass times radius"))
      p.fail("", "the unbalance has no Mass times radius. Give m r [kg m]");
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    constexpr double half_turn = 180.;
    PartInSystem made;
    made.linear = true;
    made.loads.push_back({name, deck->where(""),
                          std::make_shared<UnbalanceLoad>(node(sites), frame, mass_times_radius, angle * std::acos(-1.) / half_turn)});
    return made;
  }
  std::vector<std::string> loads() const override { return {name + " (unbalance)"}; }
  std::string description() const override { return "an unbalance"; }

private:
  double mass_times_radius = 0., angle = 0.;
};

SYMDYN_REGISTER(StructurePart, UnbalancePart, "Unbalance");
}  // namespace symdyn
