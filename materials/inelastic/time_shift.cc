#include "materials/inelastic/time_shift.h"

#include <cmath>

#include "materials/first_fault.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
void TimeShiftEntry::declare(Parameters &p)
{
  const auto &registry = Registry<TimeShift>::instance();
  FirstFault faults;
  faults.guard([&] { p.add("Shift", name, "how relaxation times change with the temperature; not given: they do not", registry.names()); });
  faults.guard([&] { p.add("Shift reference", at, "temperature at which the relaxation times are Times"); });
  for (const std::string &one : registry.names())
  {
    std::shared_ptr<TimeShift> shift = registry.make(one);
    const bool chosen = one == name;
    Parameters own = chosen ? p.section(one) : p.inactive_section(one);
    faults.guard([&] { shift->declare(own); });
    if (chosen && !own.exists())
      faults.guard([&] { p.fail("Shift", "needs the numbers of its law, in subsection " + one + ". Add the subsection"); });
    if (chosen)
      law = std::move(shift);
  }
  faults.rethrow();
  if (given() != p.given("Shift reference"))
    p.fail("Shift reference", given() ? "is missing: the temperature at which the relaxation times are Times"
                                      : "has no effect without Shift. Remove the entry");
  if (given() && law->logarithm(at, at) != 0.)
    p.fail("Shift reference",
           "the shift has no value there: temperatures are above Absolute zero. Give Absolute zero = 0 where they are in kelvin");
}

double TimeShiftEntry::speed(const double T) const { return std::exp(-law->logarithm(T, at)); }
}  // namespace symdyn
