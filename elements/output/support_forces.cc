#include "elements/output/support_forces.h"

#include <deal.II/base/mpi.h>

#include "solver/dynamics/energy.h"
#include "solver/history.h"

namespace symdyn
{
namespace
{
/// f_int of these batches of cells.
template <int dim, class Batches>
Vector strain_force_of(const SolidBody<dim> &body, const State &state, const Batches &batches)
{
  state.q.update_ghost_values();
  Vector force = body.mesh().new_vector();
  std::vector<Wide> u, cell;
  StepLaws<dim> laws = body.cells()->laws(SolidHistory<dim>::of(state));
  for (const auto &[region, batch] : batches)
  {
    u.resize(region->n_nodes() * dim);
    cell.assign(u.size(), Wide(0.));
    region->gather(batch, state.q, u.data());
    const CellsOfLaw<dim> cells = laws.of(*region, batch);
    cells.kernels.force(cells.map, u.data(), cells.law, cell.data());
    region->scatter_add(batch, cell.data(), force);
  }
  force.compress(dealii::VectorOperation::add);
  return force;
}
}  // namespace

template <int dim>
SupportForces<dim>::SupportForces(const SolidBody<dim> &body, const MechanicalSystem &system)
    : body(body), system(system), gravity(body.gravity())
{
  const Discretisation<dim> &mesh = body.mesh();
  Vector held(mesh.node_partitioner);
  for (const auto &support : body.supports().all())
    for (const unsigned int node : support.nodes)
      held.local_element(node) = 1.;
  held.update_ghost_values();  // a cell of ours may have a held node of another rank
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
      for (int i = 0; i < region.n_nodes() * lanes; ++i)
        if (held.local_element(region.batch_nodes(batch)[i]) > 0.)
        {
          batches.emplace_back(&region, batch);
          break;
        }
}

template <int dim>
typename SupportForces<dim>::AtNodes SupportForces<dim>::at_nodes(const State &state, const bool statics, const Vector &others) const
{
  const Discretisation<dim> &mesh = body.mesh();
  const Vector strain = strain_force_of(body, state, batches);
  Vector inertia;
  const Forces forces(*About(system, state), state, statics, false);
  if (!statics)
  {
    inertia = mesh.new_vector();
    system.mass(state.a, inertia);
  }
  AtNodes held{mesh.new_vector(), mesh.new_vector()};
  for (const auto &support : body.supports().all())
    for (const unsigned int node : support.nodes)
      for (unsigned int i = dim * node; i < dim * (node + 1); ++i)
      {
        double &sum = held.reaction.local_element(i) = held.strain.local_element(i) = strain.local_element(i);
        sum -= forces.applied.local_element(i);
        for (const auto &[vector, sign] : {std::pair{&others, 1.}, {&forces.damping, 1.}, {&inertia, 1.}, {&gravity, -1.}})
          sum += vector->size() > 0 ? sign * vector->local_element(i) : 0.;
      }
  return held;
}

template <int dim>
std::vector<typename SupportForces<dim>::Sums> SupportForces<dim>::sums(const AtNodes &forces) const
{
  const Discretisation<dim> &mesh = body.mesh();
  std::vector<double> values;  // one reduction for all
  for (const auto &support : body.supports().all())
    for (int d = 0; d < dim; ++d)
      for (const Vector *force : {&forces.strain, &forces.reaction})
      {
        double sum = 0;
        for (const unsigned int node : support.nodes)
          sum += force->local_element(dim * node + d);
        values.push_back(sum);
      }
  dealii::Utilities::MPI::sum(values, mesh.communicator, values);
  std::vector<Sums> sums(body.supports().all().size());
  auto value = values.begin();
  for (Sums &sum : sums)
    for (int d = 0; d < dim; ++d)
    {
      sum.strain[d] = *value++;
      sum.reaction[d] = *value++;
    }
  return sums;
}

template class SupportForces<2>;
template class SupportForces<3>;
}  // namespace symdyn
