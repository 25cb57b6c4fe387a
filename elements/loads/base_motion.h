#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "solver/actions.h"
#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/deck/formula/table_driven.h"
#include "solver/deck/formula/time_integral.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
class Parameters;

/// Uniform motion of the base, the section `Base motion` of a deck: an acceleration a_g(t) from a record, straight between its points and
/// zero outside of it. v_g and u_g are its integrals from rest at t = 0, exactly (TimeIntegral). Two frames:
///     relative   q is measured from the base: loads - M r a_g on all degrees of freedom (Chopra, Dynamics of Structures, 9.4), r: a
///     translation absolute   q is measured in space: every prescribed displacement is measured from u_g
/// With q_absolute = q_relative + r u_g both are the same equation. Damping proportional to the mass and dashpots to the ground resist the
/// motion relative to the base in both frames; in the absolute one that takes the loads + alpha_M M r v_g and + c v_g.
class BaseMotion
{
public:
  /// Errors: InputError for a record without effect, a unit that the units of the deck do not know, a wrong number of columns.
  void declare(Parameters p, int dimension, const Units &units);
  static void document(Parameters p);
  /// Of a deck; nullptr if it has no such section.
  static std::shared_ptr<BaseMotion> read(Parameters root, int dimension);

  bool relative() const { return frame == "relative"; }
  /// u, v, a of the base in this direction [m, m/s, m/s²].
  Jet<double> along(int direction, double t) const { return components[direction] ? (*components[direction])(t) : Jet<double>(0.); }
  /// Whether it moves in this direction at any time.
  bool moves(int direction) const { return bool(components[direction]); }
  int dimension() const { return int(components.size()); }
  /// a_d at t, or the mean of the record over the step about t where means are asked for [m/s²].
  double acceleration(int direction, const Moment &now) const;
  /// f -= a_d pattern_d in the relative frame, where the patterns are M r_d; f += v_d pattern_d in the absolute one, where they are C r_d
  /// of the damping that resists the motion relative to the base. `static_now`: equilibrium is sought.
  /// Errors: InputError if the base accelerates then, in the relative frame.
  void add_load(const Moment &now, const std::vector<Vector> &patterns, bool static_now, Vector &f) const;
  /// Its records, each with the jumps from and to zero at its ends.
  void add_tables(std::vector<DrivingTable> &driving) const;
  /// In the absolute frame: q += u_d held_d, and so v and a; held_d: the prescribed components of r_d.
  void carry(double t, const std::vector<Vector> &held, Vector &q, Vector &v, Vector &a) const;

  /// Errors: InputError where the base moves in a direction in which nothing holds the structure to it. `grounded`: springs or constraints
  /// hold it to places; the absolute frame refuses them by this name.
  void check(const MechanicalSystem &system, const std::string &grounded) const;
  /// What the record holds, for the log.
  std::string report() const;
  /// Once, when a state is later than the end of the record.
  void watch(double t) const;

  std::vector<Column> columns() const;
  /// Appends those of a report at t, which it watches.
  void add_values(double t, std::vector<double> &values) const;

private:
  void add_entries(Parameters &p);
  double factor(const Parameters &p) const;
  std::vector<Table> read_record(const Parameters &p, int dimension);

  std::string file, unit, frame = "relative", where, where_frame, file_entry;
  std::vector<double> direction;
  double scale = 1, delay = 0, end = 0;
  Units units;
  double g = 0;  ///< standard gravity in the units of the deck; 0: not known
  std::vector<Table> tables;
  std::vector<std::shared_ptr<TimeIntegral>> components;
  mutable bool ended = false;
};
}  // namespace symdyn
