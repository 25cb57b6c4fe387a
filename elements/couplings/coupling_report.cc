#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/couplings/coupling_part.h"
#include "elements/files/node_files.h"
#include "elements/gram/director_rotation.h"
#include "solver/base/units.h"

// What a coupling reports, and how it is drawn.
namespace symdyn
{
void Coupling::draw(const State &state, NodeFrame &drawn) const
{
  constexpr std::uint8_t vtk_line = 3;
  const auto put = [&](const SitePlan::Site site, const GramVector &X, const GramVector &lift) {
    const int local = seen->local(site);
    for (int d = 0; d < space; ++d)
    {
      drawn.places.values.push_back(X[d]);
      drawn.fields[0].values.push_back(state.q.local_element(space * local + d) + lift[d]);
    }
  };
  constexpr std::size_t most = 60;  // more lines hide the body
  for (std::size_t s = 0; s < nodes.size(); s += 1 + nodes.size() / most)
    if (seen->owns(nodes[s].site) && seen->local(reference.site) >= 0)
    {
      drawn.add_cell(vtk_line, 2);
      put(reference.site, reference.position, raised ? raised->lift_here(state.q) : GramVector{});
      put(nodes[s].site, nodes[s].X, {});
    }
}

std::vector<Column> Coupling::columns(const Units &) const
{
  std::vector<Column> all;
  for (int d = 0; d < space && !directors.empty(); ++d)
    all.push_back({fmt::format("{}.rot_{}", called, "xyz"[d]), "rad", linear ? Kind::motion : Kind::rotation});
  return all;
}

void Coupling::values(const State &state, std::vector<double> &out) const
{
  const std::vector<double> turned = rotation(state, nullptr);
  out.insert(out.end(), turned.begin(), turned.begin() + int(std::min<std::size_t>(space, turned.size())));
}

GramVectors Coupling::at_directors(const Vector &x) const
{
  std::vector<double> all;
  for (const SitePlan::Site site : directors)
    for (int d = 0; d < space; ++d)
      all.push_back(seen->owns(site) ? x.local_element(space * seen->local(site) + d) : 0.);
  dealii::Utilities::MPI::sum(all, x.get_mpi_communicator(), all);
  GramVectors of_each;
  for (std::size_t k = 0; k < directors.size(); ++k)
    of_each.push_back({all[space * k], all[space * k + 1], all[space * k + 2]});
  return of_each;
}

std::vector<double> Coupling::rotation(const State &state, const State *about) const
{
  if (directors.empty())
    return {};
  const GramVectors moved = at_directors(state.q);
  GramVectors now = basis;
  if (const State *present = about ? about : &state; !linear)
  {
    const GramVectors u = about ? at_directors(present->q) : moved;
    for (std::size_t k = 0; k < now.size(); ++k)
      now[k] = combination(now[k], 1., u[k]);
  }
  const GramVector angle = about || linear ? small_rotation_of_directors(now, moved) : rotation_of_directors(basis, now);
  std::vector<double> both(angle.begin(), angle.end());
  const GramVector speed = state.v.size() > 0 ? small_rotation_of_directors(now, at_directors(state.v)) : GramVector{};
  both.insert(both.end(), speed.begin(), speed.end());
  return both;
}

std::vector<Column> Coupling::columns_of_relations(const Units &units) const
{
  std::vector<Column> columns;
  for (const auto &[name, unit, kind] : {std::tuple{"F", units.force, Kind::force}, {"M", units.force + " " + units.length, Kind::moment}})
    for (int d = 0; d < space; ++d)
      columns.push_back({fmt::format("{}.{}_{}", called, name, "xyz"[d]), unit, kind});
  return columns;
}

/// What the reference exerts on its nodes, about its present place (linear: at rest). The multiplier of a relation holds what follows:
/// nodes and their directors of a rigid coupling, F = sum lambda, M = sum (x_s - r) x lambda + sum d x lambda; else the reference, with the
/// other sign.
void Coupling::values_of_relations(const State &state, const double *multipliers, std::vector<double> &out) const
{
  std::vector<double> sums(2 * space, 0.);
  const auto now = [&](const SitePlan::Site site, const GramVector &rest) {
    const int local = space * seen->local(site);
    if (linear)
      return rest;
    return GramVector{rest[0] + state.q.local_element(local), rest[1] + state.q.local_element(local + 1),
                      rest[2] + state.q.local_element(local + 2)};
  };
  state.q.update_ghost_values();
  for (std::size_t i = 0; i < followed.size(); ++i)
  {
    const auto &[site, rest, component] = followed[i];
    if (!seen->owns(site))
      continue;
    const bool is_place = !seen->space()->is_director(seen->local(site));
    GramVector force{}, arm = now(site, rest);
    force[component] = is_rigid() ? multipliers[i] : -multipliers[i];
    if (is_place)
      arm = combination(arm, -1., now(reference.site, reference.position));
    const GramVector moment = cross(arm, force);
    for (int d = 0; d < space; ++d)
    {
      sums[d] += is_place ? force[d] : 0.;
      sums[space + d] += moment[d];
    }
  }
  dealii::Utilities::MPI::sum(sums, state.q.get_mpi_communicator(), sums);
  if (raised)  // about the reference itself
  {
    const GramVector moment = cross(raised->arm(state), GramVector{sums[0], sums[1], sums[2]});
    for (int d = 0; d < space; ++d)
      sums[space + d] -= moment[d];
  }
  out.insert(out.end(), sums.begin(), sums.end());
}

std::string Coupling::description() const
{
  return fmt::format("{} nodes, {} at ({:g}, {:g}, {:g}) m{}{}", nodes.size(),
                     is_rigid() ? "rigidly coupled to the reference" : "which move the reference", reference.position[0],
                     reference.position[1], reference.position[2],
                     height ? fmt::format(", {:.4g} m off their plane", std::abs(height->height)) : "",
                     light > 0 ? "; the nodes give one of its directors no mass: it has a hundredth of their inertia" : "");
}
}  // namespace symdyn
