#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/deck/formula/expression.h"

namespace symdyn
{
class DiscreteModel;
class Parameters;

/// sum of c_k u_k = b(t): between displacements of points; coordinate = components * point + component.
struct Equation
{
  std::string name, where;
  std::vector<std::pair<int, double>> terms;  ///< coordinate and factor c; of points on one node the first stands for all
  Expression sum;                             ///< b [m], of t
};

/// The section "Equations" of a deck. Errors: InputError.
class EquationSection
{
public:
  static void read(Parameters p, DiscreteModel &model);
  /// Declares the entries of the equations that the deck names.
  static void announce(Parameters p);
  static void document(Parameters p);
};
}  // namespace symdyn
