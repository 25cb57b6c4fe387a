#pragma once
#include <string>

#include "elements/output/cell_frames.h"
#include "elements/solids/solid_body.h"

namespace symdyn
{
class Parameters;

/// Envelopes over time: at each node the largest |u| [m], and the largest von Mises stress [Pa] that frames have there, of all cells at
/// the node. Of the steps whose number is a multiple of `Output/Maxima every`.
template <int dim>
class Maxima
{
public:
  /// Deck section Output.
  void declare(Parameters &p);
  bool wanted() const { return every > 0; }
  /// Collective.
  void observe(const SolidBody<dim> &system, const CellFrames<dim> &frames, const State &state);
  /// maxima.vtu, or on several ranks maxima.pvtu and its pieces; `max_displacement`, `max_von_mises`. Returns the name of the file to open,
  /// "" if nothing was observed. Collective. Errors: ComputationError if it cannot be written.
  std::string write(const SolidBody<dim> &system, const CellFrames<dim> &frames, double time, const std::string &folder) const;

  /// |u| in the first component of each node, von Mises in the second: a vector of the body, for checkpoints. Of size 0 if nothing was
  /// observed.
  Vector largest;

private:
  int every = 0;
};
}  // namespace symdyn
