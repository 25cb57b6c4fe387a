#pragma once
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <cstdint>
#include <vector>

namespace symdyn
{
/// What is seen of a body: the faces that one cell alone has, as triangles, with the edges of the cells, lines and lone points. Cells of
/// frames have points of their own; those that lie and move together are one here.
class Skin
{
public:
  /// Two frames of one run, far apart in time.
  Skin(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last);

  using Numbers = std::vector<std::uint32_t>;
  std::vector<float> points;                           ///< of the undeformed body, three each [m]
  Numbers triangles, edges, lines, vertices, outline;  ///< numbers of points: three, two, two, one, two each

  /// Components of a field of points or cells at the points of the skin: means over the points of the frame that are one here.
  std::vector<double> values(vtkUnstructuredGrid &frame, const char *field) const;
  /// Whether a frame has the same points as the first one.
  bool fits(vtkUnstructuredGrid &frame) const;
  std::size_t size() const { return points.size() / 3; }

private:
  void merge(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last);
  void add_faces(vtkUnstructuredGrid &merged);
  void keep_what_is_seen();
  void add_outline();

  std::vector<std::uint32_t> place;  ///< of each point of a frame; `hidden`: inside
};
}  // namespace symdyn
