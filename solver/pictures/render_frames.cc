// VTK before the rest: it has macros of its own.
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include "solver/pictures/render_frames.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "solver/error.h"
#include "solver/pictures/render_grid.h"

namespace symdyn
{
std::vector<FrameFiles> read_collection(const std::string &pvd)
{
  std::ifstream in(pvd);
  if (!in || std::filesystem::is_directory(pvd))
    throw InputError(fmt::format("{}: cannot be read: {}", pvd,
                                 in                ? "it is a folder"
                                 : errno == ENOENT ? "there is no such file. Give the folder of a run whose Output has Fields, or its .pvd"
                                                   : std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  static const std::regex entry(R"re(<DataSet\s[^>]*timestep="([^"]*)"[^>]*file="([^"]*)"[^>]*/?>)re");
  const std::string folder = std::filesystem::path(pvd).parent_path().string();
  std::vector<FrameFiles> frames;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), entry); match != std::sregex_iterator(); ++match)
  {
    const double time = std::strtod((*match)[1].str().c_str(), nullptr);
    if (frames.empty() || frames.back().time != time)
      frames.push_back({time, {}});
    frames.back().files.push_back((folder.empty() ? "" : folder + "/") + (*match)[2].str());
  }
  if (frames.empty())
    throw InputError(pvd + ": lists no frames. A run with Output/Write every = never has none");
  return frames;
}

namespace
{
void add_fields(vtkFieldData &data, const bool of_cells, const std::vector<vtkIdType> &tuples, std::vector<FrameField> &fields)
{
  for (int i = 0; i < data.GetNumberOfArrays(); ++i)
    if (vtkDataArray *array = data.GetArray(i))
    {
      FrameField field{array->GetName() ? array->GetName() : "", of_cells, array->GetNumberOfComponents(), {}};
      for (const vtkIdType tuple : tuples)
        for (int c = 0; c < field.components; ++c)
          field.values.push_back(array->GetComponent(tuple, c));
      fields.push_back(field);
    }
}

FrameBlock block_of(vtkUnstructuredGrid &grid)
{
  FrameBlock block;
  std::vector<vtkIdType> points, cells;
  for (vtkIdType c = 0; c < grid.GetNumberOfCells(); ++c)
  {
    vtkIdType count = 0;
    const vtkIdType *nodes = nullptr;
    grid.GetCellPoints(c, count, nodes);
    std::array<double, 3> centre{};
    for (vtkIdType a = 0; a < count; ++a)
    {
      points.push_back(nodes[a]);
      block.points.emplace_back();
      grid.GetPoint(nodes[a], block.points.back().data());
      for (int d = 0; d < 3; ++d)
        centre[d] += block.points.back()[d] / double(count);
    }
    cells.push_back(c);
    block.centres.push_back(centre);
    block.centre_of_point.resize(block.points.size(), centre);
  }
  add_fields(*grid.GetPointData(), false, points, block.fields);
  add_fields(*grid.GetCellData(), true, cells, block.fields);
  return block;
}

bool same_fields(const FrameBlock &a, const FrameBlock &b)
{
  return a.fields.size() == b.fields.size() &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), [](const FrameField &x, const FrameField &y) {
           return x.name == y.name && x.of_cells == y.of_cells && x.components == y.components;
         });
}

void append(const FrameBlock &from, FrameBlock &to)
{
  const auto add = [](const auto &more, auto &all) { all.insert(all.end(), more.begin(), more.end()); };
  add(from.points, to.points);
  add(from.centres, to.centres);
  add(from.centre_of_point, to.centre_of_point);
  for (std::size_t i = 0; i < from.fields.size(); ++i)
    add(from.fields[i].values, to.fields[i].values);
}
}  // namespace

std::vector<FrameBlock> read_frame(const FrameFiles &frame)
{
  std::vector<FrameBlock> blocks;
  for (const std::string &file : frame.files)
  {
    const FrameBlock block = block_of(*read_grid(file));
    bool merged = false;
    for (FrameBlock &other : blocks)
      if (!merged && same_fields(block, other))
      {
        append(block, other);
        merged = true;
      }
    if (!merged)
      blocks.push_back(block);
  }
  return blocks;
}
}  // namespace symdyn
