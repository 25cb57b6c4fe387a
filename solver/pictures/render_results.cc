#include "solver/pictures/render_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solver/error.h"
#include "solver/pictures/images/color_maps.h"
#include "solver/pictures/images/render_display.h"
#include "solver/pictures/render_frames.h"
#include "solver/pictures/render_output.h"
#include "solver/pictures/render_scene.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

/// summary.json beside the frames, if it is there: title and units.
nlohmann::json summary_beside(const std::string &pvd)
{
  std::ifstream in(fs::path(pvd).parent_path() / "summary.json");
  const nlohmann::json summary = nlohmann::json::parse(in, nullptr, false);
  return summary.is_object() ? summary : nlohmann::json::object();
}

/// solution.pvd, or the only one that a run without motions has. Errors: InputError.
std::string collection_in(const std::string &folder)
{
  const fs::path usual = fs::path(folder) / "solution.pvd";
  std::vector<std::string> others;
  for (const auto &file : fs::directory_iterator(folder))
    if (file.path().extension() == ".pvd")
      others.push_back(file.path().string());
  if (fs::exists(usual) || others.empty())
    return usual.string();
  std::sort(others.begin(), others.end());
  if (others.size() > 1)
    throw InputError(fmt::format("{}: there is no solution.pvd in this folder. Give one of {}", folder, fmt::join(others, ", ")));
  return others.front();
}

/// By the name of the collection of a stage.
SceneOptions::Axis axis_of(const std::string &stem)
{
  using Axis = SceneOptions::Axis;
  const bool of_period = stem.size() > 7 && stem.compare(stem.size() - 7, 7, "-period") == 0;  // of a harmonic stage with a Waveform
  for (const auto &[begin, axis] : {std::pair{"modes-", Axis::number},
                                    {"complex-modes-", Axis::number},
                                    {"buckling-", Axis::number},
                                    {"reduced-model-", Axis::number},
                                    {"harmonic-", of_period ? Axis::time : Axis::frequency},
                                    {"response-spectrum-", Axis::none},
                                    {"random-", Axis::none}})
    if (stem.rfind(begin, 0) == 0)
      return axis;
  return Axis::time;
}

SceneOptions scene_options(const RenderOptions &options, const std::string &pvd, const FrameFiles &frame)
{
  const nlohmann::json summary = summary_beside(pvd), units = summary.value("units", nlohmann::json::object());
  SceneOptions scene;
  scene.field = options.field.empty() ? usual_field(frame) : options.field;
  scene.scale = options.scale;
  scene.title = !options.title.empty() ? options.title : summary.value("title", std::string());
  const auto named = [](const std::string &unit) { return unit == "1" ? std::string() : unit; };
  scene.time_unit = named(units.value("time", std::string()));
  const std::string stem = fs::path(pvd).stem();
  scene.axis = axis_of(stem);
  scene.field_unit = named(unit_of_field(scene.field, units));
  if (!options.range.empty())
  {
    if (options.range.size() != 2 || !(options.range[1] > options.range[0]))
      throw InputError("--range: needs two numbers, the second larger than the first: --range 0,2e6");
    scene.range = {options.range[0], options.range[1]};
  }
  scene.z_up = options.up == "z";
  if (!options.view.empty())
    scene.view = view_of(options.view);
  if (scene.view && !options.up.empty() && looks_along(*scene.view, scene.z_up ? 2 : 1))
    throw InputError(
        fmt::format("--up {}: has no effect with --view {}, which looks along this axis. Remove one of both", options.up, options.view));
  scene.edges = options.edges;
  scene.colors = options.colors.empty() ? color_map_names().front() : options.colors;
  color_map(scene.colors, {0., 1.});  // an error comes before the pictures
  int end = 0;
  constexpr int least = 64, most = 8192;
  if (std::sscanf(options.size.c_str(), "%dx%d%n", &scene.width, &scene.height, &end) != 2 || std::size_t(end) != options.size.size() ||
      std::min(scene.width, scene.height) < least || std::max(scene.width, scene.height) > most)
    throw InputError(
        fmt::format("--size {}: must be WIDTHxHEIGHT in pixels, each from {} to {}: --size 1280x720", options.size, least, most));
  return scene;
}
}  // namespace

std::string unit_of_field(const std::string &field, const nlohmann::json &units)
{
  const auto unit = [&](const char *name) { return units.value(name, std::string()); };
  const std::string length = unit("length"), time = unit("time");
  const auto speaks_of = [&](const char *word) { return field.find(word) != std::string::npos; };
  if (field == "mises_rate")
    return time == "s" ? "Hz" : time.empty() || time == "1" ? "" : "1/" + time;
  if (speaks_of("mises") || speaks_of("stress") || field == "contact_pressure" || field == "contact_shear")
    return unit("stress");
  if (speaks_of("displacement") || field == "contact_gap" || field == "contact_slip")
    return length;
  if (field == "tension")
    return unit("force");
  if (field == "mass")
    return unit("mass");
  if (length.empty() || length == "1")
    return "";
  return speaks_of("velocity")         ? length + "/" + time
         : speaks_of("acceleration")   ? length + "/" + time + "^2"
         : speaks_of("energy_density") ? unit("energy") + "/" + length + "^3"
                                       : "";
}

std::vector<std::string> render_results(const RenderOptions &options)
{
  if (!fs::exists(options.result))
    throw InputError(options.result + ": there is no such folder or file. Give the folder of a run, or its solution.pvd");
  const std::string pvd = fs::is_directory(options.result) ? collection_in(options.result) : options.result;
  std::vector<FrameFiles> frames = read_collection(pvd);
  const SceneOptions scene_of = scene_options(options, pvd, frames.front());
  const std::string output = !options.output.empty() ? options.output : (fs::path(pvd).parent_path() / "render.png").string();
  const RenderOutput target{output, options.time, options.delay, scene_of.width, scene_of.height};
  target.check();
  if (target.is_picture())
  {
    const double time = options.time.value_or(frames.back().time);
    frames = {*std::min_element(frames.begin(), frames.end(), [&](const FrameFiles &a, const FrameFiles &b) {
      return std::abs(a.time - time) < std::abs(b.time - time);
    })};
  }
  const Display display;
  Scene scene(frames, scene_of);
  return target.write(scene, frames);
}
}  // namespace symdyn
