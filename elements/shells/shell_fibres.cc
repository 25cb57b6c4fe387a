#include "elements/shells/shell_fibres.h"

#include <algorithm>

namespace symdyn
{
namespace
{
constexpr int components = 3, both = 6;

/// metricᵀ C metric, by rows.
std::array<double, 9> pulled_back(const std::array<double, 9> &C, const std::array<double, 9> &metric)
{
  std::array<double, 9> sum{};
  for (int a = 0; a < components; ++a)
    for (int b = 0; b < components; ++b)
      for (int i = 0; i < components; ++i)
        for (int j = 0; j < components; ++j)
          sum[3 * a + b] += metric[3 * i + a] * C[3 * i + j] * metric[3 * j + b];
  return sum;
}

/// D at rest of membrane and bending, per area.
std::vector<double> stiffness(const ShellSection &section, const std::array<double, 9> &metric)
{
  std::vector<double> D(both * both);
  const std::array<const std::array<double, 9> *, 4> parts{&section.A, &section.B, &section.B, &section.D};
  for (int part = 0; part < 4; ++part)
  {
    const std::array<double, 9> here = pulled_back(*parts[part], metric);
    for (int i = 0; i < 9; ++i)
      D[(components * (part / 2) + i / 3) * both + components * (part % 2) + i % 3] = here[i];
  }
  return D;
}

std::vector<int> strains_of(const shells::Point &point)
{
  return {point.membrane, point.membrane + 1, point.membrane + 2, point.bending, point.bending + 1, point.bending + 2};
}

/// The section of a Gauss point: its first strains are those of no point before.
std::vector<std::size_t> section_numbers(const shells::Cell &cell)
{
  std::vector<int> first;
  std::vector<std::size_t> numbers;
  for (const shells::Point &point : cell.points)
  {
    const auto found = std::find(first.begin(), first.end(), point.membrane);
    numbers.push_back(found - first.begin());
    if (found == first.end())
      first.push_back(point.membrane);
  }
  return numbers;
}

std::array<double, 3> image(const std::array<double, 9> &metric, const double *strains)
{
  std::array<double, 3> e{};
  for (int i = 0; i < 9; ++i)
    e[i / 3] += metric[i] * strains[i % 3];
  return e;
}
}  // namespace

void shells::add_sections(const Cell &cell, const ShellSection &section, GramModel &model)
{
  const std::vector<std::size_t> numbers = section_numbers(cell);
  model.points = section.points;
  for (std::size_t g = 0; g < cell.points.size(); ++g)
  {
    const Point &point = cell.points[g];
    if (numbers[g] == model.sections.size())
      model.sections.push_back({strains_of(point), {point.metric.begin(), point.metric.end()}, 0.});
    model.sections[numbers[g]].weight += point.weight;
  }
  for (std::size_t s = 0; s < model.sections.size(); ++s)
  {
    const std::size_t g = std::find(numbers.begin(), numbers.end(), s) - numbers.begin();
    GramBlock block{model.sections[s].strains, stiffness(section, cell.points[g].metric)};
    for (double &D : block.D)
      D *= model.sections[s].weight;
    model.blocks.push_back(std::move(block));
  }
}

std::vector<ShellResultants> plastic_resultants(const ShellSection &section, const std::vector<GramVector> &rest,
                                                const GramTerm::Seen &seen, const GramVector &direction)
{
  const shells::Cell cell = shells::cell_of(rest, direction);
  const std::vector<std::size_t> numbers = section_numbers(cell);
  std::vector<ShellResultants> all = shell_resultants(section, rest, seen.eps, direction);  // of transverse shear, which stays elastic
  const std::size_t count = section.points->size();
  for (std::size_t g = 0; g < all.size(); ++g)
  {
    ShellResultants &one = all[g];
    one.E = image(cell.points[g].metric, &seen.eps[cell.points[g].membrane]);
    one.K = image(cell.points[g].metric, &seen.eps[cell.points[g].bending]);
    one.N = one.M = {};
    const Fibres::Seen *points = &seen.points[numbers[g] * count];
    for (std::size_t p = 0; p < count; ++p)
      for (int i = 0; i < components; ++i)
      {
        const FibrePoint &at = (*section.points)[p];
        one.N[i] += at.weight * points[p].stress[i];
        one.M[i] += at.weight * at.place[0] * points[p].stress[i];
      }
    for (int side = 0; side < 3; ++side)  // an odd number of points: the middle is one
    {
      one.stress[side] = points[side * (count - 1) / 2].stress;
      one.flow[side] = points[side * (count - 1) / 2].flow;
    }
  }
  return all;
}
}  // namespace symdyn
