#pragma once
#include "elements/site_plan.h"
#include "elements/solids/solid_body.h"
#include "elements/system/assembled_system.h"

namespace symdyn
{
/// The sites of a mesh, and others that have been appended to it.
template <int dim>
std::shared_ptr<const Space> make_space(const Discretisation<dim> &mesh, const std::vector<AppendedSite> &appended = {});

/// What a body adds to a system. The body must outlive it.
template <int dim>
AssembledSystem::Parts system_parts(const SolidBody<dim> &body, std::shared_ptr<const Space> space);
}  // namespace symdyn
