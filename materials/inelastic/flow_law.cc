#include "materials/inelastic/flow_law.h"

#include "solver/parameters.h"

namespace symdyn
{
void FlowLaw::declare_measure(Parameters &p)
{
  p.add(
      "Kinematics", kinematics,
      "strain that is split into an elastic and a plastic part: multiplicative (default of plastic laws without backstresses), logarithmic "
      "(default of all others), or small: geometrically linear",
      {"multiplicative", "logarithmic", "small"});
  p.add("Plane", plane, "state of plane problems: strain (E_33 = 0) or stress (S_33 = 0)", {"strain", "stress"});
}

void FlowLaw::take_measure(const Measure usual)
{
  measure = kinematics.empty()            ? usual
            : kinematics == "small"       ? Measure::small
            : kinematics == "logarithmic" ? Measure::logarithmic
                                          : Measure::multiplicative;
  thins = plane == "stress";
}
}  // namespace symdyn
