#include "solver/newton.h"
#include "solver/parameters.h"

namespace symdyn
{
void Newton::declare(Parameters &p)
{
  p.add("Tolerance", tolerance, "converged when |r| <= tolerance * |r| of the first iteration [-]", {0., 1., true, true});
  p.add("Step tolerance", step_tolerance, "or when a full step is |dx| <= tolerance * |x| [-]", between(0., 1e-6));
  p.add("Max iterations", max_iterations, "then the step fails", between(1, 1000));
  p.add("Method", method, "newtonls: line search; newtontr: trust region (PETSc SNES)", {"newtonls", "newtontr"});
  p.add("Line search", line_search,
        "of newtonls: basic (full steps), cp (critical point), bt (backtracking), l2; automatic: basic, and if that fails cp, "
        "then bt",
        {"automatic", "basic", "cp", "bt", "l2"});
  if (method == "newtontr" && p.given("Line search"))
    p.fail("Line search", "has no effect with Method = newtontr. Remove it, or set Method = newtonls");
  p.add("Forcing", forcing,
        "accuracy of iterative linear solves: eisenstat-walker (as much as Newton can use) or constant (Linear "
        "solver/Tolerance)",
        {"eisenstat-walker", "constant"});
  p.add(
      "Tangent", tangent,
      "automatic: kept, from step to step too, while a new one would cost more than the iterations that it saves; new: made again for every "
      "iteration",
      {"automatic", "new"});
  p.add(
      "Stresses", stresses,
      "in the tangents of beams and shells, in static stages and implicit steps: carried on from the last iterate, which saves iterations, or those of the present one; "
      "the answer is the same",
      {"carried", "present"});
  p.add("First forcing", first_forcing, "largest relative residual of an inexact linear solve [-]", {0., 1., true, true});
}
}  // namespace symdyn
