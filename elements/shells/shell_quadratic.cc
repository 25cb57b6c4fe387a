#include <cmath>

#include "elements/shells/shell_element.h"

// Shells of second order: S8R and S6.
namespace symdyn
{
namespace shells
{
namespace
{
/// Of the nodes: corners, then the middles of edges 1-2, 2-3, ...
constexpr std::array<double, 8> xi_of{-1, 1, 1, -1, 0, 1, 0, -1}, eta_of{-1, -1, 1, 1, -1, 0, 1, 0};

/// Serendipity functions of 8 nodes.
SurfacePoint of_eight(const double xi, const double eta, const double weight)
{
  SurfacePoint point{weight, {}, {}, {}};
  for (int a = 0; a < 8; ++a)
  {
    const double x = xi_of[a], y = eta_of[a], u = 1 + x * xi, v = 1 + y * eta;
    if (a < 4)
    {
      point.N[a] = 0.25 * u * v * (x * xi + y * eta - 1);
      point.along_xi[a] = 0.25 * x * v * (2 * x * xi + y * eta);
      point.along_eta[a] = 0.25 * y * u * (x * xi + 2 * y * eta);
    }
    else if (x == 0)
    {
      point.N[a] = 0.5 * (1 - xi * xi) * v;
      point.along_xi[a] = -xi * v;
      point.along_eta[a] = 0.5 * (1 - xi * xi) * y;
    }
    else
    {
      point.N[a] = 0.5 * (1 - eta * eta) * u;
      point.along_xi[a] = 0.5 * (1 - eta * eta) * x;
      point.along_eta[a] = -eta * u;
    }
  }
  return point;
}

/// Quadratic functions of 6 nodes in r, s.
SurfacePoint of_six(const double r, const double s, const double weight)
{
  const double t = 1 - r - s;
  return {weight,
          {t * (2 * t - 1), r * (2 * r - 1), s * (2 * s - 1), 4 * t * r, 4 * r * s, 4 * s * t, 0, 0},
          {1 - 4 * t, 4 * r - 1, 0, 4 * (t - r), 4 * s, -4 * s, 0, 0},
          {1 - 4 * t, 0, 4 * s - 1, -4 * r, 4 * r, 4 * (t - s), 0, 0}};
}

/// n x n Gauss points.
std::vector<SurfacePoint> gauss_of_eight(const int n)
{
  const double g2 = std::sqrt(1. / 3.), g3 = std::sqrt(0.6);
  const std::vector<double> places = n == 2 ? std::vector<double>{-g2, g2} : std::vector<double>{-g3, 0., g3},
                            weights = n == 2 ? std::vector<double>{1., 1.} : std::vector<double>{5. / 9., 8. / 9., 5. / 9.};
  std::vector<SurfacePoint> points;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      points.push_back(of_eight(places[i], places[j], weights[i] * weights[j]));
  return points;
}

/// Degree 4 (Dunavant 1985).
std::vector<SurfacePoint> six_of_six()
{
  constexpr double a = 0.445948490915965, b = 0.091576213509771, of_a = 0.5 * 0.223381589678011, of_b = 0.5 * 0.109951743655322;
  std::vector<SurfacePoint> points;
  for (const auto &[c, weight] : {std::pair{a, of_a}, {b, of_b}})
    for (const auto &[r, s] : {std::pair{c, c}, {1 - 2 * c, c}, {c, 1 - 2 * c}})
      points.push_back(of_six(r, s, weight));
  return points;
}

const std::vector<SurfacePoint> &stiffness_points(const int nodes)
{
  static const std::vector<SurfacePoint> eight = gauss_of_eight(2), six{of_six(1. / 6, 1. / 6, 1. / 6), of_six(2. / 3, 1. / 6, 1. / 6),
                                                                        of_six(1. / 6, 2. / 3, 1. / 6)};
  return nodes == 8 ? eight : six;
}

/// Strains of the reference cell: of the membrane (3) at each point, of bending (3), then gamma_xi, gamma_eta at each point.
std::shared_ptr<const GramShape> shape_of(const int nodes)
{
  GramShape shape;
  shape.vectors = 2 * nodes;
  std::vector<std::vector<GramShape::Product>> bending, shears;
  for (const SurfacePoint &point : stiffness_points(nodes))
  {
    const int x_xi = add_row(point.along_xi.data(), nodes, false, shape), x_eta = add_row(point.along_eta.data(), nodes, false, shape);
    const int d_xi = add_row(point.along_xi.data(), nodes, true, shape), d_eta = add_row(point.along_eta.data(), nodes, true, shape);
    const int d = add_row(point.N.data(), nodes, true, shape);
    shape.strain.insert(shape.strain.end(), {{{x_xi, x_xi, 0.5}}, {{x_eta, x_eta, 0.5}}, {{x_xi, x_eta, 1.}}});
    bending.insert(bending.end(), {{{x_xi, d_xi, 1.}}, {{x_eta, d_eta, 1.}}, {{x_xi, d_eta, 1.}, {x_eta, d_xi, 1.}}});
    shears.insert(shears.end(), {{{x_xi, d, 1.}}, {{x_eta, d, 1.}}});
  }
  shape.strain.insert(shape.strain.end(), bending.begin(), bending.end());
  shape.strain.insert(shape.strain.end(), shears.begin(), shears.end());
  return std::make_shared<const GramShape>(shape);
}
}  // namespace

const std::vector<SurfacePoint> &quadratic_points(const int nodes)
{
  static const std::vector<SurfacePoint> eight = gauss_of_eight(3), six = six_of_six();
  return nodes == 8 ? eight : six;
}

SurfacePoint quadratic_node(const int nodes, const int a)
{
  constexpr std::array<std::array<double, 2>, 6> of_triangle{{{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}}};
  return nodes == 8 ? of_eight(xi_of[a], eta_of[a], 1) : of_six(of_triangle[a][0], of_triangle[a][1], 0.5);
}

SurfacePoint functions_at(const int nodes, const double xi, const double eta)
{
  if (nodes == 8)
    return of_eight(xi, eta, 1.);
  if (nodes == 6)
    return of_six(xi, eta, 0.5);
  if (nodes == 3)
    return {0.5, {1. - xi - eta, xi, eta}, {-1., 1., 0.}, {-1., 0., 1.}};
  SurfacePoint point{1., {}, {}, {}};
  const Row N = values(xi, eta), slopes_xi = along_xi(eta), slopes_eta = along_eta(xi);
  std::copy(N.begin(), N.end(), point.N.begin());
  std::copy(slopes_xi.begin(), slopes_xi.end(), point.along_xi.begin());
  std::copy(slopes_eta.begin(), slopes_eta.end(), point.along_eta.begin());
  return point;
}

Cell quadratic_cell(const std::vector<GramVector> &rest, const GramVector &direction)
{
  static const std::shared_ptr<const GramShape> eight = shape_of(8), six = shape_of(6);
  const int nodes = int(rest.size()) / 2;
  const std::vector<SurfacePoint> &places = stiffness_points(nodes);
  const int points = int(places.size());
  const auto derivatives = [&](const SurfacePoint &at) {
    return std::array<GramVector, 2>{combined(at.along_xi.data(), rest.data(), nodes), combined(at.along_eta.data(), rest.data(), nodes)};
  };
  const auto [middle_xi, middle_eta] = derivatives(nodes == 8 ? of_eight(0, 0, 4) : of_six(1. / 3, 1. / 3, 0.5));
  const TangentPlane middle = tangent(middle_xi, middle_eta, direction);
  Cell cell{nodes == 8 ? eight : six, {}, 0, 3 * points};
  for (int q = 0; q < points; ++q)
  {
    const auto [a_xi, a_eta] = derivatives(places[q]);
    const TangentPlane here = tangent(a_xi, a_eta, middle);
    Point point = point_of(here, places[q].weight);
    set_shear(here, {1, 0, 0, 0, 0, 1, 0, 0}, point);  // the first two of four columns
    point.membrane = 3 * q;
    point.bending = 3 * (points + q);
    point.shear = 6 * points + 2 * q;
    cell.points.push_back(point);
  }
  return cell;
}
}  // namespace shells

GramModel quadratic_shell_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction)
{
  using namespace shells;
  const int n = int(rest.size()) / 2;
  std::vector<double> NN(n * n, 0.);
  for (const SurfacePoint &at : quadratic_points(n))
  {
    const GramVector normal = cross(combined(at.along_xi.data(), rest.data(), n), combined(at.along_eta.data(), rest.data(), n));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        NN[a * n + b] += at.weight * norm(normal) * at.N[a] * at.N[b];
  }
  return model_of(quadratic_cell(rest, direction), section, NN);
}

GramModel shell_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction)
{
  switch (rest.size() / 2)
  {
    case 3:
      return s3_model(section, rest, direction);
    case 4:
      return s4_model(section, rest, direction);
    default:
      return quadratic_shell_model(section, rest, direction);
  }
}
}  // namespace symdyn
