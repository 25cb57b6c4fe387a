#pragma once
#include "elements/space/cell_region.h"

namespace symdyn
{
/// Numbers the nodes of cells of several shapes, so that neighbours share those of vertices and of lines: active_fe_index is the number of
/// the region. Collective. Errors: InputError for elements with nodes inside faces or cells, or of a kind that deal.II 9.4 cannot join.
template <int dim>
void distribute_shared_nodes(const std::vector<CellRegion<dim>> &regions, dealii::DoFHandler<dim> &handler);
}  // namespace symdyn
