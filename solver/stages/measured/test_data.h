#pragma once
#include <string>
#include <vector>

#include "solver/stages/measured/test_file.h"
#include "solver/testdata/test_shapes.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
struct Analysis;
class Stage;
class StructurePlaces;
struct StructurePlace;

/// Section `Test data` of a stage: shapes that were measured, to be compared with those of the stage.
class TestData
{
public:
  void declare(Parameters p);
  bool given() const { return file.given(); }
  /// Errors: InputError for files that cannot be read, and sensors that are far from the structure. Collective.
  void check(const Analysis &analysis);
  /// Pairs, MAC and COMAC, in the log, in summary.json and in files. Collective.
  void compare(Analysis &analysis, const Stage &stage, const Modes &modes, const std::vector<double> &ratios) const;

private:
  /// The nodes of the sensors. Errors: InputError for those farther than the tolerance. Collective.
  std::vector<StructurePlace> places_of(const Analysis &analysis, const StructurePlaces &all) const;

  TestFile file;
  std::string sensors_file, where_sensors;
  TestShapes test;
  std::vector<StructurePlace> places;
};
}  // namespace symdyn
