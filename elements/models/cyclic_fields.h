#pragma once
#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "elements/loads/cell_load.h"
#include "elements/solids/solid_body.h"
#include "elements/system/assembled_system.h"
#include "solver/error.h"

// Fields of decks that turning a sector does not map to themselves.
namespace symdyn
{
/// Of an initial velocity or displacement, before relations change it. Errors: InputError where that of one side of the sector, turned, is
/// not that of the other. Collective.
inline void require_turned(const AssembledSystem &system, const Vector &given, const std::string &where)
{
  constexpr double rounding = 1e-8;
  const auto &parts = system.all_parts();
  if (!parts.cyclic)
    return;
  Vector joined = given;
  parts.relations.all->expand(joined);
  double jump = 0;
  const auto own = given.get_partitioner();
  for (const SiteRelation &one : parts.relations.all->all())
    for (const auto &[dof, factor] : one.terms)
      if (one.of_cut && own->in_local_range(dof))
        jump = std::max(jump, std::abs(joined(dof) - given(dof)));
  jump = dealii::Utilities::MPI::max(jump, parts.space->communicator());
  if (jump > rounding * given.linfty_norm())
    throw InputError(fmt::format(
        "{}: at one side of the sector the field is not that of the other side, turned: they differ by {:.3g} of {:.3g}. All sectors "
        "move alike. Let it be along the axis, or turn with the sector (a rotation about the axis, a radial field), or model the "
        "whole",
        where, jump, given.linfty_norm()));
}

/// Whether a field per mass has one direction in all cells at t, which is then its direction; 0: it has none, or is 0. Collective.
template <int dim>
Place one_direction(const CellLoad<dim> &load, const Discretisation<dim> &mesh, const double t)
{
  constexpr double alike = 1e-9;
  Place first{};
  bool is_one = true;
  const auto take = [&](const Place &b) {
    const double size = length(b);
    if (size == 0.)
      return;
    if (length(first) == 0.)
      first = {b[0] / size, b[1] / size, b[2] / size};
    is_one = is_one && std::abs(std::abs(dot(first, b)) - size) <= alike * size;
  };
  for (const auto &cell : mesh.handler.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
    {
      const auto b = load.per_mass(cell->vertex(v), t);
      Place here{};
      for (int d = 0; d < dim && cell->is_locally_owned(); ++d)
        here[d] = b[d];
      take(here);
    }
  const Place of_rank = first;
  first = {};
  for (const Place &other : dealii::Utilities::MPI::all_gather(mesh.communicator, of_rank))
    take(other);
  return dealii::Utilities::MPI::min(int(is_one), mesh.communicator) == 1 ? first : Place{};
}

/// Errors: InputError for a force per mass of one direction across the axis. Collective.
template <int dim>
void refuse_one_direction(const AssembledSystem &system, const Discretisation<dim> &mesh)
{
  constexpr double rounding = 1e-8;
  const auto &parts = system.all_parts();
  if (!parts.cyclic)
    return;
  for (const LoadInUse &use : parts.loads)
    if (const auto *field = dynamic_cast<const CellLoad<dim> *>(use.load.get()); field && !use.load->is_potential())
      for (const double t : {0.3, 1.7})  // it may be zero at some time
        if (const Place e = one_direction(*field, mesh, t); length(parts.cyclic->across(e)) > rounding)
          throw InputError(fmt::format(
              "{}: '{}' acts across the axis of symmetry along ({:.4g}, {:.4g}, {:.4g}) everywhere: it has one direction in space, which breaks "
              "the symmetry. Let it act along the axis, or model the whole. In harmonic stages Base acceleration shakes the whole across its "
              "axis, with Engine order = 1 and -1",
              use.where, use.name, e[0], e[1], e[2]));
}
}  // namespace symdyn
