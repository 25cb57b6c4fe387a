#pragma once
#include <string>
#include <vector>

#include "solver/dynamics/energy.h"

namespace symdyn
{
/// What the certificate of a run says of its motions: how well the energy balance of each closes, and its step over the critical one.
/// Of static stages, whose work is an approximation along the path (docs/output.md), only increments that leave the path are judged.
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
  /// Increments of a static stage in which the structure left the path of equilibrium.
  struct Leaps
  {
    std::string stage;
    double unaccounted = 0;  ///< sum of |energy gained - work done| [J]
    int increments = 0;
  };
  void leave_path(const std::string &stage, double unaccounted);
  const std::vector<Leaps> &leaps() const { return left; }
  void save(Archive archive) const;
  void load(const Archive &archive);

private:
  std::vector<Motion> all;
  std::vector<Leaps> left;
};
}  // namespace symdyn
