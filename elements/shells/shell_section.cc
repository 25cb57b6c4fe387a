#include "elements/shells/shell_section.h"

#include <algorithm>
#include <cmath>

#include "elements/shells/shell_element.h"
#include "elements/shells/shell_fibres.h"

namespace symdyn
{
namespace shell_sections
{
namespace
{
/// Stiffness of a layer in the axes of the section.
struct Turned
{
  std::array<double, 9> Q;  ///< stress (11, 22, 12) over strain (11, 22, 2·12)
  std::array<double, 4> G;  ///< transverse shear
};

/// Qbar = R^T Q R, R: strains (11, 22, 2·12) in the axes of the layer, from those in the axes of the section.
Turned turned(const ShellLayer &layer)
{
  const double c = std::cos(layer.angle), s = std::sin(layer.angle), denominator = 1 - layer.nu12 * layer.nu12 * layer.E2 / layer.E1;
  const double Q11 = layer.E1 / denominator, Q22 = layer.E2 / denominator, Q12 = layer.nu12 * Q22;
  const std::array<double, 9> Q{Q11, Q12, 0, Q12, Q22, 0, 0, 0, layer.G12};
  const std::array<double, 9> R{c * c, s * s, c * s, s * s, c * c, -c * s, -2 * c * s, 2 * c * s, c * c - s * s};
  Turned result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          result.Q[3 * i + j] += R[3 * k + i] * Q[3 * k + l] * R[3 * l + j];
  const double G12 = c * s * (layer.G13 - layer.G23);
  result.G = {c * c * layer.G13 + s * s * layer.G23, G12, G12, s * s * layer.G13 + c * c * layer.G23};
  return result;
}

std::array<double, 4> inverse(const std::array<double, 4> &m)
{
  const double determinant = m[0] * m[3] - m[1] * m[2];
  return {m[3] / determinant, -m[1] / determinant, -m[2] / determinant, m[0] / determinant};
}

/// As of layered_section; A, B, D are complete.
std::array<double, 4> shear(const std::vector<ShellLayer> &layers, const double bottom, const ShellSection &section)
{
  constexpr std::array<int, 2> diagonal{0, 4};
  const double gauss = std::sqrt(0.6);  // three points integrate g² of degree 4
  const std::array<double, 3> places{-gauss, 0, gauss}, weights{5. / 18, 8. / 18, 5. / 18};
  std::array<double, 2> neutral{}, bending{}, below{};
  for (int i = 0; i < 2; ++i)
  {
    neutral[i] = section.B[diagonal[i]] / section.A[diagonal[i]];
    bending[i] = section.D[diagonal[i]] - neutral[i] * section.B[diagonal[i]];
  }
  std::array<double, 4> compliance{};
  double low = bottom;
  for (const ShellLayer &layer : layers)
  {
    const auto [Q, G] = turned(layer);
    const std::array<double, 4> soft = inverse(G);
    const auto part = [&, &Q = Q](const int i, const double z) {  // int of Qbar_ii (zeta - zn) from the bottom of the layer
      return Q[diagonal[i]] * (0.5 * (z * z - low * low) - neutral[i] * (z - low));
    };
    for (int point = 0; point < 3; ++point)
    {
      const double z = low + 0.5 * layer.thickness * (1 + places[point]);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          compliance[2 * i + j] += weights[point] * layer.thickness * soft[2 * i + j] * (below[i] + part(i, z)) * (below[j] + part(j, z)) /
                                   (bending[i] * bending[j]);
    }
    for (int i = 0; i < 2; ++i)
      below[i] += part(i, low + layer.thickness);
    low += layer.thickness;
  }
  return inverse(compliance);
}
}  // namespace
}  // namespace shell_sections

std::array<double, 9> layer_stiffness(const ShellLayer &layer) { return shell_sections::turned(layer).Q; }

ShellSection layered_section(const std::vector<ShellLayer> &layers, const double offset)
{
  ShellSection section;
  double bottom = offset;
  for (const ShellLayer &layer : layers)
    bottom -= 0.5 * layer.thickness;
  double low = bottom;
  for (const ShellLayer &layer : layers)
  {
    const std::array<double, 9> Q = shell_sections::turned(layer).Q;
    const double t = layer.thickness, middle = low + 0.5 * t, second = t * t * t / 12 + t * middle * middle;
    for (int i = 0; i < 9; ++i)
    {
      section.A[i] += t * Q[i];
      section.B[i] += t * middle * Q[i];
      section.D[i] += second * Q[i];
    }
    section.rho0 += layer.rho * t;
    section.rho1 += layer.rho * t * middle;
    section.rho2 += layer.rho * second;
    low += t;
  }
  // Of a symmetric layup B is rounding: without it blocks of D are smaller.
  constexpr double rounding = 1e-12;
  const double least = rounding * (low - bottom) * section.A[0];
  if (std::all_of(section.B.begin(), section.B.end(), [least](const double B) { return std::abs(B) <= least; }))
    section.B = {};
  section.As = shell_sections::shear(layers, bottom, section);
  return section;
}

ShellSection isotropic_section(const double E, const double nu, const double thickness, const double offset, const double rho)
{
  const double G = E / (2 * (1 + nu));
  return layered_section({{thickness, E, E, nu, G, G, G, 0., rho}}, offset);
}

std::vector<double> positive_inverse(std::vector<double> matrix, const int n)
{
  for (int p = 0; p < n; ++p)
  {
    const double pivot = 1 / matrix[p * n + p];
    for (int i = 0; i < n; ++i)
      if (i != p)
      {
        const double factor = matrix[i * n + p] * pivot;
        for (int j = 0; j < n; ++j)
          if (j != p)
            matrix[i * n + j] -= factor * matrix[p * n + j];
        matrix[i * n + p] = -factor;
      }
    for (int j = 0; j < n; ++j)
      matrix[p * n + j] *= j == p ? 0 : pivot;
    matrix[p * n + p] = pivot;
  }
  return matrix;
}

namespace shell_sections
{
namespace
{
/// sum over the rows i of left, right: left_ia matrix_ij right_jb, all of n rows; added to sum.
void add_product(const double weight, const double *left, const int columns, const double *matrix, const double *right, const int others,
                 const int n, double *sum, const int stride)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (const double factor = weight * matrix[i * n + j]; factor != 0.)
        for (int a = 0; a < columns; ++a)
          for (int b = 0; b < others; ++b)
            sum[a * stride + b] += factor * left[i * columns + a] * right[j * others + b];
}

constexpr std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// What the membrane forces of a cell need: N = P beta, H beta = R (E, K) with H = sum w P^T A^-1 P, R = sum w P^T [1, A^-1 B] metric.
struct Assumed
{
  std::vector<double> soft;          ///< A^-1
  std::array<double, 9> coupling{};  ///< A^-1 B
  std::array<double, 9> bending{};   ///< D - B A^-1 B
  std::vector<double> R, inverse;    ///< R, H^-1
};

Assumed assumed(const shells::Cell &cell, const ShellSection &section)
{
  const int n = cell.modes, m = cell.membranes, columns = 2 * m;
  Assumed result;
  result.soft = positive_inverse({section.A.begin(), section.A.end()}, 3);
  add_product(1, identity.data(), 3, result.soft.data(), section.B.data(), 3, 3, result.coupling.data(), 3);
  result.bending = section.D;
  add_product(-1, section.B.data(), 3, result.soft.data(), section.B.data(), 3, 3, result.bending.data(), 3);
  result.R.assign(n * columns, 0.);
  result.inverse.assign(n * n, 0.);
  for (const shells::Point &point : cell.points)
  {
    add_product(point.weight, point.force.data(), n, result.soft.data(), point.force.data(), n, 3, result.inverse.data(), n);
    std::array<double, 9> coupled{};
    add_product(1, identity.data(), 3, result.coupling.data(), point.metric.data(), 3, 3, coupled.data(), 3);
    add_product(point.weight, point.force.data(), n, identity.data(), point.metric.data(), 3, 3, &result.R[point.membrane], columns);
    add_product(point.weight, point.force.data(), n, identity.data(), coupled.data(), 3, 3, &result.R[point.bending], columns);
  }
  result.inverse = positive_inverse(result.inverse, n);
  return result;
}

/// The rows and columns first..first + count - 1 of D of a number of columns.
GramBlock part(const std::vector<double> &D, const int columns, const int first, const int count)
{
  GramBlock block;
  for (int i = first; i < first + count; ++i)
  {
    block.strains.push_back(i);
    block.D.insert(block.D.end(), &D[i * columns + first], &D[i * columns + first] + count);
  }
  return block;
}

/// Areas of nodes: sums of the rows of int N_a N_b dA; of more than 4 nodes, where some sums are negative, its scaled diagonal.
std::vector<double> lumped_areas(const std::vector<double> &NN, const int n)
{
  constexpr int linear = 4;
  std::vector<double> areas(n, 0.);
  double sum = 0, diagonal = 0;
  for (int a = 0; a < n; ++a)
  {
    for (int b = 0; b < n; ++b)
      areas[a] += NN[a * n + b];
    sum += areas[a];
    diagonal += NN[a * n + a];
  }
  for (int a = 0; a < n && n > linear; ++a)
    areas[a] = NN[a * n + a] * sum / diagonal;
  return areas;
}

/// Of a cell without assumed forces: membrane and bending of each point, one block if the section couples them.
std::vector<GramBlock> blocks_of_points(const shells::Cell &cell, const ShellSection &section)
{
  std::vector<GramBlock> blocks;
  for (const shells::Point &point : cell.points)
  {
    constexpr int both = 6;
    std::vector<double> D(both * both, 0.);
    const std::array<const double *, 4> parts{section.A.data(), section.B.data(), section.B.data(), section.D.data()};
    for (int k = 0; k < 4; ++k)
      add_product(point.weight, point.metric.data(), 3, parts[k], point.metric.data(), 3, 3, &D[3 * (k / 2) * both + 3 * (k % 2)], both);
    std::vector<GramBlock> of_point = section.B != std::array<double, 9>{}
                                          ? std::vector<GramBlock>{part(D, both, 0, both)}
                                          : std::vector<GramBlock>{part(D, both, 0, 3), part(D, both, 3, 3)};
    for (GramBlock &block : of_point)
    {
      for (int &strain : block.strains)
        strain = strain < 3 ? point.membrane + strain : point.bending + strain - 3;
      blocks.push_back(block);
    }
  }
  return blocks;
}

/// Of transverse shear: one of the four shears that a cell assumes, or one of each point.
std::vector<GramBlock> shear_blocks(const shells::Cell &cell, const ShellSection &section)
{
  constexpr int shears = 4;
  std::vector<GramBlock> blocks;
  if (cell.points.front().shear < 0)
  {
    blocks.push_back({{}, std::vector<double>(shears * shears, 0.)});
    for (int k = 0; k < shears; ++k)
      blocks.front().strains.push_back(2 * cell.membranes + k);
  }
  for (const shells::Point &point : cell.points)
  {
    std::vector<double> D(shears * shears, 0.);
    add_product(point.weight, point.tying.data(), shears, section.As.data(), point.tying.data(), shears, 2, D.data(), shears);
    if (point.shear >= 0)
      blocks.push_back({{point.shear, point.shear + 1}, {D[0], D[1], D[shears], D[shears + 1]}});
    else
      for (int i = 0; i < shears * shears; ++i)
        blocks.front().D[i] += D[i];
  }
  return blocks;
}

/// Blocks of membrane and bending: one if the section couples them, or the membrane and each point of bending.
std::vector<GramBlock> blocks_of(const shells::Cell &cell, const ShellSection &section)
{
  if (cell.modes == 0)
    return blocks_of_points(cell, section);
  const Assumed law = assumed(cell, section);
  const int m = cell.membranes, columns = 2 * m;
  std::vector<double> D(columns * columns, 0.);
  add_product(1, law.R.data(), columns, law.inverse.data(), law.R.data(), columns, cell.modes, D.data(), columns);
  for (const shells::Point &point : cell.points)
    add_product(point.weight, point.metric.data(), 3, law.bending.data(), point.metric.data(), 3, 3,
                &D[point.bending * columns + point.bending], columns);
  if (section.B != std::array<double, 9>{})
    return {part(D, columns, 0, columns)};
  std::vector<GramBlock> blocks{part(D, columns, 0, m)};
  for (int first = m; first < columns; first += 3)
    blocks.push_back(part(D, columns, first, 3));
  return blocks;
}
}  // namespace
}  // namespace shell_sections

int shells::add_row(const double *row, const int n, const bool directors, GramShape &shape)
{
  const std::size_t begin = shape.G.size() + directors * n;
  shape.G.resize(shape.G.size() + 2 * n, 0.);
  std::copy_n(row, n, shape.G.begin() + begin);
  return shape.derived() - 1;
}

GramModel shells::model_of(const Cell &cell, const ShellSection &section, const std::vector<double> &NN)
{
  GramModel model;
  model.shape = cell.shape;
  if (section.points)
    add_sections(cell, section, model);
  else
    model.blocks = shell_sections::blocks_of(cell, section);
  for (const GramBlock &block : shell_sections::shear_blocks(cell, section))
    model.blocks.push_back(block);
  for (const Point &point : cell.points)
    model.scale += point.weight * section.A[0];
  const int n = cell.shape->vectors / 2, size = 2 * n;
  model.mass.assign(size * size, 0.);
  model.lumped.assign(size, 0.);
  const std::vector<double> areas = shell_sections::lumped_areas(NN, n);
  for (int a = 0; a < n; ++a)
  {
    model.lumped[a] = section.rho0 * areas[a];
    model.lumped[n + a] = section.rho2 * areas[a];
  }
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
    {
      const double area = NN[a * n + b];
      model.mass[a * size + b] = section.rho0 * area;
      model.mass[a * size + n + b] = model.mass[(n + a) * size + b] = section.rho1 * area;
      model.mass[(n + a) * size + n + b] = section.rho2 * area;
    }
  return model;
}

namespace shell_sections
{
namespace
{
/// sum += matrix v
void add_image(const double *matrix, const double *v, const int rows, const int columns, double *sum)
{
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum[i] += matrix[i * columns + j] * v[j];
}

/// beta of the assumed membrane forces of a cell.
std::vector<double> parameters_of(const shells::Cell &cell, const Assumed &law, const std::vector<double> &eps)
{
  std::vector<double> moved(cell.modes, 0.), beta(cell.modes, 0.);
  add_image(law.R.data(), eps.data(), cell.modes, 2 * cell.membranes, moved.data());
  add_image(law.inverse.data(), moved.data(), cell.modes, cell.modes, beta.data());
  return beta;
}
}  // namespace
}  // namespace shell_sections

std::vector<ShellResultants> shell_resultants(const ShellSection &section, const std::vector<GramVector> &rest,
                                              const std::vector<double> &eps, const GramVector &direction)
{
  using shell_sections::add_image;
  const shells::Cell cell = shells::cell_of(rest, direction);
  const bool assumes = cell.modes > 0;
  const shell_sections::Assumed law = assumes ? shell_sections::assumed(cell, section) : shell_sections::Assumed();
  const std::vector<double> beta = assumes ? shell_sections::parameters_of(cell, law, eps) : std::vector<double>();
  std::vector<ShellResultants> results;
  for (const shells::Point &point : cell.points)
  {
    ShellResultants one{point.e1, point.e2, point.weight, {}, {}, {}, {}, {}, {}};
    add_image(point.metric.data(), &eps[point.bending], 3, 3, one.K.data());
    if (assumes)
    {
      add_image(point.force.data(), beta.data(), 3, cell.modes, one.N.data());
      add_image(law.soft.data(), one.N.data(), 3, 3, one.E.data());
      std::array<double, 3> coupled{};
      add_image(law.coupling.data(), one.K.data(), 3, 3, coupled.data());
      for (int i = 0; i < 3; ++i)
        one.E[i] -= coupled[i];
    }
    else
    {
      add_image(point.metric.data(), &eps[point.membrane], 3, 3, one.E.data());
      add_image(section.A.data(), one.E.data(), 3, 3, one.N.data());
      add_image(section.B.data(), one.K.data(), 3, 3, one.N.data());
    }
    add_image(section.B.data(), one.E.data(), 3, 3, one.M.data());
    add_image(section.D.data(), one.K.data(), 3, 3, one.M.data());
    std::array<double, 4> shears{};
    const int first = point.shear >= 0 ? point.shear : 2 * cell.membranes;
    std::copy_n(&eps[first], point.shear >= 0 ? 2 : 4, shears.begin());
    add_image(point.tying.data(), shears.data(), 2, 4, one.gamma.data());
    add_image(section.As.data(), one.gamma.data(), 2, 2, one.shear.data());
    results.push_back(one);
  }
  return results;
}
}  // namespace symdyn
