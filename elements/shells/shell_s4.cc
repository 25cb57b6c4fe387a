#include <cmath>

#include "elements/shells/shell_element.h"

namespace symdyn
{
namespace shells
{
namespace
{
constexpr int corners = 4, points = 4, per_point = 3, tying_points = 4;
constexpr std::array<double, corners> corner_xi{-1, 1, 1, -1}, corner_eta{-1, -1, 1, 1};
constexpr double gauss = 0.57735026918962576451;  // 1/sqrt(3): at corner_xi gauss, corner_eta gauss; weights 1

}  // namespace

Row values(const double xi, const double eta)
{
  Row N;
  for (int a = 0; a < corners; ++a)
    N[a] = 0.25 * (1 + corner_xi[a] * xi) * (1 + corner_eta[a] * eta);
  return N;
}
Row along_xi(const double eta)
{
  Row N;
  for (int a = 0; a < corners; ++a)
    N[a] = 0.25 * corner_xi[a] * (1 + corner_eta[a] * eta);
  return N;
}
Row along_eta(const double xi)
{
  Row N;
  for (int a = 0; a < corners; ++a)
    N[a] = 0.25 * corner_eta[a] * (1 + corner_xi[a] * xi);
  return N;
}

namespace
{
/// Strains of the reference cell: at each Gauss point (xixi, etaeta, 2·xieta) of the membrane, then of bending, then gamma_xi at (0, -1)
/// and (0, 1), gamma_eta at (-1, 0) and (1, 0).
std::shared_ptr<const GramShape> s4_shape()
{
  static const std::shared_ptr<const GramShape> shared = [] {
    GramShape shape;
    shape.vectors = 2 * corners;
    std::vector<std::vector<GramShape::Product>> bending;
    for (int point = 0; point < points; ++point)
    {
      const Row xi = along_xi(gauss * corner_eta[point]), eta = along_eta(gauss * corner_xi[point]);
      const int x_xi = add_row(xi.data(), corners, false, shape), x_eta = add_row(eta.data(), corners, false, shape);
      const int d_xi = add_row(xi.data(), corners, true, shape), d_eta = add_row(eta.data(), corners, true, shape);
      shape.strain.insert(shape.strain.end(), {{{x_xi, x_xi, 0.5}}, {{x_eta, x_eta, 0.5}}, {{x_xi, x_eta, 1.}}});
      bending.insert(bending.end(), {{{x_xi, d_xi, 1.}}, {{x_eta, d_eta, 1.}}, {{x_xi, d_eta, 1.}, {x_eta, d_xi, 1.}}});
    }
    shape.strain.insert(shape.strain.end(), bending.begin(), bending.end());
    const auto tie = [&shape](const Row &derivative, const Row &value) {
      const int a = add_row(derivative.data(), corners, false, shape), d = add_row(value.data(), corners, true, shape);
      shape.strain.push_back({{a, d, 1.}});
    };
    for (const double side : {-1., 1.})
      tie(along_xi(side), values(0, side));
    for (const double side : {-1., 1.})
      tie(along_eta(side), values(side, 0));
    return std::make_shared<const GramShape>(shape);
  }();
  return shared;
}

void set_axes(const GramVector &e1, const GramVector &a_xi, const GramVector &a_eta, TangentPlane &tangent)
{
  tangent.e1 = e1;
  tangent.e2 = cross(tangent.normal, e1);
  tangent.J = {dot(e1, a_xi), dot(e1, a_eta), dot(tangent.e2, a_xi), dot(tangent.e2, a_eta)};
}

/// P of five modes: constant forces, then S^xixi ~ eta, S^etaeta ~ xi mapped by J of the middle, less their means.
void set_forces(const TangentPlane &middle, std::vector<Point> &all)
{
  std::array<double, 2> mean{};  // of xi, eta
  double area = 0;
  for (int q = 0; q < points; ++q)
  {
    area += all[q].weight;
    mean[0] += all[q].weight * gauss * corner_xi[q];
    mean[1] += all[q].weight * gauss * corner_eta[q];
  }
  const auto &J = middle.J;
  for (int q = 0; q < points; ++q)
  {
    const std::array<double, 2> linear{gauss * corner_eta[q] - mean[1] / area, gauss * corner_xi[q] - mean[0] / area};
    for (int i = 0; i < 3; ++i)
      all[q].force[i * modes + i] = 1;
    for (int alpha = 0; alpha < 2; ++alpha)
    {
      const std::array<double, 3> mapped{J[alpha] * J[alpha], J[2 + alpha] * J[2 + alpha], J[alpha] * J[2 + alpha]};
      for (int i = 0; i < 3; ++i)
        all[q].force[i * modes + 3 + alpha] = linear[alpha] * mapped[i];
    }
  }
}
}  // namespace

GramVector combined(const double *row, const GramVector *vectors, const int n)
{
  GramVector sum{};
  for (int a = 0; a < n; ++a)
    for (int d = 0; d < 3; ++d)
      sum[d] += row[a] * vectors[a][d];
  return sum;
}

TangentPlane tangent(const GramVector &a_xi, const GramVector &a_eta, const GramVector &direction)
{
  constexpr double parallel = 1e-6;  // sine of the angle to the normal below which a direction has no projection
  TangentPlane result;
  const GramVector n = cross(a_xi, a_eta);
  result.area = std::sqrt(dot(n, n));
  result.normal = scaled(1 / result.area, n);
  GramVector e1 = combination(direction, -1., scaled(dot(direction, result.normal), result.normal));
  if (dot(e1, e1) <= parallel * parallel * dot(direction, direction))
    e1 = a_xi;
  set_axes(scaled(1 / std::sqrt(dot(e1, e1)), e1), a_xi, a_eta, result);
  return result;
}

TangentPlane tangent(const GramVector &a_xi, const GramVector &a_eta, const TangentPlane &middle)
{
  TangentPlane result = tangent(a_xi, a_eta, GramVector{});
  const GramVector sum = combination(result.normal, -1., scaled(-1, middle.normal));
  const double factor = dot(middle.e1, result.normal) / (1 + dot(middle.normal, result.normal));
  set_axes(combination(middle.e1, -1., scaled(factor, sum)), a_xi, a_eta, result);
  return result;
}

Point point_of(const TangentPlane &tangent, const double reference_weight)
{
  Point point{};
  point.weight = tangent.area * reference_weight;
  point.e1 = tangent.e1;
  point.e2 = tangent.e2;
  const double J = tangent.J[0] * tangent.J[3] - tangent.J[1] * tangent.J[2];
  const std::array<std::array<double, 2>, 2> c{
      {{tangent.J[3] / J, -tangent.J[2] / J}, {-tangent.J[1] / J, tangent.J[0] / J}}};  // e_i·a^alpha
  for (int row = 0; row < 3; ++row)
  {
    const auto &i = c[row == 1 ? 1 : 0], &j = c[row == 0 ? 0 : 1];
    const double factor = row == 2 ? 2 : 1;
    point.metric[3 * row] = factor * i[0] * j[0];
    point.metric[3 * row + 1] = factor * i[1] * j[1];
    point.metric[3 * row + 2] = 0.5 * factor * (i[0] * j[1] + i[1] * j[0]);
  }
  return point;
}

void set_shear(const TangentPlane &tangent, const std::array<double, 8> &assumed, Point &point)
{
  const auto &J = tangent.J;
  const double determinant = J[0] * J[3] - J[1] * J[2];
  for (int k = 0; k < tying_points; ++k)
  {
    const double xi = assumed[k], eta = assumed[tying_points + k];
    point.tying[k] = (J[3] * xi - J[2] * eta) / determinant;
    point.tying[tying_points + k] = (J[0] * eta - J[1] * xi) / determinant;
  }
}

Cell s4_cell(const std::vector<GramVector> &rest, const GramVector &direction)
{
  const auto derivatives = [&rest](const double xi, const double eta) {
    return std::array<GramVector, 2>{combined(along_xi(eta).data(), rest.data(), corners),
                                     combined(along_eta(xi).data(), rest.data(), corners)};
  };
  const auto [middle_xi, middle_eta] = derivatives(0, 0);
  const TangentPlane middle = tangent(middle_xi, middle_eta, direction);
  Cell cell{s4_shape(), {}, modes, points * per_point};
  for (int q = 0; q < points; ++q)
  {
    const double xi = gauss * corner_xi[q], eta = gauss * corner_eta[q];
    const auto [a_xi, a_eta] = derivatives(xi, eta);
    const TangentPlane here = tangent(a_xi, a_eta, middle);
    Point point = point_of(here, 1);
    set_shear(here, {0.5 * (1 - eta), 0.5 * (1 + eta), 0, 0, 0, 0, 0.5 * (1 - xi), 0.5 * (1 + xi)}, point);
    point.membrane = per_point * q;
    point.bending = per_point * (points + q);
    cell.points.push_back(point);
  }
  set_forces(middle, cell.points);
  return cell;
}
}  // namespace shells

GramModel s4_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction)
{
  using namespace shells;
  const Cell cell = s4_cell(rest, direction);
  std::vector<double> NN(corners * corners, 0.);  // N_a N_b J has degree 3 in xi and in eta on plane cells: 2 x 2 points are exact
  for (int q = 0; q < points; ++q)
  {
    const Row N = values(gauss * corner_xi[q], gauss * corner_eta[q]);
    for (int a = 0; a < corners; ++a)
      for (int b = 0; b < corners; ++b)
        NN[a * corners + b] += cell.points[q].weight * N[a] * N[b];
  }
  return model_of(cell, section, NN);
}
}  // namespace symdyn
