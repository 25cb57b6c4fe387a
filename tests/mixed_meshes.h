#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// Meshes of hexahedra, wedges, pyramids and tetrahedra, written by hand.
namespace symdyn::tests
{
/// A brick of n x n x n cells, mapped from the unit cube. Columns along z are of hexahedra or of wedges; with `pyramids` some cells of the
/// last layer are cut from their middle, into pyramids over quadrilaterals and tetrahedra over the triangles of wedges. Inner vertices are
/// moved by `distortion` times a cell. Boundaries x0, x1, y0, y1, z0, z1; groups of cells "body".
struct MixedMesh
{
  int n = 3;
  bool pyramids = true, quadratic = false;
  double distortion = 0;
  using Place = std::array<double, 3>;
  std::function<Place(const Place &)> map = [](const Place &x) { return x; };

  /// Gmsh 2.2, of first order.
  std::string gmsh() const
  {
    std::ostringstream nodes, elements;
    nodes.precision(17);
    int count = 0;
    for (std::size_t v = 0; v < places().size(); ++v)
      nodes << v + 1 << " " << places()[v][0] << " " << places()[v][1] << " " << places()[v][2] << "\n";
    const std::map<std::size_t, int> types{{3, 2}, {4, 3}}, of_cells{{4, 4}, {5, 7}, {6, 6}, {8, 5}};
    const auto write = [&](const int type, const int group, const std::vector<int> &corners) {
      elements << ++count << " " << type << " 2 " << group << " 1";
      for (const int v : corners)
        elements << " " << v + 1;
      elements << "\n";
    };
    for (const auto &cell : cells())
    {
      write(of_cells.at(cell.size()), 7, cell);
      for (const auto &face : faces(cell.size()))
        for (int side = 0; side < 6; ++side)
          if (std::all_of(face.begin(), face.end(), [&](const int c) { return is_on(cell[c], side); }))
          {
            std::vector<int> corners;
            for (const int c : face)
              corners.push_back(cell[c]);
            write(types.at(face.size()), side + 1, corners);
          }
    }
    std::string names = "7\n";
    for (int side = 0; side < 6; ++side)
      names += "2 " + std::to_string(side + 1) + " \"" + name(side) + "\"\n";
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" + names + "3 7 \"body\"\n$EndPhysicalNames\n$Nodes\n" +
           std::to_string(places().size()) + "\n" + nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(count) + "\n" + elements.str() +
           "$EndElements\n";
  }

  /// Abaqus: C3D8 or C3D20 and C3D6 or C3D15, without pyramids.
  std::string inp(const std::string &hexahedra = "") const
  {
    std::vector<Place> all = places();
    std::map<std::pair<int, int>, int> middles;
    std::map<std::size_t, std::ostringstream> elements;
    int count = 0;
    for (const auto &cell : cells())
    {
      std::ostringstream &line = elements[cell.size()];
      line << ++count;
      std::vector<int> numbers = cell;
      for (const auto &[a, b] : quadratic ? lines(cell.size()) : Lines{})
      {
        const auto [found, is_new] = middles.emplace(std::minmax(cell[a], cell[b]), int(all.size()));
        numbers.push_back(found->second);
        if (is_new)
          all.push_back(middle(cell[a], cell[b]));
      }
      for (std::size_t i = 0; i < numbers.size(); ++i)
        line << (i == 14 ? ",\n" : ", ") << numbers[i] + 1;
      line << "\n";
    }
    std::ostringstream text;
    text.precision(17);
    text << "*NODE, NSET=ALL\n";
    for (std::size_t v = 0; v < all.size(); ++v)
      text << v + 1 << ", " << all[v][0] << ", " << all[v][1] << ", " << all[v][2] << "\n";
    for (const auto &[size, lines] : elements)
      text << "*ELEMENT, ELSET=BODY, TYPE="
           << (size == 8   ? (!hexahedra.empty() ? hexahedra
                              : quadratic        ? "C3D20"
                                                 : "C3D8")
               : quadratic ? "C3D15"
                           : "C3D6")
           << "\n"
           << lines.str();
    for (int side = 0; side < 6; ++side)
    {
      text << "*NSET, NSET=" << name(side) << "\n";
      for (std::size_t v = 0; v < places().size(); ++v)
        if (is_on(v, side))
          text << v + 1 << "\n";
    }
    return text.str();
  }

  static std::string name(const int side) { return {"xyz"[side / 2], "01"[side % 2]}; }

private:
  using Grid = std::array<int, 3>;
  using Lines = std::vector<std::pair<int, int>>;
  using Cell = std::vector<int>;

  int vertex(const Grid &g) const { return g[0] + (n + 1) * (g[1] + (n + 1) * g[2]); }
  int middle_of(const Grid &g) const { return (n + 1) * (n + 1) * (n + 1) + g[0] + n * g[1]; }  ///< of a cell of the last layer
  bool is_on(const int v, const int side) const
  {
    if (v >= (n + 1) * (n + 1) * (n + 1))
      return false;
    const Grid g{v % (n + 1), v / (n + 1) % (n + 1), v / (n + 1) / (n + 1)};
    return g[side / 2] == (side % 2 ? n : 0);
  }
  bool of_wedges(const int i, const int j) const { return (i + j) % 2; }
  bool is_cut(const int i, const int j, const int k) const { return pyramids && k == n - 1 && (of_wedges(i, j) || (i + j) % 4 == 2); }

  Place moved(const Place &x, const double size, const int seed) const
  {
    Place y;
    for (int d = 0; d < 3; ++d)
      y[d] = (x[d] + size * std::sin(1. + 3. * d + 5.3 * seed)) / n;
    return y;
  }
  /// Before the map.
  Place straight(const int v) const
  {
    const int all = (n + 1) * (n + 1) * (n + 1);
    if (v >= all)
      return moved({(v - all) % n + 0.5, (v - all) / n + 0.5, n - 0.5}, 0.5 * distortion, v);
    const Grid g{v % (n + 1), v / (n + 1) % (n + 1), v / (n + 1) / (n + 1)};
    const bool inside = *std::min_element(g.begin(), g.end()) > 0 && *std::max_element(g.begin(), g.end()) < n;
    return moved({double(g[0]), double(g[1]), double(g[2])}, inside ? distortion : 0., v);
  }
  Place middle(const int a, const int b) const
  {
    const Place A = straight(a), B = straight(b);
    return map({0.5 * (A[0] + B[0]), 0.5 * (A[1] + B[1]), 0.5 * (A[2] + B[2])});
  }
  std::vector<Place> places() const
  {
    std::vector<Place> all;
    for (int v = 0; v < (n + 1) * (n + 1) * (n + 1) + (pyramids ? n * n : 0); ++v)
      all.push_back(map(straight(used(v) ? v : 0)));
    return all;
  }
  bool used(const int v) const
  {
    const int m = v - (n + 1) * (n + 1) * (n + 1);
    return m < 0 || is_cut(m % n, m / n, n - 1);
  }

  std::vector<Cell> cells() const
  {
    std::vector<Cell> all;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
        {
          const auto v = [&](const int x, const int y, const int z) { return vertex({i + x, j + y, k + z}); };
          if (is_cut(i, j, k))
            cut(i, j, k, all);
          else if (of_wedges(i, j))
          {
            all.push_back({v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(0, 0, 1), v(1, 0, 1), v(1, 1, 1)});
            all.push_back({v(0, 0, 0), v(1, 1, 0), v(0, 1, 0), v(0, 0, 1), v(1, 1, 1), v(0, 1, 1)});
          }
          else
            all.push_back({v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(0, 1, 0), v(0, 0, 1), v(1, 0, 1), v(1, 1, 1), v(0, 1, 1)});
        }
    return all;
  }
  void cut(const int i, const int j, const int k, std::vector<Cell> &all) const
  {
    const auto v = [&](const int x, const int y, const int z) { return vertex({i + x, j + y, k + z}); };
    const int m = middle_of({i, j, k});
    if (of_wedges(i, j))
    {
      all.push_back({v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), m});
      all.push_back({v(0, 0, 0), v(1, 1, 0), v(0, 1, 0), m});
    }
    else
      all.push_back({v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(0, 1, 0), m});
    all.push_back({v(0, 0, 1), v(0, 1, 1), v(1, 1, 1), v(1, 0, 1), m});
    all.push_back({v(0, 0, 0), v(0, 1, 0), v(0, 1, 1), v(0, 0, 1), m});
    all.push_back({v(1, 0, 0), v(1, 0, 1), v(1, 1, 1), v(1, 1, 0), m});
    all.push_back({v(0, 0, 0), v(0, 0, 1), v(1, 0, 1), v(1, 0, 0), m});
    all.push_back({v(0, 1, 0), v(1, 1, 0), v(1, 1, 1), v(0, 1, 1), m});
  }
  static std::vector<std::vector<int>> faces(const std::size_t corners)
  {
    switch (corners)
    {
      case 4:
        return {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
      case 5:
        return {{0, 1, 2, 3}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
      case 6:
        return {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    }
    return {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  }
  static Lines lines(const std::size_t corners)
  {
    if (corners == 6)
      return {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  }
};
}  // namespace symdyn::tests
