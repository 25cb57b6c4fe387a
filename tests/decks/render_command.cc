#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdlib>
#include <set>

#include "solver/pictures/render_gif.h"
#include "tests/results_deck.h"

// symdyn render: pictures, animations, what is refused.
namespace symdyn::tests::in_render_command
{
namespace
{
Image read_png(const std::string &png)
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
std::vector<int> decompressed(const std::string &gif, std::size_t &at)
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

struct Animation
{
  std::vector<Image> images;
  std::vector<int> hundredths;  ///< delays [0.01 s]
};

/// A GIF with one palette of 256 colours.
Animation read_gif(const std::string &file)
{
  const std::string gif = text_of(file);
  const auto byte = [&](const std::size_t i) { return int(std::uint8_t(gif.at(i))); };
  const auto word = [&](const std::size_t i) { return byte(i) + 256 * byte(i + 1); };
  Animation animation;
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  EXPECT_EQ(byte(10), 0xf7);
  const std::size_t palette = 13;
  std::size_t at = palette + 3 * 256;
  while (byte(at) != 0x3b)
    if (byte(at) == 0x21)
    {
      if (byte(at + 1) == 0xf9)
        animation.hundredths.push_back(word(at + 4));
      for (at += 2; byte(at) != 0; at += 1 + byte(at))
        ;
      ++at;
    }
    else
    {
      EXPECT_EQ(byte(at), 0x2c);
      Image image{word(at + 5), word(at + 7), {}};
      at += 11;
      for (const int colour : decompressed(gif, at))
        for (int c = 0; c < 3; ++c)
          image.rgb.push_back(std::uint8_t(byte(palette + 3 * colour + c)));
      animation.images.push_back(image);
    }
  return animation;
}

/// Colourful pixels, of the body and of the colour bar, left of the bar: different colours, count, and the box around them.
struct Body
{
  std::set<std::array<int, 3>> colours;
  std::size_t pixels = 0;
  int top = 1 << 30, bottom = -1;

  int height() const { return bottom - top; }

  explicit Body(const Image &image)
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
      }
  }
};

bool no_xvfb() { return std::system("command -v Xvfb > /dev/null") != 0; }

TEST(Render, DrawsTheDeformedBodyOnRanks)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=5"}, 3).exit_code, 0);
  const auto drawn = [&](const std::string &name, const std::string &more) {
    const Outcome outcome = tool(folder, "render " + folder.path + "/results --size 400x300 --output " + (folder / name) + " " + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    EXPECT_EQ(outcome.terminal, (folder / name) + "\n");
    return read_png(folder / name);
  };
  const Image picture = drawn("last.png", "--scale 1000");
  EXPECT_EQ(picture.width, 400);
  EXPECT_EQ(picture.height, 300);
  const Body last(picture), early(drawn("early.png", "--scale 1000 --time 0.05")), still(drawn("still.png", "--scale 0"));
  EXPECT_GT(last.colours.size(), 100u);
  EXPECT_GT(last.pixels, 3000u);
  // The tip goes down; the words in the picture do not count.
  EXPECT_GT(last.height(), still.height() + 20) << "the deformation is not visible";
  EXPECT_GT(last.height(), early.height() + 10) << "another time is another shape";
  // The arm runs along x and is seen from another side.
  EXPECT_NE(drawn("up.png", "--scale 0 --up z").rgb, drawn("y.png", "--scale 0 --up y").rgb);
  EXPECT_EQ(drawn("y.png", "--scale 0 --up y").rgb, drawn("still.png", "--scale 0").rgb);
  const Outcome wrong = tool(folder, "render " + folder.path + "/results --field von_misses --output " + (folder / "x.png"));
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no field 'von_misses'; it has: von_mises"), "");
}

/// The amplitude of a mode means nothing: it is drawn at a size that shows it, whatever that amplitude is.
TEST(Render, ShapesAreSeen)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  const std::string modes = "subsection Stages\nsubsection forms\nset Type = modes\nset Modes = 2\nend\nend\n";
  ASSERT_EQ(run_written(folder, cantilever + modes, {"Materials/steel/Density=1e9"}).exit_code, 0);  // an amplitude of a few mm
  const auto drawn = [&](const std::string &more) {
    const std::string render = "render " + folder.path + "/results/modes-forms.pvd --time 1 --size 400x300 --output ";
    EXPECT_EQ(tool(folder, render + (folder / "shape.png") + more).exit_code, 0);
    return read_png(folder / "shape.png");
  };
  const auto different = [](const Image &a, const Image &b) {  // pixels
    int count = 0;
    for (std::size_t k = 0; k < a.rgb.size(); k += 3)
      count += std::abs(int(a.rgb[k]) - int(b.rgb[k])) > 30;
    return count;
  };
  const Image usual = drawn(""), small = drawn(" --scale 1"), still = drawn(" --scale 0");
  EXPECT_LT(different(small, still), 1000) << "but for the words it is the body at rest";
  EXPECT_GT(different(usual, still), 3000);
}

TEST(Render, AnimationHoldsThePictures)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=5"}).exit_code, 0);
  const std::string render = "render " + folder.path + "/results --size 400x300 --scale 100 ";
  ASSERT_EQ(tool(folder, render + "--delay 0.25 --output " + folder.path + "/swing.gif").exit_code, 0);
  ASSERT_EQ(tool(folder, render + "--output " + folder.path + "/series").exit_code, 0);
  const Animation animation = read_gif(folder / "swing.gif");
  ASSERT_EQ(animation.images.size(), 5u);
  EXPECT_EQ(animation.hundredths, (std::vector<int>(5, 25)));
  for (std::size_t i = 0; i < 5; ++i)
  {
    const Image picture = read_png(folder / ("series/picture-0000" + std::to_string(i) + ".png")), &image = animation.images[i];
    ASSERT_EQ(image.rgb.size(), picture.rgb.size());
    int most = 0;
    for (std::size_t k = 0; k < image.rgb.size(); ++k)
      most = std::max(most, std::abs(int(image.rgb[k]) - int(picture.rgb[k])));
    EXPECT_LE(most, 26) << "colours are rounded to 6, 7 and 6 levels: half of 255/5";
  }
  EXPECT_NE(animation.images[1].rgb, animation.images[4].rgb);
  EXPECT_FALSE(std::filesystem::exists(folder / "series/picture-00005.png"));
}

TEST(Render, GifOfEveryPixel)
{
  // Noise fills the table of words and clears it; a flat picture has long words. The colours are some that are not rounded.
  const Folder folder;
  std::vector<Image> images;
  for (const bool flat : {false, true})
  {
    Image image{150, 100, {}};
    std::uint32_t random = 1;
    for (int i = 0; i < 150 * 100; ++i)
    {
      random = random * 1664525u + 1013904223u;
      const std::uint32_t number = flat ? 0 : random >> 16;
      image.rgb.insert(image.rgb.end(),
                       {std::uint8_t(number % 6 * 51), std::uint8_t(number / 6 % 7 * 255 / 6), std::uint8_t(number / 42 % 6 * 51)});
    }
    images.push_back(image);
  }
  write_gif(folder / "noise.gif", images, 0.01);
  const Animation read = read_gif(folder / "noise.gif");
  ASSERT_EQ(read.images.size(), 2u);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(read.images[i].rgb, images[i].rgb) << i;
  EXPECT_EQ(read.hundredths, (std::vector<int>{1, 1}));
}

TEST(Render, FieldsOfPartsPointsAndCells)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  // Points and bars beside a solid, whose frames have other fields; envelopes, which have no displacement; bars, whose tension is one of
  // cells.
  const Folder both, mast;
  ASSERT_EQ(run_deck(both, "examples/mass-on-block.prm", {"Time/End time=0.01", "Output/Maxima every=1"}).exit_code, 0);
  ASSERT_EQ(run_deck(mast, "examples/guyed-mast.prm", {"Time/End time=0.2"}).exit_code, 0);
  const std::string a = both.path + "/results", b = mast.path + "/results";
  for (const std::string &what : {a, a + "/maxima.pvd", a + " --field tension", b, b + " --field tension", b + " --field velocity"})
  {
    const Outcome drawn = tool(both, "render " + what + " --size 400x300 --output " + both.path + "/both.png");
    ASSERT_EQ(drawn.exit_code, 0) << what << drawn.terminal;
    EXPECT_GT(Body(read_png(both / "both.png")).pixels, 100u) << what;
  }
  const Outcome wrong = tool(both, "render " + b + " --field tensions --output " + both.path + "/x.png");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no field 'tensions'; it has: tension"), "");
}

/// Whether one of the pixels at most two away is nearly of that colour.
bool is_near(const Image &image, const int x, const int y, const std::array<int, 3> &colour)
{
  constexpr int reach = 2, close = 60;
  for (int i = x - reach; i <= x + reach; ++i)
    for (int j = y - reach; j <= y + reach; ++j)
    {
      const std::uint8_t *p = &image.rgb.at(3 * (std::size_t(j) * image.width + i));
      if (std::abs(p[0] - colour[0]) + std::abs(p[1] - colour[1]) + std::abs(p[2] - colour[2]) < close)
        return true;
    }
  return false;
}

TEST(Render, PlotsInPixelsAreThoseOfTheSvg)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  // From the lower left corner of the frame to the upper right one, whose places the SVG tells; two pixels for one of its own.
  const Folder folder;
  write_file(folder, "a/history.csv", "time [s],stage,tip.u_x [m]\n0,s,0\n1,s,1\n");
  const std::string plot = "plot " + folder.path + "/a --columns tip.u_x --output " + folder.path + "/plots";
  ASSERT_EQ(tool(folder, plot).exit_code, 0);
  const Outcome drawn = tool(folder, plot + " --format png");
  ASSERT_EQ(drawn.exit_code, 0) << drawn.terminal;
  const std::string svg = text_of(folder / "plots/columns-u.svg");
  EXPECT_NE(svg.find("<polyline points=\"78.0,294.0 650.0,34.0 \""), std::string::npos) << svg;
  const Image image = read_png(folder / "plots/columns-u.png");
  ASSERT_EQ(image.width, 2 * 860);
  ASSERT_EQ(image.height, 2 * 340);
  const std::array<int, 3> blue{0x00, 0x72, 0xb2};
  for (const double part : {0.05, 0.3, 0.5, 0.77, 0.95})
  {
    const int x = int(2. * (78. + part * 572.)), y = int(2. * (294. - part * 260.)), mirrored = int(2. * (34. + part * 260.));
    EXPECT_TRUE(is_near(image, x, y, blue)) << part;
    EXPECT_EQ(is_near(image, x, mirrored, blue), part == 0.5) << part;
  }
  // Words stand beside the frame and above it, and nowhere else.
  const auto words = [&](const int left, const int right, const int top, const int bottom) {
    int count = 0;
    for (int y = 2 * top; y < 2 * bottom; ++y)
      for (int x = 2 * left; x < 2 * right; ++x)
        count += image.rgb[3 * (std::size_t(y) * image.width + x)] < 100;
    return count;
  };
  EXPECT_GT(words(55, 75, 28, 40), 10) << "the number of the highest tick";
  EXPECT_GT(words(280, 450, 8, 28), 100) << "the title";
  EXPECT_GT(words(690, 860, 34, 52), 50) << "the legend";
  EXPECT_GT(words(5, 22, 120, 210), 50) << "the ordinate";
  EXPECT_EQ(words(660, 860, 80, 330), 0);
  EXPECT_EQ(tool(folder, plot + " --format bmp").exit_code, 1);
}

TEST(Render, RefusesWhatHasNoEffect)
{
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  for (const auto &[line, says] : {std::pair{"--output x.jpg", "--output x.jpg: pictures are written as .png or .gif"},
                                   {"--output x.png --delay 1", "--delay: has no effect on pictures"},
                                   {"--output x.gif --delay 700", "--delay 700: must be from 0.01 to 655.35 s"},
                                   {"--output x.gif --delay 0.004", "--delay 0.004: must be from 0.01"},
                                   {"--output x.gif --time 1", "--time: has no effect on an animation"},
                                   {"--output x --delay 1", "--delay: has no effect on pictures"}})
  {
    const Outcome outcome = command(folder, "cd " + folder.path + " && " SYMDYN_BINARY " render results " + line);
    EXPECT_EQ(outcome.exit_code, 1) << line;
    EXPECT_EQ(has(outcome.terminal, says), "");
    for (const char *name : {"x.jpg", "x.png", "x.gif", "x"})
      EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
  }
}

TEST(Render, WithoutADisplaySaysSo)
{
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  const Outcome outcome = command(folder, "env -u DISPLAY PATH=/nowhere " SYMDYN_BINARY " render " + folder.path + "/results");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(has(outcome.terminal, "apt-get install --no-install-recommends xvfb libgl1-mesa-dri"), "");
}
}  // namespace

/// The stress in a superelement is not known: its half of the boom is grey, and both halves have colours of displacements.
TEST(Render, WhatHasNoValueIsGrey)
{
  const Folder part, folder;
  ASSERT_EQ(run_deck(part, "examples/boom-part.prm").exit_code, 0);
  ASSERT_EQ(run_deck(folder, "examples/boom.prm", {"Superelements/outer/File=" + (part / "results/substructure-outer.npz")}).exit_code, 0);
  const auto grey_of = [&](const std::string &field) {
    const Outcome drawn =
        tool(folder, "render " + folder.path + "/results --size 320x240 --field " + field + " --output " + (folder / "boom.png"));
    EXPECT_EQ(drawn.exit_code, 0) << drawn.terminal;
    const Image image = read_png(folder / "boom.png");
    int grey = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
      grey += image.rgb[i] == image.rgb[i + 1] && image.rgb[i] == image.rgb[i + 2] && image.rgb[i] > 60 && image.rgb[i] < 190;
    return grey;
  };
  const int stressed = grey_of("von_mises"), moved = grey_of("displacement");
  EXPECT_GT(stressed, moved + 300);
}
}  // namespace symdyn::tests::in_render_command
