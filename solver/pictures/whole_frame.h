#pragma once
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include "solver/pictures/render_frames.h"

namespace symdyn
{
/// All parts of a frame as one: points and bars beside a solid have fields of their own, which are zero on the others. Errors: InputError.
vtkSmartPointer<vtkUnstructuredGrid> whole_frame(const FrameFiles &frame);
}  // namespace symdyn
