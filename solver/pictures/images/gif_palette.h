#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "solver/pictures/images/render_image.h"

namespace symdyn
{
/// At most 255 colours that stand for those of pictures. Colours are divided by median cut (Heckbert 1982) in the form of Wu (1991): the
/// box with the largest squared error is cut at its mean. A colour counts by the square root of its pixels, so that small bodies before a
/// large background keep their colours. Pictures of at most 255 colours keep all of them.
class GifPalette
{
public:
  static constexpr int most_colours = 255;
  explicit GifPalette(const std::vector<Image> &pictures);

  using Colour = std::array<std::uint8_t, 3>;
  const std::vector<Colour> &colours() const { return palette; }
  /// Number of the colour nearest to these three bytes. Numbers are kept once found.
  std::uint8_t nearest(const std::uint8_t *rgb);

private:
  std::vector<Colour> palette;
  std::vector<std::uint8_t> found;  ///< by colour; most_colours: not yet
};
}  // namespace symdyn
