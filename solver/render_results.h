#pragma once
#include <optional>
#include <string>
#include <vector>

namespace symdyn
{
struct RenderOptions
{
  std::string result;               ///< folder of a run, or a .pvd file
  std::string output;               ///< .png: a picture; .gif: an animation; otherwise a folder of pictures; default: render.png in the folder of the result
  std::string field = "von_mises", title;
  std::optional<double> time;       ///< of the picture: the frame nearest to it; default: the last
  double scale = 1, delay = 0.1;    ///< factor on the displacement; between pictures of an animation [s]
  std::vector<double> range;        ///< two ends of the colours
  std::string size = "1280x720";
};

/// Draws a picture or an animation of the deformed body; returns the names of the files. Errors: InputError, also where there is no display to be had.
std::vector<std::string> render_results(const RenderOptions &options);
}  // namespace symdyn
