#pragma once
#include <array>
#include <memory>
#include <string>

#include "materials/section/expansion.h"
#include "materials/section/heated_stiffness.h"
#include "solver/parameters.h"

namespace symdyn
{
class InelasticMaterial;

/// What sections of shells and beams take of a linear elastic law, or of a plastic one at rest: its constants about the axes 1, 2 of a
/// layer, 3 normal to it.
struct ThinMaterial
{
  double E1, E2, nu12;                                              ///< [Pa], [Pa], [-]
  double G12, G13, G23;                                             ///< [Pa]
  double rho;                                                       ///< [kg/m³]
  std::shared_ptr<const InelasticMaterial> uniaxial, plane_stress;  ///< of points (ThinLaws); nullptr: it is elastic
  Expansion expansion;                                              ///< the same in all directions
  HeatedStiffness stiffness;  ///< all moduli over the temperature, 1 where those of the section hold; not given: they do not change
};

/// The entries of an expansion that is the same in all directions. Errors: InputError.
void declare_thin_expansion(Expansion &expansion, Parameters &p);

/// The section of the deck `Materials/name`, which `entry` of `p` asks for. From the compliance S of the law at rest:
///     E1 = 1/S_11, E2 = 1/S_22, nu12 = -S_12 E1, G12 = 1/S_66, G13 = 1/S_55, G23 = 1/S_44
/// Constants at other temperatures (At temperatures) have the same ratios. Errors: InputError for a material that is not there, is neither
/// linear elastic nor plastic, or couples shear with other strains in these axes.
ThinMaterial thin_material(const std::string &name, const std::string &entry, const Parameters &p);
}  // namespace symdyn
