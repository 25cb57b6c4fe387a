#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

// Rings of equal sectors, whole or a part of them.
namespace symdyn::tests
{
/// A plane ring from `bore` to rim(angle), or its prism of height `height` along z: Gmsh 2.2, boundaries bore, rim, and where it is not the
/// whole low and high.
struct RingMesh
{
  int sectors = 12, meshed = 1;  ///< of the whole; of these
  int radial = 2, round = 4;     ///< cells of a sector
  int order = 2;                 ///< in the plane: 1 or 2, with 9 nodes a cell
  int layers = 0;                ///< of hexahedra of first order; 0: it is plane
  double bore = 0.4, height = 0.3;
  std::function<double(double)> rim = [](double) { return 1.; };
  bool unlike = false;  ///< nodes of the high side stand at other radii than those of the low one

  /// Number of the node on circle i, ray j, level k.
  int node(const int i, const int j, const int k) const { return 1 + i + circles() * (j % rays() + rays() * k); }
  void write(const std::string &file) const { std::ofstream(file) << gmsh(); }

  std::string gmsh() const
  {
    std::string nodes, cells;
    int count = 0;
    for (int k = 0; k < levels(); ++k)
      for (int j = 0; j < rays(); ++j)
        for (int i = 0; i < circles(); ++i)
        {
          const auto [x, y, z] = place(i, j, k);
          nodes += fmt::format("{} {:.17g} {:.17g} {:.17g}\n", node(i, j, k), x, y, z);
        }
    const auto add = [&](const int type, const int group, const std::vector<int> &of) {
      cells += fmt::format("{} {} 2 {} {}", ++count, type, group, group);
      for (const int one : of)
        cells += fmt::format(" {}", one);
      cells += "\n";
    };
    const int p = order;
    for (int j = 0; j < round * meshed; ++j)
      for (int i = 0; i < radial; ++i)
        for (int k = 0; k < std::max(layers, 1); ++k)
          add(layers > 0 ? 5 : p == 2 ? 10 : 3, body, cell(p * i, p * j, k));
    for (int k = 0; k < std::max(layers, 1); ++k)
    {
      for (int j = 0; j < round * meshed; ++j)
        for (const int side : {bore_side, rim_side})
          add(type_of_side(), side, face(side == bore_side ? 0 : circles() - 1, p * j, k, false));
      for (int i = 0; i < radial && meshed < sectors; ++i)
        for (const int side : {low_side, high_side})
          add(type_of_side(), side, face(p * i, side == low_side ? 0 : rays() - 1, k, true));
    }
    const int dim = layers > 0 ? 3 : 2;
    std::string names;
    int named = 1;
    for (const auto &[side, name] : {std::pair(bore_side, "bore"), {rim_side, "rim"}, {low_side, "low"}, {high_side, "high"}})
      if (meshed < sectors || side < low_side)
      {
        names += fmt::format("{} {} \"{}\"\n", dim - 1, side, name);
        ++named;
      }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" + fmt::format("{}\n", named) + names +
           fmt::format("{} {} \"body\"\n", dim, body) + "$EndPhysicalNames\n$Nodes\n" + fmt::format("{}\n", circles() * rays() * levels()) +
           nodes + "$EndNodes\n$Elements\n" + fmt::format("{}\n", count) + cells + "$EndElements\n";
  }

  /// The same of hexahedra as C3D8: sets ALL, BODY, NBORE, NLOW, NHIGH.
  std::string inp() const
  {
    std::string text = "*NODE, NSET=ALL\n", elements = "*ELEMENT, TYPE=C3D8, ELSET=BODY\n", of_bore, of_low, of_high;
    int count = 0;
    for (int k = 0; k < levels(); ++k)
      for (int j = 0; j < rays(); ++j)
        for (int i = 0; i < circles(); ++i)
        {
          const auto [x, y, z] = place(i, j, k);
          text += fmt::format("{}, {:.12f}, {:.12f}, {:.12f}\n", node(i, j, k), x, y, z);
          const std::string one = fmt::format("{}\n", node(i, j, k));
          of_bore += i == 0 && j < rays() - 1 ? one : "";  // CalculiX holds no node of the dependent side
          of_low += j == 0 ? one : "";
          of_high += j == rays() - 1 ? one : "";
          if (i < radial && k < layers && j < round * meshed)
          {
            elements += fmt::format("{}", ++count);
            for (const int of : cell(i, j, k))
              elements += fmt::format(", {}", of);
            elements += "\n";
          }
        }
    return text + elements + "*NSET, NSET=NBORE\n" + of_bore + "*NSET, NSET=NLOW\n" + of_low + "*NSET, NSET=NHIGH\n" + of_high;
  }

private:
  static constexpr int bore_side = 1, rim_side = 2, low_side = 3, high_side = 4, body = 5;
  std::array<double, 3> place(const int i, const int j, const int k) const
  {
    const double angle = 2. * std::acos(-1.) * j / (order * round * sectors), along = double(i) / (circles() - 1);
    const double s = unlike && j == rays() - 1 ? along * (0.9 + 0.1 * along) : along, r = bore + s * (rim(angle) - bore);
    return {r * std::cos(angle), r * std::sin(angle), layers > 0 ? height * k / layers : 0.};
  }
  int circles() const { return order * radial + 1; }
  int rays() const { return order * round * meshed + (meshed < sectors); }
  int levels() const { return layers + 1; }
  int type_of_side() const { return layers > 0 ? 3 : order == 2 ? 8 : 1; }
  std::vector<int> cell(const int i, const int j, const int k) const
  {
    const int p = order;
    std::vector<int> of{node(i, j, k), node(i + p, j, k), node(i + p, j + p, k), node(i, j + p, k)};
    if (layers > 0)
      for (const int one : {node(i, j, k + 1), node(i + p, j, k + 1), node(i + p, j + p, k + 1), node(i, j + p, k + 1)})
        of.push_back(one);
    if (order == 2)
      for (const int one : {node(i + 1, j, k), node(i + 2, j + 1, k), node(i + 1, j + 2, k), node(i, j + 1, k), node(i + 1, j + 1, k)})
        of.push_back(one);
    return of;
  }
  std::vector<int> face(const int i, const int j, const int k, const bool outward) const
  {
    const int p = order, di = outward ? p : 0, dj = outward ? 0 : p;
    if (layers > 0)
      return {node(i, j, k), node(i + di, j + dj, k), node(i + di, j + dj, k + 1), node(i, j, k + 1)};
    std::vector<int> of{node(i, j, k), node(i + di, j + dj, k)};
    if (order == 2)
      of.push_back(node(i + di / 2, j + dj / 2, k));
    return of;
  }
};
}  // namespace symdyn::tests
