#include "integrators/alpha_method.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Hilber, Hughes, Taylor (1977), in the sign of Hughes (1987), 9.3.2:
///     M a1 + (1 + alpha) F1 - alpha F0 = 0,   F = f_int + f_damp - f_applied
/// with Newmark's q1, v1, gamma = 1/2 - alpha, beta = (1 - alpha)²/4, alpha in [-1/3, 0]. alpha < 0 damps: the largest root of a
/// linear mode falls from 1 to (1 + alpha)/(1 - alpha) as h omega grows. alpha = 0 is Newmark (1/4, 1/2). See AlphaMethod.
class HilberHughesTaylor : public AlphaMethod
{
public:
  void declare(Parameters &p) override
  {
    p.add("alpha", alpha, "numerical damping [-]; 0: none, average acceleration; -1/3: strongest", between(-1. / 3., 0.));
  }

protected:
  Constants constants() const override { return {0., -alpha}; }

private:
  double alpha = -0.1;
};

SYMDYN_REGISTER(Integrator, HilberHughesTaylor, "hht-alpha");
}  // namespace symdyn
