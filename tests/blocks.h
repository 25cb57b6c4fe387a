#pragma once
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace symdyn::tests
{
/// Boxes of bricks (in the plane: of quadrilaterals) that share no node, for a Gmsh file: groups `first`, `second`, `third`; boundaries
/// first-x-, first-x+, ... third-z+.
class Blocks
{
public:
  struct Block
  {
    std::array<double, 3> corner, size;
    std::array<int, 3> cells;  ///< the last 0: in the plane
  };
  /// Where a block's node goes.
  using Map = std::function<std::array<double, 3>(int block, std::array<double, 3>)>;

  /// `warp`: how far inner nodes are moved at random, in cells.
  explicit Blocks(const std::vector<Block> &blocks, const double warp = 0., const Map &map = {})
  {
    const char *const called[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < blocks.size(); ++i)
      add(called[i], int(i), blocks[i], warp, map);
  }

  void write(const std::string &file) const
  {
    std::ofstream out(file);
    out.precision(17);
    out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" << names.size() << "\n";
    for (const auto &[name, id] : names)
      out << id.first << " " << id.second << " \"" << name << "\"\n";
    out << "$EndPhysicalNames\n$Nodes\n" << nodes.size() << "\n";
    for (std::size_t i = 0; i < nodes.size(); ++i)
      out << i + 1 << " " << nodes[i][0] << " " << nodes[i][1] << " " << nodes[i][2] << "\n";
    out << "$EndNodes\n$Elements\n" << elements.size() << "\n";
    for (std::size_t i = 0; i < elements.size(); ++i)
    {
      const auto &[name, corners] = elements[i];
      const int type = corners.size() == 8 ? 5 : corners.size() == 4 ? 3 : 1, id = names.at(name).second;
      out << i + 1 << " " << type << " 2 " << id << " " << id;
      for (const int corner : corners)
        out << " " << corner;
      out << "\n";
    }
    out << "$EndElements\n";
  }

private:
  void add(const std::string &name, const int number, const Block &block, const double warp, const Map &map)
  {
    const std::array<double, 3> &corner = block.corner, &size = block.size;
    const std::array<int, 3> &n = block.cells;
    const int dim = n[2] > 0 ? 3 : 2, first = int(nodes.size()) + 1;
    std::mt19937 random(5 + number);
    std::uniform_real_distribution<double> anywhere(-1., 1.);
    std::array<int, 3> i;
    for (i[2] = 0; i[2] <= n[2]; ++i[2])
      for (i[1] = 0; i[1] <= n[1]; ++i[1])
        for (i[0] = 0; i[0] <= n[0]; ++i[0])
        {
          std::array<double, 3> x = corner;
          for (int d = 0; d < dim; ++d)
            x[d] += size[d] * (i[d] + (i[d] > 0 && i[d] < n[d] ? warp * anywhere(random) : 0.)) / n[d];
          nodes.push_back(map ? map(number, x) : x);
        }
    const auto at = [&](const int x, const int y, const int z) { return first + x + (n[0] + 1) * (y + (n[1] + 1) * z); };
    for (i[2] = 0; i[2] < std::max(n[2], 1); ++i[2])
      for (i[1] = 0; i[1] < n[1]; ++i[1])
        for (i[0] = 0; i[0] < n[0]; ++i[0])
        {
          std::vector<int> corners;
          for (int z = i[2]; z <= i[2] + dim - 2; ++z)
            for (const auto &[x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
              corners.push_back(at(i[0] + x, i[1] + y, z));
          add_element(name, dim, corners);
          for (int d = 0; d < dim; ++d)
            for (const int side : {0, 1})
              if (i[d] == side * (n[d] - 1))
                add_element(name + "-" + "xyz"[d] + (side == 0 ? "-" : "+"), dim - 1, face(i, d, side, dim, at));
        }
  }
  template <class At>
  static std::vector<int> face(const std::array<int, 3> &cell, const int d, const int side, const int dim, const At &at)
  {
    const int one = d == 0 ? 1 : 0, other = dim == 2 ? 2 : 3 - d - one;
    std::vector<int> corners;
    for (const auto &[p, q] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
    {
      std::array<int, 3> i = cell;
      i[d] += side;
      i[one] += p;
      i[other] += dim == 2 ? 0 : q;
      if (dim == 3 || q == 0)
        corners.push_back(at(i[0], i[1], i[2]));
    }
    return corners;
  }
  void add_element(const std::string &name, const int dimension, const std::vector<int> &corners)
  {
    names.emplace(name, std::pair{dimension, int(names.size()) + 1});
    elements.emplace_back(name, corners);
  }

  std::vector<std::array<double, 3>> nodes;
  std::vector<std::pair<std::string, std::vector<int>>> elements;
  std::map<std::string, std::pair<int, int>> names;
};
}  // namespace symdyn::tests
