#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/// Meshes of wedges as files of Abaqus, written by hand.
namespace symdyn::tests
{
using Place = std::array<double, 3>;

/// A brick of n[0] x n[1] x n[2] squares cut into two triangles each, extruded along z: C3D6, or C3D15 if `quadratic`. Sets of nodes ALL;
/// of elements BODY; surfaces x0, x1, y0, y1, z0, z1. The unit cube is mapped by `map`; lines stay straight but for `curved`. Inner
/// vertices are moved by `distortion` times a cell.
struct WedgeMesh
{
  std::array<int, 3> n{2, 2, 2};
  bool quadratic = false, curved = false;
  double distortion = 0;
  std::function<Place(const Place &)> map = [](const Place &x) { return x; };

  std::string text() const
  {
    std::ostringstream nodes, elements;
    std::array<std::ostringstream, 6> faces;
    nodes.precision(15);
    for (int k = 0; k <= 2 * n[2]; ++k)
      for (int j = 0; j <= 2 * n[1]; ++j)
        for (int i = 0; i <= 2 * n[0]; ++i)
          if (const int odd = i % 2 + j % 2 + k % 2; odd == 0)
            write(nodes, number({i, j, k}), vertex({i, j, k}));
    int element = 0;
    std::vector<bool> written(number({2 * n[0], 2 * n[1], 2 * n[2]}) + 1, false);
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i)
          for (const auto &triangle : triangles(i + j))
          {
            std::array<Grid, 6> corner;
            elements << ++element;
            for (int c = 0; c < 6; ++c)
            {
              corner[c] = {2 * (i + triangle[c % 3][0]), 2 * (j + triangle[c % 3][1]), 2 * (k + c / 3)};
              elements << ", " << number(corner[c]);
            }
            for (const auto &[a, b] : lines)
              if (quadratic)
              {
                Grid middle;
                for (int d = 0; d < 3; ++d)
                  middle[d] = (corner[a][d] + corner[b][d]) / 2;
                elements << (&lines[6][0] == &a ? ",\n" : ", ") << number(middle);
                if (!written[number(middle)])
                  write(nodes, number(middle), between(corner[a], corner[b], middle));
                written[number(middle)] = true;
              }
            elements << "\n";
            name_faces(element, corner, faces);
          }
    std::string all =
        "*NODE, NSET=ALL\n" + nodes.str() + "*ELEMENT, TYPE=" + (quadratic ? "C3D15" : "C3D6") + ", ELSET=BODY\n" + elements.str();
    for (int f = 0; f < 6; ++f)
      all += std::string("*SURFACE, NAME=") + "xyz"[f / 2] + "01"[f % 2] + "\n" + faces[f].str();
    return all;
  }

private:
  using Grid = std::array<int, 3>;  ///< twice the indices of vertices
  static constexpr std::array<std::array<int, 2>, 9> lines{{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}};

  static std::array<std::array<std::array<int, 2>, 3>, 2> triangles(const int square)
  {
    if (square % 2)
      return {{{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 1}}}}};
    return {{{{{0, 0}, {1, 0}, {0, 1}}}, {{{1, 0}, {1, 1}, {0, 1}}}}};
  }
  int number(const Grid &g) const { return 1 + g[0] + (2 * n[0] + 1) * (g[1] + (2 * n[1] + 1) * g[2]); }
  Place mapped(const Grid &g, const double move) const
  {
    Place x;
    for (int d = 0; d < 3; ++d)
      x[d] = (0.5 * g[d] + move * std::sin(1. + 3. * d + 5. * g[0] + 7. * g[1] + 11. * g[2])) / n[d];
    return map(x);
  }
  Place vertex(const Grid &g) const
  {
    bool inside = true;
    for (int d = 0; d < 3; ++d)
      inside = inside && g[d] > 0 && g[d] < 2 * n[d];
    return mapped(g, inside ? distortion : 0.);
  }
  Place between(const Grid &a, const Grid &b, const Grid &middle) const
  {
    if (curved)
      return mapped(middle, 0.);
    const Place A = vertex(a), B = vertex(b);
    return {0.5 * (A[0] + B[0]), 0.5 * (A[1] + B[1]), 0.5 * (A[2] + B[2])};
  }
  static void write(std::ostringstream &nodes, const int number, const Place &x)
  {
    nodes << number << ", " << x[0] << ", " << x[1] << ", " << x[2] << "\n";
  }

  void name_faces(const int element, const std::array<Grid, 6> &corner, std::array<std::ostringstream, 6> &names) const
  {
    const std::vector<std::vector<int>> faces = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};  // S1 to S5
    for (int d = 0; d < 3; ++d)
      for (const int end : {0, 1})
        for (std::size_t f = 0; f < faces.size(); ++f)
        {
          bool there = true;
          for (const int c : faces[f])
            there = there && corner[c][d] == end * 2 * n[d];
          if (there)
            names[2 * d + end] << element << ", S" << f + 1 << "\n";
        }
  }
};

/// A quarter of a ring, 1 <= r <= 2, of height 1.
inline Place ring(const Place &x)
{
  const double r = 1. + x[0], angle = 0.5 * std::acos(-1.) * x[1];
  return {r * std::cos(angle), r * std::sin(angle), x[2]};
}
}  // namespace symdyn::tests
