#pragma once
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdlib>
#include <set>

#include "solver/pictures/images/render_image.h"
#include "tests/run.h"

// Pictures and animations of symdyn render, read back.
namespace symdyn::tests
{
inline Image read_png(const std::string &png)
{
  auto reader = vtkSmartPointer<vtkPNGReader>::New();
  reader->SetFileName(png.c_str());
  reader->Update();
  int size[3];
  reader->GetOutput()->GetDimensions(size);
  Image image{size[0], size[1], {}};
  for (int y = size[1] - 1; y >= 0; --y)
    for (int x = 0; x < size[0]; ++x)
    {
      const auto *p = static_cast<const unsigned char *>(reader->GetOutput()->GetScalarPointer(x, y, 0));
      image.rgb.insert(image.rgb.end(), {p[0], p[1], p[2]});
    }
  return image;
}

/// Codes of 9 to 12 bits of Lempel, Ziv and Welch, back to pixels, `at` the length of the first block; moves it behind the last.
inline std::vector<int> decompressed(const std::string &gif, std::size_t &at)
{
  std::string packed;
  while (gif[at] != 0)
  {
    packed += gif.substr(at + 1, std::uint8_t(gif[at]));
    at += 1 + std::uint8_t(gif[at]);
  }
  ++at;
  constexpr int clear = 256, end = 257;
  std::vector<std::vector<int>> words;
  std::vector<int> pixels, before;
  const auto begin = [&] {
    words.assign(258, {});
    for (int i = 0; i < 256; ++i)
      words[i] = {i};
    before.clear();
  };
  begin();
  std::size_t bit = 0;
  while (true)
  {
    // The writer is one word ahead of a reader.
    const int ahead = int(words.size()) + !before.empty(), width = ahead > 2048 ? 12 : ahead > 1024 ? 11 : ahead > 512 ? 10 : 9;
    int code = 0;
    for (int k = 0; k < width; ++k, ++bit)
      code |= (std::uint8_t(packed.at(bit / 8)) >> (bit % 8) & 1) << k;
    if (code == end)
      return pixels;
    if (code == clear)
    {
      begin();
      continue;
    }
    std::vector<int> word = code < int(words.size()) ? words[code] : before;
    if (code >= int(words.size()))
      word.push_back(before.front());
    if (!before.empty() && words.size() < 4096)
    {
      words.push_back(before);
      words.back().push_back(word.front());
    }
    pixels.insert(pixels.end(), word.begin(), word.end());
    before = word;
  }
}

/// What a player shows.
struct Played
{
  std::vector<Image> images;
  std::vector<int> hundredths;  ///< delays [0.01 s]
};

/// A GIF with one palette of 256 colours, whose pictures stay where the next ones do not cover them.
inline Played read_gif(const std::string &file)
{
  const std::string gif = text_of(file);
  const auto byte = [&](const std::size_t i) { return int(std::uint8_t(gif.at(i))); };
  const auto word = [&](const std::size_t i) { return byte(i) + 256 * byte(i + 1); };
  Played played;
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  EXPECT_EQ(byte(10), 0xf7);
  const std::size_t palette = 13;
  std::size_t at = palette + 3 * 256;
  Image shown{word(6), word(8), std::vector<std::uint8_t>(3 * std::size_t(word(6)) * word(8))};
  int transparent = -1;
  while (byte(at) != 0x3b)
    if (byte(at) == 0x21)
    {
      if (byte(at + 1) == 0xf9)
      {
        EXPECT_EQ(byte(at + 3) >> 2, 1) << "the picture stays";
        transparent = byte(at + 3) & 1 ? byte(at + 6) : -1;
        played.hundredths.push_back(word(at + 4));
      }
      for (at += 2; byte(at) != 0; at += 1 + byte(at))
        ;
      ++at;
    }
    else
    {
      EXPECT_EQ(byte(at), 0x2c);
      const int left = word(at + 1), top = word(at + 3), width = word(at + 5), height = word(at + 7);
      at += 11;
      const std::vector<int> colours = decompressed(gif, at);
      EXPECT_EQ(colours.size(), std::size_t(width) * height);
      for (std::size_t i = 0; i < colours.size(); ++i)
        for (int c = 0; c < 3 && colours[i] != transparent; ++c)
          shown.rgb.at(3 * ((top + i / width) * shown.width + left + i % width) + c) = std::uint8_t(byte(palette + 3 * colours[i] + c));
      played.images.push_back(shown);
    }
  return played;
}

/// Mean over pixels and channels, in steps of 1/255.
inline double mean_colour_error(const Image &a, const Image &b)
{
  EXPECT_EQ(a.rgb.size(), b.rgb.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i)
    sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / double(a.rgb.size());
}

/// Colourful pixels, of the body and of the colour bar, left of the bar: different colours, count, and the box around them.
struct DrawnBody
{
  std::set<std::array<int, 3>> colours;
  std::size_t pixels = 0;
  int top = 1 << 30, bottom = -1, left = 1 << 30, right = -1;
  std::array<double, 2> reds{};  ///< number of pixels that are rather red than blue, and the sum of their columns

  int height() const { return bottom - top; }
  int width() const { return right - left; }
  /// Mean column of the red pixels.
  double red_column() const { return reds[1] / reds[0]; }

  explicit DrawnBody(const Image &image)
  {
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < int(0.84 * image.width); ++x)
      {
        const std::uint8_t *p = &image.rgb[3 * (std::size_t(y) * image.width + x)];
        const auto [least, most] = std::minmax({p[0], p[1], p[2]});
        if (most - least <= 60)
          continue;
        ++pixels;
        colours.insert({p[0], p[1], p[2]});
        top = std::min(top, y), bottom = std::max(bottom, y);
        left = std::min(left, x), right = std::max(right, x);
        if (p[0] > p[2])
          reds = {reds[0] + 1., reds[1] + x};
      }
  }
};

inline bool no_xvfb() { return std::system("command -v Xvfb > /dev/null") != 0; }
}  // namespace symdyn::tests
