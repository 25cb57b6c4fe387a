#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace symdyn
{
struct RenderOptions
{
  std::string result;  ///< folder of a run, or a .pvd file
  std::string output;  ///< .png: a picture; .gif, .mp4, .webm: an animation; without ending: a folder of pictures; default: render.png in
                       ///< the folder of the result
  std::string field, title;     ///< default: usual_field(); that of the deck
  std::optional<double> time;   ///< of the picture: the frame nearest to it; default: the last
  std::optional<double> scale;  ///< factor on the displacement; default: 1, of shapes what shows them
  std::optional<double> delay;  ///< between pictures of an animation [s]; default: 0.1
  std::vector<double> range;    ///< two ends of the colours
  std::string size = "1280x720";
  std::string up;      ///< y or z; default: y
  std::string view;    ///< three numbers or a name of view_of(); default: as Scene has it
  std::string colors;  ///< default: the first of color_map_names()
  bool edges = false;  ///< of the cells
};

/// Draws a picture or an animation of the deformed body; returns the names of the files. Errors: InputError, also where there is no display
/// to be had.
std::vector<std::string> render_results(const RenderOptions &options);
/// Of a field of frames, by the units of summary.json; "1" or "": none.
std::string unit_of_field(const std::string &field, const nlohmann::json &units);
}  // namespace symdyn
