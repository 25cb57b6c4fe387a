#pragma once
#include <string>

#include "elements/solids/solid_body.h"

namespace symdyn
{
class Parameters;

/// Envelopes over time: at each node the largest |u| [m], and the largest von Mises stress [Pa] that any of the cells at the node has had
/// there. Of the steps whose number is a multiple of `Output/Maxima every`.
template <int dim>
class Maxima
{
public:
  /// Deck section Output.
  void declare(Parameters &p);
  bool wanted() const { return every > 0; }
  /// Collective.
  void observe(const SolidBody<dim> &system, const State &state);
  /// maxima.vtu, or on several ranks maxima.pvtu and its pieces; `max_displacement`, `max_von_mises`. Returns the name of the file to open,
  /// "" if nothing was observed. Collective. Errors: ComputationError if it cannot be written.
  std::string write(const SolidBody<dim> &system, double time, const std::string &folder) const;

  /// |u| in the first component of each node, von Mises in the second: a vector of the body, for checkpoints. Of size 0 if nothing was
  /// observed.
  Vector largest;

private:
  int every = 0;
};
}  // namespace symdyn
