#include "materials/inelastic/hardening.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// R = H p: linear isotropic hardening (Prager 1949; Hodge 1955)
class LinearHardening : public Hardening
{
public:
  void declare(Parameters &p) override
  {
    p.add("Hardening modulus", H, "H: growth H p of the yield stress with the accumulated plastic strain p [Pa]");
  }
  bool given() const override { return H != 0.; }
  Rise at(const Wide &p) const override { return {0.5 * H * p * p, H * p, H, 0.}; }

private:
  double H = 0.;
};
}  // namespace
SYMDYN_REGISTER(Hardening, LinearHardening, "linear");
}  // namespace symdyn
