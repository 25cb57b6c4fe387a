#include "elements/shells/shell_layers.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/files/node_files.h"
#include "elements/shells/shell_part.h"
#include "solver/base/units.h"

// Stresses in the layers of a shell.
namespace symdyn
{
ShellMeans means_of(const std::vector<ShellResultants> &points, const bool yields)
{
  ShellMeans all;
  all.yields = yields;
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
    for (int side = 0; side < 3; ++side)
    {
      all.flow[side] += share * point.flow[side];
      for (int i = 0; i < 3; ++i)
        all.stress[side][i] += share * point.stress[side][i];
    }
  }
  return all;
}

std::array<double, 3> turned_tensor(const std::array<double, 3> &a, const double c, const double s, const bool twice)
{
  const double a12 = twice ? 0.5 * a[2] : a[2], b12 = c * s * (a[1] - a[0]) + (c * c - s * s) * a12;
  return {c * c * a[0] + s * s * a[1] + 2. * c * s * a12, s * s * a[0] + c * c * a[1] - 2. * c * s * a12, twice ? 2. * b12 : b12};
}

std::array<double, 3> layer_stress(const ShellLayer &layer, const std::array<double, 3> &E, const std::array<double, 3> &K,
                                   const double zeta, const double own, const double stiffness)
{
  const std::array<double, 9> Q = layer_stiffness(layer);
  std::array<double, 3> s{};
  for (int i = 0; i < 9; ++i)
    s[i / 3] += stiffness * Q[i] * (E[i % 3] + zeta * K[i % 3] + (i % 3 < 2 ? own : 0.));
  return s;
}

std::vector<LayerPoint> layer_points(const ShellDeck::Layup &layup)
{
  std::vector<LayerPoint> points;
  double low = layup.offset - 0.5 * layup.thickness;
  for (std::size_t i = 0; i < layup.layers.size(); ++i)
  {
    const ShellLayer &layer = layup.layers[i];
    for (const auto &[name, side] : {std::pair{"bottom", 0}, {"middle", 1}, {"top", 2}})
      points.push_back({fmt::format("layer{}_{}", i + 1, name), i, layer, low + 0.5 * side * layer.thickness, side});
    low += layer.thickness;
  }
  return points;
}

std::array<double, 3> stress_at(const LayerPoint &point, const ShellMeans &cell, const double own, const double stiffness)
{
  const std::array<double, 3> stress =
      cell.yields ? cell.stress[point.side] : layer_stress(point.layer, cell.E, cell.K, point.zeta, own, stiffness);
  return turned_tensor(stress, std::cos(point.layer.angle), std::sin(point.layer.angle), false);
}

void Shell::draw_layers(const GramTerm::Seen &one, const ShellMeans &means, const std::size_t nodes, NodeFrame &frame) const
{
  const Cell &cell = cells[drawn[one.number]];
  for (const LayerPoint &point : layer_points(cell.layup))
  {
    const std::array<double, 3> s = stress_at(point, means, section.own_strain(point.index, point.zeta, one), one.stiffness);
    std::vector<double> &values = frame.fields[frame.field(point.name, 3)].values;
    values.resize(values.size() - 3 * nodes);  // those of this cell
    for (std::size_t a = 0; a < nodes; ++a)
      values.insert(values.end(), s.begin(), s.end());
  }
}

void Shell::find_reported()
{
  for (std::size_t i = 0; i + 2 < reported_places.size(); i += 3)
  {
    const GramVector X{reported_places[i], reported_places[i + 1], reported_places[i + 2]};
    double nearest = 0, size = 0;
    for (std::size_t c = 0; c < cells.size(); ++c)
    {
      const std::size_t n = cells[c].nodes.size();
      GramVector middle{};
      for (std::size_t a = 0; a < n; ++a)
        add(1. / double(n), cells[c].rest[a], middle);
      const double distance = norm(combination(X, -1., middle));
      if (c > 0 && distance >= nearest)
        continue;
      nearest = distance;
      size = 0;
      for (std::size_t a = 0; a < n; ++a)
        size = std::max(size, norm(combination(cells[c].rest[a], -1., middle)));
      reported.resize(i / 3);
      reported.push_back(c);
    }
    constexpr double margin = 1.01;
    if (nearest > margin * size)
      deck->fail("Layer stresses at",
                 fmt::format("({:g}, {:g}, {:g}) m is on no cell of the shell: the middle of the nearest one is {:g} m away", X[0], X[1],
                             X[2], nearest));
  }
}

std::vector<Column> Shell::columns_of_layers() const
{
  std::vector<Column> columns;
  for (std::size_t i = 0; i < reported.size(); ++i)
    for (const LayerPoint &point : layer_points(cells[reported[i]].layup))
      for (const char *component : {"S11", "S22", "S12"})
        columns.push_back({fmt::format("{}.at{}.{}_{}", called, i + 1, point.name, component), "Pa"});
  return columns;
}

void Shell::values_of_layers(const State &state, std::vector<double> &out) const
{
  if (reported.empty())
    return;
  std::vector<double> stresses;
  std::vector<std::size_t> begins;
  for (const std::size_t cell : reported)
  {
    begins.push_back(stresses.size());
    stresses.resize(stresses.size() + 9 * cells[cell].layup.layers.size(), 0.);
  }
  visit(state, [&](const GramTerm::Seen &one) {
    for (std::size_t i = 0; i < reported.size(); ++i)
      if (const Cell &cell = cells[reported[i]]; drawn[one.number] == reported[i])
      {
        const ShellMeans means = means_of(resultants(cell, one), section.law() != nullptr);
        auto place = stresses.begin() + long(begins[i]);
        for (const LayerPoint &point : layer_points(cell.layup))
        {
          const std::array<double, 3> s = stress_at(point, means, section.own_strain(point.index, point.zeta, one), one.stiffness);
          place = std::copy(s.begin(), s.end(), place);
        }
      }
  });
  dealii::Utilities::MPI::sum(stresses, seen->space()->communicator(), stresses);
  out.insert(out.end(), stresses.begin(), stresses.end());
}
}  // namespace symdyn
