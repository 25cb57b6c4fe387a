#pragma once
#include <array>
#include <optional>
#include <string>

class vtkRenderer;

namespace symdyn
{
/// From where a body is looked at.
struct View
{
  std::array<double, 3> direction;  ///< from the body to the camera
  bool parallel = false;            ///< without perspective: along an axis lengths are as they are
};
/// Of --view: a name (x, -x, y, -y, z, -z, iso) or three numbers. Errors: InputError for others, and for 0,0,0.
View view_of(const std::string &text);
/// Whether the view is along this axis, so that no end of it can point upwards.
bool looks_along(const View &view, int axis);

/// Puts the camera so that the box fills the window of this width/height, left of the bar and below the title. Without a view it looks from
/// the front in 2-D, from the side and above in 3-D. Axis `up` points upwards; another one if the view is along it. Errors: InputError
/// for a view along the plane of a flat body.
void aim(vtkRenderer &renderer, const double bounds[6], double aspect, const std::optional<View> &view, int up);
}  // namespace symdyn
