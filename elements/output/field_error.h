#pragma once
#include <deal.II/base/quadrature.h>

#include <array>
#include <string>
#include <vector>

#include "elements/space/discretisation.h"
#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
class Parameters;

/// Errors against a known solution u(X, t), for studies of convergence (the section Errors of a deck):
///     L2 = (∫ |u_h - u|² dX)^½ [m^(1 + dim/2)],     H1 = (∫ |grad u_h - grad u|² dX)^½ [m^(dim/2)]
/// over the undeformed body, and the same of velocities; grad u is exact (the formula is differentiated). In the plane per unit thickness.
template <int dim>
class FieldError
{
public:
  /// Errors: InputError for a wrong number of components, or none at all.
  void declare(const std::string &name, Parameters &p);
  static void document(Parameters p);
  std::vector<Column> columns(const Units &units) const;
  /// In the order of the columns. q and v need no ghost values. Collective.
  std::vector<double> values(const Discretisation<dim> &mesh, const Vector &q, const Vector &v, double t) const;

private:
  static void add_entries(Parameters &p, std::vector<Expression> &displacement, std::vector<Expression> &velocity);
  /// The squares, over the cells of this rank.
  std::array<double, 2> partial(const Discretisation<dim> &mesh, const Vector &x, const std::vector<Expression> &exact, double t) const;

  std::string own_name;
  std::vector<Expression> displacement, velocity;
};
}  // namespace symdyn
