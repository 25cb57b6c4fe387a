#include "solver/pictures/render_view.h"

#include <fmt/format.h>
#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
const std::map<std::string, View> named_views{{"x", {{1, 0, 0}, true}},   {"-x", {{-1, 0, 0}, true}}, {"y", {{0, 1, 0}, true}},
                                              {"-y", {{0, -1, 0}, true}}, {"z", {{0, 0, 1}, true}},   {"-z", {{0, 0, -1}, true}},
                                              {"iso", {{1, 1, 1}, true}}};

/// The largest distances of the corners of the box from the middle of the window, as shares of half its width and height.
std::array<double, 2> extent(vtkCamera &camera, const double bounds[6], const double aspect)
{
  vtkMatrix4x4 &seen = *camera.GetCompositeProjectionTransformMatrix(aspect, -1., 1.);
  std::array<double, 2> most{};
  for (int corner = 0; corner < 8; ++corner)
  {
    double at[4] = {bounds[corner & 1], bounds[2 + (corner >> 1 & 1)], bounds[4 + (corner >> 2)], 1.};
    seen.MultiplyPoint(at, at);
    for (int d = 0; d < 2; ++d)
      most[d] = std::max({most[d], std::abs(at[d] / at[3]), std::numeric_limits<double>::min()});
  }
  return most;
}

View usual_view(const bool flat, const int up)
{
  if (flat)
    return {{0., 0., 1.}, true};
  return up == 2 ? View{{0.35, -1., 0.3}} : View{{0.35, 0.3, 1.}};
}

/// The axis that points upwards, or one beside it where the view is along it: from above, the axis z of the body points down or y up.
std::array<double, 3> upwards(const View &view, const int up)
{
  std::array<double, 3> axis{};
  if (!looks_along(view, up))
    axis[up] = 1.;
  else if (up == 2)
    axis[1] = 1.;
  else
    axis[2] = view.direction[1] > 0. ? -1. : 1.;
  return axis;
}
}  // namespace

View view_of(const std::string &text)
{
  if (const auto named = named_views.find(text); named != named_views.end())
    return named->second;
  const std::vector<std::string> words = split(text);
  View view{};
  bool right = words.size() == 3;
  for (std::size_t d = 0; right && d < 3; ++d)
  {
    char *end = nullptr;
    view.direction[d] = std::strtod(words[d].c_str(), &end);
    right = !words[d].empty() && *end == '\0' && std::isfinite(view.direction[d]);
  }
  const auto &n = view.direction;
  if (!right || !(std::hypot(n[0], n[1], n[2]) > 0.))
    throw InputError(
        fmt::format("--view {}: must be three numbers, not all 0, from the body to the camera (--view 1,0.5,2), or one of x, "
                    "-x, y, -y, z, -z, iso",
                    text));
  return view;
}

bool looks_along(const View &view, const int axis)
{
  constexpr double nearly = 1e-3;
  const auto &n = view.direction;
  return std::hypot(n[(axis + 1) % 3], n[(axis + 2) % 3]) < nearly * std::abs(n[axis]);
}

void aim(vtkRenderer &renderer, const double bounds[6], const double aspect, const std::optional<View> &view, const int up)
{
  const bool flat = bounds[4] == bounds[5];
  const View from = view.value_or(usual_view(flat, up));
  const double size = std::hypot(from.direction[0], from.direction[1], from.direction[2]);
  constexpr double least = 1e-3;
  if (flat && std::abs(from.direction[2]) < least * size)
    throw InputError("--view: this direction is in the plane z = 0 of the body, which would be a line. Choose another, as z or iso");
  vtkCamera *camera = renderer.GetActiveCamera();
  camera->SetParallelProjection(from.parallel);
  double centre[3], position[3];
  for (int d = 0; d < 3; ++d)
  {
    centre[d] = 0.5 * (bounds[2 * d] + bounds[2 * d + 1]);
    position[d] = centre[d] + from.direction[d] / size;
  }
  camera->SetFocalPoint(centre);
  camera->SetPosition(position);
  camera->SetViewUp(upwards(from, flat && !view ? 1 : up).data());
  renderer.ResetCamera(bounds);
  const auto [width, height] = extent(*camera, bounds, aspect);
  // Of the halves of the window: the bar is on the right, the title above.
  constexpr double shift = 0.1, most_width = 0.78, most_height = 0.8;
  camera->Zoom(std::min(most_width / width, most_height / height));
  camera->SetWindowCenter(shift, 0.);
  renderer.ResetCameraClippingRange(bounds);
}
}  // namespace symdyn
