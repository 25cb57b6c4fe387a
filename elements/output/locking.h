#pragma once
#include <map>

#include "elements/solids/solid_body.h"

namespace symdyn
{
/// (3 K - 2 G)/(2 (3 K + G)) of the moduli D at C = I, K and G the mean moduli of Voigt (1928): Poisson's ratio of an isotropic law, and of
/// an anisotropic one that of its mean. [-]
double mean_poisson_ratio(const Material &law);

/// A body of one layer of cells: at least 0.9 of them have all of their vertices on its surface.
struct OneLayer
{
  double thickness = 0,
         length =
             0;  ///< mean of the cells' least heights over the surface, longest extent of the body [m]; 0: there is more than one layer
};
/// Collective.
template <int dim>
OneLayer one_layer(const Discretisation<dim> &mesh);

/// Warns of cells of degree 1 and the standard energy where they are far too stiff: with nu > 0.48 (volumetric locking), and in one layer
/// that is ten times thinner than long (shear locking in bending). Collective.
template <int dim>
void warn_of_locking(const Discretisation<dim> &mesh, const std::map<unsigned int, MaterialInUse> &materials);
}  // namespace symdyn
