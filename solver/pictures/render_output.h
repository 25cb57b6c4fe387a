#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solver/pictures/render_scene.h"

namespace symdyn
{
/// Where pictures go: .png: a picture; .gif, .mp4, .webm: an animation; without ending: a folder of pictures.
struct RenderOutput
{
  std::string name;
  std::optional<double> time, delay;  ///< as they were given
  int width = 0, height = 0;

  /// Errors: InputError for endings that are not known, for a film that cannot be made, and for what has no effect.
  void check() const;
  bool is_picture() const;
  /// Draws the frames; returns the names of the files. Of a picture the frame is the only one. A line on the terminal says how many are
  /// done. Errors: InputError.
  std::vector<std::string> write(Scene &scene, const std::vector<FrameFiles> &frames) const;

private:
  std::vector<std::string> write_series(Scene &scene, const std::vector<FrameFiles> &frames) const;
  void write_animation(Scene &scene, const std::vector<FrameFiles> &frames) const;
};
}  // namespace symdyn
