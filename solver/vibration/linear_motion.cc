#include "solver/vibration/linear_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/constraints.h"
#include "solver/error.h"
#include "solver/nodal_constraints.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
/// +1 or -1 on each degree of freedom, the same on however many ranks (SplitMix64 of Steele, Lea and Flood 2014).
Vector random_signs(const MechanicalSystem &system, const std::vector<std::uint64_t> &identities, const std::uint64_t seed)
{
  Vector x = system.new_vector();
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
  {
    std::uint64_t z = (identities[i] + 1) * 0x9e3779b97f4a7c15ULL + seed * 0xd1342543de82ef95ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    x.local_element(i) = (z >> 63) != 0 ? 1. : -1.;
  }
  system.project(x);
  x.update_ghost_values();
  return x;
}

struct Sums
{
  double difference = 0, size = 0;
  void add(const double uKw, const double wKu)
  {
    difference += std::pow(uKw - wKu, 2);
    size += uKw * uKw + wKu * wKu;
  }
  double ratio() const { return size > 0. ? std::sqrt(difference / size) : 0.; }
};
}  // namespace

void tangent(const MechanicalSystem &system, const double t, const Vector &q, const Vector &u, Vector &Ku)
{
  system.stiffness(q, u, Ku);
  system.add_load_stiffness(t, q, u, Ku);
}

Asymmetry asymmetry_of_tangent(const MechanicalSystem &system, const double t, const Vector &q)
{
  constexpr int pairs = 8;
  const std::vector<std::uint64_t> identities = system.unknowns().identities();
  Sums of_loads, of_tangent;
  Vector product = system.new_vector();
  for (int k = 0; k < pairs; ++k)
  {
    const Vector u = random_signs(system, identities, 2 * k), w = random_signs(system, identities, 2 * k + 1);
    product = 0.;
    system.add_load_stiffness(t, q, w, product);
    const double uLw = u * product;
    product = 0.;
    system.add_load_stiffness(t, q, u, product);
    const double wLu = w * product;
    of_loads.add(uLw, wLu);
    system.stiffness(q, w, product);
    const double uVw = u * product;
    system.stiffness(q, u, product);
    of_tangent.add(uVw + uLw, w * product + wLu);
  }
  return {of_loads.ratio(), of_tangent.ratio()};
}

void check_linear_system(const MechanicalSystem &system)
{
  if (const HolonomicConstraints *constraints = system.constraints(); constraints && !constraints->springs->in_system)
    throw InputError(fmt::format("modes, modal transient and harmonic stages are of a system without exact constraints ('{}'). Use {}",
                                 constraints->name(0),
                                 constraints->where(0).empty() ? "--set Elements/Directors=elastic"  // hinges
                                                               : "--set Constraints/Treatment=penalty with an omega"));
  const std::vector<Rotation> bodies = system.rotations();
  const NodalConstraints *nodal = system.nodal_constraints();
  if (std::any_of(bodies.begin(), bodies.end(), [nodal](const Rotation &body) { return !body.held && !(nodal && nodal->hold(body)); }))
    throw InputError(
        "modes, modal transient and harmonic stages need rigid bodies that stay rigid by themselves; here a scheme keeps them so. Give each a "
        "Rigidity (--set \"Rigid bodies/<name>/Rigidity=...\")");
}

void check_linear_motion(const MechanicalSystem &system, const double t, const Vector &q)
{
  check_linear_system(system);
  if (!system.has(Feature::follower_loads))
    return;
  constexpr double rounding = 1e-9;
  const Asymmetry measured = asymmetry_of_tangent(system, t, q);
  if (measured.of_loads > rounding)
    throw InputError(fmt::format(
        "a load that follows the body (a pressure or a moment) has no symmetric tangent: |u·Kw - w·Ku| is {:.2g} of |u·Kw| for random "
        "u, w ({:.2g} of the whole tangent), and modes, modal transient and harmonic stages need a symmetric one. It is symmetric for a "
        "uniform pressure on a closed surface, or on one whose edge is held. Hold the edge, let other Loads act, or take "
        "Type = dead-pressure; for moments Geometry = linear (in an .inp deck: --set \"Loads/<name>/Type=dead-pressure\", --set "
        "\"Moments/<name>/Geometry=linear\", or of nodes of beams and shells Loads/<name>/Geometry)",
        measured.of_loads, measured.of_tangent));
  log_detail(
      fmt::format("the tangent of the loads that follow the body is symmetric ({:.1g}) and is part of the stiffness", measured.of_loads));
}
}  // namespace symdyn
