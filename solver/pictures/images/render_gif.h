#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "solver/pictures/images/animation.h"
#include "solver/pictures/images/gif_palette.h"

namespace symdyn
{
/// An animation that repeats (GIF89a, CompuServe 1990; codes by Lempel, Ziv and Welch 1984). Its palette is that of some of the pictures,
/// without dithering, so that flat colours stay flat. Of each picture what differs from the one before is stored.
class Gif : public Animation
{
public:
  /// `samples`: pictures whose colours make the palette; they are not written. `delay` between pictures [s].
  Gif(const std::string &file, const std::vector<Image> &samples, double delay);
  void add(const Image &image) override;
  void finish() override;

private:
  struct Part
  {
    int left, top, width, height;
  };
  /// The smallest rectangle with all pixels whose colour is new; a pixel if there are none.
  Part changed(const std::vector<std::uint8_t> &next) const;
  void put(const std::string &bytes);

  std::string file;
  std::ofstream out;
  GifPalette palette;
  int width, height, hundredths;
  std::vector<std::uint8_t> shown;  ///< numbers of colours; empty before the first picture
};

/// All pictures, with the palette of all. Errors: as those of Gif.
void write_gif(const std::string &file, const std::vector<Image> &images, double delay);
}  // namespace symdyn
