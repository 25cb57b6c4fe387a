#include "materials/section/wave_speeds.h"

#include <cmath>

#include "materials/section/material_section.h"
#include "solver/parameters.h"

namespace symdyn
{
std::vector<std::pair<std::string, double>> wave_speeds(const Parameters &root)
{
  std::vector<std::pair<std::string, double>> found;
  const Parameters materials = root.section("Materials");
  for (const std::string &name : materials.named_sections())
  {
    Parameters p = materials.section(name);
    MaterialSection section;
    section.declare_entries(p);
    section.make_law(p);
    if (const double c = std::sqrt(section.law->longitudinal_modulus() / section.density); std::isfinite(c) && c > 0.)
      found.emplace_back(name, c);
  }
  return found;
}
}  // namespace symdyn
