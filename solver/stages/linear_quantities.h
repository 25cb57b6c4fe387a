#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solver/column.h"
#include "solver/stress_points.h"
#include "solver/vector.h"

namespace symdyn
{
struct Analysis;
class MechanicalSystem;

/// What a structure reports, linearised about the state of a stage: probes, forces of supports, section forces.
class LinearQuantities
{
public:
  /// `system`: about the state, at rest. It must outlive this.
  LinearQuantities(const Analysis &analysis, const MechanicalSystem &system);
  const std::vector<Column> &columns() const { return all; }
  /// Whether a column of history.csv is one of them.
  static bool is_linear(const Column &column);
  /// What a load f [N] at held degrees of freedom adds, with R = K u + M a - f.
  std::vector<double> of_load(const Vector &f) const;
  /// Of displacements u [m] with accelerations a in space [m/s²], whose velocities are omega u. Motions are linear in them; reactions are K
  /// u
  /// + M a; other forces and moments follow by central differences of the state. Collective.
  std::vector<double> of(const Vector &u, const Vector &a, double omega) const;

  /// Those that are neither motions nor forces of supports: section forces, rotations, stresses of probes; and their values of
  /// displacements u [m]. Collective.
  std::vector<Column> others() const { return {all.begin() + of_motion.size(), all.end() - supports}; }
  std::vector<double> forces(const Vector &u) const;

  /// Whether the structure has stresses at points of frames; those of the state, and what each of some displacements u [m] adds, six a
  /// point [Pa]. Collective.
  bool has_stresses() const { return stressed; }
  const StressPoints &stresses_at_rest() const { return at_rest; }
  /// Whether there are beams, of which these are the stresses of N, M1, M2 alone.
  bool has_axial_stresses() const { return axial; }
  std::vector<std::vector<double>> stresses(const std::vector<Vector> &u) const;

private:
  std::vector<double> motions(const Vector &u, const Vector &a, double omega) const;

  const Analysis &analysis;
  const MechanicalSystem &system;
  std::vector<Column> all;
  std::vector<std::size_t> of_motion, of_force;  ///< places in report_columns()
  std::size_t supports = 0;
  std::vector<double> nothing;  ///< what report_columns() are without displacements
  double length;                ///< of the structure [m]
  bool stressed = false;
  StressPoints at_rest;
  bool axial = false;
  /// By which u becomes as small a part of the structure's length as differences need.
  double small_part(const Vector &u) const;
  /// What `values` are of a state, differentiated along u by central differences.
  std::vector<double> derivative(const Vector &u, const std::function<std::vector<double>(const State &)> &values) const;
};
}  // namespace symdyn
