#pragma once
#include <memory>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// The mapping of the cells of a region with curved edges, through all their nodes, for integrals by deal.II.
template <int dim>
std::shared_ptr<const dealii::Mapping<dim>> make_node_mapping(const Discretisation<dim> &mesh, const CellRegion<dim> &region);
}  // namespace symdyn
