#include <fmt/format.h>

#include <algorithm>

#include "elements/rotors/at_speed.h"
#include "elements/system/assembled_operator.h"
#include "elements/system/frames/fixed_frame.h"
#include "elements/system/spin_load.h"
#include "solver/deck/formula/step_mean.h"
#include "solver/error.h"

// What moves a system from outside: loads, supports, the base.
namespace symdyn
{
void AssembledSystem::prepare_base()
{
  if (!parts.not_carried.empty())
    throw InputError(parts.not_carried +
                     ": the base moves, and masters of this superelement do not carry all of its mass: its supports are inside, or a "
                     "component is no master. Let the stage of Type = substructure keep them as masters, or remove the base motion");
  base_patterns.clear();
  base_held.clear();
  bool acts = false;
  const Vector rest = new_vector();
  for (int d = 0; d < parts.base->dimension(); ++d)
  {
    Vector r = new_vector(), pattern = new_vector();
    parts.space->generator(d, r, r);
    if (parts.base->relative())
      mass(r, pattern);
    else
    {
      mass_matrix.multiply_cells(r, pattern);
      pattern *= parts.mass_damping;
      for (const auto &term : parts.terms)
        term->add_ground_damping(r, pattern);
      pattern.compress(dealii::VectorOperation::add);
    }
    acts = acts || pattern.linfty_norm() > 0.;
    base_patterns.push_back(pattern);  // of every direction: the place is the direction
    r.zero_out_ghost_values();
    project_prescribed(r);
    if (base_carries())
      base_held.push_back(r);
  }
  if (!acts)
    base_patterns.clear();
}

/// A copy of a system has a load of its own mass in the same place.
void AssembledSystem::prepare_spin()
{
  if (!parts.where_dense.empty())
    throw InputError(fmt::format("{}: a superelement has no centrifugal and Coriolis forces, and the frame turns ({}). Remove one of both",
                                 parts.where_dense, parts.rotation->where));
  spin = std::make_shared<SpinLoad>(*parts.space, mass_matrix, parts.rotation);
  LoadInUse use{TurningFrame::name, parts.rotation->where, std::const_pointer_cast<SpinLoad>(spin)};
  for (LoadInUse &load : parts.loads)
    if (load.name == use.name)
    {
      if (!dynamic_cast<const SpinLoad *>(load.load.get()))
        throw InputError(parts.rotation->where + ": its load has the name 'rotation', which another load of the deck has. Rename that one");
      load = use;
      return;
    }
  parts.loads.push_back(use);
}

double AssembledSystem::centrifugal() const
{
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (parts.loads[i].load == spin)
      return parts.actions->strength(i);
  return 0.;
}

void AssembledSystem::impose(const double t, Vector &q, Vector &v, Vector &a) const
{
  for (const auto &supports : parts.supports)
    supports->impose(t, *parts.actions, q, v, a);
  if (base_carries())
    parts.base->carry(t, base_held, q, v, a);
  if (!parts.relations.any())
    return;
  SiteRelations::Sums sums = parts.relations.sums(t);
  for (auto &values : sums)
    for (double &value : values)
      value *= parts.actions->motion();
  parts.relations.all->impose(sums, q, v, a);
}

void AssembledSystem::project_supports(Vector &r) const
{
  for (const auto &supports : parts.supports)
    supports->project(r);
}

void AssembledSystem::project(Vector &r) const
{
  project_supports(r);
  if (parts.relations.any())
    parts.relations.all->project(r);
}

void AssembledSystem::mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  if (parts.relations.any() && mass_matrix.diagonal())
  {
    related_mass().solve(p, v);
    return project_supports(v);
  }
  if (!parts.relations.any() || !solve_by_masters(p, v, tolerance))
    mass_matrix.solve(
        p, [this](Vector &r) { project(r); }, !parts.relations.any(), tolerance, v);
}

/// False: supports are inclined, and do not leave what follows from masters.
bool AssembledSystem::solve_by_masters(const Vector &p, Vector &v, const double tolerance) const
{
  if (mass_matrix.is_dense())
    return false;
  const auto reduce = [this](Vector &r) {
    parts.relations.all->reduce(r);
    project_supports(r);
  };
  const SiteRelations &relations = *parts.relations.all;
  mass_matrix.solve_by_masters(p, {reduce, [&](Vector &x) { relations.expand(x); }, [&](Vector &D) { relations.reduce_diagonal(D); }},
                               tolerance, v);
  constexpr double same = 1e-9;
  Vector free(v);
  free.zero_out_ghost_values();
  project(free);
  free -= v;
  return free.linfty_norm() <= same * v.linfty_norm();
}

const SiteRelations::DiagonalSolve &AssembledSystem::related_mass() const
{
  if (!of_related_mass)
  {
    Vector one = new_vector(), diagonal = one;
    one = 1.;
    mass(one, diagonal);
    of_related_mass = std::make_unique<SiteRelations::DiagonalSolve>(*parts.relations.all, std::move(diagonal));
  }
  return *of_related_mass;
}

void AssembledSystem::project_prescribed(Vector &r) const
{
  Vector free(r);
  project(free);
  r -= free;
}

void AssembledSystem::supports_changed(Relations relations, std::shared_ptr<Term> hold)
{
  if (hold)
  {
    parts.terms.push_back(std::move(hold));
    lent.clear();        // which have a number of terms
    parts.coarser = {};  // which would move freely
  }
  mass_matrix.supports_changed();
  const bool related = parts.relations.any() || relations.any();
  parts.relations = std::move(relations);
  check_cyclic();
  of_related_mass = nullptr;
  without_kicks = nullptr;
  if (parts.base)
    prepare_base();
  // Matrices have the supports in them.
  for (auto *made : {&linearised, &of_stiff_part})
    if (*made)
      (*made)->forget(related);
}

void AssembledSystem::forget()
{
  without_kicks = nullptr;
  for (auto *solver : {&parts.linear_solver, &parts.stiff_solver})
    if (*solver)
      renew(*solver);
  for (auto *made : {&linearised, &of_stiff_part})
    if (*made)
      (*made)->begin_again();  // solutions that others hold refer to it
}

void AssembledSystem::applied_force(const double t, const Vector &q, const Vector &v, Vector &f) const
{
  begin_sum(f);
  q.update_ghost_values();
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
  {
    // Gravity stands in V at full strength; where only a part of it acts, the rest is added back.
    const double strength = parts.actions->strength(i), factor = parts.loads[i].load->is_potential() ? strength - 1. : strength;
    if (factor != 0.)
      parts.loads[i].load->add_force_in_motion(parts.actions->at(t), q, v, factor, f);
  }
  each_bearing(parts.terms, [&](const TermAtSpeed &bearing) { bearing.add_circulation(-1., q, f); });
  if (fixed)
    fixed->add_force_of_frame(-1., q, q, f);
  if (parts.actions->motion() != 1.)  // weights of points, which have no name
    for (const auto &term : parts.terms)
      term->add_weight(1. - parts.actions->motion(), f);
  f.compress(dealii::VectorOperation::add);
  if (parts.actions->fading.size() > 0)
    f.add(1. - parts.actions->reached, parts.actions->fading);
  if (parts.base)
    parts.base->add_load(parts.actions->at(t), base_patterns, parts.actions->statics, f);
  for (const auto &force : *parts.forces_of_program)
    f += *force;
}

void AssembledSystem::add_load_stiffness(const double t, const Vector &q, const Vector &u, Vector &Ku) const
{
  if (!has(Feature::follower_loads))
    return;
  q.update_ghost_values();
  u.update_ghost_values();
  Vector sum = new_vector();
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (const double strength = parts.actions->strength(i); parts.loads[i].load->follows() && strength != 0.)
      parts.loads[i].load->add_stiffness(parts.actions->at(t), q, u, strength, sum);
  each_bearing(parts.terms, [&](const TermAtSpeed &bearing) { bearing.add_circulation(1., u, sum); });
  if (fixed)
    fixed->add_force_of_frame(1., q, u, sum);
  sum.compress(dealii::VectorOperation::add);
  Ku += sum;
}

std::vector<DrivingTable> AssembledSystem::driving_tables() const
{
  std::vector<DrivingTable> driving;
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (const Amplitude *amplitude = parts.loads[i].load->in_time();
        amplitude && amplitude->tabulated() && parts.actions->strength(i) != 0.)
      driving.push_back({"load " + parts.loads[i].name, *amplitude->tabulated(), true, true, false, false});
  for (const auto &supports : parts.supports)
    supports->add_tables(driving);
  if (parts.base)
    parts.base->add_tables(driving);
  return driving;
}
}  // namespace symdyn
