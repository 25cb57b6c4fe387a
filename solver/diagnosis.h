#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
struct State;

/// A load whose amplitude jumps [s, -].
struct LoadJump
{
  std::string load;
  double from, to, before, after;
};

/// A contact that begins to act.
struct BegunContact
{
  std::string name;
  double energy = 0;         ///< [J]
  std::string refusal = {};  ///< "'upper' is 0.01 m behind 'lower' at (1, 0, 0) m", deeper than its law parts them; or ""
};

/// What stages, monitors and reports ask about a system; schemes do not. No answer depends on earlier calls.
class Diagnosis
{
public:
  virtual ~Diagnosis() = default;

  /// Energies below this are rounding of V [J].
  virtual double potential_rounding() const { return 0.; }
  /// Largest circular frequency of K(q) u = omega² M u [rad/s], as largest_eigenvalue() finds it. `lumped`: with the lumped mass,
  /// whatever the system's own is. `mode`: becomes about the mode, where the search for it has one; else it is left as it is.
  virtual double highest_frequency(double t, const Vector &q, bool lumped = false, Vector *mode = nullptr) const = 0;
  /// What contacts that close may add to that, as the root of the sum of the squares [rad/s].
  virtual double impact_frequency() const { return 0.; }
  /// Of contacts, which stages about a state take as they are there: "drop: closed over 0.3 m^2", "hit: open". Collective.
  virtual std::vector<std::string> frozen_contacts(const State & /*state*/) const { return {}; }
  /// Of those of these contacts that act at q, where they begin to. Collective.
  virtual std::vector<BegunContact> begun_contacts(const std::vector<std::string> & /*names*/, const Vector & /*q*/) const { return {}; }
  /// Whether M has more rotary inertia than the sections of beams and shells have, so that explicit steps may be longer.
  virtual bool scales_inertia() const { return false; }
  /// highest_frequency() with a lumped mass whose rotary inertia is scaled like that [rad/s]; 0: there is nothing to scale, or it is
  /// scaled.
  virtual double highest_frequency_scaled(const Vector & /*q*/) const { return 0.; }
  /// v·dM v of that, M = M of the sections + dM [J]; 0 without. Collective.
  virtual double added_inertia(const Vector & /*v*/) const { return 0.; }
  /// Why q is not admissible ("cell at (1, 0, 0) m is inverted: det F = -0.1"), or "". Collective.
  virtual std::string diagnose(const Vector & /*q*/) const { return ""; }

  /// Names of the applied loads, gravity on a body among them, in the order of the deck.
  virtual std::vector<std::string> load_names() const { return {}; }
  /// f = the load of this number at full strength, whether it acts or not [N].
  virtual void load_force(std::size_t /*number*/, double /*t*/, const Vector & /*q*/, Vector &f) const { f = 0.; }
  /// Names of those that are constant by nature: the weight of a body.
  virtual std::vector<std::string> weights() const { return {}; }
  /// Jumps of the loads that act, as far as they are known: rows of tables that follow each other within jump_width steps of this length.
  virtual std::vector<LoadJump> load_jumps(double /*h*/) const { return {}; }
};
}  // namespace symdyn
