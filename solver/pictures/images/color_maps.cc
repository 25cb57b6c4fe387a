#include "solver/pictures/images/color_maps.h"

#include <fmt/format.h>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
using Colour = std::array<double, 3>;

/// Colours at equal distances, between which those of CIELAB are interpolated.
struct ColorMap
{
  std::string name;
  std::vector<Colour> colours;
  Colour unknown{0.62, 0.62, 0.62};  ///< of what has no value
};

const std::vector<ColorMap> color_maps{
    // From blue over pale yellow to red, light enough at both ends for the shape to be seen.
    {"blue-red", {{0.16, 0.25, 0.62}, {0.35, 0.65, 0.85}, {0.95, 0.93, 0.74}, {0.94, 0.55, 0.28}, {0.66, 0.1, 0.13}}},
    // van der Walt and Smith (2015)
    {"viridis",
     {{0.267, 0.00487, 0.329},
      {0.282, 0.095, 0.417},
      {0.279, 0.175, 0.483},
      {0.259, 0.252, 0.525},
      {0.23, 0.322, 0.546},
      {0.199, 0.388, 0.555},
      {0.173, 0.449, 0.558},
      {0.149, 0.508, 0.557},
      {0.128, 0.567, 0.551},
      {0.121, 0.626, 0.533},
      {0.158, 0.684, 0.502},
      {0.246, 0.739, 0.452},
      {0.369, 0.789, 0.383},
      {0.516, 0.831, 0.294},
      {0.678, 0.864, 0.19},
      {0.846, 0.887, 0.0997},
      {0.993, 0.906, 0.144}}},
    // Moreland (2009)
    {"coolwarm",
     {{0.23, 0.299, 0.754},
      {0.304, 0.407, 0.845},
      {0.384, 0.51, 0.918},
      {0.468, 0.606, 0.969},
      {0.554, 0.69, 0.996},
      {0.641, 0.761, 0.998},
      {0.724, 0.815, 0.976},
      {0.801, 0.85, 0.93},
      {0.867, 0.864, 0.863},
      {0.926, 0.826, 0.771},
      {0.96, 0.767, 0.674},
      {0.97, 0.69, 0.575},
      {0.957, 0.598, 0.477},
      {0.921, 0.491, 0.383},
      {0.865, 0.371, 0.296},
      {0.791, 0.231, 0.216},
      {0.706, 0.0156, 0.15}}},
    // Mikhailov (2019)
    {"turbo",
     {{0.19, 0.0718, 0.232},
      {0.251, 0.252, 0.634},
      {0.276, 0.421, 0.891},
      {0.259, 0.58, 0.999},
      {0.158, 0.736, 0.923},
      {0.0927, 0.866, 0.762},
      {0.197, 0.949, 0.595},
      {0.428, 0.994, 0.386},
      {0.644, 0.99, 0.234},
      {0.805, 0.925, 0.205},
      {0.933, 0.812, 0.227},
      {0.993, 0.674, 0.203},
      {0.984, 0.493, 0.128},
      {0.921, 0.315, 0.0548},
      {0.816, 0.185, 0.0181},
      {0.664, 0.0844, 0.00424},
      {0.48, 0.0158, 0.0106}}},
    {"gray", {{0.12, 0.12, 0.12}, {0.94, 0.94, 0.94}}, {0.8, 0.66, 0.5}},
};
}  // namespace

const std::vector<std::string> &color_map_names()
{
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const ColorMap &map : color_maps)
      all.push_back(map.name);
    return all;
  }();
  return names;
}

vtkSmartPointer<vtkColorTransferFunction> color_map(const std::string &name, const std::array<double, 2> &range)
{
  for (const ColorMap &map : color_maps)
    if (map.name == name)
    {
      auto function = vtkSmartPointer<vtkColorTransferFunction>::New();
      function->SetColorSpaceToLab();
      function->SetNanColor(map.unknown[0], map.unknown[1], map.unknown[2]);
      const double last = double(map.colours.size() - 1);
      for (std::size_t i = 0; i < map.colours.size(); ++i)
      {
        const Colour &colour = map.colours[i];
        function->AddRGBPoint(range[0] + double(i) / last * (range[1] - range[0]), colour[0], colour[1], colour[2]);
      }
      return function;
    }
  const std::vector<std::string> nearest = nearest_first(name, color_map_names());
  throw InputError(fmt::format("--colors {}: no such map of colours. {}Available: {}", name,
                               resembles(name, nearest.front()) ? "Did you mean \"" + nearest.front() + "\"? " : "", join(nearest)));
}
}  // namespace symdyn
