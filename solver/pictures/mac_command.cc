#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "solver/error.h"
#include "solver/pictures/nodal_shapes.h"
#include "solver/program_error.h"
#include "solver/testdata/test_shapes.h"

namespace symdyn
{
namespace
{
bool is_universal(const std::string &file)
{
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".uff" || ending == ".unv" || ending == ".uf" || ending == ".ufb";
}

void write_whole(const std::string &file, const std::string &text)
{
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush())
    throw InputError(file + ": cannot be written. Name another place with --output");
}

/// Shapes of one source at the sensors of the comparison.
struct Side
{
  std::string name;
  std::vector<ShapeComparison::Mode> modes;
  std::vector<SensorShape> shapes;
};

/// All components of the nodes of a result.
TestShapes all_components(const NodalShapes &result)
{
  TestShapes all;
  for (std::size_t k = 0; k < result.nodes.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      all.sensors.push_back({fmt::format("{}.{}", k + 1, "xyz"[axis]), int(k) + 1, result.nodes[k], axis, 1.});
  all.modes = result.modes;
  for (const auto &shape : result.shapes)
  {
    SensorShape &values = all.shapes.emplace_back();
    for (const auto &u : shape)
      values.insert(values.end(), u.begin(), u.end());
  }
  return all;
}

Side at_sensors(const std::string &name, const TestShapes &sensors, const MacOptions &options)
{
  if (is_universal(name))
    throw InputError(fmt::format(
        "{}: the second of both must be results of a run: sensors of a test are looked for on its nodes. Change their order", name));
  const NodalShapes result = NodalShapes::read(name);
  std::vector<std::array<double, 3>> places;
  for (const Sensor &sensor : sensors.sensors)
    places.push_back(sensor.position);
  const std::vector<NodalShapes::Shares> nodes = result.at(places, options.tolerance, name + ": a sensor");
  Side side{name, result.modes, {}};
  for (const auto &shape : result.shapes)
  {
    SensorShape &values = side.shapes.emplace_back();
    for (std::size_t s = 0; s < nodes.size(); ++s)
    {
      double value = 0;
      for (const auto &[node, share] : nodes[s])
        value += share * shape[node][sensors.sensors[s].axis];
      values.emplace_back(sensors.sensors[s].sign * value);
    }
  }
  return side;
}
}  // namespace

int compare_modes(const MacOptions &options)
{
  const bool test = is_universal(options.a);
  const TestShapes a = test ? TestShapes::read(options.a, "", options.factor) : all_components(NodalShapes::read(options.a));
  const Side b = at_sensors(options.b, a, options);
  std::vector<std::string> names;
  for (const Sensor &sensor : a.sensors)
    names.push_back(sensor.name);
  const ShapeComparison comparison(test ? "test" : "A", a.modes, a.shapes, test ? "model" : "B", b.modes, b.shapes, names, std::nullopt);
  const std::string unit = "Hz";
  std::printf("%s: %s, %s: %s, %zu sensors\n%s", comparison.name_a.c_str(), options.a.c_str(), comparison.name_b.c_str(), options.b.c_str(),
              names.size(), comparison.lines(unit).c_str());
  if (options.output.empty())
    return exit_done;
  write_whole(options.output + ".csv", comparison.table_csv());
  write_whole(options.output + "-pairs.csv", comparison.pairs_csv(unit));
  write_whole(options.output + "-sensors.csv", comparison.sensors_csv());
  write_whole(options.output + ".svg", comparison.svg());
  for (const char *ending : {".csv", "-pairs.csv", "-sensors.csv", ".svg"})
    std::printf("%s%s\n", options.output.c_str(), ending);
  return exit_done;
}

std::string export_modes(const ExportOptions &options)
{
  const NodalShapes result = NodalShapes::read(options.results);
  UniversalFile file;
  file.title = "modes of " + options.results;
  file.unit_of_length = result.unit_of_length;
  file.length_factor = UniversalFile::per_metre(result.unit_of_length);
  for (std::size_t k = 0; k < result.nodes.size(); ++k)
    file.nodes[int(k) + 1] = result.nodes[k];
  file.elements = result.elements;
  for (std::size_t i = 0; i < result.modes.size(); ++i)
  {
    UniversalFile::Shape shape;
    shape.titles = {fmt::format("mode {}, {:.8g} {}", i + 1, result.modes[i].frequency, result.unit_of_frequency), "", "modal mass 1"};
    shape.mode = int(i) + 1;
    shape.frequency = result.modes[i].frequency;
    shape.viscous = result.modes[i].ratio;
    for (std::size_t k = 0; k < result.nodes.size(); ++k)
      for (int d = 0; d < 3; ++d)
        shape.at[int(k) + 1][d] = result.shapes[i][k][d];
    file.shapes.push_back(std::move(shape));
  }
  namespace fs = std::filesystem;
  const std::string output =
      !options.output.empty()
          ? options.output
          : (fs::is_directory(options.results) ? options.results : fs::path(options.results).parent_path().string()) + "/modes.unv";
  if (fs::exists(output) && !options.overwrite)
    throw InputError(output + ": the file is there already. Name another one with --output, or give --overwrite");
  write_whole(output, file.text(false));
  if (result.left_out > 0)
    std::fprintf(stderr, "warning: %zu cells are left out: universal files have no pyramids\n", result.left_out);
  return output;
}
}  // namespace symdyn
