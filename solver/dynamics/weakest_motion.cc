#include "solver/dynamics/weakest_motion.h"
#include "solver/unknowns.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Where the entries of a vector stand: a translation along d is 1 in the entries of component d, and a rotation of the undeformed body
/// shows the coordinates.
struct EntryPlaces
{
  explicit EntryPlaces(const MechanicalSystem &system)
  {
    const Vector undeformed = system.new_vector();
    for (std::size_t i = 0; i < system.unknowns().momenta().size(); ++i)
    {
      names.push_back(system.unknowns().momenta()[i]);
      fields.push_back(undeformed);
      system.unknowns().generator(i, undeformed, fields.back());
    }
  }
  /// The component of an entry, -1: none; and the place of the node whose first entry it is.
  int component(const unsigned int i) const
  {
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (names[k][0] == 'P' && std::abs(fields[k].local_element(i)) > 0.5)
        return names[k][2] - 'x';
    return -1;
  }
  std::array<double, 3> place(const unsigned int first, const unsigned int components) const
  {
    std::array<double, 3> X{};
    for (std::size_t k = 0; k < fields.size(); ++k)
      if (names[k] == "J_z")
      {
        X[0] = fields[k].local_element(first + 1);
        X[1] = -fields[k].local_element(first);
      }
      else if (names[k] == "J_x" && components == 3)
        X[2] = -fields[k].local_element(first + 1);
    return X;
  }

  std::vector<std::string> names;
  std::vector<Vector> fields;
};

/// Fixed pseudo-random numbers of entries, the same in every run on as many ranks.
template <class Function>
void for_entries(Vector &x, const Function &function)
{
  const auto first = x.get_partitioner()->local_range().first;
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    function(x.local_element(i), std::sin(1. + 12.9898 * double(i + first)));
}

/// The largest entry of all ranks.
void locate(const MechanicalSystem &system, const Vector &z, WeakestMotion &motion)
{
  const EntryPlaces places(system);
  unsigned int at = 0;
  double of_places = 0, of_all = 0;  // directors have no place
  for (unsigned int i = 0; i < z.locally_owned_size(); ++i)
  {
    const double size = std::abs(z.local_element(i));
    of_all = std::max(of_all, size);
    if (size > of_places && places.component(i) >= 0)
    {
      of_places = size;
      at = i;
    }
  }
  constexpr double hardly = 1e-3;
  of_all = MPI::max(of_all, z.get_mpi_communicator());
  motion.of_directors = MPI::max(of_places, z.get_mpi_communicator()) < hardly * of_all;
  std::vector<double> mine(5, -1.);  // size, component, place
  if (z.locally_owned_size() > 0)
  {
    const int component = places.component(at);
    const unsigned int components =
        std::count_if(places.names.begin(), places.names.end(), [](const std::string &name) { return name[0] == 'P'; });
    const std::array<double, 3> X = component < 0 ? std::array<double, 3>{} : places.place(at - component, components);
    mine = {of_places, double(component), X[0], X[1], X[2]};
  }
  double largest = -1.;
  for (const auto &found : MPI::all_gather(z.get_mpi_communicator(), mine))
    if (found[0] > largest)
    {
      largest = found[0];
      motion.place = {found[2], found[3], found[4]};
      motion.component = found[1] < 0. ? "" : std::string(1, char('x' + int(found[1])));
    }
}
}  // namespace

std::string WeakestMotion::in_words(const std::string &unit) const
{
  if (of_directors)
    return "in rotations of nodes that stay in place: of beams about their axes, or of shells that a beam ends on";
  return fmt::format("around ({:.4g}, {:.4g}, {:.4g}){}{}", place[0], place[1], place[2], unit,
                     component.empty() ? "" : ", along " + component);
}

WeakestMotion weakest_motion(const MechanicalSystem &system, const LinearSolve &A)
{
  WeakestMotion motion;
  if (A.iterative())
    return motion;
  Vector z = system.new_vector(), r = z;
  for_entries(r, [](double &entry, const double random) { entry = random; });
  system.project(r);
  for (int iteration = 0; iteration < 2; ++iteration)
  {
    const double norm = r.l2_norm();
    if (!(norm > 0.) || !std::isfinite(norm))
      return motion;
    r *= 1. / norm;
    A.solve(r, z, A.tolerance());
    r = z;
  }
  if (!std::isfinite(z.l2_norm()) || z.l2_norm() == 0.)
    return motion;
  z *= 1. / z.l2_norm();
  z.update_ghost_values();
  A.multiply(z, r);
  system.project(r);
  const double resisted = r.l2_norm();
  Vector signs = z;
  for_entries(signs, [](double &entry, const double random) { entry = random > 0. ? entry : -entry; });
  system.project(signs);
  signs.update_ghost_values();
  A.multiply(signs, r);
  system.project(r);
  motion.known = r.l2_norm() > 0.;
  motion.resistance = motion.known ? resisted / r.l2_norm() : 1.;
  locate(system, z, motion);
  return motion;
}
}  // namespace symdyn
