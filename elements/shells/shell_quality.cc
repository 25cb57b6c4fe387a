#include <algorithm>
#include <cmath>

#include "elements/shells/shell_element.h"

// Whether cells of shells have a shape with which they can be computed.
namespace symdyn
{
namespace
{
constexpr double degree = 3.14159265358979323846 / 180;

int corners_of(const std::vector<GramVector> &rest)
{
  const int nodes = int(rest.size()) / 2;
  return nodes <= 4 ? nodes : nodes / 2;
}
/// Of a cell whose surface folds back between its nodes.
std::string fault_of_second_order(const std::vector<GramVector> &rest, const GramVector &normal)
{
  constexpr double smallest = 0.05;
  const int nodes = int(rest.size()) / 2;
  std::vector<shells::SurfacePoint> places = shells::quadratic_points(nodes);
  for (int a = 0; a < nodes; ++a)
    places.push_back(shells::quadratic_node(nodes, a));
  double mean = 0, least = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    const GramVector area = cross(shells::combined(places[i].along_xi.data(), rest.data(), nodes),
                                  shells::combined(places[i].along_eta.data(), rest.data(), nodes));
    const double J = dot(area, normal);
    mean += J / double(places.size());
    least = i == 0 ? J : std::min(least, J);
  }
  return least > smallest * mean
             ? ""
             : "The shell cell folds back between its nodes: its area ratio J is at most 0.05 of the mean there. Move the nodes on its edges.";
}
}  // namespace

double shell_warp(const std::vector<GramVector> &rest)
{
  const int n = corners_of(rest);
  std::vector<GramVector> normals;
  for (int a = 0; a < n; ++a)
  {
    const GramVector area = cross(combination(rest[(a + 1) % n], -1., rest[a]), combination(rest[(a + n - 1) % n], -1., rest[a]));
    normals.push_back(scaled(1. / norm(area), area));
  }
  double least = 1;
  for (const GramVector &one : normals)
    for (const GramVector &other : normals)
      least = std::min(least, dot(one, other));
  return std::acos(std::max(-1., least));
}

std::string shell_quality(const std::vector<GramVector> &rest)
{
  using namespace shells;
  constexpr double smallest = 0.05, most_warped = 30 * degree, off_middle = 0.25;
  const int n = corners_of(rest), directors = int(rest.size()) / 2;
  const auto axes = [&rest](const int a, const int next, const int last) {
    return tangent(combination(rest[next], -1., rest[a]), combination(rest[last], -1., rest[a]), GramVector{});
  };
  const TangentPlane middle =
      n == 4 ? tangent(combination(rest[2], -1., rest[0]), combination(rest[3], -1., rest[1]), GramVector{}) : axes(0, 1, 2);
  double mean = 0;
  std::vector<double> J(n);
  std::vector<GramVector> normal(n);
  for (int a = 0; a < n; ++a)
  {
    const TangentPlane corner = axes(a, (a + 1) % n, (a + n - 1) % n);
    normal[a] = corner.normal;
    J[a] = corner.area * dot(corner.normal, middle.normal);
    mean += J[a] / n;
  }
  for (int a = 0; a < n; ++a)
  {
    const std::string corner = "Corner " + std::to_string(a + 1) + " of the shell cell ";
    if (!(J[a] > smallest * mean))
      return corner + "is flat or turned inside out: its area ratio J is at most 0.05 of the mean. Move the node, or use triangles.";
    if (!(dot(normal[a], middle.normal) >= std::cos(most_warped)))
      return corner + "leaves the plane of the cell by more than 30 degrees. Use smaller cells, or triangles.";
    if (!(dot(rest[directors + a], middle.normal) > 0))
      return corner + "has a director on the other side of the cell. Order the nodes of neighbours in the same sense.";
  }
  for (int a = n; a < directors; ++a)
    if (const GramVector &from = rest[a - n], edge = combination(rest[(a - n + 1) % n], -1., from);
        std::abs(dot(combination(rest[a], -1., from), edge) / dot(edge, edge) - 0.5) > off_middle)
      return "Node " + std::to_string(a + 1) + " of the shell cell is not in the middle half of its edge. Move it to the middle.";
  return n < directors ? fault_of_second_order(rest, middle.normal) : "";
}
}  // namespace symdyn
