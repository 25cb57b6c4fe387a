#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/files/node_files.h"
#include "elements/shells/shell_element.h"
#include "elements/shells/shell_part.h"
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
}  // namespace

std::vector<Column> Shell::columns(const Units &) const { return {{called + ".director_error", ""}}; }

void Shell::values(const State &state, std::vector<double> &out) const
{
  state.q.update_ghost_values();
  out.push_back(directors->error(state.q));
}

void Shell::draw(const State &state, NodeFrame &frame) const
{
  constexpr std::uint8_t vtk_hexahedron = 12, vtk_wedge = 13;
  const std::size_t mises = frame.field("von_mises", 1), N = frame.field("N", 3), M = frame.field("M", 3), Q = frame.field("Q", 3);
  for (std::size_t i = 0; i < drawn.size(); ++i)
  {
    const GramTerm::Local &local = term->mine()[i];
    const Cell &cell = cells[drawn[i]];
    const GramElement::Vectors y = term->present(local, state.q), u = term->values(local, state.q);
    const Means means = means_of(shell_resultants(section.section(cell.layup), cell.rest, term->strains(local, state.q), axis()));
    const std::size_t n = cell.nodes.size();
    frame.add_cell(n == 4 ? vtk_hexahedron : vtk_wedge, 2 * n);
    for (const double side : {-0.5, 0.5})
    {
      const double zeta = cell.layup.offset + side * cell.layup.thickness;
      const double stress = von_mises(side < 0. ? cell.layup.layers.front() : cell.layup.layers.back(), means, zeta);
      for (std::size_t a = 0; a < n; ++a)
      {
        for (int d = 0; d < 3; ++d)
        {
          const double moved = u[a][d] + zeta * u[n + a][d];
          frame.places.values.push_back(y[a][d] + zeta * y[n + a][d] - moved);
          frame.fields[0].values.push_back(moved);
        }
        frame.fields[mises].values.push_back(stress);
        frame.fields[N].values.insert(frame.fields[N].values.end(), means.N.begin(), means.N.end());
        frame.fields[M].values.insert(frame.fields[M].values.end(), means.M.begin(), means.M.end());
        frame.fields[Q].values.insert(frame.fields[Q].values.end(), {means.shear[0], means.shear[1], 0.});
      }
    }
  }
}

std::string Shell::description() const
{
  const auto triangles = std::count_if(cells.begin(), cells.end(), [](const Cell &cell) { return cell.nodes.size() == 3; });
  const std::string kinds = triangles == 0 ? fmt::format("{} elements S4", cells.size())
                            : triangles == std::ptrdiff_t(cells.size())
                                ? fmt::format("{} elements S3", cells.size())
                                : fmt::format("{} elements S4, {} S3", cells.size() - triangles, triangles);
  const std::string stiff = triangles > 0 ? " (S3 is stiff in bending in its plane: mesh finer)" : "";
  return fmt::format("{} {}, area {:g} m^2{}", kinds, section.description(), area, stiff);
}
}  // namespace symdyn
