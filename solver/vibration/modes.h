#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
class Parameters;

/// How many forms of vibration are wanted, as a deck says it.
struct ModesRequest
{
  int number = 10;
  double lowest = 0, highest = std::numeric_limits<double>::infinity();  ///< [Hz]
  bool complete_interval = true;                                         ///< all modes up to `highest`; no: at most `number`
  bool none_is_allowed = false;                                          ///< no error where no mode lies in the interval
  std::string solver = "automatic";
  bool count = true;                                               ///< Modes::complete is wanted
  std::function<bool()> stop = nullptr;                            ///< whether a search that takes long is to end, asked on all ranks
  std::function<void(long found, long asked)> progress = nullptr;  ///< of a search by iteration
  double largest_square = 0;                                       ///< Modes::largest_square, where it is known
  std::vector<Vector> forces;  ///< what these do at rest is wanted, too [N]: cheap while the search has its factors
  void declare(Parameters &p);
  bool all_below() const { return complete_interval && std::isfinite(highest); }
};

/// Free vibration about a state at rest: K phi_i = omega_i² M phi_i with the tangent K of that state, stress and loads included,
/// phi_iᵀ M phi_j = delta_ij.
struct Modes
{
  enum Kind
  {
    vibration,
    rigid,      ///< a motion of the whole without strain
    mechanism,  ///< another one that nothing resists
    unstable    ///< omega² < 0: the motion grows as exp(sqrt(-omega²) t)
  };
  std::vector<double> squares;  ///< omega² [1/s²], ascending
  std::vector<Vector> shapes;   ///< [1/sqrt(kg)] as displacements
  std::vector<Kind> kinds;
  std::vector<Vector> momenta;  ///< M phi [sqrt(kg)]
  std::vector<double> elastic;  ///< phi_iᵀ V'' phi_i [1/s²]: omega_i² but for the tangent of loads that follow the body
  bool complete = false;        ///< a factorisation has counted the same number below the last one (Sylvester's law of inertia)
  bool uncounted = false;       ///< nobody wanted that
  std::vector<Vector> at_rest;  ///< what these modes leave out of K^-1 f [m] for the forces of the request; none without factors near to K

  std::size_t free_motions = 0;  ///< how many there are in all; 0: not counted
  double largest_square = 0;     ///< of all omega², nearly [1/s²]: a scale for what is rounding

  std::size_t size() const { return squares.size(); }
  /// [rad/s]; 0 for what does not vibrate.
  double omega(std::size_t i) const;
  double frequency(std::size_t i) const;  ///< [Hz]
  /// phi_iᵀ r
  std::vector<double> project(const Vector &r) const;
};
std::string in_words(Modes::Kind kind);

/// The lowest modes at a state: from LAPACK for a small system, otherwise by shift and inversion with the deck's linear solver. Errors:
/// InputError for what check_linear_motion() refuses; Interrupted; ComputationError if they are not found. Collective.
Modes find_modes(const MechanicalSystem &system, double t, const Vector &q, const ModesRequest &request);

/// How much of a rigid motion is in each mode: Gamma_ij = phi_iᵀ M xi_j for the motions xi_j of MechanicalSystem::generator; the effective
/// mass is its square (Clough and Penzien, Dynamics of Structures, 13-3): [kg], of rotations about the origin [kg m²].
struct Participation
{
  Participation() = default;
  Participation(const MechanicalSystem &system, const Vector &q, const Modes &modes);

  std::vector<std::string> motions;          ///< "x", "y", "z", "rx", "ry", "rz"
  std::vector<double> total;                 ///< xi_jᵀ M xi_j
  std::vector<std::vector<double>> factors;  ///< [mode][motion]
};

/// c_ii = phi_iᵀ C phi_i [1/s] of the system's own damping at q, rigid modes too. With `alone` a warning where they are far from acting on
/// each mode alone: where a |phi_iᵀ C phi_j| / sqrt(c_ii c_jj) is above a tenth.
std::vector<double> modal_damping(const MechanicalSystem &system, const Vector &q, const Modes &modes, bool alone = false);
/// zeta_i = c_ii/(2 omega_i); 0 for what does not vibrate.
std::vector<double> damping_ratios(const std::vector<double> &c, const Modes &modes);
}  // namespace symdyn
