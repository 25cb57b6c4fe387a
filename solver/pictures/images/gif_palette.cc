#include "solver/pictures/images/gif_palette.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

namespace symdyn
{
namespace
{
std::uint32_t number_of(const std::uint8_t *rgb) { return std::uint32_t(rgb[0]) << 16 | std::uint32_t(rgb[1]) << 8 | rgb[2]; }

struct WeighedColour
{
  std::array<double, 3> rgb;
  double weight;
};

std::vector<WeighedColour> colours_of(const std::vector<Image> &pictures)
{
  std::unordered_map<std::uint32_t, long> counts;
  for (const Image &picture : pictures)
    for (std::size_t i = 0; i < picture.rgb.size();)
    {
      const std::uint32_t number = number_of(&picture.rgb[i]);
      const std::size_t first = i;
      while (i < picture.rgb.size() && number_of(&picture.rgb[i]) == number)
        i += 3;
      counts[number] += long(i - first) / 3;
    }
  std::vector<WeighedColour> colours;
  for (const auto &[number, count] : counts)
    colours.push_back({{double(number >> 16), double(number >> 8 & 255), double(number & 255)}, std::sqrt(double(count))});
  // The order of an unordered map must not decide about the palette.
  std::sort(colours.begin(), colours.end(), [](const WeighedColour &a, const WeighedColour &b) { return a.rgb < b.rgb; });
  return colours;
}

/// Some of the colours: their mean, and the squared error of each channel if the mean stands for all.
struct ColourBox
{
  std::vector<WeighedColour> colours;
  std::array<double, 3> mean{}, errors{};

  explicit ColourBox(std::vector<WeighedColour> all) : colours(std::move(all))
  {
    double weight = 0;
    std::array<double, 3> sums{};
    for (const WeighedColour &colour : colours)
    {
      weight += colour.weight;
      for (int c = 0; c < 3; ++c)
        sums[c] += colour.weight * colour.rgb[c];
    }
    for (int c = 0; c < 3; ++c)
      mean[c] = sums[c] / weight;
    for (const WeighedColour &colour : colours)
      for (int c = 0; c < 3; ++c)
        errors[c] += colour.weight * std::pow(colour.rgb[c] - mean[c], 2);
  }
  double error() const { return colours.size() > 1 ? errors[0] + errors[1] + errors[2] : 0.; }
  /// Leaves what is not above the mean of the channel of the largest error; returns the rest. Both have colours if the error is not 0.
  ColourBox cut()
  {
    const std::size_t c = std::size_t(std::max_element(errors.begin(), errors.end()) - errors.begin());
    const auto above =
        std::partition(colours.begin(), colours.end(), [&](const WeighedColour &colour) { return colour.rgb[c] <= mean[c]; });
    std::vector<WeighedColour> rest(above, colours.end());
    colours.erase(above, colours.end());
    *this = ColourBox(std::move(colours));
    return ColourBox(std::move(rest));
  }
};
}  // namespace

GifPalette::GifPalette(const std::vector<Image> &pictures) : found(std::size_t(1) << 24, std::uint8_t(most_colours))
{
  std::vector<ColourBox> boxes{ColourBox(colours_of(pictures))};
  while (boxes.size() < std::size_t(most_colours))
  {
    const auto worst =
        std::max_element(boxes.begin(), boxes.end(), [](const ColourBox &a, const ColourBox &b) { return a.error() < b.error(); });
    if (!(worst->error() > 0.))
      break;
    ColourBox rest = worst->cut();
    boxes.push_back(std::move(rest));
  }
  for (const ColourBox &box : boxes)
  {
    palette.emplace_back();
    std::transform(box.mean.begin(), box.mean.end(), palette.back().begin(), [](const double x) { return std::uint8_t(std::lround(x)); });
  }
}

std::uint8_t GifPalette::nearest(const std::uint8_t *rgb)
{
  std::uint8_t &number = found[number_of(rgb)];
  if (number != most_colours)
    return number;
  const auto distance = [&](const Colour &colour) {
    int square = 0;
    for (int c = 0; c < 3; ++c)
      square += (int(colour[c]) - rgb[c]) * (int(colour[c]) - rgb[c]);
    return square;
  };
  const auto best =
      std::min_element(palette.begin(), palette.end(), [&](const Colour &a, const Colour &b) { return distance(a) < distance(b); });
  return number = std::uint8_t(best - palette.begin());
}
}  // namespace symdyn
