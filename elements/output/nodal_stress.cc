#include "elements/output/nodal_stress.h"

#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/space/tangent.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

struct ProjectionOperator
{
  std::function<void(Vector &, const Vector &)> vmult;
};

/// M x = b by conjugate gradients from x = 0.
void solve_projection(const ProjectionOperator &M, const ProjectionOperator &inverse_diagonal, const Vector &b, Vector &x)
{
  constexpr int most = 500;
  constexpr double tolerance = 1e-12;
  x.zero_out_ghost_values();
  x = 0.;
  dealii::SolverControl control(most, tolerance * b.l2_norm());
  try
  {
    if (b.l2_norm() > 0.)
      dealii::SolverCG<Vector>(control).solve(M, x, b, inverse_diagonal);
  }
  catch (const dealii::SolverControl::NoConvergence &)
  {
    throw ComputationError(
        "projected stress: conjugate gradients do not converge: the mesh is too distorted. Use `averaged stress` in Output/Fields");
  }
}
}  // namespace

template <int dim>
NodalStress<dim>::NodalStress(const SolidBody<dim> &system, const NodalRule rule) : system(system), rule(rule)
{
  const Discretisation<dim> &mesh = system.mesh();
  if (rule == NodalRule::projected)
    pattern = make_pattern(mesh);
  for (const auto &entry : system.all_parts().materials)
  {
    const unsigned int material = entry.first;
    for (Vector &x : fields[material])
      x.reinit(mesh.node_partitioner);
    if (rule == NodalRule::projected)
      volume[material] = std::make_unique<MassMatrix<dim>>(
          mesh, MassType::consistent, [material](const unsigned int id) { return id == material ? 1. : 0.; }, &pattern);
  }
}

template <int dim>
void NodalStress<dim>::compute(const State &state)
{
  for (auto &entry : fields)
    for (Vector &x : entry.second)
    {
      x.zero_out_ghost_values();
      x = 0.;
    }
  rule == NodalRule::averaged ? average(state) : project(state);
  for (auto &entry : fields)
    for (Vector &x : entry.second)
      x.update_ghost_values();
}

template <int dim>
void NodalStress<dim>::average(const State &state)
{
  const Discretisation<dim> &mesh = system.mesh();
  std::map<unsigned int, std::vector<double>> cells_at;
  for (const auto &entry : fields)
    cells_at[entry.first].assign(mesh.n_owned_nodes(), 0.);
  const auto at_nodes = [](const CellRegion<dim> &region) { return dealii::Quadrature<dim>(region.family.fe->get_unit_support_points()); };
  CellStress<dim>(system, at_nodes).visit(state, true, [&](const auto &cell, const auto &nodes, const auto &, const auto &stress) {
    Field &field = fields.at(cell->material_id());
    for (std::size_t a = 0; a < nodes.size(); ++a)
      if (int(nodes[a]) < mesh.n_owned_nodes())
      {
        cells_at[cell->material_id()][nodes[a]] += 1.;
        for (int c = 0; c < components; ++c)
          field[c].local_element(nodes[a]) += stress[a].stress[places[c][0]][places[c][1]];
      }
  });
  for (auto &[material, field] : fields)
    for (Vector &x : field)
      for (int node = 0; node < mesh.n_owned_nodes(); ++node)
        if (cells_at[material][node] > 0.)
          x.local_element(node) /= cells_at[material][node];
}

template <int dim>
void NodalStress<dim>::project(const State &state)
{
  const Discretisation<dim> &mesh = system.mesh();
  CellStress<dim>(system, [](const CellRegion<dim> &region) {
    return region.family.mass_points;
  }).visit(state, true, [&](const auto &cell, const auto &nodes, const auto &values, const auto &stress) {
    Field &field = fields.at(cell->material_id());
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t point = 0; point < stress.size() && int(nodes[a]) < mesh.n_owned_nodes(); ++point)
        for (int c = 0; c < components; ++c)
          field[c].local_element(nodes[a]) +=
              values.shape_value(a, point) * values.JxW(point) * stress[point].stress[places[c][0]][places[c][1]];
  });
  for (auto &[material, field] : fields)
    solve(*volume.at(material), field);
}

template <int dim>
void NodalStress<dim>::solve(const MassMatrix<dim> &mass, Field &field) const
{
  const Discretisation<dim> &mesh = system.mesh();
  // Nodes of other materials have rows of zeros, on both sides: the preconditioner leaves them at zero.
  const ProjectionOperator matrix{[&](Vector &y, const Vector &x) {
    mass.multiply(x, y);
    x.zero_out_ghost_values();
  }};
  const ProjectionOperator inverse_diagonal{[&](Vector &y, const Vector &x) {
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
      for (int d = 0; d < dim; ++d)
      {
        const double diagonal = mass.diagonal_entry(node);
        y.local_element(dim * node + d) = diagonal > 0. ? x.local_element(dim * node + d) / diagonal : 0.;
      }
  }};
  Vector b = mesh.new_vector(), x = b;
  for (int first = 0; first < components; first += dim)  // `dim` components at once: the matrix is one over nodes
  {
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
      for (int d = 0; d < dim; ++d)
        b.local_element(dim * node + d) = field[first + d].local_element(node);
    solve_projection(matrix, inverse_diagonal, b, x);
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
      for (int d = 0; d < dim; ++d)
        field[first + d].local_element(node) = x.local_element(dim * node + d);
  }
}

template <int dim>
typename NodalStress<dim>::Components NodalStress<dim>::at(const typename Discretisation<dim>::Cell &cell,
                                                           const dealii::Point<dim> &xi) const
{
  const Field &field = fields.at(cell->material_id());
  const std::vector<unsigned int> nodes = system.mesh().cell_nodes(cell);
  Components sigma{};
  for (std::size_t a = 0; a < nodes.size(); ++a)
  {
    const double N = system.mesh().region_of(cell).family.fe->shape_value(a, xi);
    for (int c = 0; c < components; ++c)
      sigma[c] += N * field[c].local_element(nodes[a]);
  }
  return sigma;
}

template <int dim>
double NodalStress<dim>::von_mises_at(const unsigned int node) const
{
  double largest = 0;
  for (const auto &entry : fields)
  {
    dealii::SymmetricTensor<2, 3> sigma;
    for (int c = 0; c < components; ++c)
      sigma[places[c][0]][places[c][1]] = entry.second[c].local_element(node);
    largest = std::max(largest, von_mises(sigma));
  }
  return largest;
}

template class NodalStress<2>;
template class NodalStress<3>;
}  // namespace symdyn
