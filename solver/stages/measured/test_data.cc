#include "solver/stages/measured/test_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
void TestData::declare(Parameters p)
{
  file.declare(p, "shapes that were measured (dataset 55) and their nodes (15 or 2411)");
  p.add(
      "Sensors", sensors_file,
      "a text file with a line for each sensor: number of its node in File, x, y, z, and direction (x, -z), in the axes and units of the deck; default: the nodes "
      "of File, and all components that are not zero");
  file.check_entries(p);
  where_sensors = p.where(sensors_file.empty() ? "File" : "Sensors");
  if (!sensors_file.empty())
    sensors_file = p.file_path(sensors_file);
}

void TestData::check(const Analysis &analysis)
{
  if (!given())
    return;
  const UniversalFile content = file.read();
  try
  {
    test = TestShapes::of(content, file.full_path(), sensors_file, file.factor_of(analysis, content));
  }
  catch (const InputError &error)
  {
    throw InputError(fmt::format("{}: {}", where_sensors, error.what()));
  }
  places = places_of(analysis, *analysis.structure->places());
}

std::vector<StructurePlace> TestData::places_of(const Analysis &analysis, const StructurePlaces &all) const
{
  const double most = file.tolerance_of(analysis);
  std::vector<StructurePlace> found;
  for (const Sensor &sensor : test.sensors)
  {
    if (sensor.axis >= all.dimension())
      throw InputError(
          fmt::format("{}: sensor {} measures along z, and the model is plane. Leave it out of Sensors", where_sensors, sensor.name));
    StructurePlace place = all.nearest(sensor.position);
    const auto &X = place.position;
    const double distance = std::hypot(X[0] - sensor.position[0], X[1] - sensor.position[1], X[2] - sensor.position[2]);
    if (!(distance <= most))
      throw InputError(fmt::format(
          "{}: sensor {} at ({:g}, {:g}, {:g}){} is {:.3g}{} from the nearest node, ({:g}, {:g}, {:g}); the Tolerance is {:.3g}. Mend its place, "
          "Units, or the Tolerance",
          where_sensors, sensor.name, sensor.position[0], sensor.position[1], sensor.position[2], Units::after(analysis.units.length),
          distance, Units::after(analysis.units.length), X[0], X[1], X[2], most));
    found.push_back(std::move(place));
  }
  return found;
}

void TestData::compare(Analysis &analysis, const Stage &stage, const Modes &modes, const std::vector<double> &ratios) const
{
  std::vector<ShapeComparison::Mode> of_model;
  std::vector<SensorShape> shapes;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    of_model.push_back({fmt::format("{}", i + 1), modes.frequency(i), ratios[i]});
    SensorShape &values = shapes.emplace_back();
    modes.shapes[i].update_ghost_values();
    for (std::size_t s = 0; s < places.size(); ++s)
      values.push_back(test.sensors[s].sign * places[s].displacement(modes.shapes[i], test.sensors[s].axis));
    modes.shapes[i].zero_out_ghost_values();
  }
  std::vector<std::string> names;
  for (const Sensor &sensor : test.sensors)
    names.push_back(sensor.name);
  const ShapeComparison comparison("test", test.modes, test.shapes, "model", of_model, shapes, names,
                                   modal_coordinates(test.shapes, shapes));
  const std::string unit = hertz(analysis.units), stem = Results::stem("mac", stage.name);
  log_line(fmt::format("stage {}: shapes of {} at {} sensors\n{}", stage.name, file.name(), names.size(), comparison.lines(unit)));
  if (!comparison.by_mass)
    log_line(fmt::format("stage {}: no MAC by mass: {} sensors do not tell {} modes apart", stage.name, names.size(), modes.size()));
  Recorder &recorder = analysis.recorder;
  recorder.file(stem + ".csv", comparison.table_csv());
  recorder.file(stem + "-pairs.csv", comparison.pairs_csv(unit));
  recorder.file(stem + "-sensors.csv", comparison.sensors_csv());
  recorder.file(stem + ".svg", comparison.svg());
  nlohmann::json &found = (*analysis.found)[stage.name]["test"];
  for (const auto &pair : comparison.pairs)
    found.push_back({{"test", comparison.a[pair.a].title},
                     {"model", comparison.b[pair.b].title},
                     {"frequency of test", comparison.a[pair.a].frequency},
                     {"frequency of model", comparison.b[pair.b].frequency},
                     {"MAC", pair.mac}});
}
}  // namespace symdyn
