#include "elements/shells/pressure_load.h"

namespace symdyn
{
namespace
{
/// Pressure that keeps the area and the normals of the undeformed surface, as linear analyses have it. `pressure` turns with the surface.
class SurfaceDeadPressure : public PressureLoad
{
public:
  SurfaceDeadPressure() : PressureLoad("undeformed area") {}
  void add_force(const Moment &now, const Vector &, const double factor, Vector &f) const override { add_forces(now, nullptr, factor, f); }
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfaceDeadPressure, "dead-pressure");
}  // namespace symdyn
