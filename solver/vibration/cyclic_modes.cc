#include "solver/vibration/cyclic_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/linear/keeps_tangents.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace
{
/// phi and J phi, mixed so that c·M s = 0 and c has the largest mass; where all mixtures have the same, as they are.
void turn_phase(const CyclicMotion &motion, const MechanicalSystem &seen, Vector &shape)
{
  constexpr double alike = 1e-6;
  const Vector turned = motion.quarter(shape), c = motion.sector(shape, 0);
  Vector s = motion.sector(turned, 0), Mc = seen.new_vector(), Ms = Mc;
  s *= -1.;
  seen.mass(c, Mc);
  seen.mass(s, Ms);
  const double cc = c * Mc, ss = s * Ms, cs = c * Ms;
  if (std::hypot(cc - ss, 2. * cs) <= alike * (cc + ss))
    return;
  const double by = -0.5 * std::atan2(2. * cs, cc - ss);
  shape.zero_out_ghost_values();
  shape *= std::cos(by);
  shape.add(std::sin(by), turned);
}

/// Each of the modes with its J phi: what an iteration has found of the other one is in their span.
Modes in_pairs(const CyclicMotion &motion, const MechanicalSystem &seen, const Modes &found)
{
  constexpr double in_span = 0.25;  // of phi·M phi = 1
  Modes pairs;
  pairs.complete = found.complete;
  pairs.uncounted = found.uncounted;
  pairs.free_motions = found.free_motions;
  Vector momentum = motion.new_vector();
  const auto add = [&](const Vector &shape, const std::size_t i) {
    motion.mass(shape, momentum);
    motion.project(momentum);
    pairs.squares.push_back(found.squares[i]);
    pairs.kinds.push_back(found.kinds[i]);
    pairs.elastic.push_back(found.elastic[i]);
    pairs.shapes.push_back(shape);
    pairs.momenta.push_back(momentum);
  };
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    Vector shape = found.shapes[i];
    const std::vector<double> known = pairs.project(found.momenta[i]);
    shape.zero_out_ghost_values();
    for (std::size_t j = 0; j < known.size(); ++j)
      shape.add(-known[j], pairs.shapes[j]);
    motion.mass(shape, momentum);
    const double left = shape * momentum;
    if (left < in_span)
      continue;
    shape *= 1. / std::sqrt(left);
    turn_phase(motion, seen, shape);
    turn_shape(motion, shape);
    add(shape, i);
    Vector other = motion.quarter(shape);
    other.update_ghost_values();
    add(other, i);
  }
  return pairs;
}

template <class T>
void move_to_end(std::vector<T> &from, std::vector<T> &to)
{
  std::move(from.begin(), from.end(), std::back_inserter(to));
}
}  // namespace

CyclicModes::CyclicModes(const CyclicSector &sector, const MechanicalSystem &seen, const double t, const Vector &q,
                         const ModesRequest &request, const std::vector<int> &diameters)
{
  all.complete = true;
  double largest = 0.;
  for (const int diameter : diameters)
  {
    motions.push_back(sector.motion(seen, diameter));
    const CyclicMotion &motion = *motions.back();
    ModesRequest one = request;
    one.none_is_allowed = true;
    one.largest_square = largest;
    one.number += motion.copies() == 2 ? request.number % 2 : 0;
    Modes found = find_modes(motion, t, q, one);
    largest = found.largest_square;
    append(motion.copies() == 2 ? in_pairs(motion, seen, found) : std::move(found), motion, q);
    drop_factors(*motions.back());
  }
  if (all.size() == 0)
    throw InputError("no mode of these nodal diameters lies in the interval. Change Highest frequency or Lowest frequency");
  for (const int diameter : {0, 1})  // no other has a part of rigid motions
    if (std::count(diameters.begin(), diameters.end(), diameter) == 0)
      append({}, *sector.motion(seen, diameter), q);
}

void drop_factors(CyclicMotion &motion)
{
  if (auto *keeps = dynamic_cast<KeepsTangents *>(&motion))
    keeps->forget();
}

void CyclicModes::append(Modes &&found, const CyclicMotion &motion, const Vector &q)
{
  const Participation of_found(motion, q, found);
  parts.motions = of_found.motions;
  parts.total.resize(of_found.total.size(), 0.);
  for (std::size_t j = 0; j < parts.total.size(); ++j)
    parts.total[j] += of_found.total[j];
  parts.factors.insert(parts.factors.end(), of_found.factors.begin(), of_found.factors.end());
  for (const double ratio : damping_ratios(modal_damping(motion, q, found), found))
    zeta.push_back(ratio);
  n.resize(n.size() + found.size(), motion.diameters());
  of_mode.resize(n.size(), motions.size() - 1);
  all.complete = all.complete && (found.complete || found.size() == 0);
  all.uncounted = all.uncounted || found.uncounted;
  move_to_end(found.squares, all.squares);
  move_to_end(found.kinds, all.kinds);
  move_to_end(found.elastic, all.elastic);
  move_to_end(found.shapes, all.shapes);
  move_to_end(found.momenta, all.momenta);
}
}  // namespace symdyn
