#include "elements/gram/thin_material.h"

#include <deal.II/lac/full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "elements/gram/stiffest_material.h"
#include "materials/section/material_section.h"
#include "materials/thin_laws.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
constexpr int components = 6;  // 11, 22, 33, 12, 13, 23

std::unique_ptr<Material> read_law(Parameters p, std::string &type, double &density, Expansion &expansion)
{
  p.add("Type", type, "of a material of shells or beams: linear-elasticity, linear-elasticity-anisotropic, or plastic",
        Registry<Material>::instance().names());
  p.add("Density", density, "in the undeformed body [kg/m^3]", positive());
  for (const char *entry : {"Type", "Density"})
    if (!p.given(entry))
      p.fail(entry, "a material needs its Type and its Density [kg/m^3]");
  auto law = Registry<Material>::instance().make(type);
  law->declare(p);
  if (p.given("Plane"))
    p.fail("Plane", "shells are in plane stress, beams in uniaxial stress. Remove the entry");
  declare_thin_expansion(expansion, p);
  if ((!law->quadratic() || law->plane_stress()) && !dynamic_cast<const ThinLaws *>(law.get()))
    p.fail(
        "Type",
        "materials of shells and beams have constant moduli, or yield: use linear-elasticity, linear-elasticity-anisotropic, or plastic");
  return law;
}

dealii::FullMatrix<double> compliance(const Material &law)
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  law.tangent(identity<Wide>(), S, D);
  dealii::FullMatrix<double> stiffness(components, components), soft(components, components);
  for (int m = 0; m < components; ++m)
    for (int n = 0; n < components; ++n)
      stiffness(m, n) = D(m, n)[0];
  soft.invert(stiffness);
  return soft;
}
/// How many times as stiff a law is: S of one is that of the other, divided by it. Nothing: not all entries change alike.
std::optional<double> times_as_stiff(const dealii::FullMatrix<double> &S, const dealii::FullMatrix<double> &there)
{
  constexpr double same = 1e-9;
  const double factor = S(0, 0) / there(0, 0);
  for (int m = 0; m < components; ++m)
    for (int n = 0; n < components; ++n)
      if (std::abs(factor * there(m, n) - S(m, n)) > same * std::sqrt(S(m, m) * S(n, n)))
        return {};
  return factor;
}

/// The temperature of a section of At temperatures, and how many times as stiff the law is there.
std::pair<double, double> stiffness_at(Parameters &section, const std::string &name, const std::string &type,
                                       const dealii::FullMatrix<double> &S)
{
  const auto there = Registry<Material>::instance().make(type);
  there->declare(section);
  const std::optional<double> T = number_from<double>(name), factor = times_as_stiff(S, compliance(*there));
  if (!T)
    section.fail("", "the name of the section is the temperature at which its constants hold, a number");
  if (!factor)
    section.fail("",
                 "of beams and shells the moduli at all temperatures have the same ratios. Give the same nu, or mesh the part with solids");
  return {*T, *factor};
}

/// The stiffness of the law over the temperature; S: its compliance.
HeatedStiffness read_stiffness(Parameters p, const std::string &type, const Material &law, const dealii::FullMatrix<double> &S)
{
  double own = 0.;
  declare_own_temperature(p, own);
  const Parameters others = p.section("At temperatures");
  const std::vector<std::string> names = others.named_sections();
  if (p.given("Temperature") == names.empty())
    p.fail("Temperature", names.empty() ? "has no effect without constants at other temperatures. Add subsection At temperatures / "
                                          "subsection 400 / set E = ..., or remove the entry"
                                        : "needs the temperature at which the constants of this section hold");
  if (names.empty())
    return {};
  if (!law.quadratic())
    p.fail("Temperature",
           "beams and shells that yield have the same constants at all temperatures. Remove the entry and At temperatures, or "
           "mesh the part with solids");
  std::map<double, double> rows{{own, 1.}};
  for (const std::string &name : names)
  {
    Parameters section = others.section(name);
    const std::pair<double, double> row = stiffness_at(section, name, type, S);
    if (!rows.insert(row).second)
      section.fail("", "another section has the constants of this temperature. Remove one");
  }
  HeatedStiffness stiffness;
  std::vector<double> T, k;
  for (const auto &[at, factor] : rows)
  {
    T.push_back(at);
    k.push_back(factor);
  }
  stiffness.set(T, k, p.where("Temperature"));
  return stiffness;
}
}  // namespace

void declare_thin_expansion(Expansion &expansion, Parameters &p)
{
  expansion.declare(p);
  if (!expansion.given() && p.section("At temperatures").exists())
    expansion.refuse_reference(p);
  else if (!expansion.given())
    expansion.refuse_rest(p);
  if (!expansion.isotropic())
    p.fail(Expansion::entry(p), "beams and shells expand the same in all directions. Give one coefficient, or mesh the part with solids");
}

ThinMaterial thin_material(const std::string &name, const std::string &entry, const Parameters &p)
{
  const Parameters materials = p.root().section("Materials");
  const std::vector<std::string> names = materials.named_sections();
  if (std::find(names.begin(), names.end(), name) == names.end())
    p.fail(entry, fmt::format("there is no material '{}' in Materials{}", name,
                              names.empty() ? ". Add subsection Materials / subsection " + name
                                            : "; there are: " + join(nearest_first(name, names))));
  ThinMaterial found{};
  std::string type;
  const std::unique_ptr<Material> law = read_law(materials.section(name), type, found.rho, found.expansion);
  const dealii::FullMatrix<double> S = compliance(*law);
  constexpr double none = 1e-9;
  for (int m = 0; m < components; ++m)
    for (int n = 3; n < components; ++n)
      if (m != n && std::abs(S(m, n)) > none * std::sqrt(S(m, m) * S(n, n)))
        p.fail(entry,
               fmt::format("the axes of material '{}' are not those of the layer: it couples shear with other strains. Remove its Axes, "
                           "and give the angle of the layer",
                           name));
  found.E1 = 1. / S(0, 0);
  found.E2 = 1. / S(1, 1);
  found.nu12 = -S(0, 1) * found.E1;
  found.G12 = 1. / S(3, 3);
  found.G13 = 1. / S(4, 4);
  found.G23 = 1. / S(5, 5);
  found.stiffness = read_stiffness(materials.section(name), type, *law, S);
  if (const auto *of_points = dynamic_cast<const ThinLaws *>(law.get()))
  {
    found.uniaxial = of_points->uniaxial(materials.section(name));
    found.plane_stress = of_points->plane_stress(materials.section(name));
  }
  return found;
}

namespace
{
/// A material that names no groups is that of the group of its name; one that fits none may be of all.
std::vector<std::string> materials_of(const Parameters &materials, const std::set<std::string> &cell_groups)
{
  std::vector<std::string> found;
  const std::vector<std::string> names = materials.named_sections();
  for (const std::string &name : names)
  {
    std::vector<std::string> groups;
    Parameters p = materials.section(name);
    p.add("Groups", groups, "");
    if (groups.empty())
      groups.push_back(name);
    if (std::any_of(groups.begin(), groups.end(), [&](const std::string &group) { return cell_groups.count(group) > 0; }))
      found.push_back(name);
  }
  return found.empty() ? names : found;
}
}  // namespace

std::optional<StiffestMaterial> stiffest_material(const Parameters &any, const std::set<std::string> &groups)
{
  const Parameters materials = any.root().section("Materials");
  std::optional<StiffestMaterial> found;
  for (const std::string &name : materials_of(materials, groups))
  {
    Parameters p = materials.section(name);
    std::string type;
    double density = 0;
    p.add("Type", type, "strain energy", Registry<Material>::instance().names());
    p.add("Density", density, "in the undeformed body [kg/m^3]", positive());
    const auto law = Registry<Material>::instance().make(type);
    law->declare(p);
    const dealii::FullMatrix<double> S = compliance(*law);
    if (!found)
      found = StiffestMaterial{0., density};
    for (int i = 0; i < 3; ++i)
      found->E = std::max(found->E, 1. / S(i, i));
    found->rho = std::min(found->rho, density);
  }
  return found;
}
}  // namespace symdyn
