#include "elements/probe.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
template <int dim>
void Probe<dim>::declare(const std::string &name, Parameters &p)
{
  own_name = name;
  std::vector<double> coordinates;
  p.add("Point", coordinates, "coordinates in the undeformed body [m]");
  where = p.where("Point");
  if (coordinates.size() != dim)
    p.fail("Point", fmt::format("needs {} coordinates", dim));
  for (int d = 0; d < dim; ++d)
    point[d] = coordinates[d];
}

template <int dim>
void Probe<dim>::prepare(const Discretisation<dim> &mesh)
{
  communicator = mesh.communicator;
  const unsigned int me = dealii::Utilities::MPI::this_mpi_process(communicator);
  unsigned int holder = std::numeric_limits<unsigned int>::max();
  const double slack = 1e-8;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned() && cell->bounding_box().point_inside(point, slack))
    {
      dealii::Point<dim> xi;
      try
      {
        xi = mesh.mapping->transform_real_to_unit_cell(cell, point);
      }
      catch (const typename dealii::Mapping<dim>::ExcTransformationFailed &)
      {
        continue;
      }
      if (!cell->reference_cell().contains_point(xi, slack))
        continue;
      nodes = mesh.cell_nodes(cell);
      shape.resize(nodes.size());
      for (std::size_t a = 0; a < nodes.size(); ++a)
        shape[a] = mesh.family.fe->shape_value(a, xi);
      holder = me;
      break;
    }
  const unsigned int first = dealii::Utilities::MPI::min(holder, communicator);
  if (first == std::numeric_limits<unsigned int>::max())
    throw InputError(where + ": the point lies outside the body. Move it into a cell (symdyn check prints the extent)");
  if (first != me)
    nodes.clear();
}

template <int dim>
dealii::Tensor<1, dim> Probe<dim>::at(const Vector &x) const
{
  x.update_ghost_values();
  dealii::Tensor<1, dim> value;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int d = 0; d < dim; ++d)
      value[d] += shape[a] * x.local_element(dim * nodes[a] + d);
  return dealii::Utilities::MPI::sum(value, communicator);
}

template class Probe<2>;
template class Probe<3>;
}  // namespace symdyn
