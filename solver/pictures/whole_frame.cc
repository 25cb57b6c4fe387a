#include <vtkAppendFilter.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>

#include <limits>
#include <string>

#include "solver/pictures/whole_frame.h"

#include "solver/pictures/render_grid.h"

namespace symdyn
{
namespace
{
/// Frames of bodies are in single precision, those of points in double, and vtkAppendFilter drops fields whose types differ.
void in_double(vtkDataSetAttributes &fields)
{
  for (int i = 0; i < fields.GetNumberOfArrays(); ++i)
    if (vtkDataArray *array = fields.GetArray(i); array && array->GetDataType() != VTK_DOUBLE)
    {
      auto copy = vtkSmartPointer<vtkDoubleArray>::New();
      copy->DeepCopy(array);
      fields.AddArray(copy);  // takes the place of the one of its name
    }
}

/// Fields of one that the other lacks are not known there: nan, but for displacements, which move the points: 0. vtkAppendFilter keeps what
/// all have.
void add_missing(vtkDataSetAttributes &from, vtkDataSetAttributes &to, const vtkIdType size)
{
  for (int i = 0; i < from.GetNumberOfArrays(); ++i)
    if (vtkDataArray *array = from.GetArray(i); array && !to.GetArray(array->GetName()))
    {
      const bool moves = std::string(array->GetName()).rfind("displacement", 0) == 0;
      auto filled = vtkSmartPointer<vtkDoubleArray>::New();
      filled->SetName(array->GetName());
      filled->SetNumberOfComponents(array->GetNumberOfComponents());
      filled->SetNumberOfTuples(size);
      filled->Fill(moves ? 0. : std::numeric_limits<double>::quiet_NaN());
      to.AddArray(filled);
    }
}

}  // namespace

vtkSmartPointer<vtkUnstructuredGrid> whole_frame(const FrameFiles &frame)
{
  std::vector<vtkSmartPointer<vtkUnstructuredGrid>> parts;
  for (const std::string &file : frame.files)
    parts.push_back(read_grid(file));
  if (parts.size() == 1)
    return parts.front();
  for (const auto &part : parts)
  {
    in_double(*part->GetPointData());
    in_double(*part->GetCellData());
  }
  auto all = vtkSmartPointer<vtkAppendFilter>::New();
  for (const auto &to : parts)
  {
    for (const auto &from : parts)
    {
      add_missing(*from->GetPointData(), *to->GetPointData(), to->GetNumberOfPoints());
      add_missing(*from->GetCellData(), *to->GetCellData(), to->GetNumberOfCells());
    }
    all->AddInputData(to);
  }
  all->Update();
  return all->GetOutput();
}
}  // namespace symdyn
