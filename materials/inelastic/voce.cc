#include "materials/inelastic/hardening.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// R = R_inf (1 - exp(-b p))  (Voce 1948)
class Voce : public Hardening
{
public:
  void declare(Parameters &p) override
  {
    p.add("Saturation stress", R_inf, "R_inf: growth R_inf (1 - exp(-b p)) of the yield stress (Voce) [Pa]");
    p.add("Saturation rate", b, "b of the growth that saturates [-]", positive());
    if (p.given("Saturation stress") != p.given("Saturation rate"))
      p.fail(p.given("Saturation stress") ? "Saturation stress" : "Saturation rate",
             "the growth R_inf (1 - exp(-b p)) needs both. Give Saturation stress and Saturation rate");
  }
  bool given() const override { return R_inf != 0.; }
  Rise at(const Wide &p) const override
  {
    const Wide e = exp(-b * p), slope = R_inf * b * e;
    return {R_inf * (p - (1. / b) * (1. - e)), R_inf * (1. - e), slope, -b * slope};
  }

private:
  double R_inf = 0., b = 0.;
};
}  // namespace
SYMDYN_REGISTER(Hardening, Voce, "voce");
}  // namespace symdyn
