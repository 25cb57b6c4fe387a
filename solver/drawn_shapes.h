#pragma once
#include <cstdint>
#include <vector>

namespace symdyn
{
/// The cells that pictures show of a structure, with fields of displacements at their points.
struct DrawnShapes
{
  std::vector<double> places;               ///< of points [m], three each
  std::vector<std::uint8_t> types;          ///< of cells: vtkCellType.h
  std::vector<std::int32_t> ends;           ///< of their points in connectivity
  std::vector<std::int32_t> connectivity;   ///< points, in the order of the type
  std::vector<std::vector<double>> shapes;  ///< three a point

  std::size_t points() const { return places.size() / 3; }
};
}  // namespace symdyn
