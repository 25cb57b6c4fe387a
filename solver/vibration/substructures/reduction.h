#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "solver/structure_places.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// A degree of freedom that a reduced model keeps: the displacement of a node along an axis [m], or its rotation about one [rad].
struct Master
{
  std::string label;  ///< "flange:3.x", "pin.rx"
  std::size_t node;   ///< of SubstructureRequest::nodes
  bool turns;
  std::array<double, 3> axis;
};

struct SubstructureRequest
{
  int dimension = 3;
  std::vector<StructureNode> nodes;  ///< of the masters
  std::vector<Master> masters;
  int modes = 0;                                             ///< with fixed interface; 0: none (Guyan)
  double highest = std::numeric_limits<double>::infinity();  ///< or: all up to this one [Hz]
  std::string solver = "automatic";                          ///< of ModesRequest
  std::vector<Vector> loads;                                 ///< [N]
  std::function<bool()> stop = nullptr;
  /// Of the system with the masters held, and its factored K_ii. Errors: InputError where nothing resists some motion.
  std::function<void(const MechanicalSystem &inside, const LinearSolve &K_ii)> check_inside = nullptr;
  bool wants_modes() const { return modes > 0 || highest < std::numeric_limits<double>::infinity(); }
};

/// A symmetric matrix, by rows.
struct ReducedMatrix
{
  std::size_t n = 0;
  std::vector<double> values;
  explicit ReducedMatrix(const std::size_t size = 0) : n(size), values(size * size, 0.) {}
  double &operator()(const std::size_t i, const std::size_t j) { return values[n * i + j]; }
  double operator()(const std::size_t i, const std::size_t j) const { return values[n * i + j]; }
};

/// The reduced model of Craig and Bampton (AIAA J. 6, 1968) about a state at rest, u = T (u_b; y):
///     T = (T_b, Phi),  T_b = 1 at the masters b and -K_ii⁻¹ K_ib inside,  K_ii phi = omega² M_ii phi with the masters held,
///     K_r = Tᵀ K T,  M_r = Tᵀ M T,  C_r = Tᵀ C T,  f_r = Tᵀ f.
/// Without phi: Guyan (AIAA J. 3, 1965). Loads on the masters, and rigid motions, have the displacements of the whole model at rest.
struct Substructure
{
  std::vector<Vector> T;            ///< masters, then modes
  std::vector<double> frequencies;  ///< of the modes [Hz]
  ReducedMatrix K, M, C;            ///< [N/m], [kg], [kg/s] of displacements
  bool damped = false;              ///< C is not zero
  std::vector<std::vector<double>> loads;
  bool complete = true;  ///< a factorisation has counted the modes
  double coupling = 0;  ///< largest |T_bᵀ K phi| over the root of the diagonal, or where that is 0 of the stiffness at the master: rounding
                        ///< of the solver; K_r has zeros there
};

/// Collective. Errors: InputError for a master that supports or a relation hold, or modes that do not vibrate;
/// ComputationError; Interrupted.
Substructure reduce(const MechanicalSystem &system, const State &about, const SubstructureRequest &request);

/// A rigid motion of the undeformed structure, number `j` of Unknowns::momenta, in the coordinates of the reduced model.
std::vector<double> rigid_coordinates(const MechanicalSystem &system, std::size_t j, const SubstructureRequest &request, std::size_t size);
}  // namespace symdyn
