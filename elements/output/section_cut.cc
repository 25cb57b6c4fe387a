#include "elements/output/section_cut.h"

#include <deal.II/fe/fe_values.h>

#include "elements/cells/clipped_quadrature.h"
#include "elements/cells/reference_face.h"

namespace symdyn
{
template <int dim>
void Resultant<dim>::add(const dealii::Tensor<1, dim> &force, const dealii::Tensor<1, dim> &arm)
{
  dealii::Tensor<1, 3> f, r;
  for (int d = 0; d < dim; ++d)
  {
    f[d] = force[d];
    r[d] = arm[d];
  }
  F += f;
  M += cross_product_3d(r, f);
}

template <int dim>
SectionCut<dim>::SectionCut(const SolidBody<dim> &system, const Cell &cell, const bool affine, const Plane<dim> &plane,
                            std::vector<int> sign, const bool across)
    : system(&system), cell(cell), affine(affine), across(across), sign(std::move(sign)), plane(plane)
{
  for (const unsigned int node : system.mesh().cell_nodes(cell))
    levels.push_back(plane.level(system.mesh().position[node]));
  take_volume_loads();
  if (across)
    divide();
}

template <int dim>
const CellLoad<dim> *SectionCut<dim>::load(const std::size_t number) const
{
  return dynamic_cast<const CellLoad<dim> *>(system->all_parts().loads[number].load.get());
}

template <int dim>
double SectionCut<dim>::level(const dealii::Point<dim> &xi) const
{
  double g = 0;
  for (std::size_t a = 0; a < levels.size(); ++a)
    g += levels[a] * region().family.fe->shape_value(a, xi);
  return g;
}

/// None where the plane is one in the reference cell, too; otherwise enough to halve the cell in each direction.
template <int dim>
int SectionCut<dim>::bisections() const
{
  return affine ? 0 : dim;
}

template <int dim>
int SectionCut<dim>::degree() const
{
  return region().family.formulation->degree_of_products(system->mesh().degree());
}

template <int dim>
void SectionCut<dim>::take_volume_loads()
{
  for (std::size_t i = 0; i < system->all_parts().loads.size(); ++i)
    if (const CellLoad<dim> *of_cells = load(i); of_cells && of_cells->on_boundaries().empty())
      volume_loads.push_back(i);
  if (volume_loads.empty())
    return;
  dealii::FEValues<dim> values(*region().mapping, *region().family.fe, region().family.load_points,
                               dealii::update_values | dealii::update_quadrature_points | dealii::update_JxW_values);
  values.reinit(typename dealii::Triangulation<dim>::cell_iterator(cell));
  for (const unsigned int q : values.quadrature_point_indices())
  {
    points.push_back(values.quadrature_point(q));
    for (std::size_t a = 0; a < levels.size(); ++a)
      weights.push_back(values.shape_value(a, q) * values.JxW(q));
  }
}

template <int dim>
void SectionCut<dim>::divide()
{
  const std::size_t nodes = levels.size();
  behind.assign(nodes * nodes, 0.);
  const dealii::Quadrature<dim> rule = clipped_quadrature<dim>(
      region().shape(), [this](const dealii::Point<dim> &xi) { return level(xi); }, degree(), bisections());
  if (rule.size() == 0)
    return;
  dealii::FEValues<dim> values(*region().mapping, *region().family.fe, rule, dealii::update_values | dealii::update_JxW_values);
  values.reinit(typename dealii::Triangulation<dim>::cell_iterator(cell));
  for (const unsigned int q : values.quadrature_point_indices())
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b)
        behind[a * nodes + b] += values.shape_value(a, q) * values.shape_value(b, q) * values.JxW(q);
}

template <int dim>
void SectionCut<dim>::add_face(const std::size_t load, const unsigned int number, const Face &face)
{
  faces.push_back({load, face, {}});
  if (!across)
    return;
  const dealii::ReferenceCell shape = region().shape();
  const ReferenceFace<dim> reference(shape, number);
  const dealii::Quadrature<dim - 1> rule = clipped_quadrature<dim - 1>(
      shape.face_reference_cell(number), [&](const dealii::Point<dim - 1> &s) { return level(reference.place(s)); }, degree(),
      bisections());
  if (rule.size() > 0)
    faces.back().behind = SurfaceIntegral<dim>::at_points(system->mesh(), {cell, number}, rule);
}

template <int dim>
void SectionCut<dim>::visit(const Face &face, const std::size_t number, const double t, const Nodal &nodal,
                            const std::function<void(const Vector_d &, const double *)> &use) const
{
  const std::size_t nodes = levels.size();
  const double strength = system->actions().strength(number);
  const Moment now = system->actions().at(t);
  for (std::size_t q = 0; q < face.dA.size(); ++q)
  {
    dealii::Tensor<2, dim> F;
    for (int d = 0; d < dim; ++d)
      F[d][d] = 1.;
    for (std::size_t a = 0; a < nodes; ++a)
      for (int i = 0; i < dim; ++i)
        F[i] += nodal.displacement[a][i] * face.gradient[q * nodes + a];
    use(strength * face.dA[q] * load(number)->per_area(face.point[q], face.normal[q], F, now), &face.shape[q * nodes]);
  }
}

template <int dim>
void SectionCut<dim>::add_volume_loads(const double t, Nodal &nodal) const
{
  const std::size_t nodes = levels.size();
  const Moment now = system->actions().at(t);
  for (const std::size_t number : volume_loads)
    if (const double strength = system->actions().strength(number); strength != 0.)
    {
      for (std::size_t q = 0; q < points.size(); ++q)
      {
        const Vector_d density = strength * load(number)->per_volume(cell, points[q], now);
        for (std::size_t a = 0; a < nodes; ++a)
          nodal.force[a] -= weights[q * nodes + a] * density;
      }
      for (std::size_t a = 0; a < nodes; ++a)
        nodal.inertia[a] -= strength * load(number)->per_volume(cell, dealii::Point<dim>(nodal.position[a]), now);
    }
}

template <int dim>
void SectionCut<dim>::add_part_behind(const double t, const Nodal &nodal, Resultant<dim> &sum) const
{
  const std::size_t nodes = levels.size();
  for (std::size_t a = 0; a < nodes; ++a)
  {
    Vector_d of_node;
    for (std::size_t b = 0; b < nodes; ++b)
      of_node += behind[a * nodes + b] * nodal.inertia[b];
    sum.add(of_node, nodal.arm[a]);
  }
  for (const LoadedFace &face : faces)
    visit(face.behind, face.load, t, nodal, [&](const Vector_d &force, const double *shape) {
      Vector_d arm;
      for (std::size_t a = 0; a < nodes; ++a)
        arm += shape[a] * nodal.arm[a];
      sum.add(-force, arm);
    });
}

template <int dim>
void SectionCut<dim>::add(const double t, Nodal &nodal, Resultant<dim> &sum) const
{
  const std::size_t nodes = levels.size();
  add_volume_loads(t, nodal);
  for (const LoadedFace &face : faces)
    visit(face.whole, face.load, t, nodal, [&](const Vector_d &force, const double *shape) {
      for (std::size_t a = 0; a < nodes; ++a)
        nodal.force[a] -= shape[a] * force;
    });
  for (std::size_t a = 0; a < nodes; ++a)
    if (sign[a] != 0)
      sum.add(sign[a] * nodal.force[a], nodal.arm[a]);
  if (across)
    add_part_behind(t, nodal, sum);
}

template struct Resultant<2>;
template struct Resultant<3>;
template class SectionCut<2>;
template class SectionCut<3>;
}  // namespace symdyn
