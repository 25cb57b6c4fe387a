#include "elements/system/assembled_system.h"

#include <algorithm>
#include <cmath>

#include "elements/special_terms.h"
#include "elements/system/assembled_diagnoses.h"
#include "elements/system/assembled_operator.h"
#include "elements/system/spin_load.h"
#include "solver/base/timer.h"
#include "solver/error.h"

namespace symdyn
{
AssembledSystem::AssembledSystem(Parts given)
    : parts(std::move(given)),
      mass_matrix(*parts.space, parts.cells, parts.masses, parts.pair_masses, parts.pairs_of_nodes, parts.dense_masses),
      couplings(*parts.space, parts.terms, Part::all, parts.terms.size() == 1 ? parts.pattern : nullptr),
      stiff_couplings(*parts.space, parts.terms, Part::stiff, nullptr),
      gravity(parts.space->new_vector()),
      diagnoses(std::make_unique<Diagnoses>(*this, *this))
{
  if (parts.relations.any() && !parts.off_nodes.empty())
    throw InputError(parts.off_nodes +
                     ": a lumped mass off the nodes does not serve beside couplings, ties and equations. Set Elements/Mass = consistent, "
                     "with an implicit scheme");
  if (parts.rotation)
    prepare_spin();
  prepare_fixed_frame();
  check_cyclic();
  for (const LoadInUse &use : parts.loads)
    if (use.load->is_potential())
    {
      use.load->add_force(0., gravity, 1., gravity);
      has_gravity = true;
    }
  gravity.compress(dealii::VectorOperation::add);
  if (parts.base)
    prepare_base();
  if (remembers())
    lend_histories();  // errors of a start that laws do not reach come here, on all ranks
}

AssembledSystem::~AssembledSystem() = default;

const double *AssembledSystem::Parts::projector_of(const int site) const
{
  for (const auto &one : supports)
    if (const double *P = one->projector(site))
      return P;
  return nullptr;
}
CoarseSites::~CoarseSites() = default;

const Diagnosis &AssembledSystem::diagnosis() const { return *diagnoses; }

double AssembledSystem::potential(const Vector &q, const TermStep &step) const
{
  q.update_ghost_values();
  double V = 0;
  each_term(at(q), step, [&V](const Term &term, const At &where) { V += term.energy(where); });
  V = dealii::Utilities::MPI::sum(V, parts.space->communicator());
  return has_gravity ? V - gravity * q : V;
}

void AssembledSystem::begin_sum(Vector &f)
{
  f.zero_out_ghost_values();
  f = 0.;
}

ForceReport AssembledSystem::report(const double smallest, const Vector &f) const
{
  const bool finite = !parts.force_rounding ||
                      std::all_of(f.begin(), f.begin() + f.locally_owned_size(), [](const double value) { return std::isfinite(value); });
  return {finite ? smallest : -1., parts.space->communicator()};
}

ForceReport AssembledSystem::internal_force(const Vector &q, Vector &f, const TermStep &step) const
{
  const ScopedTimer timer("force", ScopedTimer::worth_it(f.locally_owned_size()));
  q.update_ghost_values();
  begin_sum(f);
  double smallest = Term::always_admissible;
  each_term(at(q), step, [&](const Term &term, const At &where) { smallest = std::min(smallest, term.add_force(where, f)); });
  f.compress(dealii::VectorOperation::add);
  const ForceReport found = report(smallest, f);
  if (has_gravity)
    f -= gravity;
  return found;
}

namespace
{
bool is_kick(const std::shared_ptr<Term> &term) { return dynamic_cast<const KickingTerm *>(term.get()) != nullptr; }
/// Or it is a contact, which has a discrete gradient of its own for every energy.
bool is_quadratic(const std::shared_ptr<Term> &term) { return term->traits().quadratic || dynamic_cast<const FrozenTerm *>(term.get()); }
}  // namespace

bool AssembledSystem::kicks() const { return std::any_of(parts.terms.begin(), parts.terms.end(), is_kick); }

const MechanicalSystem &AssembledSystem::smooth() const
{
  if (!without_kicks)
  {
    Parts rest = parts;
    rest.terms.erase(std::remove_if(rest.terms.begin(), rest.terms.end(), is_kick), rest.terms.end());
    without_kicks = std::make_unique<AssembledSystem>(std::move(rest));
  }
  return *without_kicks;
}

ForceReport AssembledSystem::kick(const Vector &q, Vector &f) const
{
  q.update_ghost_values();
  begin_sum(f);
  double smallest = Term::always_admissible;
  for (const auto &term : parts.terms)
    if (is_kick(term) && term->acts())
      smallest = std::min(smallest, term->add_force(at(q), f));
  f.compress(dealii::VectorOperation::add);
  return report(smallest, f);
}

double AssembledSystem::longest_step(const double t, const Vector &q) const { return 2. / smooth().diagnosis().highest_frequency(t, q); }

double AssembledSystem::coming(const State &state) const
{
  state.q.update_ghost_values();
  double slope = 0;
  each_term(at(state.q), {std::static_pointer_cast<const TermHistories>(state.history)}, [&slope](const Term &term, const At &where) {
    if (const auto *comes = dynamic_cast<const ComingTerm *>(&term))
      slope += comes->coming(where);
  });
  return dealii::Utilities::MPI::sum(slope, parts.space->communicator());
}

void AssembledSystem::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part, const TermStep &step) const
{
  q.update_ghost_values();
  u.update_ghost_values();
  begin_sum(Ku);
  At here = at(q);
  here.part = part;
  each_term(here, step, [&](const Term &term, const At &where) { term.add_product(where, K, u, Ku); });
  Ku.compress(dealii::VectorOperation::add);
}

void AssembledSystem::third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part, const TermStep &step) const
{
  q.update_ghost_values();
  a.update_ghost_values();
  begin_sum(r);
  At here = at(q);
  here.part = part;
  each_term(here, step, [&](const Term &term, const At &where) { term.add_second_product(where, a, r); });
  r.compress(dealii::VectorOperation::add);
}

void AssembledSystem::known_fourth_derivative(const Vector &q, const Vector &a, const Vector &b, Vector &r) const
{
  for (const Vector *of : {&q, &a, &b})
    of->update_ghost_values();
  begin_sum(r);
  each_term(at(q), {}, [&](const Term &term, const At &where) {
    if (const auto *knows = dynamic_cast<const FourthTerm *>(&term))
      knows->add_third_product(where, a, b, r);
  });
  r.compress(dealii::VectorOperation::add);
}

void AssembledSystem::third_derivative_of_rest(const Vector &q, const Vector &a, Vector &r) const
{
  q.update_ghost_values();
  a.update_ghost_values();
  begin_sum(r);
  each_term(at(q), {}, [&](const Term &term, const At &where) {
    if (!dynamic_cast<const FourthTerm *>(&term))
      term.add_second_product(where, a, r);
  });
  r.compress(dealii::VectorOperation::add);
}

ForceReport AssembledSystem::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f, const TermStep &step) const
{
  const ScopedTimer timer("force", ScopedTimer::worth_it(f.locally_owned_size()));
  q0.update_ghost_values();
  q1.update_ghost_values();
  begin_sum(f);
  At here = at(q1);
  here.previous = &q0;
  double smallest = Term::always_admissible;
  each_term(here, step, [&](const Term &term, const At &where) { smallest = std::min(smallest, term.add_discrete_gradient(where, f)); });
  f.compress(dealii::VectorOperation::add);
  if (has_gravity)
    f -= gravity;
  return report(smallest, f);
}

void AssembledSystem::damping_force(const Vector &q, const Vector &v, Vector &f, const TermStep &step) const
{
  begin_sum(f);
  if (any(&Traits::damps))
  {
    q.update_ghost_values();
    v.update_ghost_values();
    At here = at(q);
    here.v = &v;
    each_term(here, step, [&f](const Term &term, const At &where) { term.add_damping_force(where, f); });
    f.compress(dealii::VectorOperation::add);
  }
  if (spin)
    spin->add_coriolis(v, f);
  if (parts.mass_damping == 0.)
    return;
  Vector part = new_vector();
  mass_matrix.multiply_cells(v, part);
  f.add(parts.mass_damping, part);
}

double AssembledSystem::dissipation(const Vector &q, const Vector &v, const TermStep &step) const
{
  Vector f = new_vector();
  damping_force(q, v, f, step);
  return 0.5 * (f * v);
}

void AssembledSystem::remember(const Vector &q, const TermStep &step) const
{
  q.update_ghost_values();
  each_term(at(q), step, [](const Term &term, const At &where) {
    if (where.to)
      term.remember(where);
  });
  for (std::size_t i = 0; step.to && i < parts.terms.size(); ++i)
    if (!parts.terms[i]->acts() && step.to->of(i))
    {
      At where = at(q);
      where.from = step.from ? step.from->of(i) : nullptr;
      where.to = step.to->of(i);
      parts.terms[i]->remember(where);
    }
}

void AssembledSystem::search(const Vector &q) const
{
  q.update_ghost_values();
  for (const auto &term : parts.terms)
    term->search(q);
}

double AssembledSystem::least_part(const Vector &q, const Vector &dq, double (Term::*part_of)(const Vector &, const Vector &) const) const
{
  q.update_ghost_values();
  dq.update_ghost_values();
  double part = 1.;
  for (const auto &term : parts.terms)
    if (term->acts())
      part = std::min(part, ((*term).*part_of)(q, dq));
  return part;
}

double AssembledSystem::slack(const Vector &q) const
{
  q.update_ghost_values();
  double least = std::numeric_limits<double>::infinity();
  for (const auto &term : parts.terms)
    if (term->acts() && term->traits().searches)
    {
      const auto *ways = dynamic_cast<const WaysTerm *>(term.get());
      least = std::min(least, ways ? ways->slack(q) : 0.);
    }
  return dealii::Utilities::MPI::min(least, parts.space->communicator());
}

std::string AssembledSystem::refusal(const Vector &q, const Vector &dq) const
{
  std::string why;
  for (const auto &term : parts.terms)
    if (const auto *ways = dynamic_cast<const WaysTerm *>(term.get()); ways && term->acts() && why.empty())
      why = ways->refusal(q, dq);
  for (const std::string &one : dealii::Utilities::MPI::all_gather(parts.space->communicator(), why))
    if (!one.empty())
      return one;
  return "";
}

bool AssembledSystem::any(bool Traits::*property) const
{
  return std::any_of(parts.terms.begin(), parts.terms.end(), [&](const auto &term) { return term->traits().*property; });
}

bool AssembledSystem::all(bool Traits::*property) const
{
  return std::all_of(parts.terms.begin(), parts.terms.end(), [&](const auto &term) { return term->traits().*property; });
}

bool AssembledSystem::linear() const { return all(&Traits::linear) && !has(Feature::follower_loads); }

bool AssembledSystem::held() const
{
  return std::any_of(parts.supports.begin(), parts.supports.end(), [](const auto &supports) { return supports->any(); });
}

bool AssembledSystem::loaded() const
{
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (!parts.loads[i].load->is_potential() || parts.actions->strength(i) != 1.)
      return true;
  return !base_patterns.empty() || !parts.forces_of_program->empty();
}

bool AssembledSystem::supports_move() const
{
  return std::any_of(parts.supports.begin(), parts.supports.end(), [](const auto &supports) { return supports->moves(); }) ||
         (base_carries() && held()) || parts.relations.move;
}

bool AssembledSystem::has(const Feature feature) const
{
  switch (feature)
  {
    case Feature::diagonal_mass:
      return mass_matrix.diagonal();
    case Feature::nodal_mass:
      return mass_matrix.nodal() || (mass_matrix.is_dense() && parts.pairs_of_nodes && !parts.frames);  // factored
    case Feature::damping:
      return parts.mass_damping != 0. || any(&Traits::damps) || spin;
    case Feature::stiffness_damping:
      return any(&Traits::damping_couples) || spin;
    case Feature::nonlinear_damping:
      return any(&Traits::nonlinear_damping);
    case Feature::stiff_part:
      return any(&Traits::stiff);
    case Feature::momentum_gradient:
      return all(&Traits::momentum_gradient) && parts.constraints.momentum_gradient;
    case Feature::carried_stresses:
      return any(&Traits::carries);
    case Feature::quadratic_energy:
      return std::all_of(parts.terms.begin(), parts.terms.end(), is_quadratic);
    case Feature::loads:
      return loaded();
    case Feature::supports:
      return held() || parts.relations.any();
    case Feature::moving_supports:
      return supports_move();
    case Feature::gravity:
      return has_gravity || any(&Traits::weighs);
    case Feature::follower_loads:
      return std::any_of(parts.loads.begin(), parts.loads.end(), [](const LoadInUse &use) { return use.load->follows(); });
    case Feature::history:
      return any(&Traits::history);
    case Feature::heated:
      return any(&Traits::heated);
    case Feature::no_increment_potential:
      return any(&Traits::no_potential);
    case Feature::linear:
      return linear();
  }
  return false;
}
}  // namespace symdyn
