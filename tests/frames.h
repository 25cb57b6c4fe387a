#pragma once
// VTK before the rest: it has macros of its own.
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "solver/pictures/render_frames.h"
#include "solver/pictures/render_grid.h"

namespace symdyn::tests
{
/// All files of a collection, in the order of their times.
inline std::vector<std::string> files_of(const std::string &pvd)
{
  std::vector<std::string> files;
  for (const FrameFiles &frame : read_collection(pvd))
    files.insert(files.end(), frame.files.begin(), frame.files.end());
  return files;
}

inline std::array<long, 3> place(vtkUnstructuredGrid &grid, const vtkIdType i)
{
  const double *X = grid.GetPoint(i);
  return {std::lround(X[0] * 1e4), std::lround(X[1] * 1e4), std::lround(X[2] * 1e4)};
}
}  // namespace symdyn::tests
