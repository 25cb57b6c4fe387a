#include <cmath>

#include "materials/inelastic/hardening.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// R = K ((p0 + p)^n - p0^n)  (Swift 1952)
class Swift : public Hardening
{
public:
  void declare(Parameters &p) override
  {
    p.add("Swift stress", K, "K: growth K ((p0 + p)^n - p0^n) of the yield stress (Swift) [Pa]", positive());
    p.add("Swift strain", p0, "p0 of Swift's growth [-]", positive());
    p.add("Swift exponent", n, "n of Swift's growth [-]", Range{0., 1., true, false});
    const bool all = p.given("Swift stress") && p.given("Swift strain") && p.given("Swift exponent");
    for (const char *name : {"Swift stress", "Swift strain", "Swift exponent"})
      if (!all && p.given(name))
        p.fail(name, "Swift's growth K ((p0 + p)^n - p0^n) needs three numbers. Give Swift stress, Swift strain and Swift exponent");
  }
  bool given() const override { return K != 0.; }
  Rise at(const Wide &p) const override
  {
    const Wide x = p + p0, power = pow(x, n), r = 1. / x, stress = K * power;
    const double start = std::pow(p0, n);
    return {K * ((power * x - start * p0) * (1. / (n + 1.)) - start * p), stress - K * start, n * stress * r,
            n * (n - 1.) * stress * r * r};
  }

private:
  double K = 0., p0 = 0., n = 0.;
};
}  // namespace
SYMDYN_REGISTER(Hardening, Swift, "swift");
}  // namespace symdyn
