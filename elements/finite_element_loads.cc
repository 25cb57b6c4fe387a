#include "elements/finite_element_operator.h"

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
    parts.base->add_load(t, base_patterns, load_factors.motion() != 1., f);
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
}  // namespace symdyn
