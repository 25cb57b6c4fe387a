// VTK before the rest: it has macros of its own.
#include <vtkCellArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

#include "solver/pictures/render_edges.h"

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
MeshEdges::MeshEdges(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last) : skin(std::make_unique<Skin>(first, last))
{
  if (skin->edges.empty())
    throw InputError("--edges: has no effect on a body without faces, as points and bars. Remove it");
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputData(drawn);
  mapper->ScalarVisibilityOff();
  constexpr double nearer = -4.;  // than the faces, in units of the depth buffer
  mapper->SetResolveCoincidentTopologyToPolygonOffset();
  mapper->SetRelativeCoincidentTopologyLineOffsetParameters(0., nearer);
  lines->SetMapper(mapper);
  lines->GetProperty()->SetColor(0.1, 0.11, 0.13);
  lines->GetProperty()->SetLineWidth(1.);
  lines->GetProperty()->LightingOff();
}

void MeshEdges::move(vtkUnstructuredGrid &frame, const double scale)
{
  if (!skin->fits(frame))
    skin = std::make_unique<Skin>(frame, frame);
  vtkDataArray *displacement = frame.GetPointData()->GetArray("displacement");
  const int n = displacement ? displacement->GetNumberOfComponents() : 0;
  const std::vector<double> u = skin->values(frame, "displacement");
  auto points = vtkSmartPointer<vtkPoints>::New();
  for (std::size_t i = 0; i < skin->size(); ++i)
  {
    double x[3];
    for (int d = 0; d < 3; ++d)
      x[d] = skin->points[3 * i + d] + (d < n ? scale * u[i * n + d] : 0.);
    points->InsertNextPoint(x);
  }
  auto edges = vtkSmartPointer<vtkCellArray>::New();
  for (std::size_t i = 0; i + 1 < skin->edges.size(); i += 2)
  {
    const vtkIdType ends[2] = {vtkIdType(skin->edges[i]), vtkIdType(skin->edges[i + 1])};
    edges->InsertNextCell(2, ends);
  }
  drawn->SetPoints(points);
  drawn->SetLines(edges);
  drawn->Modified();
}
}  // namespace symdyn
