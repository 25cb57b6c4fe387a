#pragma once
#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>

#include "solver/pictures/images/animation.h"

namespace symdyn
{
/// Whether the name ends in .mp4 or .webm.
bool is_film(const std::string &file);
/// Errors: InputError with the way out if there is no ffmpeg in PATH.
void check_ffmpeg(const std::string &file);

/// A film that the program ffmpeg makes of pictures: .mp4 with H.264, .webm with VP9, both with colours in yuv420p, which all players read.
class Film : public Animation
{
public:
  /// Even sizes; `delay` between pictures [s]. Errors: InputError if ffmpeg is not there or does not start.
  Film(const std::string &file, int width, int height, double delay);
  /// Ends ffmpeg, unless finish() was called. Then a file of this name from before is still there.
  ~Film() override;
  Film(const Film &) = delete;
  void add(const Image &image) override;
  /// Errors: InputError with the last lines of ffmpeg if it fails; so in add.
  void finish() override;

private:
  void start(const std::string &program, double delay);
  void close_pipe();
  bool ended_well();
  [[noreturn]] void fail();

  std::string file, unfinished;  ///< which becomes `file` at the end
  int width, height;
  int frames = -1;                                            ///< end of a pipe to ffmpeg
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> messages;  ///< of ffmpeg
  pid_t process = -1;
  void (*signal_before)(int) = nullptr;  ///< of SIGPIPE, which is ignored: a write reports the error
};
}  // namespace symdyn
