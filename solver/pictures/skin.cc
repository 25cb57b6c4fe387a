#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include "solver/pictures/skin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace symdyn
{
namespace
{
constexpr std::uint32_t hidden = std::numeric_limits<std::uint32_t>::max();
using Point = std::array<double, 3>;

Point difference(const float *a, const float *b) { return {double(a[0]) - b[0], double(a[1]) - b[1], double(a[2]) - b[2]}; }

Point unit_normal(const float *a, const float *b, const float *c)
{
  const Point u = difference(b, a), v = difference(c, a);
  Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (double &x : n)
    x /= std::max(size, std::numeric_limits<double>::min());
  return n;
}

/// Numbers of the points along an edge: VTK has the ends first.
std::vector<vtkIdType> along(vtkCell &edge)
{
  std::vector<vtkIdType> ids{edge.GetPointId(0)};
  for (vtkIdType i = 2; i < edge.GetNumberOfPoints(); ++i)
    ids.push_back(edge.GetPointId(i));
  ids.push_back(edge.GetPointId(1));
  return ids;
}

void add_pairs(const std::vector<vtkIdType> &ids, Skin::Numbers &pairs)
{
  for (std::size_t i = 1; i < ids.size(); ++i)
    for (const vtkIdType id : {ids[i - 1], ids[i]})
      pairs.push_back(std::uint32_t(id));
}

/// A face with its edges.
struct Face
{
  int cells = 0;
  std::vector<std::uint32_t> triangles, edges;
};

Face face_of(vtkCell &cell)
{
  Face face;
  auto ids = vtkSmartPointer<vtkIdList>::New();
  auto points = vtkSmartPointer<vtkPoints>::New();
  cell.Triangulate(0, ids, points);
  for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i)
    face.triangles.push_back(std::uint32_t(ids->GetId(i)));
  for (int e = 0; e < cell.GetNumberOfEdges(); ++e)
    add_pairs(along(*cell.GetEdge(e)), face.edges);
  return face;
}

std::vector<vtkIdType> corners(vtkCell &cell)
{
  std::vector<vtkIdType> ids;
  for (vtkIdType i = 0; i < cell.GetNumberOfPoints(); ++i)
    ids.push_back(cell.GetPointId(i));
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Numbers that are equal to a millionth of `size` have the same one.
long rounded(const double x, const double size) { return size > 0. ? std::lround(x / size * 1e6) : 0; }

double largest_of(vtkDataArray *vectors)
{
  double range[2] = {0., 0.};
  if (vectors)
    vectors->GetRange(range, -1);
  return range[1];
}
}  // namespace

Skin::Skin(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last)
{
  merge(first, last);
  auto merged = vtkSmartPointer<vtkUnstructuredGrid>::New();
  auto nodes = vtkSmartPointer<vtkPoints>::New();
  for (std::size_t i = 0; i < size(); ++i)
    nodes->InsertNextPoint(&points[3 * i]);
  merged->SetPoints(nodes);
  for (vtkIdType c = 0; c < first.GetNumberOfCells(); ++c)
  {
    vtkIdType count = 0;
    const vtkIdType *ids = nullptr;
    first.GetCellPoints(c, count, ids);
    std::vector<vtkIdType> mapped;
    for (vtkIdType i = 0; i < count; ++i)
      mapped.push_back(place[ids[i]]);
    merged->InsertNextCell(first.GetCellType(c), count, mapped.data());
  }
  add_faces(*merged);
  keep_what_is_seen();
  add_outline();
}

void Skin::merge(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last)
{
  vtkDataArray *moved = last.GetPointData()->GetArray("displacement");
  if (moved && moved->GetNumberOfTuples() != first.GetNumberOfPoints())
    moved = nullptr;
  const double length = first.GetLength(), motion = largest_of(moved);
  constexpr double together = 1e-4;  // of the motion: single precision, and each cell has its own sums
  std::map<std::array<long, 3>, std::vector<std::pair<Point, std::uint32_t>>> known;
  for (vtkIdType i = 0; i < first.GetNumberOfPoints(); ++i)
  {
    const double *X = first.GetPoint(i);
    Point u{};
    for (int d = 0; moved && d < moved->GetNumberOfComponents() && d < 3; ++d)
      u[d] = moved->GetComponent(i, d);
    auto &here = known[{rounded(X[0], length), rounded(X[1], length), rounded(X[2], length)}];
    const auto same = std::find_if(here.begin(), here.end(), [&](const auto &other) {
      return std::hypot(u[0] - other.first[0], u[1] - other.first[1], u[2] - other.first[2]) <= together * motion;
    });
    if (same != here.end())
    {
      place.push_back(same->second);
      continue;
    }
    place.push_back(std::uint32_t(size()));
    here.emplace_back(u, place.back());
    points.insert(points.end(), {float(X[0]), float(X[1]), float(X[2])});
  }
}

void Skin::add_faces(vtkUnstructuredGrid &merged)
{
  std::map<std::vector<vtkIdType>, Face> faces;
  const auto add = [&](vtkCell &cell) {
    Face &face = faces[corners(cell)];
    if (face.cells++ == 0)
      face = face_of(cell);
    face.cells = std::max(face.cells, 1);
  };
  for (vtkIdType c = 0; c < merged.GetNumberOfCells(); ++c)
  {
    vtkCell *cell = merged.GetCell(c);
    if (cell->GetCellDimension() == 0)
      for (vtkIdType i = 0; i < cell->GetNumberOfPoints(); ++i)
        vertices.push_back(std::uint32_t(cell->GetPointId(i)));
    else if (cell->GetCellDimension() == 1)
      add_pairs(along(*cell), lines);
    else if (cell->GetCellDimension() == 2)
      add(*cell);
    else
      for (int f = 0; f < cell->GetNumberOfFaces(); ++f)
        add(*cell->GetFace(f));
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> drawn;
  for (const auto &[nodes, face] : faces)
  {
    if (face.cells > 1)
      continue;
    triangles.insert(triangles.end(), face.triangles.begin(), face.triangles.end());
    for (std::size_t i = 0; i < face.edges.size(); i += 2)
      if (!std::exchange(drawn[std::minmax(face.edges[i], face.edges[i + 1])], true))
        edges.insert(edges.end(), {face.edges[i], face.edges[i + 1]});
  }
}

void Skin::keep_what_is_seen()
{
  std::vector<std::uint32_t> kept(size(), hidden);
  std::vector<float> seen;
  for (Numbers *numbers : {&triangles, &edges, &lines, &vertices})
    for (std::uint32_t &number : *numbers)
    {
      if (kept[number] == hidden)
      {
        kept[number] = std::uint32_t(seen.size() / 3);
        seen.insert(seen.end(), &points[3 * number], &points[3 * number] + 3);
      }
      number = kept[number];
    }
  points = seen;
  for (std::uint32_t &number : place)
    number = kept[number];
}

void Skin::add_outline()
{
  const double crease = std::cos(30. / 180. * std::acos(-1.));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Point>> sides;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
    for (int k = 0; k < 3; ++k)
      sides[std::minmax(triangles[i + k], triangles[i + (k + 1) % 3])].push_back(
          unit_normal(&points[3 * triangles[i]], &points[3 * triangles[i + 1]], &points[3 * triangles[i + 2]]));
  for (const auto &[pair, normals] : sides)
    if (normals.size() == 1 ||
        std::abs(normals[0][0] * normals[1][0] + normals[0][1] * normals[1][1] + normals[0][2] * normals[1][2]) < crease)
      outline.insert(outline.end(), {pair.first, pair.second});
  outline.insert(outline.end(), lines.begin(), lines.end());
}

bool Skin::fits(vtkUnstructuredGrid &frame) const { return std::size_t(frame.GetNumberOfPoints()) == place.size(); }

std::vector<double> Skin::values(vtkUnstructuredGrid &frame, const char *field) const
{
  vtkDataArray *of_points = frame.GetPointData()->GetArray(field), *of_cells = of_points ? nullptr : frame.GetCellData()->GetArray(field);
  vtkDataArray *array = of_points ? of_points : of_cells;
  const int n = array ? array->GetNumberOfComponents() : 1;  // a frame may lack a field of the first one
  std::vector<double> sums(size() * n, 0.), counts(size(), 0.);
  const auto add = [&](const vtkIdType point, const vtkIdType tuple) {
    if (place[point] == hidden)
      return;
    ++counts[place[point]];
    for (int c = 0; c < n; ++c)
      sums[place[point] * n + c] += array->GetComponent(tuple, c);
  };
  for (vtkIdType i = 0; of_points && i < frame.GetNumberOfPoints(); ++i)
    add(i, i);
  for (vtkIdType c = 0; of_cells && c < frame.GetNumberOfCells(); ++c)
  {
    vtkIdType count = 0;
    const vtkIdType *ids = nullptr;
    frame.GetCellPoints(c, count, ids);
    for (vtkIdType i = 0; i < count; ++i)
      add(ids[i], c);
  }
  for (std::size_t i = 0; i < size(); ++i)
    for (int c = 0; c < n; ++c)
      sums[i * n + c] /= std::max(counts[i], 1.);
  return sums;
}
}  // namespace symdyn
