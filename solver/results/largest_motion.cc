#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/mechanical_system.h"
#include "solver/registry.h"

namespace symdyn
{
/// max |q_i| [m] and max |v_i| [m/s] over all degrees of freedom: what resonates or runs away shows here first.
class LargestMotion : public HistoryColumns
{
public:
  std::string meaning() const override { return "largest components of displacement and velocity, u_max and v_max"; }
  std::vector<Column> columns(const MechanicalSystem &, const Units &units) const override
  {
    return {{"u_max", units.length}, {"v_max", units.length + "/" + units.time}};
  }
  void values(const MechanicalSystem &, const State &state, std::vector<double> &out) const override
  {
    out.push_back(state.q.linfty_norm());
    out.push_back(state.v.linfty_norm());
  }
};
SYMDYN_REGISTER(HistoryColumns, LargestMotion, "largest motion");
}  // namespace symdyn
