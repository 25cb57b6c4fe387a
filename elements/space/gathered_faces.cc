#include "elements/space/gathered_faces.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace symdyn
{
namespace
{
/// What ranks tell each other.
struct Packed : GatheredFace
{
  template <class A>
  void serialize(A &archive, const unsigned int)
  {
    archive &region &face &thickness &nodes &X;
  }
};
}  // namespace

template <int dim>
std::vector<GatheredFace> gather_faces(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries)
{
  std::vector<Packed> own;
  for (const auto &[cell, face] : boundary_faces(mesh, boundaries))
  {
    const auto thick = mesh.thickness.find(cell->material_id());
    Packed one;
    one.region = cell->active_fe_index();
    one.face = face;
    one.thickness = thick == mesh.thickness.end() ? 1. : thick->second;
    for (const unsigned int node : mesh.cell_nodes(cell))
    {
      one.nodes.push_back(mesh.node_partitioner->local_to_global(node));
      one.X.push_back(as_place<dim>(mesh.position[node]));
    }
    own.push_back(std::move(one));
  }
  std::vector<GatheredFace> all;
  for (std::vector<Packed> &of_rank : dealii::Utilities::MPI::all_gather(mesh.communicator, own))
    std::move(of_rank.begin(), of_rank.end(), std::back_inserter(all));
  std::sort(all.begin(), all.end(),
            [](const GatheredFace &a, const GatheredFace &b) { return std::tie(a.X, a.face) < std::tie(b.X, b.face); });
  return all;
}

template std::vector<GatheredFace> gather_faces(const Discretisation<2> &, const std::vector<std::string> &);
template std::vector<GatheredFace> gather_faces(const Discretisation<3> &, const std::vector<std::string> &);
}  // namespace symdyn
