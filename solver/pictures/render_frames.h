#pragma once
#include <array>
#include <string>
#include <vector>

namespace symdyn
{
/// An entry of a collection: the files of all parts at a time.
struct FrameFiles
{
  double time = 0;
  std::vector<std::string> files;  ///< with their folder
};
/// The frames of solution.pvd and its like, in their order. Errors: InputError for a file that cannot be read or is no collection.
std::vector<FrameFiles> read_collection(const std::string &pvd);

/// Values at points or cells.
struct FrameField
{
  std::string name;
  bool of_cells = false;
  int components = 1;
  std::vector<double> values;  ///< `components` numbers each
};

/// Points and cells that have the same fields: the pieces of several ranks are one block; points and bars beside a solid are another. A
/// point that cells share is here once for each of them.
struct FrameBlock
{
  std::vector<std::array<double, 3>> points, centres;  ///< of the undeformed body; centre of each cell [m]
  std::vector<std::array<double, 3>> centre_of_point;  ///< of the cell of each point
  std::vector<FrameField> fields;
};
/// Reads .vtu and .pvtu files with VTK. Errors: InputError for a file that VTK cannot read.
std::vector<FrameBlock> read_frame(const FrameFiles &frame);
}  // namespace symdyn
