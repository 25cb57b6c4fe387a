#pragma once
#include <map>
#include <string>

#include "elements/solids/solid_body.h"

namespace symdyn
{
/// The largest rotation and strain of the materials that are geometrically linear, whose energy is right for small ones only: it grows with
/// the square of the rotation of a rigid body. Warns once, when one of them exceeds 0.1.
template <int dim>
class SmallStrainWatch
{
public:
  struct Largest
  {
    double rotation = 0;   ///< |axial vector of skw grad u| [rad]
    double strain = 0;     ///< |principal value of sym grad u| [-]
    std::string material;  ///< of the larger one of the two
  };
  /// Over all points of integration of the stiffness, on every rank. Collective.
  static Largest largest(const SolidBody<dim> &system, const Vector &q);

  /// Looks at a state, if `at_once`; otherwise at one of ten: a look costs as much as a force. Collective.
  void observe(const SolidBody<dim> &system, const Vector &q, double t, bool at_once);

  std::map<std::string, std::string> laws;  ///< by name of the material: the deck's Type

private:
  bool told = false;
  int asked = 0;
};
}  // namespace symdyn
