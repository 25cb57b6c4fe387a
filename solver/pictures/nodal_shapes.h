#pragma once
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/testdata/assurance.h"
#include "solver/testdata/universal_file.h"

namespace symdyn
{
/// Modes of a run at the nodes of their frames.
struct NodalShapes
{
  std::vector<std::array<double, 3>> nodes;        ///< [m]
  std::map<int, UniversalFile::Element> elements;  ///< by number, from 1; nodes by number, from 1
  std::vector<ShapeComparison::Mode> modes;
  std::vector<std::vector<std::array<double, 3>>> shapes;  ///< [mode][node]
  std::string unit_of_length, unit_of_frequency;
  std::size_t left_out = 0;  ///< cells that universal files do not have: pyramids

  /// Of a folder of results with one stage of modes, or of its collection modes-NAME.pvd. Errors: InputError.
  static NodalShapes read(const std::string &results);
  /// Nodes and shares of a value at each place: interpolated in its cell, or outside of all cells that of the nearest node. Errors:
  /// InputError for one that is farther than the tolerance.
  using Shares = std::vector<std::pair<std::size_t, double>>;
  std::vector<Shares> at(const std::vector<std::array<double, 3>> &places, double tolerance, const std::string &what) const;
  double diagonal() const;

private:
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  std::vector<int> number;  ///< of each point of the grid
};

/// What `symdyn export` is given.
struct ExportOptions
{
  std::string results, output;
  bool overwrite = false;
};
/// Writes modes as a universal file: 151, 164, 2411, 2412, 55. Returns its name. Errors: InputError.
std::string export_modes(const ExportOptions &options);

/// What `symdyn mac` is given.
struct MacOptions
{
  std::string a, b, output;  ///< folders of results, .pvd files, universal files; output: start of the names of tables and picture
  double tolerance = 0, factor = 1;
};
/// Prints the pairs of modes of two results, or of a test and results; writes tables and a picture. Errors: InputError.
int compare_modes(const MacOptions &options);
}  // namespace symdyn
