#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/shells/shell_deck.h"

// Shells of layers that expand differently.
namespace symdyn
{
namespace
{
bool is_isotropic(const ShellLayer &layer)
{
  constexpr double same = 1e-9;
  return std::abs(layer.E2 - layer.E1) <= same * layer.E1 && std::abs(layer.G12 - layer.E1 / (2. * (1. + layer.nu12))) <= same * layer.G12;
}
}  // namespace

void ShellDeck::check_layers_expand(const Parameters &p)
{
  const bool expands = std::any_of(of_heat.begin(), of_heat.end(), [](const Expansion &one) { return one.given(); });
  layers_differ =
      expands && std::any_of(of_materials.begin(), of_materials.end(), [&](const auto &name) { return name != of_materials.front(); });
  if (!layers_differ)
    return;
  if (at_nodes)
    p.fail("Nodal thickness", "layers of different materials, one of them with an Expansion, have one thickness. Remove the entry");
  const Expansion *first = nullptr;
  for (std::size_t k = 0; k < layers.size(); ++k)
  {
    if (!is_isotropic(layers[k]))
      p.fail("Layers", fmt::format("layer {} is not isotropic, and layers have different materials, one of them with an Expansion: such a "
                                   "shell may not bend the same in all directions. Remove the Expansion, or mesh the part with solids",
                                   k + 1));
    if (!of_heat[k].given())
      continue;
    first = first ? first : &of_heat[k];
    if (of_heat[k].reference() != first->reference())
      p.fail("Layers", fmt::format("layer {} has the Reference temperature {:g}, and another one {:g}: layers of a shell have one "
                                   "temperature without strain. Give the same",
                                   k + 1, of_heat[k].reference(), first->reference()));
  }
}

/// A free section has no force and no moment. With s = E/(1 - nu) of each layer, its thickness t, and its middle at z (Timoshenko 1925, of
/// strips; plates bend alike in both directions):
///     [A B; B D] [e; kappa] = sum_l s_l t_l e_l [1; z_l],   A = sum s t,   B = sum s t z,   D = sum s t (z² + t²/12)
std::vector<ExpandingLayer> ShellDeck::expansion() const
{
  if (!layers_differ)
    return {{of_heat.front()}};
  const Layup layup = at({0., 0., 0.}, 0.);
  double A = 0., B = 0., D = 0., low = layup.offset - 0.5 * layup.thickness;
  std::vector<std::array<double, 2>> of_layer;  // s t, s t z
  for (const ShellLayer &layer : layup.layers)
  {
    const double t = layer.thickness, z = low + 0.5 * t, stiffness = t * layer.E1 / (1. - layer.nu12);
    A += stiffness;
    B += stiffness * z;
    D += stiffness * (z * z + t * t / 12.);
    of_layer.push_back({stiffness, stiffness * z});
    low += t;
  }
  const double determinant = A * D - B * B;
  std::vector<ExpandingLayer> all;
  for (std::size_t k = 0; k < of_layer.size(); ++k)
    if (const auto &[force, moment] = of_layer[k]; of_heat[k].given())
      all.push_back({of_heat[k], (D * force - B * moment) / determinant, (A * moment - B * force) / determinant});
  return all;
}

double ShellDeck::own_strain(const std::size_t layer, const double zeta, const GramTerm::Seen &cell) const
{
  if (!layers_differ)
    return 0.;
  const Expansion &own = of_heat[layer];
  return cell.free_strain + zeta * cell.free_curvature - (own.strain(cell.temperature)[0] - own.strain(cell.temperature_at_start)[0]);
}
}  // namespace symdyn
