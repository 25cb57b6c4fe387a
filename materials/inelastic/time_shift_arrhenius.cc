#include <cmath>
#include <limits>

#include "materials/first_fault.h"
#include "materials/inelastic/time_shift.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// ln a_T = E/R (1/T - 1/T_r), temperatures from absolute zero on (Arrhenius 1889). At absolute zero nothing relaxes.
class Arrhenius : public TimeShift
{
public:
  void declare(Parameters &p) override
  {
    FirstFault faults;
    faults.guard([&] { p.add("Activation energy", energy, "E of ln a_T = E/R (1/T - 1/T_r) [J/mol]", positive()); });
    faults.guard(
        [&] { p.add("Absolute zero", zero, "absolute zero in the temperatures of the deck: -273.15, or 0 where they are in kelvin"); });
    faults.rethrow();
    if (p.exists() && !p.given("Activation energy"))
      p.fail("", "the shift needs its Activation energy [J/mol]");
  }
  double logarithm(const double T, const double reference) const override
  {
    constexpr double gas_constant = 8.314462618;  // [J/(mol K)]
    return T > zero ? energy / gas_constant * (1. / (T - zero) - 1. / (reference - zero)) : std::numeric_limits<double>::infinity();
  }

private:
  double energy = 0., zero = -273.15;
};
}  // namespace
SYMDYN_REGISTER(TimeShift, Arrhenius, "arrhenius");
}  // namespace symdyn
