#include "elements/system/assembled_diagnoses.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/solids/failing_points.h"
#include "elements/special_terms.h"
#include "solver/linear/eigen.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

double AssembledSystem::Diagnoses::potential_rounding() const
{
  double sum = 0;
  for (const auto &term : system.parts.terms)
    sum += term->energy_scale();
  return std::numeric_limits<double>::epsilon() * MPI::sum(sum, system.parts.space->communicator());
}

double AssembledSystem::Diagnoses::impact_frequency() const
{
  double square = 0;
  for (const auto &term : system.parts.terms)
    square += term->traits().impact;
  return std::sqrt(square);
}

std::vector<std::string> AssembledSystem::Diagnoses::frozen_contacts(const State &state) const
{
  state.q.update_ghost_values();
  std::vector<std::string> found;
  system.each_term(system.at(state.q), {std::static_pointer_cast<const TermHistories>(state.history)},
                   [&found](const Term &term, const At &where) {
                     if (const auto *contact = dynamic_cast<const FrozenTerm *>(&term))
                       found.push_back(contact->frozen(where));
                   });
  return found;
}

std::vector<BegunContact> AssembledSystem::Diagnoses::begun_contacts(const std::vector<std::string> &names, const Vector &q) const
{
  q.update_ghost_values();
  std::vector<BegunContact> found;
  for (const auto &term : system.parts.terms)
    if (const auto *contact = dynamic_cast<const FrozenTerm *>(term.get()); contact && term->acts())
      if (std::count(names.begin(), names.end(), contact->called()) > 0)
        found.push_back(contact->begun(q));
  return found;
}

/// M^-1/2 K M^-1/2, symmetric; with nodal constraints of motions along them, u - M^-1 Gᵀ lambda.
double AssembledSystem::Diagnoses::by_lumped_mass(const Vector &q, const std::vector<double> &masses, Vector *const mode) const
{
  Vector start = system.parts.space->irregular(), u = system.new_vector(), root = u, inverse_root = u, inverse = u;
  system.project(start);
  const int n = system.parts.space->block();
  for (std::size_t site = 0; site < masses.size(); ++site)
    for (int d = 0; d < n && masses[site] > 0.; ++d)
    {
      root.local_element(n * site + d) = std::sqrt(masses[site]);
      inverse_root.local_element(n * site + d) = 1. / std::sqrt(masses[site]);
      inverse.local_element(n * site + d) = 1. / masses[site];
    }
  const NodalConstraints *nodal = seen.nodal_constraints();
  const double square = largest_eigenvalue(
      [&](const Vector &x, Vector &y) {
        u = x;
        system.project(u);
        u.scale(inverse_root);
        if (nodal)
          nodal->meet_rates(inverse, q, q, u);
        seen.stiffness(q, u, y);
        y.scale(inverse_root);
        if (nodal)
        {
          y.scale(inverse_root);
          nodal->meet_rates(inverse, q, q, y);
          y.scale(root);
        }
        system.project(y);
      },
      start, true, mode);
  if (mode)
  {
    system.project(*mode);
    mode->scale(inverse_root);
  }
  return std::sqrt(std::max(0., square));
}

/// a = M^-1 f, or with a lumped mass.
class AssembledSystem::Diagnoses::Acceleration
{
public:
  Acceleration(const AssembledSystem &system, const bool lumped) : system(system)
  {
    if (!lumped || system.mass_matrix.nodal())
      return;
    std::vector<double> masses = system.mass_matrix.lumped_diagonal();
    if (!system.parts.relations.any())
    {
      of_nodes = NodeMass::make(*system.parts.space, masses, system.parts.lumped_pairs);
      return;
    }
    const int n = system.parts.space->block();
    Vector of_components = system.new_vector();
    for (std::size_t i = 0; i < n * masses.size(); ++i)
      of_components.local_element(i) = masses[i / n];
    of_relations = std::make_unique<SiteRelations::DiagonalSolve>(*system.parts.relations.all, std::move(of_components));
  }
  void operator()(const Vector &f, Vector &a) const
  {
    if (of_relations)
      of_relations->solve(f, a);
    else if (of_nodes)
      of_nodes->solve(
          f, [this](Vector &r) { system.project(r); }, a);
    else
      system.mass_solve(f, a);
  }

private:
  const AssembledSystem &system;
  std::unique_ptr<SiteRelations::DiagonalSolve> of_relations;
  std::unique_ptr<NodeMass> of_nodes;
};

/// M^-1 K, not symmetric, with real eigenvalues all the same; with nodal constraints of motions along them.
double AssembledSystem::Diagnoses::by_mass_solves(const Vector &q, const bool lumped) const
{
  Vector start = system.parts.space->irregular(), force = system.new_vector(), change = force;
  system.project(start);
  const Acceleration accelerate(system, lumped);
  const NodalConstraints *nodal = system.parts.relations.any() ? nullptr : seen.nodal_constraints();
  NodalConstraints::Impulses impulses;
  if (nodal)
    impulses.forces = nodal->gradients(q);
  for (const Vector &gradient : impulses.forces)
    accelerate(gradient, impulses.motions.emplace_back(system.new_vector()));
  return std::sqrt(largest_eigenvalue(
      [&](const Vector &x, Vector &y) {
        seen.stiffness(q, x, force);
        system.project(force);
        accelerate(force, y);
        if (!nodal)
          return;
        nodal->find_rate_impulse(impulses, q, y, force);
        accelerate(force, change);
        y += change;
      },
      start, false));
}

bool AssembledSystem::Diagnoses::joins_sites_of_nodes() const
{
  const bool any = !system.parts.lumped_pairs.empty();
  return MPI::max(int(any), system.parts.space->communicator()) == 1;
}

double AssembledSystem::Diagnoses::highest_frequency(const double, const Vector &q, const bool lumped, Vector *const mode) const
{
  if (system.mass_matrix.is_dense())
    return by_mass_solves(q, false);
  const bool by_nodes = joins_sites_of_nodes();
  return (system.mass_matrix.diagonal() || lumped) && !by_nodes && !system.parts.relations.any()
             ? by_lumped_mass(q, system.mass_matrix.lumped_diagonal(), mode)
             : by_mass_solves(q, lumped);
}

double AssembledSystem::Diagnoses::highest_frequency_scaled(const Vector &q) const
{
  if (!system.parts.scalable || system.parts.relations.any() || joins_sites_of_nodes() || system.mass_matrix.is_dense())
    return 0.;
  std::vector<double> masses = system.mass_matrix.lumped_diagonal();
  for (std::size_t site = 0; site < masses.size() && site < system.parts.scalable->size(); ++site)
    masses[site] += (*system.parts.scalable)[site];
  return by_lumped_mass(q, masses, nullptr);
}

double AssembledSystem::Diagnoses::added_inertia(const Vector &v) const
{
  if (!scales_inertia())
    return 0.;
  const int n = system.parts.space->block();
  double sum = 0;
  for (std::size_t site = 0; site < system.parts.added_inertia->size(); ++site)
    for (int d = 0; d < n; ++d)
      sum += (*system.parts.added_inertia)[site] * std::pow(v.local_element(n * site + d), 2);
  return MPI::sum(sum, system.parts.space->communicator());
}

std::string AssembledSystem::Diagnoses::diagnose(const Vector &q) const
{
  q.update_ghost_values();
  const auto first_of = [&](const auto &of_term) {  // collective
    std::string text;
    for (const auto &term : system.parts.terms)
      if (text.empty() && term->acts())
        text = of_term(*term);
    const std::vector<std::string> all = MPI::all_gather(system.parts.space->communicator(), text);
    const auto found = std::find_if(all.begin(), all.end(), [](const std::string &one) { return !one.empty(); });
    return found == all.end() ? std::string() : *found;
  };
  if (const std::string impossible = first_of([&](const Term &term) { return term.diagnose(q); }); !impossible.empty())
    return impossible;
  if (const std::string failed = find_failed_point(q); !failed.empty())
    return failed;
  return first_of([&](const Term &term) {
    const auto *contact = dynamic_cast<const FrozenTerm *>(&term);
    return contact ? contact->if_slow(q) : std::string();
  });
}

namespace
{
/// That of the first rank that has one.
FailedPoint of_all_ranks(FailedPoint mine, const MPI_Comm ranks)
{
  const std::vector<int> flags = MPI::all_gather(ranks, int(!mine.text.empty()));
  const auto first = std::find(flags.begin(), flags.end(), 1);
  if (first == flags.end())
    return {};
  const unsigned int root = first - flags.begin();
  const auto share = [&](auto &value) { value = MPI::broadcast(ranks, value, root); };
  std::vector<double> numbers(mine.F.begin(), mine.F.end());
  numbers.insert(numbers.end(), {mine.dt, double(mine.heated), double(mine.prestrained)});
  share(numbers);
  share(mine.text);
  share(mine.material);
  share(mine.place);
  share(mine.memory);
  std::copy_n(numbers.begin(), mine.F.size(), mine.F.begin());
  mine.dt = numbers[mine.F.size()];
  mine.heated = numbers[mine.F.size() + 1] != 0.;
  mine.prestrained = numbers[mine.F.size() + 2] != 0.;
  return mine;
}
}  // namespace

std::string AssembledSystem::Diagnoses::find_failed_point(const Vector &q) const
{
  q.update_ghost_values();
  FailedPoint mine;
  if (from && h != 0.)
  {
    const TermStep step{std::static_pointer_cast<const TermHistories>(*from), h};
    system.each_term(system.at(q), step, [&mine](const Term &term, const At &where) {
      if (const auto *points = dynamic_cast<const FailingPoints *>(&term); points && mine.text.empty())
        mine = points->failed_point(where).value_or(FailedPoint());
    });
  }
  FailedPoint &last = system.diagnoses->last_failure;
  last = of_all_ranks(std::move(mine), system.parts.space->communicator());
  return last.text;
}

std::vector<std::string> AssembledSystem::Diagnoses::load_names() const
{
  std::vector<std::string> names;
  for (const LoadInUse &use : system.parts.loads)
    names.push_back(use.name);
  return names;
}

void AssembledSystem::Diagnoses::load_force(const std::size_t number, const double t, const Vector &q, Vector &f) const
{
  begin_sum(f);
  q.update_ghost_values();
  system.parts.loads.at(number).load->add_force(system.parts.actions->at(t), q, 1., f);
  f.compress(dealii::VectorOperation::add);
}

std::vector<std::string> AssembledSystem::Diagnoses::weights() const
{
  std::vector<std::string> names;
  for (const LoadInUse &use : system.parts.loads)
    if (use.load->is_potential())
      names.push_back(use.name);
  return names;
}

std::vector<LoadJump> AssembledSystem::Diagnoses::load_jumps(const double h) const
{
  std::vector<LoadJump> found;
  for (std::size_t i = 0; i < system.parts.loads.size(); ++i)
    if (const Amplitude *amplitude = system.parts.loads[i].load->in_time(); amplitude && system.parts.actions->strength(i) != 0.)
      for (const Table::Jump &jump : amplitude->jumps(jump_width * h))
        found.push_back({system.parts.loads[i].name, jump.from, jump.to, jump.before, jump.after});
  return found;
}
}  // namespace symdyn
