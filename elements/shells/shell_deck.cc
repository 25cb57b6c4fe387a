#include "elements/shells/shell_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "elements/gram/gram_layout.h"
#include "elements/gram/line_rules.h"
#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
ShellLayer layer_of(const ThinMaterial &m, const double thickness, const double degrees)
{
  return {thickness, m.E1, m.E2, m.nu12, m.G12, m.G13, m.G23, degrees * M_PI / 180., m.rho};
}
}  // namespace

void ShellDeck::declare(Parameters &p)
{
  p.add("Thickness", thickness, "[m], an expression of x, y, z");
  p.add("Material", material,
        "a section of Materials: linear-elasticity, linear-elasticity-anisotropic with its axes 1, 2 in the shell, or plastic");
  declare_points(
      p, points,
      "of a plastic material: points of Simpson's rule through the thickness, odd; 5, 9, 13, ... have an exact fully plastic moment");
  p.add(
      "Layers", layers_text,
      "instead of Thickness and Material: 'material thickness angle; ...' with thickness [m] and angle from Direction [degrees], from the "
      "lowest layer on, against the normal");
  p.add("Offset", offset, "of the middle of the shell from its nodes, in thicknesses, along the normal [-]", between(-10., 10.));
  p.add(
      "Nodal thickness", at_nodes,
      "instead of Thickness: each cell has the mean of those that its .inp file gives at its nodes (*NODAL THICKNESS); Layers keep their shares of it");
  p.add("Shear stiffness", shear, "K11, K22, K12 of transverse shear along axes 1 and 2 [N/m]; default: of the layers, by equilibrium");
  where_thickness = p.where(at_nodes ? "Nodal thickness" : "Thickness");
  where_offset = p.where("Offset");
  where_layers = p.where("Layers");
  if (p.given("Layers") && (p.given("Thickness") || p.given("Material")))
    p.fail("Layers", "have thickness and material of their own. Remove Thickness and Material, or Layers");
  check_shear(p);
  if (p.given("Layers"))
    read_layers(p);
  else
    take_material(p);
  if (p.given("Points") && !yielding)
    p.fail("Points", "has no effect, because the material does not yield. Remove the entry, or use a plastic material");
}

void ShellDeck::take_material(const Parameters &p)
{
  check_thickness(p);
  const ThinMaterial of = thin_material(material, "Material", p);
  layers = {layer_of(of, 0., 0.)};
  of_materials = {material};
  yielding = of.plane_stress;
  of_heat = {of.expansion};
  softening = of.stiffness;
}

void ShellDeck::check_thickness(const Parameters &p) const
{
  if (at_nodes && p.given("Thickness"))
    p.fail("Thickness", "the shell has Nodal thickness, too. Remove one of both");
  for (const char *entry : {"Thickness", "Material"})
    if (!p.given(entry) && !(at_nodes && entry == std::string("Thickness")))
      p.fail("", std::string("the shell has no ") + entry + ". It needs a Thickness [m] and a Material, or Layers");
  if (thickness.uses("t"))
    p.fail("Thickness", "depends on x, y, z alone");
}

void ShellDeck::check_shear(const Parameters &p) const
{
  if (p.given("Shear stiffness") && !(shear.size() == 3 && shear[0] > 0. && shear[1] > 0. && shear[0] * shear[1] > shear[2] * shear[2]))
    p.fail("Shear stiffness", "needs three numbers K11, K22, K12 with K11 and K22 > 0, and K11 K22 > K12^2");
}

void ShellDeck::read_layers(const Parameters &p)
{
  std::istringstream items(layers_text);
  for (std::string item; std::getline(items, item, ';');)
    read_layer(item, p);
  if (layers.empty())
    p.fail("Layers", "there is none. Write 'material thickness angle; ...'");
  check_layers_expand(p);
}

void ShellDeck::read_layer(const std::string &text, const Parameters &p)
{
  std::istringstream words(text);
  std::string name, thick, angle, more;
  words >> name >> thick >> angle;
  const auto t = number_from<double>(thick), degrees = number_from<double>(angle);
  if (!t || !degrees || words >> more)
    p.fail("Layers",
           fmt::format("layer {} is '{}': it needs a material, its thickness [m] and its angle [degrees]", layers.size() + 1, text));
  if (!(*t > 0.))
    p.fail("Layers", fmt::format("layer {} has the thickness {:g} m. It must be > 0", layers.size() + 1, *t));
  const ThinMaterial of = thin_material(name, "Layers", p);
  if (of.plane_stress)
    p.fail("Layers",
           fmt::format("material '{}' of layer {} yields: layers are elastic. Give Thickness and Material for one layer that yields, "
                       "or an elastic material",
                       name, layers.size() + 1));
  of_heat.push_back(of.expansion);
  const bool softens = softening.given() || of.stiffness.given();
  softening = of.stiffness;
  if (softens && !of_materials.empty() && of_materials.back() != name)
    p.fail("Layers",
           fmt::format("layer {} has another material than the one below, and one of both has constants At temperatures: all layers "
                       "have one material then. Remove At temperatures, or mesh the part with solids",
                       layers.size() + 1));
  layers.push_back(layer_of(of, *t, *degrees));
  of_materials.push_back(name);
}

ShellDeck::Layup ShellDeck::at(const std::array<double, 3> &X, const double of_nodes) const
{
  Layup found{layers, 0., 0.};
  if (layers_text.empty())
    found.layers.front().thickness = at_nodes ? of_nodes : thickness.at(X.data(), 3, 0.);
  for (const ShellLayer &layer : found.layers)
    found.thickness += layer.thickness;
  for (ShellLayer &layer : found.layers)
    if (at_nodes)
      layer.thickness *= of_nodes / found.thickness;
  if (at_nodes)
    found.thickness = of_nodes;
  if (const double t = found.thickness; !(t > 0. && std::isfinite(t)))
    throw InputError(fmt::format("{}: the thickness at ({:g}, {:g}, {:g}) m is {:g} m. It must be > 0{}", where_thickness, X[0], X[1], X[2],
                                 t, at_nodes ? ": each node of the cell needs a *NODAL THICKNESS in the file of the mesh" : ""));
  found.offset = offset * found.thickness;
  return found;
}

const ShellSection &ShellDeck::section(const Layup &layup) const
{
  auto known = made.find(layup.thickness);
  if (known == made.end())
  {
    known = made.emplace(layup.thickness, layered_section(layup.layers, layup.offset)).first;
    if (yielding)
    {
      std::vector<FibrePoint> through;
      for (const LinePoint &one : simpson(points))
        through.push_back({{layup.offset + one.place * layup.thickness, 0.}, one.weight * layup.thickness});
      known->second.points = std::make_shared<const std::vector<FibrePoint>>(std::move(through));
    }
    if (!shear.empty())
      known->second.As = {shear[0], shear[2], shear[2], shear[1]};
  }
  return known->second;
}

bool ShellDeck::isotropic() const
{
  constexpr double same = 1e-9;
  const auto equal = [](const double a, const double b) { return std::abs(a - b) <= same * std::abs(b); };
  const bool shears_alike = shear.empty() || (equal(shear[0], shear[1]) && shear[2] == 0.);
  return shears_alike && std::all_of(layers.begin(), layers.end(), [&](const ShellLayer &layer) {
           return equal(layer.E2, layer.E1) && equal(layer.G12, layer.E1 / (2. * (1. + layer.nu12))) && equal(layer.G23, layer.G13);
         });
}

std::string ShellDeck::off_nodes() const
{
  constexpr double none = 1e-9;
  for (const auto &[t, section] : made)
    if (std::abs(section.rho1) > none * section.rho0 * t)
      return offset != 0. ? where_offset : where_layers;
  return "";
}

std::string ShellDeck::description() const
{
  if (yielding)
    return fmt::format("of {}, which yields at {} points through the thickness (transverse shear stays elastic)", material, points);
  return layers_text.empty() ? "of " + material : fmt::format("of {} layers", layers.size());
}
}  // namespace symdyn
