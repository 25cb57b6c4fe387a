#pragma once
#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <memory>

#include "solver/pictures/skin.h"

namespace symdyn
{
/// Edges of the cells on the surface of a body, which move with it. Edges of curved cells go through their nodes.
class MeshEdges
{
public:
  /// Two frames of one run, far apart in time. Errors: InputError if there are no faces.
  MeshEdges(vtkUnstructuredGrid &first, vtkUnstructuredGrid &last);
  /// To the place of a frame, with the displacement times `scale`.
  void move(vtkUnstructuredGrid &frame, double scale);
  vtkActor *actor() { return lines; }

private:
  std::unique_ptr<Skin> skin;
  vtkSmartPointer<vtkPolyData> drawn = vtkSmartPointer<vtkPolyData>::New();
  vtkSmartPointer<vtkActor> lines = vtkSmartPointer<vtkActor>::New();
};
}  // namespace symdyn
