#pragma once
#include <string>

#include "elements/space/discretisation.h"
#include "solver/column.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
class Parameters;

/// An integral over the undeformed body, column NAME of history.csv (the section Integrals of a deck):
///     I(t) = ∫ f(X, t, u, v, J) dX,     J = det(I + grad u)
/// In the plane dX has the thickness of the body, and J the strains in the plane alone. Points: for_points_of_body.
template <int dim>
class FieldIntegral
{
public:
  FieldIntegral();
  /// Errors: InputError for a formula that is missing or wrong.
  void declare(const std::string &name, Parameters &p);
  static void document(Parameters p);
  Column column() const { return {own_name, unit}; }
  /// q and v need no ghost values. Collective. Errors: ComputationError where the formula is not finite.
  double value(const Discretisation<dim> &mesh, const Vector &q, const Vector &v, double t) const;

private:
  void add_entries(Parameters &p);

  std::string own_name, where, unit = "1";
  Expression integrand;
};
}  // namespace symdyn
