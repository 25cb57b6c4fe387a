#pragma once
#include <memory>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// Linear motions of a whole of N equal sectors about a state that is the same in each, with n nodal diameters: in axes that turn with it,
/// sector k = 0 ... N - 1 moves by
///     u_k = cos(n k alpha) c - sin(n k alpha) s,   alpha = 2 pi/N
/// A vector has a cosine copy c and a sine copy s of the sector; for n = 0 and n = N/2 c alone. Places q are those of the sector. Energies
/// and forces are of the whole: M and K are N/2 times those of both copies, N times that of one (Thomas 1979).
class CyclicMotion : public MechanicalSystem
{
public:
  virtual int diameters() const = 0;  ///< n
  virtual int copies() const = 0;     ///< 1 or 2
  /// u_k
  virtual Vector sector(const Vector &u, int k) const = 0;
  /// The force of the whole where that of sector k is cos(n k alpha) c - sin(n k alpha) s [N]; of one copy s does not count.
  virtual Vector force(const Vector &c, const Vector &s) const = 0;
  /// (-s, c): the same pattern, turned by a quarter of its period. Of two copies.
  virtual Vector quarter(const Vector &u) const = 0;
};

/// A system that is one sector of a whole with cyclic symmetry. By itself it moves like all others: n = 0.
class CyclicSector
{
public:
  virtual ~CyclicSector() = default;
  virtual int sectors() const = 0;        ///< N; 0: it is no sector
  virtual int sectors_shown() const = 0;  ///< in pictures
  virtual int sense() const = 0;          ///< Low turns onto High: 1 in the sense of the axis, -1 against it
  /// 0 <= n <= N/2. `seen`: this system, or it with a history. Both must outlive the motion.
  virtual std::unique_ptr<CyclicMotion> motion(const MechanicalSystem &seen, int n) const = 0;
};

/// nullptr: it is no sector.
inline const CyclicSector *cyclic_sector(const MechanicalSystem &system)
{
  const auto *sector = dynamic_cast<const CyclicSector *>(&system);
  return sector && sector->sectors() > 0 ? sector : nullptr;
}
}  // namespace symdyn
