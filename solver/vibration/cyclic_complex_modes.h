#pragma once
#include <memory>
#include <vector>

#include "solver/cyclic.h"
#include "solver/vibration/complex_modes.h"

namespace symdyn
{
/// Complex modes of a whole with cyclic symmetry, one number n of nodal diameters after the other. Waves u e^(lambda t) with s = i c travel
/// forward, in the direction in which sectors are numbered; those with s = -i c backward. Coriolis' forces part the lambda of both.
struct CyclicComplexModes
{
  /// request.number: modes for each n, both of a pair counted. Errors: as find_complex_modes(). Collective.
  CyclicComplexModes(const CyclicSector &sector, const MechanicalSystem &seen, double t, const Vector &q,
                     const ComplexModesRequest &request, const std::vector<int> &diameters);

  std::vector<std::unique_ptr<CyclicMotion>> motions;
  std::vector<ComplexModes> of_motions;
  ComplexModes all;  ///< without shapes
};

/// 1: it travels forward, -1: backward, 0: it stands, or is a mixture of both.
int direction_of_travel(const CyclicMotion &motion, const MechanicalSystem &seen, const ComplexVector &shape);
}  // namespace symdyn
