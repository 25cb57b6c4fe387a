#pragma once
#include <vtkColorTransferFunction.h>
#include <vtkSmartPointer.h>

#include <array>
#include <string>
#include <vector>

namespace symdyn
{
/// Names of --colors; the first is the usual one.
const std::vector<std::string> &color_map_names();
/// From one end of the range to the other; another colour for what is not known. Errors: InputError for a name that is none of these.
vtkSmartPointer<vtkColorTransferFunction> color_map(const std::string &name, const std::array<double, 2> &range);
}  // namespace symdyn
