#include "solver/pictures/render_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "solver/base/progress_line.h"
#include "solver/base/terminal.h"
#include "solver/error.h"
#include "solver/pictures/images/film.h"
#include "solver/pictures/images/render_gif.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr double usual_delay = 0.1, least_delay = 0.01, most_delay = 655.35;  // s

std::string ending_of(const std::string &name) { return fs::path(name).extension(); }

bool is_animation(const std::string &name) { return ending_of(name) == ".gif" || is_film(name); }

/// The line of pictures done, on the standard error if that is a terminal: the standard output has the names of the files.
class PictureProgress
{
public:
  explicit PictureProgress(const std::size_t number) : of(number), terminal(number > 1 && isatty(STDERR_FILENO)) {}
  ~PictureProgress()
  {
    if (terminal)
      std::fputs("\r\033[K", stderr);
  }
  void add()
  {
    ++done;
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.sample(0, double(done) / double(of), now);
    if (!terminal)
      return;
    std::vector<ProgressLine::Field> fields{{fmt::format("{:3.0f} %", 100. * double(done) / double(of)), 0},
                                            {fmt::format("picture {} of {}", done, of), 1},
                                            {fmt::format("{:.1f} per second", double(done) / now), 3}};
    if (const double left = progress.left(); left >= 0.)
      fields.push_back({"ETA " + duration_text(left), 2});
    std::fprintf(stderr, "\r\033[K%s", ProgressLine::line(fields, terminal_columns() - 1).c_str());
  }

private:
  std::size_t done = 0, of;
  bool terminal;
  ProgressLine progress;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Pictures whose colours stand for those of all: the first, the last and some between.
std::vector<Image> samples_of(Scene &scene, const std::vector<FrameFiles> &frames)
{
  constexpr std::size_t most = 7;
  const std::size_t number = std::min(most, frames.size());
  std::vector<Image> samples;
  for (std::size_t i = 0; i < number; ++i)
    samples.push_back(scene.draw(frames[number == 1 ? 0 : i * (frames.size() - 1) / (number - 1)]));
  return samples;
}
}  // namespace

bool RenderOutput::is_picture() const { return ending_of(name) == ".png"; }

void RenderOutput::check() const
{
  const std::string ending = ending_of(name);
  if (!ending.empty() && !is_picture() && !is_animation(name) && !fs::is_directory(name))
    throw InputError(
        fmt::format("--output {}: pictures are written as .png, animations as .gif, .mp4 or .webm. Give such a name, or one "
                    "without ending for a folder of pictures",
                    name));
  if (!is_picture() && time)
    throw InputError("--time: has no effect on an animation. Remove it, or give --output a name that ends in .png");
  if (!is_animation(name) && delay)
    throw InputError("--delay: has no effect on pictures. Remove it, or give --output a name that ends in .gif, .mp4 or .webm");
  if (const double seconds = delay.value_or(usual_delay); !(seconds >= least_delay && seconds <= most_delay))
    throw InputError(fmt::format("--delay {:g}: must be from {:g} to {:g} s: a GIF holds hundredths of a second, in 16 bits", seconds,
                                 least_delay, most_delay));
  if (!is_film(name))
    return;
  if (width % 2 != 0 || height % 2 != 0)
    throw InputError(fmt::format("--size {}x{}: width and height of a film must be even. Use --size {}x{}", width, height, width / 2 * 2,
                                 height / 2 * 2));
  check_ffmpeg(name);
}

std::vector<std::string> RenderOutput::write_series(Scene &scene, const std::vector<FrameFiles> &frames) const
{
  std::error_code error;
  fs::create_directories(name, error);
  if (!fs::is_directory(name))
    throw InputError(
        fmt::format("--output {}: the folder cannot be made. Choose another, or a name that ends in .png, .gif or .mp4", name));
  std::vector<std::string> names;
  PictureProgress progress(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i)
  {
    names.push_back(fmt::format("{}/picture-{:05d}.png", name, i));
    write_png(names.back(), scene.draw(frames[i]));
    progress.add();
  }
  return names;
}

void RenderOutput::write_animation(Scene &scene, const std::vector<FrameFiles> &frames) const
{
  const double seconds = delay.value_or(usual_delay);
  std::unique_ptr<Animation> animation;
  if (is_film(name))
    animation = std::make_unique<Film>(name, width, height, seconds);
  else
    animation = std::make_unique<Gif>(name, samples_of(scene, frames), seconds);
  PictureProgress progress(frames.size());
  for (const FrameFiles &frame : frames)
  {
    animation->add(scene.draw(frame));
    progress.add();
  }
  animation->finish();
}

std::vector<std::string> RenderOutput::write(Scene &scene, const std::vector<FrameFiles> &frames) const
{
  if (is_picture())
    write_png(name, scene.draw(frames.front()));
  else if (is_animation(name))
    write_animation(scene, frames);
  else
    return write_series(scene, frames);
  return {name};
}
}  // namespace symdyn
