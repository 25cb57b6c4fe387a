#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/testdata/assurance.h"
#include "solver/testdata/universal_file.h"

namespace symdyn
{
/// One component of the motion of a place.
struct Sensor
{
  std::string name;                  ///< "12.z"
  int node = 0;                      ///< of the universal file
  std::array<double, 3> position{};  ///< in the units of the deck
  int axis = 0;
  double sign = 1;  ///< -1: it measures against the axis
};

/// Shapes that were measured, at sensors.
struct TestShapes
{
  std::vector<Sensor> sensors;
  std::vector<ShapeComparison::Mode> modes;
  std::vector<SensorShape> shapes;

  /// Of a universal file with shapes (55). Sensors: of `table`, a text file with lines `node x y z direction`, direction x, y, z, -x, -y or
  /// -z; "": all components that are not zero in all shapes, at the nodes of the file (15, 2411). `factor`: a length of the file times this
  /// is one of the deck. Errors: InputError.
  static TestShapes read(const std::string &file, const std::string &table, double factor);
  static TestShapes of(const UniversalFile &content, const std::string &file, const std::string &table, double factor);
};
}  // namespace symdyn
