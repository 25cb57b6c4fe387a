#pragma once
#include <string>
#include <vector>

#include "solver/pictures/render_image.h"

namespace symdyn
{
/// An animation that repeats (GIF89a, CompuServe 1990; codes by Lempel, Ziv and Welch 1984): colours are rounded to 6 reds, 7 greens
/// and 6 blues, without dithering, so that flat colours stay flat. `delay` between pictures [s]. Errors: InputError if the file cannot be
/// written; std::logic_error for images of different sizes.
void write_gif(const std::string &file, const std::vector<Image> &images, double delay);
}  // namespace symdyn
