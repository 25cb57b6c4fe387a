#pragma once
#include <memory>

#include "materials/inelastic.h"

namespace symdyn
{
class Parameters;

/// A law with a memory that beams and shells take: itself at small strains, in the states of stress of their points. `deck` is its section;
/// errors of both: InputError for what it cannot be there.
class ThinLaws
{
public:
  virtual ~ThinLaws() = default;
  /// Of uniaxial stress, in the isochoric strain e (1, -1/2, -1/2) of the axial strain e: at C = I + 2 e (1, -1/2, -1/2) the stress is
  /// S_11 - (S_22 + S_33)/2, and psi the work per volume.
  virtual std::shared_ptr<const InelasticMaterial> uniaxial(const Parameters &deck) const = 0;
  /// Of plane stress, S_33 = 0, with small strains C = I + 2 eps.
  virtual std::shared_ptr<const InelasticMaterial> plane_stress(const Parameters &deck) const = 0;
};
}  // namespace symdyn
