#pragma once
#include <deal.II/base/mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// A place of a structure: a node, or a point that nodes carry.
struct StructurePlace
{
  std::string name;                  ///< "": a node
  std::array<double, 3> position{};  ///< in the undeformed structure [m]
  /// What carries it on this rank: the first entry of a node in a vector, and its share.
  std::vector<std::pair<unsigned int, double>> shares{};

  /// sum of w u over the shares, along an axis. Collective; u with its ghost entries.
  double displacement(const Vector &u, const int axis) const
  {
    double sum = 0.;
    for (const auto &[first, share] : shares)
      sum += share * u.local_element(first + axis);
    return dealii::Utilities::MPI::sum(sum, u.get_mpi_communicator());
  }
  /// f += a force there along an axis [N], on all ranks at once: the same shares. Collective.
  void add_force(const int axis, const double force, Vector &f) const
  {
    Vector here(f);
    here = 0.;
    for (const auto &[first, share] : shares)
      here.local_element(first + axis) += share * force;
    here.compress(dealii::VectorOperation::add);
    f += here;
  }
};

/// A node of a structure, the same on every rank. Degree of freedom = dimension * site + component.
struct StructureNode
{
  std::array<double, 3> position{};  ///< in the undeformed structure [m]
  std::uint64_t site = 0;            ///< of all ranks
  struct Director
  {
    std::uint64_t site;
    std::array<double, 3> at_rest;
  };
  std::vector<Director> directors{};  ///< vectors that turn with it
};

/// The places of a structure, for stages that measure its motion and push it there. This one: there are none.
class StructurePlaces
{
public:
  virtual ~StructurePlaces() = default;
  virtual int dimension() const { return 3; }
  /// Of probes and points; and those of them whose motion history.csv has.
  virtual std::vector<std::string> names() const { return {}; }
  virtual std::vector<std::string> reported() const { return {}; }
  /// Of one of the names. Errors: InputError where it moves as several nodes do in large rotations. Collective.
  virtual StructurePlace named(const std::string &) const { return {}; }
  /// The node nearest to X [m]. Collective.
  virtual StructurePlace nearest(const std::array<double, 3> &) const { return {}; }
  /// Those of a point, a boundary, or of a set or number of nodes of the mesh's file: of a boundary by their x, then y, then z, of a set as
  /// the file has them. Collective. Errors: InputError that lists the names.
  virtual std::vector<StructureNode> nodes(const std::string &) const { return {}; }
};
}  // namespace symdyn
