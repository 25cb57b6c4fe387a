#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/lumped/coincident_nodes.h"
#include "elements/models/body_motions.h"
#include "elements/models/relations.h"
#include "elements/models/solid.h"
#include "elements/special_terms.h"
#include "elements/system/assembled_system.h"
#include "solver/base/log.h"
#include "solver/error.h"

// Supports that begin and go with the stages; what they leave free.
namespace symdyn
{
template <int dim>
class Solid<dim>::OfSupports : public StructureSupports
{
public:
  explicit OfSupports(Solid &solid) : solid(solid) {}

  std::vector<std::string> names() const override
  {
    std::vector<std::string> names;
    for (const auto &support : solid.parts.supports->all())
      names.push_back(support.name);
    for (const Equation &equation : solid.points.all_sections().model.parts.equations)
      names.push_back(equation.name);
    return names;
  }
  std::vector<std::string> standing() const override { return solid.parts.supports->standing(); }
  void begin(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q) override
  {
    const std::size_t of_body = solid.parts.supports->all().size();  // equations stand behind them
    const auto middle = hold.begin() + of_body;
    solid.parts.supports->begin({hold.begin(), middle}, {begin.begin(), begin.begin() + of_body}, q);
    solid.held_loads.check(*solid.body);
    solid.equations_hold.assign(middle, hold.end());
    if (solid.points.any())
      solid.points.points()->begin_supports(*solid.assembled, solid.equations_hold);
    else
      solid.assembled->supports_changed(relations_of(solid.assembled->all_parts()));
  }
  std::vector<std::string> columns() const override { return solid.parts.supports->columns(); }
  std::vector<double> sums(const Vector &force) const override { return solid.parts.supports->sums(force); }
  HeldMotions *held_motions() override { return solid.motion_hold ? solid.held_motions.get() : nullptr; }

private:
  Solid &solid;
};

template <int dim>
class Solid<dim>::OfHolds : public HeldMotions
{
public:
  using Spring = MotionHold::Spring;
  explicit OfHolds(const Solid &solid) : solid(solid) {}

  std::string find(const Vector &q, const Units &units) override
  {
    std::vector<Spring> springs = solid.motions_about(q).springs(*solid.assembled, q);
    std::string words;
    for (const Spring &spring : springs)
      words += (words.empty() ? "" : " and ") + spring.in_words(units);
    springs.erase(std::remove_if(springs.begin(), springs.end(), [](const Spring &one) { return one.dof < 0; }), springs.end());
    solid.motion_hold->set(std::move(springs));
    solid.motion_hold->rest(q);
    return words;
  }
  void rest(State &state) override
  {
    solid.motion_hold->rest(state.q);
    Vector &k = state.memory[stiffness] = solid.assembled->new_vector(), &rest = state.memory[place] = k;
    for (const Spring &spring : solid.motion_hold->all())
    {
      k.local_element(spring.dof) = spring.k;
      rest.local_element(spring.dof) = spring.rest;
    }
  }
  void recall(const State &state) override
  {
    const auto k = state.memory.find(stiffness), rest = state.memory.find(place);
    std::vector<Spring> springs;
    for (int dof = 0; k != state.memory.end() && dof < dim * solid.parts.mesh->n_owned_nodes(); ++dof)
      if (k->second.local_element(dof) > 0.)
      {
        springs.push_back({dof, dof % dim, k->second.local_element(dof), rest->second.local_element(dof), {}});
        for (int d = 0; d < dim; ++d)
          springs.back().X[d] = solid.parts.mesh->position[dof / dim][d];
      }
    solid.motion_hold->set(std::move(springs));
  }
  std::string pushed(const Vector &q, const double most, const Units &units) const override
  {
    constexpr double rounding = 1e-12;
    const double farthest = q.linfty_norm();
    std::string words;
    for (const Spring &spring : solid.motion_hold->all())
      if (const double force = MotionHold::force(spring, q); words.empty() && !(std::abs(force) <= most + rounding * spring.k * farthest))
        words = fmt::format("{:.4g}{} {}", force, Units::after(units.force), spring.in_words(units));
    for (const std::string &one : dealii::Utilities::MPI::all_gather(solid.parts.mesh->communicator, words))
      words = words.empty() ? one : words;
    return words;
  }

private:
  const Solid &solid;
};

template <int dim>
Solid<dim>::Solid() : of_supports(std::make_unique<OfSupports>(*this)), held_motions(std::make_unique<OfHolds>(*this))
{
}

namespace
{
/// Nodes at one place that a contact lets press each other.
template <int dim>
CoincidentNodes::Pairs nodes_in_contact(const Discretisation<dim> &mesh, const AssembledSystem::Parts &parts)
{
  const double near = CoincidentNodes::tolerance(mesh.smallest_edge);
  std::set<std::pair<std::int64_t, std::int64_t>> mine;
  for (const auto &term : parts.terms)
    if (term->traits().searches || dynamic_cast<const FrozenTerm *>(term.get()))  // Law = tied does not search
      term->couple([&](const int a, const int b) {
        if (a < b && b < mesh.n_local_nodes() && mesh.position[a].distance(mesh.position[b]) <= near)
          mine.insert(std::minmax<std::int64_t>(mesh.node_partitioner->local_to_global(a), mesh.node_partitioner->local_to_global(b)));
      });
  CoincidentNodes::Pairs all;
  for (const auto &of_rank : dealii::Utilities::MPI::all_gather(mesh.communicator, std::vector(mine.begin(), mine.end())))
    all.insert(of_rank.begin(), of_rank.end());
  return all;
}
}  // namespace

template <int dim>
void Solid<dim>::find_parts()
{
  mesh_parts = std::make_shared<MeshParts<dim>>(*parts.mesh);
  if (mesh_parts->all().size() == 1)
    return;
  const BodyMotions<dim> motions = motions_about(system().new_vector());
  const CoincidentNodes found =
      CoincidentNodes::find(*parts.mesh, *mesh_parts, motions.groups(), nodes_in_contact(*parts.mesh, assembled->all_parts()));
  if (found.count > 0)
    log_warning(fmt::format(
        "{} {} of parts that nothing joins {} at the same place, first of parts {} and {} at ({:.6g}, {:.6g}, {:.6g}): the parts move without each other. Merge the "
        "nodes of the mesh, join the parts, or let boundaries that have these nodes touch each other (Contact)",
        found.count, found.count > 1 ? "pairs of nodes" : "pair of nodes", found.count > 1 ? "stand" : "stands", found.first + 1,
        found.second + 1, found.position[0], found.position[1], found.position[2]));
}

template <int dim>
BodyMotions<dim> Solid<dim>::motions_about(const Vector &q) const
{
  return BodyMotions<dim>(*body, points, *mesh_parts, equations_hold, assembled->all_parts(), q);
}

/// Before there is any state: terms have numbers in a history.
template <int dim>
void Solid<dim>::prepare_hold()
{
  if (!may_hold_motions || !mesh_parts || motions_about(system().new_vector()).in_words(*assembled, system().new_vector(), {}).empty())
    return;
  motion_hold = std::make_shared<MotionHold>(*this->actions);
  assembled->supports_changed(assembled->all_parts().relations, motion_hold);
}

template <int dim>
std::string Solid<dim>::free_motions(const Vector &q, const Units &units) const
{
  return motions_about(q).in_words(*assembled, q, units);
}

template Solid<2>::Solid();
template Solid<3>::Solid();
template void Solid<2>::find_parts();
template void Solid<3>::find_parts();
template void Solid<2>::prepare_hold();
template void Solid<3>::prepare_hold();
template std::string Solid<2>::free_motions(const Vector &, const Units &) const;
template std::string Solid<3>::free_motions(const Vector &, const Units &) const;
}  // namespace symdyn
