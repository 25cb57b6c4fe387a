#pragma once
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <string>

namespace symdyn
{
/// A .vtu or .pvtu file. Errors: InputError, with what VTK says of it.
vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string &file);
}  // namespace symdyn
