#include "elements/contact/cell_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace symdyn
{
void CellPlaces::go_to(const Place &at)
{
  cell.shape->evaluate(at, N.data(), dN.data());
  X = {};
  J = {};
  for (std::size_t a = 0; a < N.size(); ++a)
    for (int d = 0; d < dim; ++d)
    {
      X[d] += N[a] * cell.X[a][d];
      for (int i = 0; i < dim; ++i)
        J[d][i] += cell.X[a][d] * dN[a][i];
    }
  if (dim == 2)
    J[2][2] = 1.;
}

Place CellPlaces::normal(const OnFace &s)
{
  go_to(s);
  Place t[2]{};
  for (int i = 0; i < dim - 1; ++i)
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < 3; ++k)
        t[i][d] += J[d][k] * cell.axis[i][k];
  Place n = dim == 3 ? cross(t[0], t[1]) : Place{t[0][1], -t[0][0], 0.};
  for (double &component : n)
    component *= cell.outward;
  return n;
}

void CellPlaces::find(const Place &x, const OnFace &s)
{
  double size = 0;
  for (const Place &node : cell.X)
    size = std::max({size, length(node), length(difference(node, cell.X[0]))});
  constexpr int most = 30;
  constexpr double rounding = 1e-14, outside = 0.5;  // of the places of nodes; of the reference cell
  Place at = xi(s);
  for (int i = 0; i < most; ++i)
  {
    go_to(at);
    const Place r = difference(x, X);
    if (length(r) < rounding * size)
      return;
    const dealii::Tensor<2, 3> inverse = dealii::invert(J);
    for (int d = 0; d < 3; ++d)
      at[d] += inverse[d][0] * r[0] + inverse[d][1] * r[1] + inverse[d][2] * r[2];
    if (std::any_of(at.begin(), at.end(), [](const double one) { return !(one > -outside && one < 1. + outside); }))
      break;
  }
  throw std::domain_error(fmt::format("({:.4g}, {:.4g}, {:.4g}) m", x[0], x[1], x[2]));
}

std::int64_t CellPlaces::node_at(const OnFace &s)
{
  go_to(s);
  const auto least =
      std::min_element(N.begin(), N.end(), [](const double a, const double b) { return std::abs(a - 1.) < std::abs(b - 1.); });
  return cell.nodes[least - N.begin()];
}

std::vector<OnFace> corners_of(const BoundaryCell &cell)
{
  if (cell.corners == 2)
    return {{0., 0.}, {1., 0.}};
  return cell.corners == 3 ? std::vector<OnFace>{{0., 0.}, {1., 0.}, {0., 1.}}
                           : std::vector<OnFace>{{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}};
}

Lattice::Lattice(const BoundaryCell &cell)
{
  const int k = cell.degree, corners = cell.corners;
  std::map<std::pair<int, int>, int> number;
  for (int j = 0; j <= (corners == 2 ? 0 : k); ++j)
    for (int i = 0; i <= (corners == 3 ? k - j : k); ++i)
    {
      number[{i, j}] = int(places.size());
      places.push_back({double(i) / k, double(j) / k});
    }
  const auto add = [&](const std::vector<std::pair<int, int>> &at) {
    std::vector<int> facet;
    for (const auto &ij : at)
      facet.push_back(number.at(ij));
    facets.push_back(facet);
  };
  for (int j = 0; j < (corners == 2 ? 1 : k); ++j)
    for (int i = 0; i < k; ++i)
      if (corners == 2)
        add({{i, 0}, {i + 1, 0}});
      else if (corners == 4)
        add({{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
      else if (i + j < k)
      {
        add({{i, j}, {i + 1, j}, {i, j + 1}});
        if (i + j + 1 < k)
          add({{i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
      }
}
}  // namespace symdyn
