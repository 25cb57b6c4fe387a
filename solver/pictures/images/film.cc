#include "solver/pictures/images/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "solver/base/program_path.h"
#include "solver/error.h"

extern char **environ;

namespace symdyn
{
namespace
{
std::string ending_of(const std::string &file) { return std::filesystem::path(file).extension(); }

std::vector<std::string> words_of(const std::string &program, const std::string &file, const int width, const int height,
                                  const double delay)
{
  std::vector<std::string> words{program,
                                 "-hide_banner",
                                 "-nostats",
                                 "-loglevel",
                                 "error",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgb24",
                                 "-video_size",
                                 fmt::format("{}x{}", width, height),
                                 "-framerate",
                                 fmt::format("{:.6f}", 1. / delay),
                                 "-i",
                                 "pipe:0",
                                 "-y"};
  const std::vector<std::string> h264{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"};
  const std::vector<std::string> vp9{"-c:v",      "libvpx-vp9", "-b:v",      "0", "-crf",    "24",
                                     "-deadline", "good",       "-cpu-used", "4", "-row-mt", "1"};
  const std::vector<std::string> &coder = ending_of(file) == ".mp4" ? h264 : vp9;
  words.insert(words.end(), coder.begin(), coder.end());
  for (const char *word : {"-pix_fmt", "yuv420p"})
    words.push_back(word);
  words.push_back("file:" + file);  // else names with a colon are protocols
  return words;
}

/// The last lines of what a program has printed.
std::string last_lines(std::FILE *messages)
{
  constexpr int most = 4;
  std::string text, last;
  std::rewind(messages);
  for (int c = std::fgetc(messages); c != EOF; c = std::fgetc(messages))
    text += char(c);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::size_t begin = text.size();
  for (int line = 0; line < most && begin != std::string::npos && begin > 0; ++line)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos ? text : text.substr(text[begin] == '\n' ? begin + 1 : begin);
}
}  // namespace

bool is_film(const std::string &file) { return ending_of(file) == ".mp4" || ending_of(file) == ".webm"; }

void check_ffmpeg(const std::string &file)
{
  if (program_of_path("ffmpeg").empty())
    throw InputError(
        fmt::format("--output {}: films are made by the program ffmpeg, which is not in PATH. On Debian: apt install ffmpeg. "
                    "Or give a name that ends in .gif",
                    file));
}

Film::Film(const std::string &file, const int width, const int height, const double delay)
    : file(file),
      unfinished(std::filesystem::path(file).replace_extension(".part" + ending_of(file))),
      width(width),
      height(height),
      messages(std::tmpfile(), std::fclose)
{
  check_ffmpeg(file);
  start(program_of_path("ffmpeg"), delay);
  signal_before = std::signal(SIGPIPE, SIG_IGN);
}

void Film::start(const std::string &program, const double delay)
{
  const std::vector<std::string> words = words_of(program, unfinished, width, height, delay);
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));  // posix_spawn writes nothing there
  arguments.push_back(nullptr);
  int ends[2];
  if (!messages || pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(fmt::format("--output {}: ffmpeg cannot be started: {}", file, std::strerror(errno)));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(messages.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(messages.get()), STDERR_FILENO);
  const int error = posix_spawn(&process, program.c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[0]);
  if (error != 0)
  {
    process = -1;
    close(ends[1]);
    throw InputError(fmt::format("--output {}: {} cannot be started: {}", file, program, std::strerror(error)));
  }
  frames = ends[1];
}

Film::~Film()
{
  if (process > 0)
    kill(process, SIGKILL);
  ended_well();
  std::error_code error;
  std::filesystem::remove(unfinished, error);
  std::signal(SIGPIPE, signal_before);
}

void Film::close_pipe()
{
  if (frames >= 0)
    close(frames);
  frames = -1;
}

/// Waits for ffmpeg, which has no more frames then.
bool Film::ended_well()
{
  close_pipe();
  int status = 0;
  if (process <= 0 || waitpid(process, &status, 0) < 0)
    return false;
  process = -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Film::add(const Image &image)
{
  if (image.width != width || image.height != height)
    throw std::logic_error("pictures of different sizes in a film");
  for (std::size_t at = 0; at < image.rgb.size();)
  {
    const ssize_t written = ::write(frames, &image.rgb[at], image.rgb.size() - at);
    if (written < 0 && errno != EINTR)
      fail();
    at += written > 0 ? std::size_t(written) : 0;
  }
}

void Film::finish()
{
  if (!ended_well())
    fail();
  std::error_code error;
  std::filesystem::rename(unfinished, file, error);
  if (error)
    throw InputError(fmt::format("--output {}: cannot be written: {}. Choose another", file, error.message()));
}

void Film::fail()
{
  ended_well();
  const std::string said = last_lines(messages.get());
  throw InputError(fmt::format("--output {}: ffmpeg failed{}. Choose another name, or one that ends in .gif", file,
                               said.empty() ? " without a message" : ": " + said));
}
}  // namespace symdyn
