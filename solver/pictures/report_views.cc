#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include "solver/pictures/base64.h"
#include "solver/pictures/render_results.h"
#include "solver/pictures/report.h"
#include "solver/pictures/skin.h"
#include "solver/pictures/whole_frame.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr double largest_short = 32767., steps_of_bytes = 254.;  ///< byte 0: no value
constexpr std::size_t bytes_of_motion = 6;                       ///< of a point in a frame: three numbers of 16 bits

/// A scalar, or the norm of a vector, of points or cells, over all frames.
struct ViewField
{
  std::string name;
  std::vector<std::vector<float>> frames;

  Json json(const Json &units) const
  {
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (const auto &values : frames)
      for (const float value : values)
        if (std::isfinite(value))
        {
          low = std::min(low, value);
          high = std::max(high, value);
        }
    Json packed = Json::array();
    for (const auto &values : frames)
    {
      std::vector<std::uint8_t> bytes;
      for (const float value : values)
        bytes.push_back(
            !std::isfinite(value) ? 0 : std::uint8_t(1 + (high > low ? std::lround((value - low) / (high - low) * steps_of_bytes) : 0)));
      packed.push_back(base64(bytes));
    }
    return {{"name", name}, {"unit", unit_of_field(name, units)}, {"low", low}, {"high", high}, {"frames", packed}};
  }
};

/// Names of scalars and vectors, von Mises stress first; displacements are in the view by themselves.
std::vector<std::string> field_names(vtkUnstructuredGrid &grid)
{
  std::vector<std::string> names;
  for (vtkDataSetAttributes *data :
       {static_cast<vtkDataSetAttributes *>(grid.GetPointData()), static_cast<vtkDataSetAttributes *>(grid.GetCellData())})
    for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      if (vtkDataArray *array = data->GetArray(i);
          array && array->GetName() && array->GetNumberOfComponents() <= 3 && array->GetName() != std::string("displacement"))
        names.emplace_back(array->GetName());
  std::stable_partition(names.begin(), names.end(), [](const std::string &name) { return name.rfind("von_mises", 0) == 0; });
  return names;
}

std::vector<float> norms(const std::vector<double> &values, const std::size_t points)
{
  const std::size_t n = points > 0 ? values.size() / points : 1;
  std::vector<float> result;
  for (std::size_t i = 0; i < points; ++i)
  {
    double square = 0;
    for (std::size_t c = 0; c < n; ++c)
      square += std::pow(values[n * i + c], 2);
    result.push_back(float(n == 1 ? values[i] : std::sqrt(square)));
  }
  return result;
}

/// Three components of the displacement at each point.
std::vector<float> displacement(const Skin &skin, vtkUnstructuredGrid &grid)
{
  std::vector<float> u(3 * skin.size(), 0.F);
  vtkDataArray *array = grid.GetPointData()->GetArray("displacement");
  if (!array)
    return u;
  const std::vector<double> values = skin.values(grid, "displacement");
  const std::size_t n = std::size_t(array->GetNumberOfComponents());
  for (std::size_t i = 0; i < skin.size(); ++i)
    for (std::size_t d = 0; d < std::min<std::size_t>(n, 3); ++d)
      u[3 * i + d] = float(values[n * i + d]);
  return u;
}

Json packed_motion(const std::vector<std::vector<float>> &frames, double &largest)
{
  largest = 0;
  for (const auto &u : frames)
    for (const float x : u)
      largest = std::max(largest, std::isfinite(x) ? std::abs(double(x)) : 0.);
  Json packed = Json::array();
  for (const auto &u : frames)
  {
    std::vector<std::int16_t> shorts;
    for (const float x : u)
      shorts.push_back(largest > 0. && std::isfinite(x) ? std::int16_t(std::lround(x / largest * largest_short)) : 0);
    packed.push_back(base64(shorts));
  }
  return packed;
}

/// So many of the frames, evenly, with the first and the last.
std::vector<FrameFiles> thinned(const std::vector<FrameFiles> &frames, const std::size_t most)
{
  if (frames.size() <= most)
    return frames;
  std::vector<FrameFiles> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(frames[(i * (frames.size() - 1) + (most - 1) / 2) / (most - 1)]);
  return some;
}

Skin skin_of(const std::vector<FrameFiles> &frames) { return Skin(*whole_frame(frames.front()), *whole_frame(frames.back())); }

Json view_of(const Skin &skin, const std::vector<FrameFiles> &all, const Json &units, const std::size_t bytes, const bool fields_wanted)
{
  std::vector<ViewField> fields;
  if (fields_wanted)
    for (const std::string &name : field_names(*whole_frame(all.front())))
      fields.push_back({name, {}});
  const std::size_t a_frame = std::max<std::size_t>(1, skin.size() * (bytes_of_motion + fields.size()));
  std::vector<std::vector<float>> u;
  Json times = Json::array();
  for (const FrameFiles &frame : thinned(all, std::max<std::size_t>(2, bytes / a_frame)))
  {
    const auto grid = whole_frame(frame);
    if (!skin.fits(*grid))
      continue;
    times.push_back(frame.time);
    u.push_back(displacement(skin, *grid));
    for (ViewField &field : fields)
      field.frames.push_back(norms(skin.values(*grid, field.name.c_str()), skin.size()));
  }
  double largest = 0;
  Json view = {{"points", base64(skin.points)},
               {"triangles", base64(skin.triangles)},
               {"edges", base64(skin.edges)},
               {"lines", base64(skin.lines)},
               {"vertices", base64(skin.vertices)},
               {"outline", base64(skin.outline)},
               {"times", times},
               {"of", all.size()},
               {"u", packed_motion(u, largest)},
               {"fields", Json::array()}};
  view["largest u"] = largest;
  for (const ViewField &field : fields)
    view["fields"].push_back(field.json(units));
  return view;
}

/// Stages whose collections begin so: "modes-forms.pvd" gives "forms".
std::vector<std::string> stages_of(const std::string &folder, const std::string &start, const std::string &end)
{
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename(); name.size() > start.size() + end.size() && name.rfind(start, 0) == 0 &&
                                                          name.compare(name.size() - end.size(), end.size(), end) == 0)
      names.push_back(name.substr(start.size(), name.size() - start.size() - end.size()));
  std::sort(names.begin(), names.end());
  return names;
}
}  // namespace

Json report_views(const std::string &folder, const Json &units, const std::size_t bytes)
{
  Json views = Json::array();
  const std::vector<std::string> modes = stages_of(folder, "modes-", ".pvd"), sweeps = stages_of(folder, "harmonic-", "-real.pvd");
  const bool moves = fs::exists(folder + "/solution.pvd");
  const std::size_t parts = (moves ? 2 : 0) + modes.size() + 2 * sweeps.size(), part = bytes / std::max<std::size_t>(parts, 1);
  const auto add = [&](Json view, const char *kind, const std::string &name) {
    view["kind"] = kind;
    view["name"] = name;
    views.push_back(view);
  };
  if (moves)
  {
    const std::vector<FrameFiles> frames = read_collection(folder + "/solution.pvd");
    add(view_of(skin_of(frames), frames, units, 2 * part, true), "motion", "motion");
  }
  for (const std::string &stage : modes)
  {
    const std::vector<FrameFiles> shapes = read_collection(folder + "/modes-" + stage + ".pvd");
    add(view_of(skin_of(shapes), shapes, units, part, false), "modes", "modes: " + stage);
  }
  for (const std::string &stage : sweeps)
  {
    const std::string stem = folder + "/harmonic-" + stage;
    const std::vector<FrameFiles> real = read_collection(stem + "-real.pvd");
    const Skin skin = skin_of(real);  // of both: their points are the same
    Json view = view_of(skin, real, units, part, false);
    const Json other = view_of(skin, read_collection(stem + "-imaginary.pvd"), units, part, false);
    view["imaginary"] = other["u"];
    view["largest imaginary"] = other["largest u"];
    add(view, "harmonic", "harmonic: " + stage);
  }
  return views;
}
}  // namespace symdyn
