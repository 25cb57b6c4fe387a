#include <fmt/format.h>

#include <algorithm>

#include "elements/space/turned_vector.h"
#include "elements/supports/supports.h"
#include "solver/error.h"

// What supports hold of the directors of nodes of beams and shells.
namespace symdyn
{
template <int dim>
void Supports<dim>::hold_directors(const unsigned int node, const int s, const dealii::Tensor<1, dim> &normal)
{
  const Support &support = supports[s];
  std::array<bool, 3> held{};
  held.fill(support.type == "fixed");
  for (std::size_t axis = 0; axis < held.size() && support.rotation.any(); ++axis)
    held[axis] = support.rotation.holds(int(axis));
  const dealii::Tensor<2, dim> axes = axes_at(support, node);
  const auto directors = of_mesh->directors(node);
  if (directors.size() > 1 && std::count(held.begin(), held.end(), true) == 1)
  {
    const auto axis = std::find(held.begin(), held.end(), true) - held.begin();
    if (node < of_mesh->owned())
      singles.push_back({s, node, axes[axis], support.theta[axis]});
    return;
  }
  if (directors.size() == 1 && support.rotation.moves())
  {
    std::array<double, 3> along{};
    for (int axis = 0; axis < dim; ++axis)
      along[axis] = axes[axis] * directors.front().at_rest;
    if (support.rotation.turns_about(along))
      throw InputError(fmt::format("{}: support '{}' {}", support.where, support.name, turns_about_normal));
  }
  for (const auto &director : directors)
    if (support.type == "symmetry")
      hold_symmetry(node, director, s, normal / normal.norm());
    else
      hold_rotation(director, s, held, axes);
}

template <int dim>
dealii::Tensor<2, dim> Supports<dim>::axes_at(const Support &support, const unsigned int node) const
{
  dealii::Tensor<2, dim> axes = dealii::unit_symmetric_tensor<dim>();
  if (support.axes.given())
    axes = support.axes.at(of_mesh->place(node));
  return axes;
}

/// n·d stays; a director along n does not turn at all.
template <int dim>
void Supports<dim>::hold_symmetry(const unsigned int node, const typename SupportedNodes<dim>::Director &director, const int s,
                                  const dealii::Tensor<1, dim> &n)
{
  constexpr double small = 1e-3;
  const double part = std::abs(director.at_rest * n);
  if (part > small && part < 1. - small && of_mesh->directors(node).size() > 1)
    throw InputError(
        fmt::format("{}: support '{}' is at a node of a beam or a fold that is not symmetric to its plane (at ({:g}, {:g}, {:g}) m). "
                    "Turn the beam, or hold the node by Type = displacement with a Rotation",
                    supports[s].where, supports[s].name, of_mesh->place(node)[0], of_mesh->place(node)[1], of_mesh->place(node)[dim - 1]));
  if (part >= 1. - small)
    hold_rotation(director, s, {true, true, true}, dealii::unit_symmetric_tensor<dim>());
  else
    hold(director.site, {n, s, -1});
}

template <int dim>
void Supports<dim>::hold_rotation(const typename SupportedNodes<dim>::Director &director, const int s, const std::array<bool, 3> &held,
                                  const dealii::Tensor<2, dim> &axes)
{
  const auto count = std::count(held.begin(), held.end(), true);
  constexpr double along = 1e-3;
  for (int axis = 0; axis < dim; ++axis)
    if (count == 2 && !held[axis] && std::abs(director.at_rest * axes[axis]) > 1. - along)
      return hold_rotation(director, s, {true, true, true}, axes);  // its tip is on the axis
  dealii::Tensor<1, dim> turned;
  if (supports[s].rotation.moves())
    turned = director.at_rest;
  for (int axis = 0; axis < dim; ++axis)
    if (count == 3 || (count == 2 && !held[axis]))
      hold(director.site, {axes[axis], s, -1, false, turned});
    else if (count == 1 && held[axis])
      if constexpr (dim == 3)
      {
        const dealii::Tensor<1, dim> way = dealii::cross_product_3d(axes[axis], director.at_rest);
        if (way.norm() < 1e-6)
          throw InputError(fmt::format("{}: support '{}' holds the rotation about the normal of a shell, which resists none: set free",
                                       supports[s].where, supports[s].name));
        hold(director.site, {way / way.norm(), s, -1, false, turned});
      }
}

template <int dim>
Jet<double> Supports<dim>::turned(const Held &h, const Direction &direction, const double factor, const double t) const
{
  const Support &support = supports[direction.support];
  const dealii::Tensor<2, dim> axes = axes_at(support, h.node);
  Jet<double> g(0.);
  if constexpr (dim == 3)
  {
    std::array<Jet<double>, 3> theta{Jet<double>(0.), Jet<double>(0.), Jet<double>(0.)};
    for (int axis = 0; axis < dim; ++axis)
      for (int d = 0; d < dim; ++d)
        theta[d] = theta[d] + factor * axes[axis][d] * support.theta[axis].in_time(nullptr, 0, t);
    const auto now = turned_by(theta, {direction.turned[0], direction.turned[1], direction.turned[2]}, support.turns_by_components);
    for (int d = 0; d < dim; ++d)
      g = g + direction.n[d] * (now[d] - Jet<double>(direction.turned[d]));
  }
  return g;
}

template void Supports<2>::hold_directors(unsigned int, int, const dealii::Tensor<1, 2> &);
template dealii::Tensor<2, 2> Supports<2>::axes_at(const Support &, unsigned int) const;
template Jet<double> Supports<2>::turned(const Held &, const Direction &, double, double) const;

template void Supports<3>::hold_directors(unsigned int, int, const dealii::Tensor<1, 3> &);
template dealii::Tensor<2, 3> Supports<3>::axes_at(const Support &, unsigned int) const;
template Jet<double> Supports<3>::turned(const Held &, const Direction &, double, double) const;
}  // namespace symdyn
