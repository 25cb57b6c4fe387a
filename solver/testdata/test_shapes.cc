#include "solver/testdata/test_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
std::vector<Sensor> sensors_in(const std::string &file)
{
  const TextFile text = TextFile::read(file);
  if (!text.fault.empty())
    throw InputError(text.place(file) + " " + text.fault);
  std::vector<Sensor> all;
  for (const auto &[line, content] : text.rows())
  {
    std::istringstream in(content);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
      words.push_back(word);
    const auto node = words.empty() ? std::nullopt : number_from<int>(words[0]);
    Sensor sensor;
    bool good = words.size() == 5 && node.has_value();
    for (std::size_t d = 0; d < 3 && good; ++d)
    {
      const auto x = number_from<double>(words[d + 1]);
      good = x.has_value();
      sensor.position[d] = x.value_or(0.);
    }
    const std::string direction = good ? words[4] : "";
    const std::size_t axis = direction.empty() ? std::string::npos : std::string("xyz").find(direction.back());
    const bool turned = direction.size() == 2 && direction[0] == '-';
    if (!good || axis == std::string::npos || (direction.size() != 1 && !turned && !(direction.size() == 2 && direction[0] == '+')))
      throw InputError(fmt::format(
          "{}:{}: '{}' is no sensor. Write the number of its node in the test file, x, y, z and its direction, e.g. 12, 0.5, 0, 0.1, -z",
          file, line, shortened(content)));
    sensor.node = node.value_or(0);
    sensor.axis = int(axis);
    sensor.sign = turned ? -1. : 1.;
    sensor.name = fmt::format("{}.{}", sensor.node, direction);
    all.push_back(sensor);
  }
  if (all.empty())
    throw InputError(file + ": there are no sensors. Write a line for each: node, x, y, z, direction");
  return all;
}

std::vector<Sensor> measured_components(const UniversalFile &content, const std::string &file)
{
  std::set<std::pair<int, int>> measured;  // node, axis
  for (const UniversalFile::Shape &shape : content.shapes)
    for (const auto &[node, u] : shape.at)
      for (int axis = 0; axis < 3; ++axis)
        if (u[axis] != 0.)
          measured.emplace(node, axis);
  std::vector<Sensor> all;
  for (const auto &[node, axis] : measured)
  {
    const auto place = content.nodes.find(node);
    if (place == content.nodes.end())
      throw InputError(fmt::format(
          "{}: node {} has a shape and no place: the file has no dataset 15 or 2411 with it. Give the places as Sensors", file, node));
    all.push_back({fmt::format("{}.{}", node, "xyz"[axis]), node, place->second, axis, 1.});
  }
  return all;
}
}  // namespace

TestShapes TestShapes::read(const std::string &file, const std::string &table, const double factor)
{
  return of(UniversalFile::read(file), file, table, factor);
}

TestShapes TestShapes::of(const UniversalFile &content, const std::string &file, const std::string &table, const double factor)
{
  if (content.shapes.empty())
    throw InputError(file + ": the file has no shapes (dataset 55 of real or complex modes)");
  TestShapes test;
  test.sensors = table.empty() ? measured_components(content, file) : sensors_in(table);
  for (Sensor &sensor : test.sensors)
    for (double &x : sensor.position)
      x *= table.empty() ? factor : 1.;
  for (const UniversalFile::Shape &shape : content.shapes)
  {
    test.modes.push_back({fmt::format("{}", shape.mode), shape.frequency, shape.viscous});
    SensorShape &values = test.shapes.emplace_back();
    for (const Sensor &sensor : test.sensors)
    {
      const auto u = shape.at.find(sensor.node);
      if (u == shape.at.end())
        throw InputError(fmt::format("{}: shape {} has no node {}, where there is the sensor {}. Leave the sensor out", file, shape.mode,
                                     sensor.node, sensor.name));
      values.push_back(u->second[sensor.axis]);
    }
  }
  return test;
}
}  // namespace symdyn
