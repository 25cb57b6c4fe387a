#include <map>

#include "elements/cells/reference_face.h"
#include "elements/lumped/body_faces.h"
#include "elements/space/gathered_faces.h"

namespace symdyn
{
namespace
{
template <int dim>
class ShapeOfCell : public CellShape
{
public:
  explicit ShapeOfCell(const dealii::FiniteElement<dim> &of) : fe(of.clone()) {}
  void evaluate(const Place &xi, double *N, Place *dN) const override
  {
    dealii::Point<dim> at;
    for (int d = 0; d < dim; ++d)
      at[d] = xi[d];
    for (unsigned int a = 0; a < fe->n_dofs_per_cell(); ++a)
    {
      N[a] = fe->shape_value(a, at);
      if (dN)
        dN[a] = as_place<dim>(fe->shape_grad(a, at));
    }
  }

private:
  std::unique_ptr<dealii::FiniteElement<dim>> fe;
};

/// What all faces of a number have in common, in cells of a region.
template <int dim>
BoundaryCell common(const CellRegion<dim> &region, const unsigned int face)
{
  BoundaryCell cell;
  cell.corners = int(region.shape().face_reference_cell(face).n_vertices());
  cell.degree = int(region.family.fe->degree);
  const ReferenceFace<dim> reference(region.shape(), face);
  cell.origin = as_place<dim>(reference.origin);
  for (int i = 0; i + 1 < dim; ++i)
    cell.axis[i] = as_place<dim>(reference.tangents[i]);
  cell.outward = reference.outward;
  cell.shape = std::make_shared<ShapeOfCell<dim>>(*region.family.fe);
  return cell;
}
}  // namespace

template <int dim>
std::vector<BoundaryCell> boundary_cells_of(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries)
{
  std::map<std::pair<unsigned int, unsigned int>, BoundaryCell> of_faces;
  std::vector<BoundaryCell> cells;
  for (GatheredFace &one : gather_faces(mesh, boundaries))
  {
    auto known = of_faces.find({one.region, one.face});
    if (known == of_faces.end())
      known = of_faces.emplace(std::pair{one.region, one.face}, common(mesh.regions[one.region], one.face)).first;
    cells.push_back(known->second);
    cells.back().nodes = std::move(one.nodes);
    cells.back().X = std::move(one.X);
    cells.back().thickness = one.thickness;
  }
  return cells;
}

template std::vector<BoundaryCell> boundary_cells_of(const Discretisation<2> &, const std::vector<std::string> &);
template std::vector<BoundaryCell> boundary_cells_of(const Discretisation<3> &, const std::vector<std::string> &);
}  // namespace symdyn
