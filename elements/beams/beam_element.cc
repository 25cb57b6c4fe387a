#include "elements/beams/beam_element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace symdyn
{
namespace
{
constexpr int vectors_per_node = 3;  ///< r, d_1, d_2
constexpr int largest = 3;           ///< nodes, and points of Gauss

/// Vectors at a Gauss point from which its strains are made: (r + o_a d_a)', d_1, d_2, d_1', d_2'.
enum Derived : int
{
  tangent,
  director_1,
  director_2,
  slope_1,
  slope_2,
  derived_count
};

struct GaussPoint
{
  double xi, weight;
};
const std::vector<GaussPoint> &gauss(const int points)
{
  static const double near = std::sqrt(1. / 3.), far = std::sqrt(3. / 5.);
  static const std::vector<GaussPoint> rules[largest] = {
      {{0, 2}}, {{-near, 1}, {near, 1}}, {{-far, 5. / 9.}, {0, 8. / 9.}, {far, 5. / 9.}}};
  return rules[points - 1];
}

/// Lagrange's functions on -1..1 and their derivatives.
struct Functions
{
  std::array<double, largest> N, derivative;
};
Functions lagrange(const int nodes, const double x)
{
  if (nodes == 2)
    return {{(1 - x) / 2, (1 + x) / 2, 0}, {-0.5, 0.5, 0}};
  return {{x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2}, {x - 0.5, -2 * x, x + 0.5}};
}

/// |(r + o_a d_a)'|, ' in xi: length of the line at rest per coordinate of the cell.
double metric(const std::vector<GramVector> &rest, const int nodes, const BeamPoint &offset, const double xi)
{
  const Functions f = lagrange(nodes, xi);
  GramVector line{};
  for (int a = 0; a < nodes; ++a)
    for (int d = 0; d < 3; ++d)
      line[d] += f.derivative[a] * (rest[a][d] + offset[0] * rest[nodes + a][d] + offset[1] * rest[2 * nodes + a][d]);
  return norm(line);
}

void check_nodes(const std::vector<GramVector> &rest, const int nodes)
{
  const GramVector chord = combination(rest[nodes - 1], -1., rest[0]);
  const double length2 = dot(chord, chord);
  if (!(length2 > 0))
    throw std::invalid_argument("Beam element: its end nodes coincide. A beam needs a length. Merge the nodes or delete the element.");
  if (const double part = dot(combination(rest[1], -1., rest[0]), chord) / length2; nodes == 3 && !(part > 0.25 && part < 0.75))
    throw std::invalid_argument("Beam element: its middle node stands at " + std::to_string(part) +
                                " of the distance of its ends. It must be between 0.25 and 0.75. Check the order end, middle, end.");
}

void check_type(const int nodes, const int points)
{
  if (nodes < 2 || nodes > largest || points < 1 || points > largest)
    throw std::invalid_argument("Beam element: " + std::to_string(nodes) + " nodes with " + std::to_string(points) +
                                " Gauss points. Use 2 or 3 nodes and 1 to 3 points.");
}

std::shared_ptr<const GramShape> make_shape(const int nodes, const BeamPoint &o, const int points)
{
  auto shape = std::make_shared<GramShape>();
  const int n = vectors_per_node * nodes;
  shape->vectors = n;
  shape->G.assign(points * derived_count * n, 0.);
  for (int g = 0; g < points; ++g)
  {
    const Functions f = lagrange(nodes, gauss(points)[g].xi);
    const int first = g * derived_count;
    const auto set = [&](const int row, const int vector, const int a, const double value) {
      shape->G[(first + row) * n + vector * nodes + a] = value;
    };
    for (int a = 0; a < nodes; ++a)
    {
      set(tangent, 0, a, f.derivative[a]);
      for (int i = 0; i < 2; ++i)
      {
        set(tangent, 1 + i, a, o[i] * f.derivative[a]);
        set(director_1 + i, 1 + i, a, f.N[a]);
        set(slope_1 + i, 1 + i, a, f.derivative[a]);
      }
    }
    const auto product = [&](const int p, const int q, const double factor) { return GramShape::Product{first + p, first + q, factor}; };
    shape->strain.push_back({product(tangent, director_1, 1)});
    shape->strain.push_back({product(tangent, director_2, 1)});
    shape->strain.push_back({product(tangent, tangent, 0.5)});
    shape->strain.push_back({product(tangent, slope_1, 1)});
    shape->strain.push_back({product(tangent, slope_2, 1)});
    shape->strain.push_back({product(slope_1, director_2, 0.5), product(slope_2, director_1, -0.5)});
  }
  return shape;
}
}  // namespace

std::shared_ptr<const GramShape> beam_shape(const int nodes, const BeamPoint &offset, const int points)
{
  check_type(nodes, points == 0 ? nodes - 1 : points);
  if (points != 0 || offset != BeamPoint{})
    return make_shape(nodes, offset, points == 0 ? nodes - 1 : points);
  static const std::shared_ptr<const GramShape> B31 = make_shape(2, {}, 1), B32 = make_shape(3, {}, 2);
  return nodes == 2 ? B31 : B32;
}

BeamType::BeamType(const int nodes, const BeamStiffness &stiffness, const BeamMass &mass, const BeamPoint &offset, const int points)
    : nodes(nodes), C(stiffness), of_length(mass), offset(offset), shape(beam_shape(nodes, offset, points))
{
  check_stiffness(C);
}

GramModel BeamType::model(const std::vector<GramVector> &rest) const
{
  if (int(rest.size()) != shape->vectors)
    throw std::logic_error("a beam has other vectors than its type");
  check_nodes(rest, nodes);
  GramModel model;
  model.shape = shape;
  add_blocks(rest, model);
  add_mass(rest, model);
  return model;
}

std::vector<double> BeamType::metrics(const std::vector<GramVector> &rest) const
{
  std::vector<double> all;
  for (const GaussPoint &point : gauss(shape->strains() / BeamStrain::count))
    all.push_back(metric(rest, nodes, offset, point.xi));
  return all;
}

namespace
{
/// Strains that C couples stand together: a diagonal C has six blocks of one.
std::vector<std::vector<int>> coupled_strains(const BeamStiffness &C)
{
  constexpr int m = BeamStrain::count;
  std::array<int, m> group;
  std::iota(group.begin(), group.end(), 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j)
      if (const auto [low, high] = std::minmax({group[i], group[j]}); C[i * m + j] != 0. && low != high)
        std::replace(group.begin(), group.end(), high, low);
  std::vector<std::vector<int>> all;
  for (int first = 0; first < m; ++first)
    if (group[first] == first)
    {
      all.emplace_back();
      for (int i = first; i < m; ++i)
        if (group[i] == first)
          all.back().push_back(i);
    }
  return all;
}

/// Strains of fibres: they stand in one block, before the others.
const std::vector<int> of_fibres{BeamStrain::extension, BeamStrain::bending_1, BeamStrain::bending_2};

bool is_of_fibres(const std::vector<int> &strains) { return strains.front() >= of_fibres.front() && strains.front() <= of_fibres.back(); }
}  // namespace

/// D = w J m_i C_ij m_j, w the weight, J = ds/dxi, m = 1/J for each derivative of a strain.
void BeamType::add_blocks(const std::vector<GramVector> &rest, GramModel &model) const
{
  constexpr int m = BeamStrain::count;
  const int points = shape->strains() / m;
  const std::vector<double> of_points = metrics(rest);
  std::vector<std::vector<int>> coupled = coupled_strains(C);
  if (fibres)
    coupled.erase(std::remove_if(coupled.begin(), coupled.end(), is_of_fibres), coupled.end());
  const auto add_block = [&](const int g, const std::vector<int> &strains) {
    const double weight = gauss(points)[g].weight, J = of_points[g], once = 1 / J, twice = once * once;
    if (!(J > 0))
      throw std::invalid_argument("Beam element: its line has no length at a Gauss point. Check the nodes and the offset.");
    const double metrics[m] = {once, once, twice, twice, twice, once};
    GramBlock &block = model.blocks.emplace_back();
    for (const int i : strains)
    {
      block.strains.push_back(g * m + i);
      for (const int j : strains)
        block.D.push_back(weight * J * metrics[i] * C[i * m + j] * metrics[j]);
    }
  };
  model.points = fibres;
  for (int g = 0; g < points && fibres; ++g)
  {
    add_block(g, of_fibres);
    model.sections.push_back({model.blocks.back().strains, {1 / (of_points[g] * of_points[g])}, gauss(points)[g].weight * of_points[g]});
  }
  for (int g = 0; g < points; ++g)
    for (const std::vector<int> &strains : coupled)
      add_block(g, strains);
}

/// Consistent: int N_a N_b ds at as many points as nodes, exact where J is constant, times the section's; lumped: rows of its diagonal.
void BeamType::add_mass(const std::vector<GramVector> &rest, GramModel &model) const
{
  constexpr int v = vectors_per_node;
  const int n = v * nodes;
  const auto [s11, s22, s12] = of_length.second;
  const auto [f1, f2] = of_length.first;
  const double section[v][v] = {{of_length.line, f1, f2}, {f1, s11, s12}, {f2, s12, s22}};
  model.mass.assign(n * n, 0.);
  model.lumped.assign(n, 0.);
  for (const auto &[xi, weight] : gauss(nodes))
  {
    const Functions f = lagrange(nodes, xi);
    const double ds = weight * metric(rest, nodes, offset, xi);
    model.scale += C[BeamStrain::extension * BeamStrain::count + BeamStrain::extension] * ds;
    for (int a = 0; a < nodes; ++a)
      for (int i = 0; i < v; ++i)
      {
        model.lumped[i * nodes + a] += section[i][i] * f.N[a] * ds;
        for (int b = 0; b < nodes; ++b)
          for (int j = 0; j < v; ++j)
            model.mass[(i * nodes + a) * n + j * nodes + b] += section[i][j] * f.N[a] * f.N[b] * ds;
      }
  }
}

GramModel beam_model(const int nodes, const BeamStiffness &stiffness, const BeamMass &mass, const std::vector<GramVector> &rest,
                     const BeamPoint &offset)
{
  return BeamType(nodes, stiffness, mass, offset).model(rest);
}
}  // namespace symdyn
