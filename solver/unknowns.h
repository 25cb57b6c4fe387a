#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// The degrees of freedom of a system as a whole: how they are told apart, and how rigid motions move them.
class Unknowns
{
public:
  virtual ~Unknowns() = default;
  /// A number for each degree of freedom of this rank, which identifies them on any number of ranks.
  virtual std::vector<std::uint64_t> identities() const = 0;
  /// Names of the momenta J_i = xi_i(q)·p that a free body keeps: "P_x", "P_y", "J_z" in a plane.
  virtual std::vector<std::string> momenta() const { return {}; }
  /// xi_i(q): the field of velocities of the translation or rotation (about the origin, of X + u) that belongs to momentum i.
  virtual void generator(std::size_t /*i*/, const Vector & /*q*/, Vector & /*xi*/) const {}
  /// |f| of forces [N]; those on directors are moments, and count over a length of the structure, so that no norm depends on units.
  virtual double norm(const Vector &f) const { return f.l2_norm(); }
};
}  // namespace symdyn
