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
/// log10 a_T = -C1 (T - T_r)/(C2 + T - T_r)  (Williams, Landel, Ferry 1955). At T <= T_r - C2 nothing relaxes, which is its limit there.
class Wlf : public TimeShift
{
public:
  void declare(Parameters &p) override
  {
    FirstFault faults;
    faults.guard(
        [&] { p.add("C1", C1, "C1 of log10 a_T = -C1 (T - T_r)/(C2 + T - T_r) [-]; 17.44 about the glass transition", positive()); });
    faults.guard([&] { p.add("C2", C2, "C2 [K]; 51.6 about the glass transition", positive()); });
    faults.rethrow();
    if (p.exists() && (!p.given("C1") || !p.given("C2")))
      p.fail("", "the shift needs both C1 and C2. About the glass transition of many polymers they are 17.44 and 51.6 K");
  }
  double logarithm(const double T, const double reference) const override
  {
    const double above = T - reference;
    return C2 + above > 0. ? -std::log(10.) * C1 * above / (C2 + above) : std::numeric_limits<double>::infinity();
  }

private:
  double C1 = 0., C2 = 0.;
};
}  // namespace
SYMDYN_REGISTER(TimeShift, Wlf, "wlf");
}  // namespace symdyn
