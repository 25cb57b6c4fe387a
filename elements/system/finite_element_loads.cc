#include "elements/system/finite_element_operator.h"

#include <cmath>
#include <limits>

// What moves a solid from outside: loads, supports, the base.
namespace symdyn
{
template <int dim>
void FiniteElementSystem<dim>::prepare_base()
{
  base_patterns.clear();
  base_held.clear();
  for (int d = 0; d < dim; ++d)
  {
    Vector r = new_vector(), pattern = new_vector();
    generator(d, r, r);
    mass(r, pattern);
    if (base_carries())
      pattern *= parts.damping.mass;
    if (parts.base->relative() || parts.damping.mass != 0.)
      base_patterns.push_back(pattern);
    r.zero_out_ghost_values();
    project_prescribed(r);
    if (base_carries())
      base_held.push_back(r);
  }
}

template <int dim>
void FiniteElementSystem<dim>::impose(const double t, Vector &q, Vector &v, Vector &a) const
{
  supports().impose(t, {load_factors.reached(), load_factors.motion()}, q, v, a);
  if (base_carries())
    parts.base->carry(t, base_held, q, v, a);
}

template <int dim>
void FiniteElementSystem<dim>::applied_force(const double t, const Vector &q, const Vector &, Vector &f) const
{
  f.zero_out_ghost_values();
  f = 0.;
  q.update_ghost_values();
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
  {
    // Gravity stands in V at full strength; where only a part of it acts, the rest is added back.
    const double factor = parts.loads[i].load->is_potential() ? load_factors[i] - 1. : load_factors[i];
    if (factor != 0.)
      parts.loads[i].load->add_force(t, q, factor, f);
  }
  f.compress(dealii::VectorOperation::add);
  if (fading.size() > 0)
    f.add(1. - load_factors.reached(), fading);
  if (parts.base)
    parts.base->add_load(t, base_patterns, statics, mean_of_tables, f);
}

template <int dim>
std::vector<std::string> FiniteElementSystem<dim>::load_names() const
{
  std::vector<std::string> names;
  for (const auto &use : parts.loads)
    names.push_back(use.name);
  return names;
}

template <int dim>
void FiniteElementSystem<dim>::begin_supports(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q)
{
  parts.supports->begin(hold, begin, q);
  if (parts.base)
    prepare_base();
  // Matrices have the supports in them.
  linearised = nullptr;
  weights_of_solver = nullptr;
  solver_is_set_up = false;
  ++linearisations;
}

template <int dim>
void FiniteElementSystem<dim>::add_load_stiffness(const double t, const Vector &q, const Vector &u, Vector &Ku) const
{
  if (!has(Feature::follower_loads))
    return;
  q.update_ghost_values();
  u.update_ghost_values();
  Vector sum = new_vector();
  sum.zero_out_ghost_values();
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (parts.loads[i].load->follows() && load_factors[i] != 0.)
      parts.loads[i].load->add_stiffness(t, q, u, load_factors[i], sum);
  sum.compress(dealii::VectorOperation::add);
  Ku += sum;
}

template <int dim>
void FiniteElementSystem<dim>::load_force(const std::size_t number, const double t, const Vector &q, Vector &f) const
{
  f.zero_out_ghost_values();
  f = 0.;
  q.update_ghost_values();
  parts.loads.at(number).load->add_force(t, q, 1., f);
  f.compress(dealii::VectorOperation::add);
}

template <int dim>
std::vector<std::string> FiniteElementSystem<dim>::weights() const
{
  std::vector<std::string> names;
  for (const auto &use : parts.loads)
    if (use.load->is_potential())
      names.push_back(use.name);
  return names;
}

template <int dim>
std::vector<LoadJump> FiniteElementSystem<dim>::load_jumps(const double h) const
{
  std::vector<LoadJump> found;
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (const Amplitude *amplitude = parts.loads[i].load->in_time(); amplitude && load_factors[i] != 0.)
      for (const Table::Jump &jump : amplitude->jumps(jump_width * h))
        found.push_back({parts.loads[i].name, jump.from, jump.to, jump.before, jump.after});
  return found;
}

template <int dim>
void FiniteElementSystem<dim>::set_step_interval(const double t0, const double t1, const double h)
{
  const double width = jump_width * std::abs(h);
  const bool of_a_step = std::isfinite(width);
  for (const auto &use : parts.loads)
    if (Amplitude *amplitude = use.load->in_time())
    {
      double earliest = -std::numeric_limits<double>::infinity(), latest = -earliest;
      const std::vector<Table::Jump> jumps = of_a_step ? amplitude->jumps(width) : std::vector<Table::Jump>();
      if (const Table::Jump *jump = Table::nearest(jumps, t0, width))
        earliest = jump->to;
      if (const Table::Jump *jump = Table::nearest(jumps, t1, width))
        latest = jump->from;
      amplitude->set_interval(earliest, latest);
    }
}

template <int dim>
std::vector<DrivingTable> FiniteElementSystem<dim>::driving_tables() const
{
  std::vector<DrivingTable> driving;
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    if (const Amplitude *amplitude = parts.loads[i].load->in_time(); amplitude && amplitude->tabulated() && load_factors[i] != 0.)
      driving.push_back({"load " + parts.loads[i].name, *amplitude->tabulated(), true, true, false, false});
  for (const auto &support : supports().all())
    if (const Table *table = support.motion.table(); table && support.holds)
      driving.push_back({"support " + support.name, *table, false, support.motion.displaces(), true, support.motion.displaces()});
  if (parts.base)
    parts.base->add_tables(driving);
  return driving;
}

template <int dim>
void FiniteElementSystem<dim>::average_tables(const StepMean &mean)
{
  mean_of_tables = mean;
  for (const auto &use : parts.loads)
    if (Amplitude *amplitude = use.load->in_time())
      amplitude->average(mean);
}

template std::vector<DrivingTable> FiniteElementSystem<2>::driving_tables() const;
template std::vector<DrivingTable> FiniteElementSystem<3>::driving_tables() const;
template void FiniteElementSystem<2>::average_tables(const StepMean &);
template void FiniteElementSystem<3>::average_tables(const StepMean &);
template void FiniteElementSystem<2>::begin_supports(const std::vector<bool> &, const std::vector<bool> &, const Vector &);
template void FiniteElementSystem<3>::begin_supports(const std::vector<bool> &, const std::vector<bool> &, const Vector &);
template void FiniteElementSystem<2>::prepare_base();
template void FiniteElementSystem<3>::prepare_base();
template void FiniteElementSystem<2>::impose(double, Vector &, Vector &, Vector &) const;
template void FiniteElementSystem<3>::impose(double, Vector &, Vector &, Vector &) const;
template void FiniteElementSystem<2>::applied_force(double, const Vector &, const Vector &, Vector &) const;
template void FiniteElementSystem<3>::applied_force(double, const Vector &, const Vector &, Vector &) const;
template std::vector<std::string> FiniteElementSystem<2>::load_names() const;
template std::vector<std::string> FiniteElementSystem<3>::load_names() const;
template void FiniteElementSystem<2>::add_load_stiffness(double, const Vector &, const Vector &, Vector &) const;
template void FiniteElementSystem<2>::load_force(std::size_t, double, const Vector &, Vector &) const;
template std::vector<std::string> FiniteElementSystem<2>::weights() const;
template std::vector<LoadJump> FiniteElementSystem<2>::load_jumps(double) const;
template void FiniteElementSystem<2>::set_step_interval(double, double, double);
template void FiniteElementSystem<3>::add_load_stiffness(double, const Vector &, const Vector &, Vector &) const;
template void FiniteElementSystem<3>::load_force(std::size_t, double, const Vector &, Vector &) const;
template std::vector<std::string> FiniteElementSystem<3>::weights() const;
template std::vector<LoadJump> FiniteElementSystem<3>::load_jumps(double) const;
template void FiniteElementSystem<3>::set_step_interval(double, double, double);
}  // namespace symdyn
