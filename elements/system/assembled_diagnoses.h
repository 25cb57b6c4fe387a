#pragma once
#include "elements/system/assembled_system.h"
#include "solver/failed_point.h"

namespace symdyn
{
class AssembledSystem::Diagnoses : public Diagnosis, public PointDiagnosis
{
public:
  /// `seen`: the system, or it in an increment; frequencies are of this.
  Diagnoses(const AssembledSystem &system, const MechanicalSystem &seen) : system(system), seen(seen) {}
  /// Of an increment from this history.
  Diagnoses(const AssembledSystem &system, const MechanicalSystem &seen, const HistoryPointer &from, const double h)
      : system(system), seen(seen), from(&from), h(h)
  {
  }

  double potential_rounding() const override;
  double highest_frequency(double t, const Vector &q, bool lumped = false, Vector *mode = nullptr) const override;
  double highest_frequency_scaled(const Vector &q) const override;
  double impact_frequency() const override;
  std::vector<std::string> frozen_contacts(const State &state) const override;
  std::vector<BegunContact> begun_contacts(const std::vector<std::string> &names, const Vector &q) const override;
  bool scales_inertia() const override { return bool(system.parts.added_inertia); }
  double added_inertia(const Vector &v) const override;
  std::string diagnose(const Vector &q) const override;
  std::string find_failed_point(const Vector &q) const override;
  const FailedPoint &failed_point() const override { return system.diagnoses->last_failure; }
  std::vector<std::string> load_names() const override;
  void load_force(std::size_t number, double t, const Vector &q, Vector &f) const override;
  std::vector<std::string> weights() const override;
  std::vector<LoadJump> load_jumps(double h) const override;

private:
  class Acceleration;
  /// Of masses of owned sites.
  double by_lumped_mass(const Vector &q, const std::vector<double> &masses, Vector *mode) const;
  double by_mass_solves(const Vector &q, bool lumped) const;
  /// Whether a lumped mass joins places and directors. Collective.
  bool joins_sites_of_nodes() const;

  const AssembledSystem &system;
  const MechanicalSystem &seen;
  const HistoryPointer *from = nullptr;  ///< nullptr: of no increment
  double h = 0.;
  FailedPoint last_failure;  ///< of the system's own diagnoses: increments do not live until the run ends
};
}  // namespace symdyn
