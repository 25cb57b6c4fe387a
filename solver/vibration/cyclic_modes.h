#pragma once
#include <memory>
#include <vector>

#include "solver/cyclic.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// One factorisation at a time: shapes need none.
void drop_factors(CyclicMotion &motion);

/// Free vibration of a whole with cyclic symmetry about a state that is the same in all sectors, one number n of nodal diameters after the
/// other: modes ascend in n, then in frequency. For 0 < n < N/2 each omega is twice there, with shapes phi and J phi = (-s, c); phi is the
/// one of them whose c has the largest mass, and c·M s = 0. Masses are those of the whole.
class CyclicModes
{
public:
  /// request.number: modes for each n, both of a pair counted. Errors: as find_modes(). Collective.
  CyclicModes(const CyclicSector &sector, const MechanicalSystem &seen, double t, const Vector &q, const ModesRequest &request,
              const std::vector<int> &diameters);

  const Modes &modes() const { return all; }  ///< shapes[i] is of motion(i)
  const CyclicMotion &motion(const std::size_t i) const { return *motions[of_mode[i]]; }
  const std::vector<int> &diameters() const { return n; }  ///< of each mode
  const Participation &participation() const { return parts; }
  const std::vector<double> &ratios() const { return zeta; }

private:
  void append(Modes &&found, const CyclicMotion &motion, const Vector &q);

  Modes all;
  Participation parts;
  std::vector<double> zeta;
  std::vector<int> n;
  std::vector<std::size_t> of_mode;
  std::vector<std::unique_ptr<CyclicMotion>> motions;
};
}  // namespace symdyn
