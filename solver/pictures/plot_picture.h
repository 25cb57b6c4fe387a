#pragma once
#include "solver/base/plot.h"
#include "solver/pictures/images/render_image.h"

namespace symdyn
{
/// A diagram as pixels, each of its own so many times as long: the same as its SVG. Needs a display (render_display.h). Errors: as
/// Plot::draw.
Image picture_of(const Plot &plot, double scale);
}  // namespace symdyn
