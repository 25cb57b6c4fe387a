#include "elements/system/degree_transfer.h"

#include <cmath>

namespace symdyn
{
template <int dim>
DegreeTransfer<dim>::DegreeTransfer(const Discretisation<dim> &fine, const Discretisation<dim> &coarse) : at(coarse.n_owned_nodes(), -1)
{
  constexpr double rounding = 1e-12;  // of a shape function that vanishes
  std::vector<std::vector<std::pair<int, double>>> rows(fine.n_owned_nodes());
  auto fine_cell = fine.handler.begin_active();
  for (auto cell = coarse.handler.begin_active(); cell != coarse.handler.end(); ++cell, ++fine_cell)
  {
    if (cell->is_artificial())
      continue;
    const CellRegion<dim> &of_fine = fine.region_of(fine_cell), &of_coarse = coarse.region_of(cell);
    const auto &support = of_fine.family.fe->get_unit_support_points();
    const auto own = fine.cell_nodes(fine_cell), corner = coarse.cell_nodes(cell);
    for (int a = 0; a < of_fine.n_nodes(); ++a)
    {
      const bool is_new = int(own[a]) < fine.n_owned_nodes() && rows[own[a]].empty();  // one of the cells of a node is enough
      for (int v = 0; v < of_coarse.n_nodes(); ++v)
      {
        const double N = of_coarse.family.fe->shape_value(v, support[a]);
        if (is_new && std::abs(N) > rounding)
          rows[own[a]].emplace_back(corner[v], N);
        if (std::abs(N - 1.) < rounding && int(corner[v]) < coarse.n_owned_nodes())
          at[corner[v]] = own[a];
      }
    }
  }
  start = {0};
  for (const auto &row : rows)
  {
    for (const auto &[corner, N] : row)
    {
      column.push_back(corner);
      weight.push_back(N);
    }
    start.push_back(column.size());
  }
}

template <int dim>
void DegreeTransfer<dim>::prolong(const Vector &coarse, Vector &fine) const
{
  coarse.update_ghost_values();
  fine.zero_out_ghost_values();
  for (std::size_t row = 0; row + 1 < start.size(); ++row)
    for (int d = 0; d < dim; ++d)
    {
      double sum = 0;
      for (int p = start[row]; p < start[row + 1]; ++p)
        sum += weight[p] * coarse.local_element(dim * column[p] + d);
      fine.local_element(dim * row + d) = sum;
    }
}

template <int dim>
void DegreeTransfer<dim>::restrict(const Vector &fine, Vector &coarse) const
{
  coarse.zero_out_ghost_values();
  coarse = 0.;
  for (std::size_t row = 0; row + 1 < start.size(); ++row)
    for (int p = start[row]; p < start[row + 1]; ++p)
      for (int d = 0; d < dim; ++d)
        coarse.local_element(dim * column[p] + d) += weight[p] * fine.local_element(dim * row + d);
  coarse.compress(dealii::VectorOperation::add);
}

template <int dim>
void DegreeTransfer<dim>::inject(const Vector &fine, Vector &coarse) const
{
  fine.update_ghost_values();
  coarse.zero_out_ghost_values();
  for (std::size_t node = 0; node < at.size(); ++node)
    for (int d = 0; d < dim; ++d)
      coarse.local_element(dim * node + d) = fine.local_element(dim * at[node] + d);
  coarse.update_ghost_values();
}

template class DegreeTransfer<2>;
template class DegreeTransfer<3>;
}  // namespace symdyn
