#include "elements/output/maxima.h"

#include <deal.II/numerics/data_out.h>

#include <algorithm>
#include <cmath>

#include "elements/files/vtu_files.h"
#include "elements/output/cell_files.h"
#include "elements/system/cell_stress.h"
#include "solver/base/timer.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
constexpr int displacement_of_node = 0, stress_value = 1;  ///< components of `largest`
}

template <int dim>
void Maxima<dim>::declare(Parameters &p)
{
  p.add("Maxima every", every,
        "steps between those that the envelopes in maxima.pvd look at: largest |u| and von Mises stress at each node; 0: none",
        between(0, 1000000000));
}

template <int dim>
void Maxima<dim>::observe(const SolidBody<dim> &system, const State &state)
{
  if (!wanted() || state.n % every != 0)
    return;
  const ScopedTimer timer("monitors");
  const Discretisation<dim> &mesh = system.mesh();
  if (largest.size() == 0)
    largest = mesh.new_vector();
  largest.zero_out_ghost_values();
  const auto raise = [&](const unsigned int node, const int component, const double value) {
    double &kept = largest.local_element(dim * node + component);
    kept = std::max(kept, value);
  };
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
  {
    double square = 0;
    for (int d = 0; d < dim; ++d)
      square += std::pow(state.q.local_element(dim * node + d), 2);
    raise(node, displacement_of_node, std::sqrt(square));
  }
  const auto at_nodes = [](const CellRegion<dim> &region) { return dealii::Quadrature<dim>(region.family.fe->get_unit_support_points()); };
  CellStress<dim>(system, at_nodes).visit(state, true, [&](const auto &, const auto &nodes, const auto &, const auto &stress) {
    for (std::size_t a = 0; a < nodes.size(); ++a)
      if (int(nodes[a]) < mesh.n_owned_nodes())
        raise(nodes[a], stress_value, von_mises(stress[a].stress));
  });
}

template <int dim>
std::string Maxima<dim>::write(const SolidBody<dim> &system, const double time, const std::string &folder) const
{
  if (largest.size() == 0)
    return "";
  const ScopedTimer timer("output");
  const Discretisation<dim> &mesh = system.mesh();
  Vector u(mesh.node_partitioner), stress(mesh.node_partitioner);
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
  {
    u.local_element(node) = largest.local_element(dim * node + displacement_of_node);
    stress.local_element(node) = largest.local_element(dim * node + stress_value);
  }
  u.update_ghost_values();
  stress.update_ghost_values();
  if (!library_writes(mesh))
  {
    std::vector<NodeField> fields{{"max_displacement", 1, {}}, {"max_von_mises", 1, {}}};
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int node : mesh.cell_nodes(cell))
        {
          fields[0].values.push_back(u.local_element(node));
          fields[1].values.push_back(stress.local_element(node));
        }
    return write_cell_files(mesh, fields, time, folder, "maxima");
  }
  dealii::DataOut<dim> out;
  out.add_data_vector(mesh.handler, u, "max_displacement");
  out.add_data_vector(mesh.handler, stress, "max_von_mises");
  const CellRegion<dim> &region = mesh.regions.front();
  dealii::DataOutBase::VtkFlags flags;
  flags.time = time;
  flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
  flags.write_higher_order_cells = region.family.formulation->library(mesh.degree()).higher_order;
  out.set_flags(flags);
  out.build_patches(*region.mapping, mesh.degree());
  return write_vtu_files(out, folder, "maxima", mesh.communicator);
}

template class Maxima<2>;
template class Maxima<3>;
}  // namespace symdyn
