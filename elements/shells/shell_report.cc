#include <fmt/format.h>

#include <cmath>
#include <map>

#include "elements/files/node_files.h"
#include "elements/shells/shell_element.h"
#include "elements/shells/shell_part.h"
#include "solver/base/names.h"
#include "solver/base/units.h"

// What a shell reports, and how it is drawn: with its thickness.
namespace symdyn
{
namespace
{
/// Means over the Gauss points of a cell.
struct Means
{
  GramVector e1{}, e2{};
  std::array<double, 3> E{}, K{}, N{}, M{};
  std::array<double, 2> shear{};
};

Means means_of(const std::vector<ShellResultants> &points)
{
  Means all;
  double area = 0;
  for (const ShellResultants &point : points)
    area += point.weight;
  for (const ShellResultants &point : points)
  {
    const double share = point.weight / area;
    add(share, point.e1, all.e1);
    add(share, point.e2, all.e2);
    for (int i = 0; i < 3; ++i)
    {
      all.E[i] += share * point.E[i];
      all.K[i] += share * point.K[i];
      all.N[i] += share * point.N[i];
      all.M[i] += share * point.M[i];
    }
    for (int i = 0; i < 2; ++i)
      all.shear[i] += share * point.shear[i];
  }
  return all;
}

/// sqrt(s11² - s11 s22 + s22² + 3 s12²) of the stress of a layer at zeta [Pa].
double von_mises(const ShellLayer &layer, const Means &cell, const double zeta)
{
  const std::array<double, 9> Q = layer_stiffness(layer);
  std::array<double, 3> s{};
  for (int i = 0; i < 9; ++i)
    s[i / 3] += Q[i] * (cell.E[i % 3] + zeta * cell.K[i % 3]);
  return std::sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3. * s[2] * s[2]);
}
struct DrawnNode
{
  std::size_t node;  ///< of the cell
  double side;       ///< -1/2 below, 1/2 above
};

/// The nodes of an extruded cell of 3, 4, 6 or 8 nodes, in the order of VTK's wedge and hexahedron, linear or quadratic.
std::vector<DrawnNode> extruded(const std::size_t n)
{
  const std::size_t corners = n <= 4 ? n : n / 2;
  std::vector<DrawnNode> nodes;
  for (const auto &[begin, end] : {std::pair{std::size_t(0), corners}, {corners, n}})
    for (const double side : {-0.5, 0.5})
      for (std::size_t a = begin; a < end; ++a)
        nodes.push_back({a, side});
  for (std::size_t a = 0; a < corners && n > corners; ++a)
    nodes.push_back({a, 0.});
  return nodes;
}

std::uint8_t vtk_type(const std::size_t n)
{
  constexpr std::uint8_t hexahedron = 12, wedge = 13, quadratic_hexahedron = 25, quadratic_wedge = 26;
  return n == 3 ? wedge : n == 4 ? hexahedron : n == 6 ? quadratic_wedge : quadratic_hexahedron;
}
}  // namespace

std::vector<Column> Shell::columns(const Units &) const { return {{called + ".director_error", ""}}; }

void Shell::values(const State &state, std::vector<double> &out) const
{
  state.q.update_ghost_values();
  out.push_back(directors->error(state.q));
}

void Shell::draw(const State &state, NodeFrame &frame) const
{
  for (const char *field : {"von_mises", "N", "M", "Q"})
    frame.field(field, std::string(field) == "von_mises" ? 1 : 3);
  term->visit(state.q, [&](const GramTerm::Seen &one) { draw_cell(one, frame); });
}

void Shell::draw_cell(const GramTerm::Seen &one, NodeFrame &frame) const
{
  const std::size_t mises = frame.field("von_mises", 1), N = frame.field("N", 3), M = frame.field("M", 3), Q = frame.field("Q", 3);
  const Cell &cell = cells[drawn[one.number]];
  const Means means = means_of(shell_resultants(section.section(cell.layup), cell.rest, one.eps, axis()));
  const std::size_t n = cell.nodes.size();
  const auto at = [&](const double side) { return cell.layup.offset + side * cell.layup.thickness; };
  const double below = von_mises(cell.layup.layers.front(), means, at(-0.5)), above = von_mises(cell.layup.layers.back(), means, at(0.5));
  const std::vector<DrawnNode> nodes = extruded(n);
  frame.add_cell(vtk_type(n), nodes.size());
  for (const auto &[a, side] : nodes)
  {
    const double zeta = at(side);
    for (int d = 0; d < 3; ++d)
    {
      const double moved = one.u[a][d] + zeta * one.u[n + a][d];
      frame.places.values.push_back(one.y[a][d] + zeta * one.y[n + a][d] - moved);
      frame.fields[0].values.push_back(moved);
    }
    frame.fields[mises].values.push_back((0.5 - side) * below + (0.5 + side) * above);
    frame.fields[N].values.insert(frame.fields[N].values.end(), means.N.begin(), means.N.end());
    frame.fields[M].values.insert(frame.fields[M].values.end(), means.M.begin(), means.M.end());
    frame.fields[Q].values.insert(frame.fields[Q].values.end(), {means.shear[0], means.shear[1], 0.});
  }
}

std::string Shell::description() const
{
  std::map<std::size_t, std::size_t> counts;  // by nodes
  for (const Cell &cell : cells)
    ++counts[cell.nodes.size()];
  const std::map<std::size_t, std::string> names{{3, "S3"}, {4, "S4"}, {6, "S6"}, {8, "S8R"}};
  std::vector<std::string> kinds;
  for (const auto &[nodes, count] : counts)
    kinds.push_back(fmt::format("{} elements {}", count, names.at(nodes)));
  const std::string stiff = counts.count(3) > 0 ? " (S3 is stiff in bending in its plane: mesh finer)" : "";
  return fmt::format("{} {}, area {:g} m^2{}", ::symdyn::join(kinds), section.description(), area, stiff);
}
}  // namespace symdyn
