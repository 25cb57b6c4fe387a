#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/models/body_motions.h"
#include "elements/solids/solid_body.h"
#include "solver/history.h"

// Springs that hold free motions of a body.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
MotionHold::Spring BodyMotions<dim>::outermost(const Vector &u) const
{
  constexpr double as_large = 1. - 1e-9;  // rounding does not choose
  const int owned = dim * int(position.size());
  double largest = 0;
  for (int i = 0; i < owned; ++i)
    largest = std::max(largest, std::abs(u.local_element(i)));
  largest = MPI::max(largest, space.communicator());
  const auto begin = u.get_partitioner()->local_range().first;
  MotionHold::Spring spring;
  for (int i = 0; i < owned && spring.dof < 0; ++i)
    if (std::abs(u.local_element(i)) >= as_large * largest)
      spring.dof = i;
  constexpr auto none = std::numeric_limits<unsigned int>::max();
  const unsigned int mine = spring.dof < 0 ? none : begin + spring.dof, first = MPI::min(mine, space.communicator());
  spring.dof = mine == first ? spring.dof : -1;
  spring.component = int(first % dim);
  if (spring.dof >= 0)
    for (int d = 0; d < dim; ++d)
      spring.X[d] = position[spring.dof / dim][d];
  MPI::sum(dealii::ArrayView<const double>(spring.X.data(), 3), space.communicator(), dealii::ArrayView<double>(spring.X.data(), 3));
  return spring;
}

template <int dim>
double BodyMotions<dim>::stiffness(const MechanicalSystem &system, const Vector &q, const MotionHold::Spring &spring) const
{
  Vector unit = system.new_vector(), force = unit;
  if (spring.dof >= 0)
    unit.local_element(spring.dof) = 1.;
  unit.update_ghost_values();
  State virgin;
  virgin.q = q;
  About(system, virgin)->stiffness(q, unit, force);
  return unit * force;
}

template <int dim>
std::vector<MotionHold::Spring> BodyMotions<dim>::springs(const MechanicalSystem &system, const Vector &q) const
{
  constexpr double nothing = 1e-6;
  std::vector<Vector> left;
  for (const FreeMotions::Motion *motion : unresisted(system, q))
  {
    left.push_back(field(*motion));
    system.project(left.back());
  }
  std::vector<MotionHold::Spring> all;
  for (std::size_t k = 0; k < left.size(); ++k)
  {
    MotionHold::Spring spring = outermost(left[k]);
    const auto there = [&](const Vector &u) { return MPI::sum(spring.dof >= 0 ? u.local_element(spring.dof) : 0., space.communicator()); };
    const double size = there(left[k]);
    spring.k = stiffness(system, q, spring);
    if (!(std::abs(size) > nothing) || !(spring.k > 0.))
      return {};
    for (std::size_t other = k + 1; other < left.size(); ++other)
      left[other].add(-there(left[other]) / size, left[k]);
    all.push_back(spring);
  }
  return all;
}

template std::vector<MotionHold::Spring> BodyMotions<2>::springs(const MechanicalSystem &, const Vector &) const;
template std::vector<MotionHold::Spring> BodyMotions<3>::springs(const MechanicalSystem &, const Vector &) const;
}  // namespace symdyn
