#include "elements/output/point_memory.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
bool has_quantity(const InelasticMaterial &law, const std::string &quantity)
{
  const std::vector<Remembered> all = law.remembered();
  return std::any_of(all.begin(), all.end(), [&](const Remembered &one) { return one.name == quantity; });
}
}  // namespace

template <int dim>
std::vector<std::string> PointMemory<dim>::quantities(const SolidBody<dim> &body)
{
  const std::vector<std::string> known = RememberedFields(body.all_parts().materials).names();
  std::vector<std::string> found;
  for (const char *name : {"p", "temperature"})
    if (std::count(known.begin(), known.end(), name) > 0)
      found.push_back(name);
  return found;
}

template <int dim>
PointMemory<dim>::PointMemory(const SolidBody<dim> &body, const dealii::Point<dim> &X, std::string quantity)
    : body(&body), fields(body.all_parts().materials), name(std::move(quantity))
{
  place = std::find(fields.names().begin(), fields.names().end(), name) - fields.names().begin();
  const MPI_Comm ranks = body.mesh().communicator;
  const double distance = find(X), least = MPI::min(distance, ranks);
  const unsigned int me = MPI::this_mpi_process(ranks), none = std::numeric_limits<unsigned int>::max();
  if (MPI::min(law && distance == least ? me : none, ranks) != me)
    law = nullptr;
}

template <int dim>
double PointMemory<dim>::find(const dealii::Point<dim> &X)
{
  const Discretisation<dim> &mesh = body->mesh();
  double least = std::numeric_limits<double>::infinity();
  for (const auto &one : mesh.handler.active_cell_iterators())
  {
    const InelasticMaterial *const here = one->is_locally_owned() ? inelastic(body->material_per_volume(one->material_id())) : nullptr;
    if (!here || !has_quantity(*here, name))
      continue;
    const ReferenceElement<dim> &table = mesh.region_of(one).family.stiffness;
    const std::vector<unsigned int> nodes = mesh.cell_nodes(one);
    for (int q = 0; q < table.points; ++q)
    {
      dealii::Tensor<1, dim> way = -X;
      for (std::size_t a = 0; a < nodes.size(); ++a)
        way += table.shape[q * nodes.size() + a] * mesh.position[nodes[a]];
      if (way.norm() >= least)
        continue;
      least = way.norm();
      law = here;
      cell = one->active_cell_index();
      variable = q * here->variables();
    }
  }
  return least;
}

template <int dim>
double PointMemory<dim>::at(const State &state) const
{
  double value = 0.;
  if (law)
  {
    const std::vector<Wide> m = body->cells()->layout().of_cell(cell, SolidHistory<dim>::of(state));
    value = fields.values(law, m.data() + variable)[place];
  }
  return MPI::sum(value, body->mesh().communicator);
}

template class PointMemory<2>;
template class PointMemory<3>;
}  // namespace symdyn
