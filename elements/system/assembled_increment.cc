#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "elements/system/assembled_diagnoses.h"
#include "solver/archive.h"
#include "solver/base/together.h"
#include "solver/error.h"

// Laws with a memory: the system in an increment, and its histories.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

class AssembledSystem::InIncrement : public Increment
{
public:
  InIncrement(const AssembledSystem &system, HistoryPointer given, const double h)
      : system(system), own(std::move(given)), from(own), h(h), diagnoses(system, *this, from, h)
  {
  }
  InIncrement(const AssembledSystem &system, const State &state) : system(system), from(state.history), h(0.), diagnoses(system, *this) {}
  InIncrement(const AssembledSystem &system, HistoryPointer about, const Oscillation &given)
      : system(system), own(std::move(about)), from(own), h(0.), oscillation(given), diagnoses(system, *this)
  {
  }

  double potential(const Vector &q) const override { return system.potential(q, step()); }
  ForceReport internal_force(const Vector &q, Vector &f) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const override { system.stiffness(q, u, Ku, part, step()); }
  void third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part) const override
  {
    system.third_derivative(q, a, r, part, step());
  }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
  {
    return system.discrete_gradient(q0, q1, f, step());
  }
  double dissipation(const Vector &q, const Vector &v) const override { return system.dissipation(q, v, step()); }
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override { system.damping_force(q, v, f, step()); }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override { return system.factor(terms, step()); }
  const Diagnosis &diagnosis() const override { return diagnoses; }

  Vector new_vector() const override { return system.new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { system.mass(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, const double tolerance) const override { system.mass_solve(p, v, tolerance); }
  void applied_force(const double t, const Vector &q, const Vector &v, Vector &f) const override { system.applied_force(t, q, v, f); }
  void add_load_stiffness(const double t, const Vector &q, const Vector &u, Vector &Ku) const override
  {
    system.add_load_stiffness(t, q, u, Ku);
  }
  void impose(const double t, Vector &q, Vector &v, Vector &a) const override { system.impose(t, q, v, a); }
  void project(Vector &r) const override { system.project(r); }
  void project_prescribed(Vector &r) const override { system.project_prescribed(r); }
  const KinematicConstraints &kinematic_constraints() const override { return system.kinematic_constraints(); }
  bool has(const Feature feature) const override { return system.has(feature); }
  const Unknowns &unknowns() const override { return system.unknowns(); }

  Committed commit(const Vector &q, const Vector *previous) const override;
  const MechanicalSystem &whole() const override { return system; }

private:
  friend class AssembledSystem;
  TermStep step() const { return {std::static_pointer_cast<const TermHistories>(from), h, nullptr, oscillation}; }
  bool is_known(const Vector &q) const;

  const AssembledSystem &system;
  const HistoryPointer own;
  const HistoryPointer &from;
  const double h;
  const std::optional<Oscillation> oscillation;
  const Diagnoses diagnoses;
  // Of the last force: a scheme has most often asked for it where its step ends.
  mutable std::shared_ptr<TermHistories> next;
  mutable Vector asked;
};

ForceReport AssembledSystem::InIncrement::internal_force(const Vector &q, Vector &f) const
{
  TermStep now = step();
  if (h != 0.)
  {
    if (!next)
      next = system.lend_histories();
    now.to = next.get();
    asked = q;
  }
  return system.internal_force(q, f, now);
}

bool AssembledSystem::InIncrement::is_known(const Vector &q) const
{
  const bool same = next && std::equal(q.begin(), q.begin() + q.locally_owned_size(), asked.begin());
  return MPI::min(int(same), system.parts.space->communicator()) == 1;
}

Increment::Committed AssembledSystem::InIncrement::commit(const Vector &q, const Vector *previous) const
{
  if (h == 0.)
    return {from, 0.};
  if (!is_known(q))
  {
    Vector unused = new_vector();
    internal_force(q, unused);
  }
  TermStep accepted = step();
  accepted.to = next.get();
  system.remember(q, accepted);
  Committed made{next};
  if (previous)
    made.lost = system.energy_of_histories(q, step()) - system.energy_of_histories(q, {next, 0.}) +
                system.energy_of_histories(*previous, {step().from, 0.}) - system.energy_of_histories(*previous, step()) -
                system.spent(next).dissipated + system.spent(from).dissipated;
  next = nullptr;  // it is not ours to write to any more
  return made;
}

TermStep AssembledSystem::no_history() const
{
  if (remembers())
    throw std::logic_error("a law has a memory: forces are asked of an Increment");
  return {};
}

TermStep AssembledSystem::step_of(const MechanicalSystem &seen) const
{
  const auto *increment = dynamic_cast<const InIncrement *>(&seen);
  return increment ? increment->step() : TermStep{};
}

std::unique_ptr<Increment> AssembledSystem::increment(HistoryPointer from, const double h, const double t) const
{
  return std::make_unique<InIncrement>(*this, heats() ? heated(std::move(from), t) : std::move(from), h);
}

std::unique_ptr<Increment> AssembledSystem::oscillating(HistoryPointer about, const Oscillation &oscillation) const
{
  return std::make_unique<InIncrement>(*this, std::move(about), oscillation);
}

std::vector<RelaxingLaw> AssembledSystem::relaxing() const
{
  std::vector<RelaxingLaw> all;
  for (const auto &term : parts.terms)
    for (RelaxingLaw &law : term->relaxing())
      all.push_back(std::move(law));
  return all;
}

std::string AssembledSystem::without_oscillations() const
{
  return any(&Traits::condenses)
             ? "Element = incompatible-modes has inner unknowns, which have no complex stiffness. Take Element = mean-dilatation, or Order = 2"
             : "";
}

FlowPlace AssembledSystem::place_of_flow(const HistoryPointer &history) const
{
  FlowPlace largest;
  for (std::size_t i = 0; i < parts.terms.size() && history; ++i)
    if (const double *of = static_cast<const TermHistories &>(*history).of(i))
      if (FlowPlace here = parts.terms[i]->place_of_flow(of); here.growth > largest.growth)
        largest = std::move(here);
  const MPI_Comm ranks = parts.space->communicator();
  const auto all = MPI::min_max_avg(largest.growth, ranks);
  return {MPI::broadcast(ranks, largest.place, all.max_index), all.max};
}

std::shared_ptr<TermHistories> AssembledSystem::copied(const HistoryPointer &history) const
{
  const std::shared_ptr<TermHistories> copy = lend_histories();
  copy->copy(history ? static_cast<const TermHistories &>(*history) : TermHistories(parts.terms));
  return copy;
}

HistoryPointer AssembledSystem::heated(HistoryPointer history, const double t) const
{
  if (!any(&Traits::heated))
    return history;
  std::shared_ptr<TermHistories> changed;
  std::string fault;  // a table may end at the temperatures of one rank alone
  try
  {
    changed = copied(history);
    for (std::size_t i = 0; i < parts.terms.size(); ++i)
      if (double *of = changed->of(i))
        parts.terms[i]->heat(t, nullptr, of);
  }
  catch (const InputError &error)
  {
    fault = error.what();
  }
  throw_collectively<InputError>(fault, parts.space->communicator());
  return changed;
}

HistoryPointer AssembledSystem::renewed(const HistoryPointer &from, const Vector &start, const Vector &q, const int times) const
{
  start.update_ghost_values();
  q.update_ghost_values();
  TermStep step{std::static_pointer_cast<const TermHistories>(from), 0.};
  At here = at(q);
  here.previous = &start;
  std::vector<const Term *> again;
  each_term(here, step, [&](const Term &term, const At &where) {
    if (term.repeats(where, times))
      again.push_back(&term);
  });
  if (again.empty())
    return nullptr;
  const std::shared_ptr<TermHistories> changed = copied(from);
  step.to = changed.get();
  each_term(here, step, [&again](const Term &term, const At &where) {
    if (std::count(again.begin(), again.end(), &term) > 0)
      term.renew(where);
  });
  return changed;
}

double AssembledSystem::heating_work(const State &before, const State &after, const bool at_start) const
{
  if (!heats() || before.history == after.history)
    return 0.;
  const auto work = [&](const Vector &q, const HistoryPointer &memory, const HistoryPointer &from, const HistoryPointer &to) {
    double sum = 0.;
    for (const auto &[temperatures, sign] : {std::pair{to, 1.}, {from, -1.}})
    {
      const std::shared_ptr<TermHistories> here = copied(memory), other = copied(temperatures);
      for (std::size_t i = 0; i < parts.terms.size(); ++i)
        if (double *of = here->of(i))
          parts.terms[i]->heat(0., other->of(i), of);
      sum += sign * energy_of_histories(q, {here, 0.});
    }
    return sum;
  };
  const double at_first = work(before.q, before.history, before.history, after.history);
  return at_start ? at_first : 0.5 * (at_first + work(after.q, after.history, before.history, after.history));
}

Spent AssembledSystem::spent(const HistoryPointer &history) const
{
  Spent sum;
  for (std::size_t i = 0; i < parts.terms.size() && history; ++i)
    if (const double *of = static_cast<const TermHistories &>(*history).of(i))
      sum += parts.terms[i]->spent(of);
  const MPI_Comm ranks = parts.space->communicator();
  for (double *total : {&sum.dissipated, &sum.by_friction, &sum.stored, &sum.volume, &sum.flowing})
    *total = MPI::sum(*total, ranks);
  for (double *largest : {&sum.largest_flow, &sum.last_flow})
    *largest = MPI::max(*largest, ranks);
  return sum;
}

std::unique_ptr<Increment> AssembledSystem::at(const State &state) const { return std::make_unique<InIncrement>(*this, state); }

std::shared_ptr<TermHistories> AssembledSystem::lend_histories() const
{
  for (const auto &one : lent)
    if (one.use_count() == 1)
      return one;
  std::string fault;
  try
  {
    lent.push_back(std::make_shared<TermHistories>(parts.terms));
  }
  catch (const InputError &error)
  {
    fault = error.what();
  }
  throw_collectively<InputError>(fault, parts.space->communicator());
  return lent.back();
}

double AssembledSystem::energy_of_histories(const Vector &q, const TermStep &step) const
{
  q.update_ghost_values();
  double V = 0;
  each_term(at(q), step, [&V](const Term &term, const At &where) { V += term.traits().remembers() ? term.energy(where) : 0.; });
  return MPI::sum(V, parts.space->communicator());
}

namespace
{
std::string name_of(const std::size_t term) { return fmt::format("term {}", term); }
}  // namespace

void AssembledSystem::save_history(const HistoryPointer &history, Archive archive) const
{
  const TermHistories virgin(history ? std::vector<std::shared_ptr<Term>>() : parts.terms);
  const TermHistories &all = history ? static_cast<const TermHistories &>(*history) : virgin;
  for (std::size_t i = 0; i < parts.terms.size(); ++i)
  {
    if (!parts.terms[i]->traits().remembers())
      continue;
    auto blocks = parts.terms[i]->history_blocks();
    std::vector<double> values;
    parts.terms[i]->pack_history(all.of(i), values);
    blocks.identities.resize(blocks.owned);
    archive.put_blocks(name_of(i), blocks.identities, blocks.doubles, values);
  }
}

HistoryPointer AssembledSystem::load_history(const Archive &archive) const
{
  const auto all = std::make_shared<TermHistories>(parts.terms);
  for (std::size_t i = 0; i < parts.terms.size(); ++i)
    if (parts.terms[i]->traits().remembers())
    {
      const auto blocks = parts.terms[i]->history_blocks();
      const std::vector<double> values = archive.get_blocks(name_of(i), blocks.identities);
      const std::size_t cells = blocks.identities.size();
      throw_collectively<InputError>(
          values.size() == cells * blocks.doubles
              ? ""
              : fmt::format("the checkpoint has {} numbers of memory for each cell or element, and this version of the program "
                            "{}: it was written by another version. Run again from the deck",
                            values.size() / std::max<std::size_t>(cells, 1), blocks.doubles),
          parts.space->communicator());
      parts.terms[i]->unpack_history(values, all->of(i));
    }
  return all;
}
}  // namespace symdyn
