#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/history.h"
#include "solver/registry.h"

namespace symdyn
{
/// What laws with a memory have used: E_inelastic is the part of E_dissipated that they have dissipated, E_stored the part of E_potential
/// that unloading leaves, W_plastic the sum of both [J]; p_max the largest accumulated plastic strain, yielding the part of their volume
/// that flowed in the last step [-].
class InelasticColumns : public HistoryColumns
{
public:
  std::string meaning() const override
  {
    return "energies and flow of laws with a memory, E_inelastic, E_stored, W_plastic, p_max and yielding; always there with such laws";
  }
  std::vector<Column> columns(const MechanicalSystem &, const Units &units) const override
  {
    return {{"E_inelastic", units.energy, Kind::energy},
            {"E_stored", units.energy, Kind::energy},
            {"W_plastic", units.energy, Kind::energy},
            {"p_max", ""},
            {"yielding", ""}};
  }
  void values(const MechanicalSystem &system, const State &state, std::vector<double> &out) const override
  {
    const Spent now = spent(system, state);
    out.insert(out.end(), {now.dissipated, now.stored, now.dissipated + now.stored, now.largest_flow,
                           now.volume > 0. ? now.flowing / now.volume : 0.});
  }
};
SYMDYN_REGISTER(HistoryColumns, InelasticColumns, "inelastic");
}  // namespace symdyn
