#pragma once
#include <string>
#include <vector>

#include "solver/cyclic.h"
#include "solver/stressed.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
struct Actions;
struct Analysis;
class Stage;

/// The loads of a stage, which grow by a factor, beside what acts in the state.
class GrowingLoads
{
public:
  GrowingLoads(Analysis &analysis, const Stage &stage);
  ~GrowingLoads() { set(0.); }
  GrowingLoads(const GrowingLoads &) = delete;
  void set(double factor);
  /// What a factor of 1 adds [N].
  Vector force(const MechanicalSystem &system, const State &state);
  /// u_1 = K^-1 f [m]. Errors: InputError for loads that are zero.
  Vector displacement(const MechanicalSystem &system, const State &state, const Vector &f) const;
  /// Sums of forces along x, y, z [N].
  static std::vector<double> resultant(const MechanicalSystem &system, const Vector &q, const Vector &f);

private:
  std::string where;
  Actions &actions;
  std::vector<bool> grow;
  std::vector<double> before;
};

/// A system at rest whose elements bear `factor` times the linear stress of u more, while the growing loads are `strength` times as large;
/// these until it ends. Laws are frozen.
class LoadedState
{
public:
  LoadedState(const MechanicalSystem &structure, const State &state, GrowingLoads &loads, const Vector &u, double factor, double strength);
  ~LoadedState() { loads.set(0.); }
  LoadedState(const LoadedState &) = delete;
  const MechanicalSystem &operator*() const { return **about; }
  const MechanicalSystem *operator->() const { return about->operator->(); }
  /// Of a sector: with n nodal diameters.
  std::unique_ptr<CyclicMotion> motion(const int n) const { return cyclic_sector(*made.whole)->motion(*made, n); }

private:
  GrowingLoads &loads;
  CopiedSystem made;
  std::unique_ptr<AtRest> about;
};
}  // namespace symdyn
