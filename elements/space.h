#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/unknowns.h"

namespace symdyn
{
/// The sites at which the unknowns stand, in one partition: nodes of meshes, lumped points, directors. Degree of freedom = block * site +
/// component. A rank owns a contiguous range of sites and knows ("local sites", owned first) those of others that its cells and elements
/// touch. A node has a place; beams, shells and rigid bodies have directors too: vectors that rotations turn and translations leave alone;
/// reduced models have amplitudes of modes, which rotations leave alone too.
class Space : public Unknowns
{
public:
  using Partitioner = std::shared_ptr<const dealii::Utilities::MPI::Partitioner>;
  using Place = std::array<double, 3>;

  enum Kind : char
  {
    place,
    director,
    amplitudes
  };
  /// `X`: of the local sites, places [m] or directors in the undeformed structure, 0 of amplitudes; `kinds`: empty if all are places.
  /// `identities`: of the owned degrees of freedom, numbers that do not depend on the number of ranks.
  Space(int block, Partitioner sites, Partitioner dofs, std::vector<Place> X, std::vector<char> kinds,
        std::vector<std::uint64_t> identities);

  int block() const { return components; }
  const Partitioner &sites() const { return of_sites; }
  Vector new_vector() const { return Vector(of_dofs); }
  int owned() const { return int(of_sites->locally_owned_size()); }
  std::uint64_t size() const { return of_sites->size(); }
  MPI_Comm communicator() const { return of_sites->get_mpi_communicator(); }
  const Place &position(const int site) const { return X[site]; }
  /// Whether it has no place: a director, or amplitudes.
  bool is_director(const int site) const { return !kinds.empty() && kinds[site] != place; }
  bool is_amplitudes(const int site) const { return !kinds.empty() && kinds[site] == amplitudes; }
  bool has_directors() const { return !kinds.empty(); }
  /// Numbers of the owned degrees of freedom, the same on any number of ranks.
  std::vector<std::uint64_t> identities() const override { return of_dof; }

  /// "P_x", "P_y", "P_z", "J_x", "J_y", "J_z", as far as they exist.
  std::vector<std::string> momenta() const override;
  /// xi(q): translation or rotation about the origin, of X + q.
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  double norm(const Vector &f) const override;
  /// 1 of places and amplitudes; of directors 1 over half of the diagonal of the box around all places at rest [1/m].
  double weight(const int site) const { return is_director(site) && !is_amplitudes(site) ? 1. / arm : 1.; }
  /// A vector that no mode is orthogonal to by symmetry.
  Vector irregular() const;

private:
  int components;
  Partitioner of_sites, of_dofs;
  std::vector<Place> X;
  std::vector<char> kinds;  ///< empty: all are places
  std::vector<std::uint64_t> of_dof;
  double arm = 1;  ///< [m]; 1 where there is one place alone
};

/// A partition of `block` degrees of freedom a site from one of sites.
Space::Partitioner expanded(const dealii::Utilities::MPI::Partitioner &sites, int block);
}  // namespace symdyn
