#pragma once
#include <memory>
#include <vector>

#include "elements/lumped/constraint_set.h"
#include "elements/lumped/model.h"

namespace symdyn
{
/// The section "Constraints" of a deck: what is held, and how: exactly, by schemes that know multipliers, or by a penalty ½ omega² g² in V.
class ConstraintSection
{
public:
  void declare(Parameters p, DiscreteModel &model);
  static void document(Parameters p);
  /// Declares the entries of the constraints that the deck names.
  static void announce(Parameters p);

private:
  void declare_treatment(Parameters &p);
  void add(const std::string &name, Parameters p, DiscreteModel &model) const;

  std::string treatment = "exact";
  double omega = 0;
  bool stiff = true, project = false;
};
}  // namespace symdyn
