#pragma once
#include <cstdint>
#include <string>
#include <vector>

class vtkRenderWindow;

namespace symdyn
{
/// Rows of pixels from the top, three bytes each: red, green, blue.
struct Image
{
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// What a window without a screen shows, drawn now.
Image captured(vtkRenderWindow &window);
/// Errors: InputError if the file cannot be written.
void write_png(const std::string &file, const Image &image);
}  // namespace symdyn
