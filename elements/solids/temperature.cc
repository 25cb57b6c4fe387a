#include "elements/solids/temperature.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_dgq.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
template <int dim>
void Temperature<dim>::OfNodes::declare(Parameters &p)
{
  p.add("Nodes", nodes, "numbers and names of node sets of the mesh's file");
  p.add("Initial", initial, "temperature at the start, one of all Nodes, or one for each of them; default: that of the whole body");
  p.add("Value", value,
        "temperature, an expression of x, y, z, t, one of all Nodes, or one for each of them; default: that of the whole body");
  amplitude.declare(p);
  starts = p.given("Initial");
  becomes = p.given("Value");
  where = p.where("Nodes");
  for (const auto &[name, values] : {std::pair{"Initial", &initial}, {"Value", &value}})
    if (values->size() > 1 && values->size() != nodes.size())
      p.fail(name, fmt::format("has {} values for {} names in Nodes. Give one, or as many", values->size(), nodes.size()));
  for (const Expression &one : initial)
    if (one.uses("t"))
      p.fail("Initial", "the temperature at the start depends on x, y, z alone. Give what follows as Value");
}

template <int dim>
void Temperature<dim>::OfNodes::prepare(const NamedNodes<dim> &named)
{
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (const auto &node : named.find(nodes[k]))
      if (node.local != NamedNodes<dim>::nowhere)
        local.emplace_back(node.local, k);
}

template <int dim>
void Temperature<dim>::declare_entries(Parameters &p)
{
  p.add("Initial", initial,
        "temperature at the start, where nothing strains, an expression of x, y, z; default: the Reference temperature");
  p.add("Field", field,
        "temperature, an expression of x, y, z, t, from the start of a dynamic stage on; static stages go to it with their increments, but "
        "take a function of t as it is; default: that of the start");
  starts = p.given("Initial");
  becomes = p.given("Field");
}

template <int dim>
void Temperature<dim>::declare(Parameters p)
{
  if (!p.exists())
    return;
  place = p.where();
  declare_entries(p);
  if (initial.uses("t"))
    p.fail("Initial", "the temperature at the start depends on x, y, z alone. Give what follows as Field");
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    OfNodes one;
    one.name = name;
    one.declare(section);
    if (one.nodes.empty())
      section.fail("Nodes", "needs node sets or numbers of nodes of the mesh's file");
    if (!one.starts && !one.becomes)
      section.fail("Value", "the section says no temperature. Give Value, Initial or both");
    if (!one.becomes && !one.amplitude.constant())
      section.fail("Amplitude", "has no effect without a Value. Give it, or remove the entry");
    of_nodes.push_back(one);
  }
  if (!starts && !becomes && of_nodes.empty())
    p.fail("", "the section says no temperature. Give Initial and Field, or sections with Nodes");
}

template <int dim>
void Temperature<dim>::document(Parameters p)
{
  declare_entries(p);
  Parameters section = p.section("<name>");
  OfNodes().declare(section);
}

template <int dim>
bool Temperature<dim>::changes() const
{
  return becomes || std::any_of(of_nodes.begin(), of_nodes.end(), [](const OfNodes &one) { return one.becomes; });
}

template <int dim>
bool Temperature<dim>::changes_in_time() const
{
  return (becomes && field.uses("t")) || std::any_of(of_nodes.begin(), of_nodes.end(), [](const OfNodes &one) {
           return one.becomes && (!one.amplitude.constant() ||
                                  std::any_of(one.value.begin(), one.value.end(), [](const Expression &value) { return value.uses("t"); }));
         });
}

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
void Temperature<dim>::prepare(const Discretisation<dim> &given)
{
  mesh = &given;
  for (const CellRegion<dim> &region : mesh->regions)
  {
    interpolation.push_back(interpolation_of(region.family));
    for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
      for (int i = 0; i < region.n_nodes() * lanes; ++i)
        of_cells.push_back(region.batch_nodes(batch)[i]);
  }
  std::sort(of_cells.begin(), of_cells.end());
  of_cells.erase(std::unique(of_cells.begin(), of_cells.end()), of_cells.end());
  if (of_nodes.empty())
    return;
  if (!mesh->file_nodes)
    throw InputError(of_nodes.front().where + ": the mesh names no nodes. Give Field as an expression of x, y, z");
  const NamedNodes<dim> named(*mesh);
  for (OfNodes &one : of_nodes)
    try
    {
      one.prepare(named);
    }
    catch (const InputError &error)
    {
      throw InputError(one.where + ": " + error.what());
    }
}

template <int dim>
typename Temperature<dim>::Nodal Temperature<dim>::at_start() const
{
  Nodal values(mesh->n_local_nodes(), std::numeric_limits<double>::quiet_NaN());
  if (starts)
    for (const unsigned int node : of_cells)
      values[node] = initial.at(&mesh->position[node][0], dim, 0.);
  for (const OfNodes &one : of_nodes)
    if (one.starts)
      for (const auto &[node, k] : one.local)
        values[node] = one.of(one.initial, k).at(&mesh->position[node][0], dim, 0.);
  return values;
}

template <int dim>
typename Temperature<dim>::Nodal Temperature<dim>::at(const Moment &now) const
{
  Nodal values = at_start();
  if (becomes)
    for (const unsigned int node : of_cells)
      values[node] = field.at(&mesh->position[node][0], dim, now.t);
  for (const OfNodes &one : of_nodes)
    if (one.becomes)
      for (const auto &[node, k] : one.local)
        values[node] = one.of(one.value, k).at(&mesh->position[node][0], dim, now.t) * one.amplitude(now);
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
