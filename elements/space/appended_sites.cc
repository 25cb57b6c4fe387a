#include <deal.II/base/mpi.h>

#include "elements/space.h"
#include "elements/space/discretisation.h"

// Sites that are no nodes of the mesh, in one numbering with them.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
std::int64_t Discretisation<dim>::site_of(const std::int64_t node) const
{
  return node < of_first_rank ? node : node + n_appended;
}

template <int dim>
std::pair<std::uint64_t, std::uint64_t> owned_sites(const Discretisation<dim> &mesh, const int appended)
{
  const bool first = MPI::this_mpi_process(mesh.communicator) == 0;
  const std::uint64_t shift = first ? 0 : appended, begin = mesh.node_partitioner->local_range().first + shift;
  return {begin, begin + mesh.n_owned_nodes() + (first ? appended : 0)};
}

/// Places of local nodes, of which node a is place[a] now; those of new ghosts from their owners, of appended sites infinite.
template <int dim>
std::vector<dealii::Point<dim>> in_new_order(const std::vector<dealii::Point<dim>> &position, const std::vector<unsigned int> &place,
                                             const unsigned int sites, const std::shared_ptr<const MPI::Partitioner> &partitioner)
{
  dealii::Point<dim> nowhere;  // no region, set or plane has it
  for (int d = 0; d < dim; ++d)
    nowhere[d] = std::numeric_limits<double>::infinity();
  const unsigned int owned = partitioner->locally_owned_size() / dim;
  std::vector<dealii::Point<dim>> moved(sites, nowhere);
  std::vector<char> placed(sites, 0);
  Vector X(partitioner);
  X = nowhere[0];
  for (unsigned int local = 0; local < place.size(); ++local)
  {
    moved[place[local]] = position[local];
    placed[place[local]] = 1;
    for (int d = 0; d < dim && place[local] < owned; ++d)
      X.local_element(dim * place[local] + d) = position[local][d];
  }
  X.update_ghost_values();
  for (unsigned int local = owned; local < sites; ++local)
    for (int d = 0; d < dim && !placed[local]; ++d)
      moved[local][d] = X.local_element(dim * local + d);
  return moved;
}

template <int dim>
void Discretisation<dim>::append_sites(const int appended, const dealii::IndexSet &known)
{
  const auto old_nodes = node_partitioner;
  const std::uint64_t sites = old_nodes->size() + appended;
  const auto [begin, end] = owned_sites(*this, appended);
  of_first_rank = MPI::broadcast(communicator, std::int64_t(n_owned), 0);
  n_appended = appended;
  dealii::IndexSet owned(sites), ghosts(sites);
  owned.add_range(begin, end);
  for (const auto ghost : old_nodes->ghost_indices())
    ghosts.add_index(site_of(ghost));
  ghosts.add_indices(known);
  ghosts.compress();
  node_partitioner = std::make_shared<MPI::Partitioner>(owned, ghosts, communicator);
  partitioner = expanded(*node_partitioner, dim);
  std::vector<unsigned int> place(position.size());
  for (unsigned int local = 0; local < place.size(); ++local)
    place[local] = node_partitioner->global_to_local(site_of(old_nodes->local_to_global(local)));
  const unsigned int sites_here = node_partitioner->locally_owned_size() + node_partitioner->n_ghost_indices();
  position = in_new_order(position, place, sites_here, partitioner);
  if (!position_in_file.empty())
    position_in_file = in_new_order(position_in_file, place, sites_here, partitioner);
  for (CellRegion<dim> &region : regions)
    region.renumber(place);
}

template std::int64_t Discretisation<2>::site_of(std::int64_t) const;
template std::int64_t Discretisation<3>::site_of(std::int64_t) const;
template std::pair<std::uint64_t, std::uint64_t> owned_sites(const Discretisation<2> &, int);
template std::pair<std::uint64_t, std::uint64_t> owned_sites(const Discretisation<3> &, int);
template void Discretisation<2>::append_sites(int, const dealii::IndexSet &);
template void Discretisation<3>::append_sites(int, const dealii::IndexSet &);
}  // namespace symdyn
