#pragma once
#include <memory>

#include "elements/space/discretisation.h"
#include "elements/supports/supported_nodes.h"

namespace symdyn
{
/// Those of a mesh, which must outlive them.
template <int dim>
std::shared_ptr<const SupportedNodes<dim>> supported_nodes(const Discretisation<dim> &mesh);
}  // namespace symdyn
