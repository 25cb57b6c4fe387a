#include <gtest/gtest.h>

#include "tests/pictures.h"
// after VTK
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "solver/pictures/images/render_gif.h"
#include "tests/results_deck.h"

// symdyn render: GIF, films by ffmpeg, the line on a terminal.
namespace symdyn::tests::in_render_animation
{
namespace
{
bool is_there(const std::string &program) { return std::system(("command -v " + program + " > /dev/null").c_str()) == 0; }

TEST(RenderAnimation, HoldsThePictures)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=2"}).exit_code, 0);
  const std::string render = "render " + folder.path + "/results --size 400x300 --scale 100 ";
  ASSERT_EQ(tool(folder, render + "--delay 0.25 --output " + folder.path + "/swing.gif").exit_code, 0);
  ASSERT_EQ(tool(folder, render + "--output " + folder.path + "/series").exit_code, 0);
  const Played played = read_gif(folder / "swing.gif");
  ASSERT_EQ(played.images.size(), 11u) << "more than those that the palette is made of";
  EXPECT_EQ(played.hundredths, (std::vector<int>(11, 25)));
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < 11; ++i)
  {
    const std::string png = folder / fmt::format("series/picture-{:05d}.png", i);
    bytes += std::filesystem::file_size(png);
    EXPECT_LT(mean_colour_error(played.images[i], read_png(png)), 1.) << "6, 7 and 6 levels of the three colours have an error of 11";
  }
  EXPECT_LT(std::filesystem::file_size(folder / "swing.gif"), bytes / 2);
  EXPECT_NE(played.images[1].rgb, played.images[10].rgb);
  EXPECT_FALSE(std::filesystem::exists(folder / "series/picture-00011.png"));
}

TEST(RenderAnimation, GifOfEveryPixel)
{
  // Noise fills the table of words and clears it; a flat picture has long words. There are fewer than 255 colours: all are kept.
  const Folder folder;
  std::vector<Image> images;
  for (const bool flat : {false, true, true, false})
  {
    Image image{150, 100, {}};
    std::uint32_t random = 1 + std::uint32_t(images.size());
    for (int i = 0; i < 150 * 100; ++i)
    {
      random = random * 1664525u + 1013904223u;
      const std::uint32_t number = flat ? 0 : random >> 16;
      image.rgb.insert(image.rgb.end(),
                       {std::uint8_t(number % 6 * 49), std::uint8_t(number / 6 % 7 * 41), std::uint8_t(number / 42 % 6 * 3)});
    }
    images.push_back(image);
  }
  write_gif(folder / "noise.gif", images, 0.01);
  const Played read = read_gif(folder / "noise.gif");
  ASSERT_EQ(read.images.size(), 4u);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(read.images[i].rgb, images[i].rgb) << i;
  EXPECT_EQ(read.hundredths, (std::vector<int>{1, 1, 1, 1}));
  const auto size_of = [&](const std::vector<Image> &pictures) {
    write_gif(folder / "size.gif", pictures, 0.01);
    return std::filesystem::file_size(folder / "size.gif");
  };
  EXPECT_LT(size_of({images[0], images[0]}), size_of({images[0]}) + 40) << "what stays is not stored once more";
}

/// A small body of many colours before a large background of as many: both have their part of the palette.
TEST(RenderAnimation, PaletteHasTheColoursOfSmallBodies)
{
  constexpr int width = 1024, height = 1024, body = 32;
  Image image{width, height, {}};
  const auto in_body = [](const int x, const int y) { return x < body && y < body; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (in_body(x, y))
        image.rgb.insert(image.rgb.end(), {std::uint8_t(8 * x), std::uint8_t(8 * y), 40});
      else
        image.rgb.insert(image.rgb.end(), {std::uint8_t(200 + y / 32), std::uint8_t(200 + x / 32), 255});
  GifPalette palette({image});
  EXPECT_LE(palette.colours().size(), 255u);
  std::array<double, 2> sums{}, counts{};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
    {
      const std::uint8_t *p = &image.rgb[3 * (std::size_t(y) * width + x)];
      const GifPalette::Colour &shown = palette.colours()[palette.nearest(p)];
      for (int c = 0; c < 3; ++c)
        sums[in_body(x, y)] += std::abs(int(shown[c]) - p[c]) / 3.;
      ++counts[in_body(x, y)];
    }
  EXPECT_LT(sums[0] / counts[0], 1.);
  EXPECT_LT(sums[1] / counts[1], 5.) << "6 where a colour counts by its pixels";
}

/// What ffprobe says of the first stream: "codec_name=h264" and more, a line each.
std::string stream_of(const Folder &folder, const std::string &film)
{
  return command(folder,
                 "ffprobe -v error -count_frames -select_streams v:0 -of default=noprint_wrappers=1 -show_entries "
                 "stream=codec_name,pix_fmt,width,height,r_frame_rate,nb_read_frames " +
                     film)
      .terminal;
}

TEST(RenderAnimation, FilmsArePlayed)
{
  if (no_xvfb() || !is_there("ffmpeg") || !is_there("ffprobe"))
    GTEST_SKIP() << "there is no Xvfb, ffmpeg or ffprobe";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=5"}).exit_code, 0);
  const std::string render = "render " + folder.path + "/results --size 400x300 --scale 100 --output " + folder.path;
  ASSERT_EQ(tool(folder, render + "/series").exit_code, 0);
  for (const auto &[film, codec] : {std::pair{"swing.mp4", "h264"}, {"swing.webm", "vp9"}})
  {
    const Outcome drawn = tool(folder, render + "/" + film + " --delay 0.25");
    ASSERT_EQ(drawn.exit_code, 0) << drawn.terminal;
    EXPECT_EQ(drawn.terminal, (folder / film) + "\n");
    const std::string stream = stream_of(folder, folder / film);
    for (const std::string &line : {std::string("codec_name=") + codec, std::string("pix_fmt=yuv420p"), std::string("width=400"),
                                    std::string("height=300"), std::string("r_frame_rate=4/1"), std::string("nb_read_frames=5")})
      EXPECT_EQ(has(stream, line), "") << film;
    ASSERT_EQ(command(folder, "ffmpeg -v error -y -i " + (folder / film) + " -start_number 0 " + (folder / "frame-%d.png")).exit_code, 0);
    for (const int frame : {0, 4})
      EXPECT_LT(mean_colour_error(read_png(folder / fmt::format("frame-{}.png", frame)),
                                  read_png(folder / fmt::format("series/picture-{:05d}.png", frame))),
                4.)
          << film << frame;
  }
}

/// A program of this name that says something and fails: without any frame read, or after all.
void write_program(const Folder &folder, const std::string &name, const std::string &script)
{
  chmod(write_file(folder, name, "#!/bin/sh\n" + script).c_str(), 0755);
}

TEST(RenderAnimation, FaultsOfFfmpegAreTold)
{
  const Folder folder, empty;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=5"}).exit_code, 0);
  write_file(folder, "old.mp4", "a film from before");
  const std::string render = SYMDYN_BINARY " render " + folder.path + "/results --size 400x300 --output " + folder.path + "/old.mp4";
  const Outcome without = command(folder, "PATH=" + empty.path + " " + render);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(has(without.terminal, "ffmpeg, which is not in PATH. On Debian: apt install ffmpeg. Or give a name that ends in .gif"), "");
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  for (const char *script :
       {"echo first; echo 'Unknown encoder libx264' >&2; exit 8\n", "cat > /dev/null; echo 'Unknown encoder libx264' >&2; exit 8\n",
        "echo 'Unknown encoder libx264' >&2; kill -9 $$\n"})
  {
    write_program(folder, "bin/ffmpeg", script);
    const Outcome failed = command(folder, "PATH=" + folder.path + "/bin:$PATH " + render);
    EXPECT_EQ(failed.exit_code, 1) << script;
    EXPECT_EQ(has(failed.terminal, "old.mp4: ffmpeg failed: "), "");
    EXPECT_EQ(has(failed.terminal, "Unknown encoder libx264"), "");
    EXPECT_EQ(text_of(folder / "old.mp4"), "a film from before");
    EXPECT_FALSE(std::filesystem::exists(folder / "old.part.mp4"));
  }
}

/// What a program writes to a terminal of 60 columns as its standard error.
std::string written_to_terminal(const Folder &folder, const std::string &line)
{
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(master, 0);
  grantpt(master);
  unlockpt(master);
  const std::string slave = ptsname(master);
  const int kept = ::open(slave.c_str(), O_RDWR | O_NOCTTY);  // else the end of the program takes what is not yet read
  EXPECT_EQ(std::system(("COLUMNS=60 " + line + " > " + (folder / "names.txt") + " 2> " + slave).c_str()), 0);
  std::string text(1 << 16, '\0');
  fcntl(master, F_SETFL, O_NONBLOCK);
  const ssize_t size = ::read(master, text.data(), text.size());
  text.resize(size > 0 ? std::size_t(size) : 0);
  ::close(kept);
  ::close(master);
  return text;
}

TEST(RenderAnimation, ProgressIsOnTerminals)
{
  if (no_xvfb())
    GTEST_SKIP() << "there is no Xvfb";
  const Folder folder;
  ASSERT_EQ(run_written(folder, cantilever + dynamics, {"Output/Write every=5"}).exit_code, 0);
  const std::string render = SYMDYN_BINARY " render " + folder.path + "/results --size 100x80 --output " + folder.path;
  const std::string text = written_to_terminal(folder, render + "/swing.gif");
  EXPECT_EQ(has(text, " 40 %  picture 2 of 5"), "");
  EXPECT_EQ(has(text, "100 %  picture 5 of 5"), "");
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K") << "the line is gone at the end";
  EXPECT_EQ(text_of(folder / "names.txt"), (folder / "swing.gif") + "\n");
  EXPECT_EQ(written_to_terminal(folder, render + "/one.png"), "") << "of one picture there is nothing to tell";
  EXPECT_EQ(command(folder, render + "/swing.gif").terminal, (folder / "swing.gif") + "\n");
}
}  // namespace
}  // namespace symdyn::tests::in_render_animation
