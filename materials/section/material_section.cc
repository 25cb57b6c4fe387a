#include "materials/section/material_section.h"

#include <algorithm>

#include "materials/first_fault.h"
#include "materials/own_heat.h"
#include "materials/scaled.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
void MaterialSection::declare_entries(Parameters &p)
{
  p.add("Type", law_name, "strain energy", Registry<Material>::instance().names());
  p.add("Density", density, "in the undeformed body [kg/m^3]", positive());
  p.add("Thickness", thickness, "out-of-plane thickness [m]; scales stiffness, mass and edge loads, not point forces", positive());
  p.renamed("Cells", "Groups");
  p.add("Groups", groups, "cell groups of the mesh; default: the group with the material's name, or all if there is one material");
  p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
}

void MaterialSection::make_law(Parameters &p)
{
  if (!p.given("Type"))
    p.fail("Type", "a material needs its law, one of: " + join(Registry<Material>::instance().names()));
  law = Registry<Material>::instance().make(law_name);
  FirstFault faults;
  faults.guard([&] { law->declare(p); });
  faults.guard([&] { expansion.declare(p); });
  faults.guard([&] { declare_temperatures(p); });
  faults.rethrow();
  if (heats_itself() && expansion.given())
    p.fail(Expansion::entry(p),
           "the heat of plastic work does not expand a body yet. Remove the entry, or Heat fraction and what belongs to it");
}

void declare_own_temperature(Parameters &p, double &T)
{
  p.add("Temperature", T,
        "at which the constants of this section hold; those at others stand in sections of At temperatures, named by theirs");
}

void MaterialSection::document_heat(Parameters &p)
{
  double own = 0.;
  expansion.declare(p);
  declare_own_temperature(p, own);
}

void MaterialSection::declare_constants_at(Parameters section, const std::string &name)
{
  std::shared_ptr<Material> there = Registry<Material>::instance().make(law_name);
  there->declare(section);
  const std::optional<double> T = number_from<double>(name);
  if (!T)
    section.fail("", "the name of the section is the temperature at which its constants hold, a number");
  if (there->plane_stress() != law->plane_stress() || there->small_strain() != law->small_strain())
    section.fail("", "Plane and Kinematics are the same at all temperatures. Repeat them here");
  at_temperatures.push_back({*T, there});
}

void MaterialSection::declare_temperatures(Parameters &p)
{
  double own = 0.;
  declare_own_temperature(p, own);
  Parameters others = p.section("At temperatures");
  const std::vector<std::string> names = others.named_sections();
  FirstFault faults;
  for (const std::string &name : names)
    faults.guard([&] { declare_constants_at(others.section(name), name); });
  where_constants = p.where("Temperature");
  if (p.given("Temperature") != !names.empty())
    p.fail("Temperature", names.empty() ? "has no effect without constants at other temperatures. Add subsection At temperatures / "
                                          "subsection 400 / set E = ..., or remove the entry"
                                        : "needs the temperature at which the constants of this section hold");
  if (names.empty())
    return;
  const auto *remembers = dynamic_cast<const OverTemperature *>(law.get());
  if (const FeelsTemperature *feels = feels_temperature(law.get()); feels && feels->has_one_set())
    p.fail("Temperature",
           "laws of this Type (" + law_name + ") get the temperature and have one set of constants. Remove the entry and At temperatures");
  if (inelastic(*law) && !remembers)
    p.fail("Temperature",
           "constants of laws of this Type (" + law_name +
               ") do not depend on temperatures yet; those of plastic, creep and viscoelastic do. Remove the entry and At temperatures");
  faults.rethrow();
  at_temperatures.push_back({own, law});
  const auto colder = [](const auto &a, const auto &b) { return a.temperature < b.temperature; };
  std::sort(at_temperatures.begin(), at_temperatures.end(), colder);
  for (std::size_t k = 1; k < at_temperatures.size(); ++k)
    if (!colder(at_temperatures[k - 1], at_temperatures[k]))
      p.fail("Temperature", "two sections have the constants of one temperature. Remove one");
  if (!remembers)
    return;
  const std::shared_ptr<const Material> of_all = remembers->over(at_temperatures, p);
  for (HeatedMaterial::Constants &one : at_temperatures)
    one.law = of_all;
}

bool MaterialSection::feels_heat() const
{
  const FeelsTemperature *feels = feels_temperature(law.get());
  return expansion.given() || !at_temperatures.empty() || (feels && !feels->has_one_set());
}

bool MaterialSection::heats_itself() const
{
  const auto *own = dynamic_cast<const OwnHeat *>(law.get());
  return own && own->heats_itself();
}

std::shared_ptr<const Material> MaterialSection::in_body(const double factor) const
{
  const std::shared_ptr<const Material> multiplied = factor == 1. ? law : scaled(law, factor);
  return initial ? std::make_shared<PrestrainedMaterial>(multiplied, law, initial) : multiplied;
}

std::shared_ptr<const Material> MaterialSection::heated(const double factor) const
{
  const FeelsTemperature *feels = feels_temperature(law.get());
  if (initial && feels)
    throw InputError(where_constants + ": a law that uses the temperature itself (" + law_name +
                     ") beside Temperature and an Initial state cannot be computed yet. Remove one of the two");
  std::vector<HeatedMaterial::Constants> all = at_temperatures;
  for (HeatedMaterial::Constants &one : all)
    one.law = factor == 1. ? one.law : scaled(one.law, factor);
  if (all.empty())
    all.push_back({expansion.reference(), in_body(factor)});
  else if (initial)
  {
    const auto around = [this](const std::shared_ptr<const Material> &one) {
      return std::make_shared<PrestrainedMaterial>(one, nullptr, initial);
    };
    const std::shared_ptr<const Material> of_all =
        inelastic(*law) ? around(all.front().law) : around(std::make_shared<ElasticOverTemperature>(all));
    for (HeatedMaterial::Constants &one : all)
      one.law = of_all;
  }
  return std::make_shared<HeatedMaterial>(std::move(all), expansion, where_constants,
                                          std::shared_ptr<const FeelsTemperature>(law, feels));  // owns the law
}
}  // namespace symdyn
