#pragma once
#include <string>
#include <vector>

#include "solver/dynamics/energy.h"

namespace symdyn
{
/// What the certificate of a run says of its motions: how well the energy balance of each closes, and its step over the critical one.
/// Static stages are not judged: their work is an approximation along the path (docs/output.md).
class BalanceQuality
{
public:
  struct Motion
  {
    std::string stage, scheme;
    bool closes = true, damps = false;  ///< the balance of this scheme closes; the scheme takes energy by itself
    double step = 0, critical = 0;      ///< [s]; critical 0: any step is stable
    double largest_error = 0;           ///< |E_balance_error| [J]; NaN where a law has no energies
    double largest_work = 0;            ///< |W_external| since the start of the run [J]
  };
  void start(const Motion &motion) { all.push_back(motion); }
  /// After each step of the last motion.
  void look(const EnergyBalance &energy_balance);
  const std::vector<Motion> &motions() const { return all; }
  void save(Archive archive) const;
  void load(const Archive &archive);

private:
  std::vector<Motion> all;
};
}  // namespace symdyn
