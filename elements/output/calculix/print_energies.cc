#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/output/calculix/print_tables.h"
#include "elements/space/cell_mass.h"
#include "elements/space/cell_order.h"

// Tables of whole elements: energies with the quadrature and the masses of the run, so that their sums are those of its energy balance.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// ½ sum_ab m_ab v_a·v_b of the cells of a batch [J].
template <int dim>
Wide kinetic_energy(const SolidBody<dim> &system, const CellRegion<dim> &region, const std::size_t batch, const std::vector<Wide> &v)
{
  const int nodes = region.n_nodes();
  const double density = system.all_parts().materials.at(region.batches[batch].material).density;
  Wide twice = 0.;
  if (system.mass_matrix_of_nodes().diagonal())
  {
    const std::vector<Wide> m = lumped_masses(region, batch, density);
    for (int a = 0; a < nodes; ++a)
      for (int d = 0; d < dim; ++d)
        twice += m[a] * v[a * dim + d] * v[a * dim + d];
    return 0.5 * twice;
  }
  std::vector<Wide> p(nodes * dim, Wide(0.));
  region.kernels->mass_product(region.batch_map(batch), v.data(), density, p.data());
  if (system.mass_matrix_of_nodes().has_modes())
    add_mass_of_modes(region, batch, system.material(region.batches[batch].material), density, v, p);
  for (int i = 0; i < nodes * dim; ++i)
    twice += p[i] * v[i];
  return 0.5 * twice;
}

/// Of each active cell [J], [J] or [m³]; zero of those of other ranks.
template <int dim>
std::vector<double> of_active_cells(const SolidBody<dim> &system, const State &state, const std::string &quantity)
{
  const Discretisation<dim> &mesh = system.mesh();
  std::vector<double> of_cell(mesh.triangulation->n_active_cells(), 0.);
  std::vector<Wide> values;
  const Vector &field = quantity == "ELKE" ? state.v : state.q;
  field.update_ghost_values();
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      const auto &cells = region.batches[batch];
      Wide result = 0., smallest_jacobian = 0.;
      values.resize(region.n_nodes() * dim);
      region.gather(batch, field, values.data());
      if (quantity == "ELSE")
      {
        StepLaws<dim> laws = system.cells()->laws(SolidHistory<dim>::of(state));
        const CellsOfLaw<dim> of = laws.of(region, batch);
        result = of.kernels.energy(of.map, values.data(), of.law);
      }
      else if (quantity == "ELKE")
        result = kinetic_energy(system, region, batch, values);
      else
      {
        region.kernels->geometry(region.batch_vertices(batch), smallest_jacobian, result);
        result *= Wide(system.all_parts().materials.at(cells.material).thickness);
      }
      for (int lane = 0; lane < cells.filled; ++lane)
        of_cell[cells.cell[lane]] = result[lane];
    }
  if (const double *history = SolidHistory<dim>::of(state); history && quantity == "ELSE")
    system.cells()->layout().add_dissipated(history, of_cell);
  return of_cell;
}
}  // namespace

template <int dim>
std::string PrintTables<dim>::of_whole_cells(const PrintTable &table, const std::string &quantity, const double time) const
{
  const Discretisation<dim> &mesh = system->mesh();
  const std::vector<double> of_cell = of_active_cells(*system, *state, quantity);
  struct Part
  {
    double s;
    dealii::Point<dim> centre;  // of the cell of the file
    double value;
  };
  std::vector<Part> parts;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const auto centre = centre_in_file<dim>(cell);
      parts.push_back({along(centre), centre, of_cell[cell->active_cell_index()]});
    }
  std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.s < b.s; });
  const auto &wanted = mesh.file_nodes->cell_sets.at(table.elements);
  const double same_place = 1e-3 * mesh.smallest_edge;
  std::vector<double> sums(wanted.size(), 0.);
  for (std::size_t i = 0; i < wanted.size(); ++i)
  {
    const dealii::Point<dim> centre = centre_of(wanted[i]);
    const double s = along(centre);
    for (auto part =
             std::lower_bound(parts.begin(), parts.end(), s - same_place, [](const Part &p, const double from) { return p.s < from; });
         part != parts.end() && part->s <= s + same_place; ++part)
      if (part->centre.distance(centre) < same_place)
        sums[i] += part->value;
  }
  MPI::sum(sums, mesh.communicator, sums);
  std::vector<std::pair<long, double>> rows;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    rows.emplace_back(wanted[i].number, sums[i]);
  return table.of_elements(quantity, rows, time);
}

template std::string PrintTables<2>::of_whole_cells(const PrintTable &, const std::string &, double) const;
template std::string PrintTables<3>::of_whole_cells(const PrintTable &, const std::string &, double) const;
}  // namespace symdyn
