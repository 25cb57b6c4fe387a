#include <gtest/gtest.h>

#include "tests/pictures.h"
#include "tests/results_deck.h"

// symdyn render: pictures, and what is refused.
namespace symdyn::tests::in_render_command
{
namespace
{
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
  const DrawnBody last(picture), early(drawn("early.png", "--scale 1000 --time 0.05")), still(drawn("still.png", "--scale 0"));
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
    EXPECT_GT(DrawnBody(read_png(both / "both.png")).pixels, 100u) << what;
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

/// The arm of 10 x 1 x 1 m along x, clamped at x = 0 where its stress is largest, has the same section from y and from z.
TEST(Render, ViewsAreFromTheirDirections)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  const auto seen = [&](const std::string &view) {
    const Outcome drawn =
        tool(folder, "render " + folder.path + "/results --size 400x300 --scale 0 --view " + view + " --output " + (folder / "view.png"));
    EXPECT_EQ(drawn.exit_code, 0) << drawn.terminal;
    return DrawnBody(read_png(folder / "view.png"));
  };
  constexpr double tolerance = 0.1;
  const auto ratio = [](const DrawnBody &body) { return double(body.width()) / body.height(); };
  const DrawnBody front = seen("z"), back = seen("0,0,-7");
  for (const DrawnBody &side : {front, back, seen("y")})
    EXPECT_NEAR(ratio(side), 10., 10. * tolerance);
  for (const char *end : {"-x", "x --up z"})
    EXPECT_NEAR(ratio(seen(end)), 1., tolerance) << end;
  // The axes x, y and z are at 120 degrees, and y is upright.
  const double iso = 11. * std::sqrt(3.) / 2. / (10. / 2. + 1. / 2. + 1.);
  EXPECT_NEAR(ratio(seen("iso")), iso, iso * tolerance);
  const auto clamp_is_right = [&](const DrawnBody &body) { return body.red_column() - body.left > 0.5 * body.width(); };
  EXPECT_FALSE(clamp_is_right(front));
  EXPECT_TRUE(clamp_is_right(back));
}

TEST(Render, ViewOfAFlatBodyIsNoLine)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  const std::vector<std::string> flat{"Mesh/Dimension=2", "Mesh/Subdivisions=8, 2", "Loads/push/Traction=0, -100"};
  ASSERT_EQ(run_written(folder, cantilever + statics, flat).exit_code, 0);
  const std::string render = "render " + folder.path + "/results --size 400x300 --output " + (folder / "flat.png") + " --view ";
  const Outcome wrong = tool(folder, render + "1,2,0");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "--view: this direction is in the plane z = 0"), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "flat.png"));
  EXPECT_EQ(tool(folder, render + "iso").exit_code, 0);
}

/// Seen from z, a row of pixels in the upper half of the 8 x 2 cells crosses the 7 edges between them.
TEST(Render, EdgesAreThoseOfTheCells)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder, mast;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  const auto crossed = [&](const std::string &more) {
    const std::string render = "render " + folder.path + "/results --size 1000x400 --scale 0 --view z --field displacement ";
    EXPECT_EQ(tool(folder, render + more + " --output " + (folder / "edges.png")).exit_code, 0);
    const Image image = read_png(folder / "edges.png");
    const DrawnBody body(image);
    const int row = body.top + body.height() / 4;
    constexpr int margin = 6, dark = 250;  // the outline is at both ends; sum of three bytes
    int lines = 0;
    bool before = false;
    for (int x = body.left + margin; x < body.right - margin; ++x)
    {
      const std::uint8_t *p = &image.rgb[3 * (std::size_t(row) * image.width + x)];
      const bool is_line = p[0] + p[1] + p[2] < dark;
      lines += is_line && !before;
      before = is_line;
    }
    return lines;
  };
  EXPECT_EQ(crossed("--colors coolwarm --range 0,1"), 0);
  EXPECT_EQ(crossed("--colors coolwarm --range 0,1 --edges"), 7);
  ASSERT_EQ(run_deck(mast, "examples/guyed-mast.prm", {"Time/End time=0.2"}).exit_code, 0);
  const Outcome wrong = tool(mast, "render " + mast.path + "/results --edges --output " + (mast / "x.png"));
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "--edges: has no effect on a body without faces"), "");
}

/// The bar has the ends of the map: viridis from (68, 1, 84) to (253, 231, 37), as van der Walt and Smith (2015) publish it.
TEST(Render, ColorsAreThoseOfTheMap)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  const auto in_bar = [&](const std::string &more, const std::array<int, 3> &colour) {
    EXPECT_EQ(tool(folder, "render " + folder.path + "/results --size 800x600 --output " + (folder / "bar.png") + more).exit_code, 0);
    const Image image = read_png(folder / "bar.png");
    int count = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = int(0.86 * image.width); x < image.width; ++x)
      {
        const std::uint8_t *p = &image.rgb[3 * (std::size_t(y) * image.width + x)];
        count += std::abs(p[0] - colour[0]) + std::abs(p[1] - colour[1]) + std::abs(p[2] - colour[2]) < 20;
      }
    return count > 20;
  };
  for (const std::array<int, 3> &end : {std::array{68, 1, 84}, std::array{253, 231, 37}})
  {
    EXPECT_TRUE(in_bar(" --colors viridis", end)) << end[0];
    EXPECT_FALSE(in_bar("", end)) << end[0];
  }
}

TEST(Render, RefusesWhatHasNoEffect)
{
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  for (const auto &[line, says] :
       {std::pair{"--output x.jpg", "--output x.jpg: pictures are written as .png, animations as .gif, .mp4 or .webm"},
        {"--output x.png --delay 1", "--delay: has no effect on pictures"},
        {"--output x.gif --delay 700", "--delay 700: must be from 0.01 to 655.35 s"},
        {"--output x.gif --delay 0.004", "--delay 0.004: must be from 0.01"},
        {"--output x.gif --time 1", "--time: has no effect on an animation"},
        {"--output x --delay 1", "--delay: has no effect on pictures"},
        {"--output x.mp4 --time 1", "--time: has no effect on an animation"},
        {"--output x.webm --size 401x300", "must be even. Use --size 400x300"},
        {"--view front", "--view front: must be three numbers"},
        {"--view 0,0,0", "--view 0,0,0: must be three numbers, not all 0"},
        {"--view 1,2", "--view 1,2: must be three numbers"},
        {"--view 1,2,x", "--view 1,2,x: must be three numbers"},
        {"--view -y --up y", "--up y: has no effect with --view -y"},
        {"--view 0,0,3 --up z", "--up z: has no effect with --view 0,0,3"},
        {"--colors virids", "Did you mean \"viridis\"? Available: viridis, "},
        {"--colors jet", "--colors jet: no such map of colours. Available: "}})
  {
    const Outcome outcome = command(folder, "cd " + folder.path + " && " SYMDYN_BINARY " render results " + line);
    EXPECT_EQ(outcome.exit_code, 1) << line;
    EXPECT_EQ(has(outcome.terminal, says), "");
    for (const char *name : {"x.jpg", "x.png", "x.gif", "x.mp4", "x.webm", "x", "results/render.png"})
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
