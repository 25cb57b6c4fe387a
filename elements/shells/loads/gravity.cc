#include <algorithm>

#include "elements/shells/surface_load.h"

namespace symdyn
{
namespace
{
/// Uniform, constant gravity g [m/s²] on all masses, a potential: what the parts weigh is added to it (GravityOfParts).
class SurfaceGravity : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    std::vector<double> given;
    p.add("Acceleration", given, "components [m/s^2], constant");
    if (given.size() != 3 || std::all_of(given.begin(), given.end(), [](const double g) { return g == 0.; }))
      p.fail("Acceleration", "needs three components, not all zero");
    std::copy(given.begin(), given.end(), g.begin());
  }
  void prepare(const SurfaceInSystem &) override {}
  void add_force(const Moment &, const Vector &, double, Vector &) const override {}
  bool is_potential() const override { return true; }
  std::array<double, 3> acceleration() const override { return g; }

private:
  std::array<double, 3> g{};
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfaceGravity, "gravity");
}  // namespace symdyn
