#include "elements/contact/middle_gradient.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/contact/least_squares.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// A site, where it is in the middle of a step [m], and its way [m].
struct Moved
{
  int site;
  Place x{}, way{};
};

/// The way less the translation and rotation that are nearest to it, over all ranks: sum z = 0, sum x times z = 0.
void take_rigid_part_away(std::vector<Moved> &sites, const MPI_Comm communicator)
{
  std::vector<double> sum(7);  // of sites, x and ways
  for (const Moved &one : sites)
  {
    sum[0] += 1.;
    for (int d = 0; d < 3; ++d)
    {
      sum[1 + d] += one.x[d];
      sum[4 + d] += one.way[d];
    }
  }
  MPI::sum(sum, communicator, sum);
  const Place centre{sum[1] / sum[0], sum[2] / sum[0], sum[3] / sum[0]}, mean{sum[4] / sum[0], sum[5] / sum[0], sum[6] / sum[0]};
  std::vector<double> turn(9);  // of moments and the tensor of inertia about the centre
  for (const Moved &one : sites)
  {
    const Place arm = difference(one.x, centre), moment = cross(arm, one.way);
    for (int d = 0, k = 3; d < 3; ++d)
    {
      turn[d] += moment[d];
      for (int e = d; e < 3; ++e, ++k)
        turn[k] += (d == e ? dot(arm, arm) : 0.) - arm[d] * arm[e];
    }
  }
  MPI::sum(turn, communicator, turn);
  dealii::SymmetricTensor<2, 3> inertia;
  for (int d = 0, k = 3; d < 3; ++d)
    for (int e = d; e < 3; ++e, ++k)
      inertia[d][e] = turn[k];
  constexpr double on_a_line = 1e-12;
  const Place rotation = least_squares(inertia, {turn[0], turn[1], turn[2]}, on_a_line);
  for (Moved &one : sites)
    one.way = difference(difference(one.way, mean), cross(rotation, difference(one.x, centre)));
}

/// The force along z, of no resultant and no moment, that does the work that is missing.
void add_correction(const Space &space, const std::vector<int> &of_term, const At &at, const Vector &middle, const double missing,
                    Vector &f)
{
  const int n = space.block();
  std::vector<Moved> sites;
  double way = 0;
  for (const int site : of_term)
    if (site < space.owned() && !space.is_director(site))  // no turn of a director takes part
    {
      Moved one{site};
      for (int d = 0; d < n; ++d)
      {
        one.x[d] = space.position(site)[d] + middle.local_element(n * site + d);
        one.way[d] = at.q->local_element(n * site + d) - at.previous->local_element(n * site + d);
      }
      way += dot(one.way, one.way);
      sites.push_back(one);
    }
  take_rigid_part_away(sites, space.communicator());
  double square = 0;
  for (const Moved &one : sites)
    square += dot(one.way, one.way);
  square = MPI::sum(square, space.communicator());
  way = MPI::sum(way, space.communicator());
  constexpr double rounding = 1e-24;
  if (missing == 0. || !(square > rounding * way))
    return;
  for (const Moved &one : sites)
    for (int d = 0; d < n; ++d)
      f.local_element(n * one.site + d) += missing / square * one.way[d];
}

}  // namespace

double add_middle_gradient(const Term &term, const Space &space, const std::vector<int> &sites, const At &at, Vector &f)
{
  const int n = space.block();
  Vector middle = middle_of(at), force = space.new_vector();
  At half = at, before = at, after = at;
  half.q = &middle;
  before.q = at.previous;
  half.previous = before.previous = after.previous = nullptr;
  const double smallest = term.add_force(half, force);
  for (const int site : sites)
    for (int d = 0; d < n; ++d)
      f.local_element(n * site + d) += force.local_element(n * site + d);
  const double V1 = term.energy(after), V0 = term.energy(before);
  double missing = V1 - V0;
  double scale = std::abs(V0) + std::abs(V1);  // V rounds by itself, and by the places that it is of
  for (const int site : sites)
    for (int d = 0; d < n; ++d)
    {
      const double f_d = force.local_element(n * site + d);
      missing -= f_d * (at.q->local_element(n * site + d) - at.previous->local_element(n * site + d));
      scale += std::abs(f_d * (space.position(site)[d] + middle.local_element(n * site + d)));
    }
  // At rest it is rounding, which the division by z.z would make a force.
  constexpr double safety = 16.;
  missing = MPI::sum(missing, space.communicator());
  const double rounding = safety * std::numeric_limits<double>::epsilon() * MPI::sum(scale, space.communicator());
  add_correction(space, sites, at, middle, std::abs(missing) > rounding ? missing - rounding * rounding / missing : 0., f);
  return smallest;
}

Vector middle_of(const At &at)
{
  Vector middle = *at.previous;
  middle.sadd(0.5, 0.5, *at.q);
  middle.update_ghost_values();
  return middle;
}
}  // namespace symdyn
