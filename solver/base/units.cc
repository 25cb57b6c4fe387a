#include "solver/base/units.h"

#include "solver/parameters.h"

namespace symdyn
{
void Units::declare(Parameters &p)
{
  std::string system = "SI";
  p.add("System", system,
        "labels in output headers: SI (m, kg, s), mm-t-s (mm, t, s, N, MPa, mJ), molecular (A, u, kcal/mol, 48.888 fs) or none (1)",
        {"SI", "mm-t-s", "molecular", "none"});
  if (system == "mm-t-s")
    *this = {"mm", "t", "s", "N", "mJ", "MPa"};
  if (system == "molecular")
    *this = {"A", "u", "48.888fs", "kcal/mol/A", "kcal/mol", "kcal/mol/A^3"};
  if (system == "none")
    *this = {"1", "1", "1", "1", "1", "1"};
}

std::string hertz(const Units &units) { return units.time == "s" ? "Hz" : units.time == "1" ? "1" : "1/" + units.time; }
}  // namespace symdyn
