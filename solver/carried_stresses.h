#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Of an equation with tangents that carry stresses on from the iterate before: LinearTerm::before and led.
class CarriedStresses
{
public:
  /// NewtonProblem::carry
  void begin(const bool carries)
  {
    on = carries;
    before.reinit(0);
  }
  /// Where a step has led to, before nodal constraints move it.
  Vector &led_to() { return led; }
  /// Adds them to the term of an iterate. They must live until it is factored.
  void add_to(LinearTerm &term) const
  {
    if (before.size() == 0)
      return;
    term.before = &before;
    term.led = led.size() > 0 ? &led : nullptr;
  }
  /// The next step goes from there.
  void step_from(const Vector &q)
  {
    if (on)
      before = q;
  }

private:
  bool on = false;
  Vector before, led;
};
}  // namespace symdyn
