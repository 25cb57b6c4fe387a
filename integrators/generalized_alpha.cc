#include "integrators/alpha_method.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The generalized-alpha scheme (Chung, Hulbert 1993, eqs. 14-20 and 25): AlphaMethod with
///     alpha_m = (2 rho - 1)/(rho + 1),   alpha_f = rho/(rho + 1)
/// rho = rho infinity in [0, 1] is the largest root of a linear mode as h omega grows; of all schemes with that rho it damps the
/// low modes least. Force = averaged: (1 - alpha_f) F1 + alpha_f F0, at rho = 1 Newmark (1/4, 1/2) started from the true a0;
/// its balance then has the root -1, so that what Newton leaves over in one step alternates for ever. Force = evaluated:
/// F at t, q, v of 1 - alpha_f, at rho = 1 the midpoint rule. On linear systems the two differ in the loads only.
class GeneralizedAlpha : public AlphaMethod
{
public:
  void declare(Parameters &p) override
  {
    p.add("rho infinity", rho, "largest root of modes far above 1/h [-]; 1: no numerical damping, 0: strongest", between(0., 1.));
    p.add("force", force, "averaged: mean of the forces at both ends; evaluated: force at the mean of both ends",
          {"averaged", "evaluated"});
  }

protected:
  Constants constants() const override { return {(2. * rho - 1.) / (rho + 1.), rho / (rho + 1.), force == "evaluated"}; }

private:
  double rho = 0.8;
  std::string force = "averaged";
};

SYMDYN_REGISTER(Integrator, GeneralizedAlpha, "generalized-alpha");
}  // namespace symdyn
