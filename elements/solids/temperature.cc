#include "elements/solids/temperature.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_dgq.h>

#include <cmath>
#include <limits>

#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Of node a at quadrature point q [q * nodes + a]: sum_i L_i(xi_q) N_a(g_i), g_i and L_i the points of temperatures and their polynomials.
template <int dim>
std::vector<double> interpolation_of(const ElementFamily<dim> &family)
{
  const int degree = int(family.fe->degree);
  const bool tensor = family.fe->reference_cell().is_hyper_cube();
  if (!tensor && degree > 1)
    return family.stiffness.shape;
  std::vector<double> weights;
  if (!tensor)
    weights.assign(family.stiffness.points * family.stiffness.nodes, 1. / family.stiffness.nodes);
  else
  {
    const dealii::FE_DGQArbitraryNodes<dim> polynomials{dealii::QGauss<1>(degree)};
    const ReferenceElement<dim> at(*family.fe, dealii::QGauss<dim>(degree));
    for (const auto &xi : family.stiffness_points.get_points())
      for (int a = 0; a < at.nodes; ++a)
      {
        double sum = 0.;
        for (int i = 0; i < at.points; ++i)
          sum += polynomials.shape_value(i, xi) * at.shape[i * at.nodes + a];
        weights.push_back(sum);
      }
  }
  return weights;
}
}  // namespace

template <int dim>
Temperature<dim>::Temperature(std::shared_ptr<const TemperatureField> given, const Discretisation<dim> &mesh, const IsElsewhere &elsewhere)
    : field(std::move(given)), mesh(&mesh)
{
  for (const CellRegion<dim> &region : mesh.regions)
  {
    interpolation.push_back(interpolation_of(region.family));
    for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
      for (int i = 0; i < region.n_nodes() * lanes; ++i)
        of_cells[region.batch_nodes(batch)[i]];
  }
  if (field->named().empty())
    return;
  const std::unique_ptr<NamedNodes<dim>> nodes = mesh.file_nodes ? std::make_unique<NamedNodes<dim>>(mesh) : nullptr;
  for (std::size_t section = 0; section < field->named().size(); ++section)
  {
    const TemperatureField::OfNodes &one = field->named()[section];
    for (std::size_t k = 0; k < one.nodes.size(); ++k)
      try
      {
        if (!nodes)
          throw InputError("the mesh names no nodes. Give Field as an expression of x, y, z");
        add(nodes->find(one.nodes[k]), {section, k});
      }
      catch (const InputError &error)
      {
        if (!elsewhere(one.nodes[k]))
          throw InputError(one.where + ": " + error.what());
      }
  }
}

template <int dim>
void Temperature<dim>::add(const std::vector<typename NamedNodes<dim>::Node> &nodes, const std::pair<std::size_t, std::size_t> &name)
{
  for (const auto &node : nodes)
    if (const auto found = of_cells.find(node.local); found != of_cells.end())
      found->second.push_back(name);
}

template <int dim>
typename Temperature<dim>::Nodal Temperature<dim>::at_start() const
{
  return each([this](const double *X, const TemperatureField::Names &names) { return field->at_start(X, dim, names); });
}

template <int dim>
typename Temperature<dim>::Nodal Temperature<dim>::at(const Moment &now) const
{
  return each([&](const double *X, const TemperatureField::Names &names) { return field->at(X, dim, names, now); });
}

template <int dim>
template <class Value>
typename Temperature<dim>::Nodal Temperature<dim>::each(const Value &value) const
{
  Nodal values(mesh->n_local_nodes(), std::numeric_limits<double>::quiet_NaN());
  for (const auto &[node, names] : of_cells)
    values[node] = value(&mesh->position[node][0], names);
  return values;
}

template <int dim>
Wide Temperature<dim>::at_point(const Nodal &values, const CellRegion<dim> &region, const std::size_t batch, const int q,
                                const double reference) const
{
  const int nodes = region.n_nodes();
  const double *weight = &interpolation[&region - mesh->regions.data()][q * nodes];
  const unsigned int *node = region.batch_nodes(batch);
  Wide T = 0.;
  for (int a = 0; a < nodes; ++a)
    for (int lane = 0; lane < lanes; ++lane)
    {
      const double value = values[node[a * lanes + lane]];
      T.set(lane, T[lane] + weight[a] * (std::isnan(value) ? reference : value));
    }
  return T;
}

template class Temperature<2>;
template class Temperature<3>;
}  // namespace symdyn
