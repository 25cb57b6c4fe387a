#include "elements/output/maxima.h"

#include <algorithm>
#include <cmath>

#include "elements/output/nodal_stress.h"
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
void Maxima<dim>::observe(const SolidBody<dim> &system, const CellFrames<dim> &frames, const State &state)
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
  if (frames.are_shared())
  {
    NodalStress<dim> stress(system, NodalRule::averaged);
    stress.compute(state);
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
      raise(node, stress_value, stress.von_mises_at(node));
    return;
  }
  const auto at_nodes = [](const CellRegion<dim> &region) { return dealii::Quadrature<dim>(region.family.fe->get_unit_support_points()); };
  CellStress<dim>(system, at_nodes).visit(state, true, [&](const auto &, const auto &nodes, const auto &, const auto &stress) {
    for (std::size_t a = 0; a < nodes.size(); ++a)
      if (int(nodes[a]) < mesh.n_owned_nodes())
        raise(nodes[a], stress_value, von_mises(stress[a].stress));
  });
}

template <int dim>
std::string Maxima<dim>::write(const SolidBody<dim> &system, const CellFrames<dim> &frames, const double time,
                               const std::string &folder) const
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
  const auto values = [&frames](const std::string &name, const Vector &x) {
    return frames.at_nodes(name, 1,
                           [&x](const auto &, unsigned int, const unsigned int node, int) { return double(x.local_element(node)); });
  };
  return frames.write({values("max_displacement", u), values("max_von_mises", stress)}, time, folder, "maxima");
}

template class Maxima<2>;
template class Maxima<3>;
}  // namespace symdyn
