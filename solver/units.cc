#include "solver/units.h"

#include "solver/parameters.h"

namespace symdyn
{
void Units::declare(Parameters &p)
{
  std::string system = "SI";
  p.add("System", system, "labels in output headers: SI (m, kg, s), mm-t-s (mm, t, s, N, MPa, mJ) or none (1)",
        {"SI", "mm-t-s", "none"});
  if (system == "mm-t-s")
    *this = {"mm", "t", "s", "N", "mJ", "MPa"};
  if (system == "none")
    *this = {"1", "1", "1", "1", "1", "1"};
}
}  // namespace symdyn
