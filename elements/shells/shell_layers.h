#pragma once
#include <array>
#include <string>
#include <vector>

#include "elements/shells/shell_deck.h"
#include "elements/shells/shell_element.h"

namespace symdyn
{
/// Means over the Gauss points of a cell, in its axes.
struct ShellMeans
{
  GramVector e1{}, e2{};
  std::array<double, 3> E{}, K{}, N{}, M{};
  std::array<double, 2> shear{};
  bool yields = false;  ///< stresses are those of points:
  std::array<std::array<double, 3>, 3> stress{};
  std::array<double, 3> flow{};
};
ShellMeans means_of(const std::vector<ShellResultants> &points, bool yields);

/// A symmetric tensor (11, 22, 12) along axes that are turned by an angle, with this cosine and sine; `twice`: strains (11, 22, 2·12).
std::array<double, 3> turned_tensor(const std::array<double, 3> &a, double c, double s, bool twice);

/// The stress (11, 22, 12) of a layer at zeta [Pa], of strains E + zeta K and of what it has of its own of 11 and 22
/// (ShellDeck::own_strain), all in the axes of the section. `stiffness`: GramTerm::Seen::stiffness.
std::array<double, 3> layer_stress(const ShellLayer &layer, const std::array<double, 3> &E, const std::array<double, 3> &K, double zeta,
                                   double own, double stiffness);

/// A place in the thickness: the bottom, middle or top of a layer; layer 1 is the lowest.
struct LayerPoint
{
  std::string name;   ///< "layer1_bottom"
  std::size_t index;  ///< of the layer, from 0
  ShellLayer layer;
  double zeta;  ///< from the surface of the nodes [m]
  int side;     ///< bottom, middle, top
};
std::vector<LayerPoint> layer_points(const ShellDeck::Layup &layup);
/// The stress there along the axes of the layer, the first one at its angle.
std::array<double, 3> stress_at(const LayerPoint &point, const ShellMeans &cell, double own, double stiffness);
}  // namespace symdyn
