#pragma once
#include <array>
#include <functional>
#include <vector>

#include "solver/vibration/modes.h"

namespace symdyn
{
/// A body about a state at rest on a quadratic manifold of some of its modes,
///     u = sum_i phi_i y_i + ½ sum_ij theta_ij y_i y_j,   phi_iᵀ M phi_j = delta_ij,
///     K theta_ij = -V'''[phi_i, phi_j]   (static modal derivatives without inertia: Idelsohn and Cardona 1985), less their parts on the
///     modes,
/// with the potential to fourth order, in which theta is as good as all other motions at rest:
///     V = ½ sum omega_i² y_i² + 1/6 sum g_ijk y_i y_j y_k + 1/24 sum h_ijkl y_i y_j y_k y_l
///     g_ijk = V'''[phi_i, phi_j, phi_k],   h_ijkl = V''''[phi_i, phi_j, phi_k, phi_l] - (theta_ij·K theta_kl + theta_ik·K theta_jl +
///     theta_il·K theta_jk)
/// V''' is exact, V'''' its central difference along modes, exact for energies of fourth degree in the displacement.
class ModalManifold
{
public:
  using Indices = std::vector<std::size_t>;

  /// `numbers`: of modes, from 0, that vibrate; `length`: of the structure, for differences [m]. Errors: ComputationError. Collective.
  ModalManifold(const MechanicalSystem &system, double t, const Vector &q, const Modes &modes, Indices numbers, double length);

  std::size_t size() const { return numbers.size(); }
  const Vector &shape(std::size_t i) const { return modes.shapes[numbers[i]]; }
  double square(std::size_t i) const { return modes.squares[numbers[i]]; }
  const Vector &derivative(std::size_t i, std::size_t j) const { return theta[pair(i, j)]; }
  /// Coefficients by indices in ascending order.
  double cubic(const std::array<std::size_t, 3> &i) const;
  /// `condensed`: with theta; else V'''' alone.
  double quartic(const std::array<std::size_t, 4> &i, bool condensed = true) const;

  /// c of the backbone curve (omega/omega_i)² = 1 + c A² + O(A⁴), A the amplitude of y_i, by the normal form of third order:
  ///     c omega_i² = h_iiii/8 - sum_j g_iij² (1/(4 omega_j²) + 1/(8 (omega_j² - 4 omega_i²))) - ½ omega_i² theta_ii·M theta_ii
  /// Without theta: the modes alone. [1/(kg m²)]
  double backbone(std::size_t i, bool with_theta = true) const;
  /// The same of the whole body: h_iiii/8 + V'''[phi, phi, w_0 + ½ w_2], K w_0 = (K - 4 omega² M) w_2 = -¼ V'''[phi, phi].
  double backbone_of_body(std::size_t i) const;

  struct Resonance
  {
    std::size_t mode;  ///< from 0, of all modes that were given
    int order;         ///< n: omega_j is about n omega_i
    double distance;   ///< |omega_j/(n omega_i) - 1|
  };
  /// Modes j nearer than `near` to n omega_i, n = 1, 2, 3, that a motion along mode i drives, by forces F_n cos(n omega_i t):
  ///     F_2 = ¼ V'''[phi, phi],   F_1 = V''''[phi, phi, phi]/8 + V'''[phi, w_0 + ½ w_2],   F_3 = V''''[phi, phi, phi]/24 + ½ V'''[phi,
  ///     w_2]
  /// Where there is one of 1:2 the others are not looked for: w_2 has no meaning.
  std::vector<Resonance> resonances(std::size_t i, double near) const;

private:
  std::size_t pair(std::size_t i, std::size_t j) const;
  /// V'''[a, b] at the state, or beside it.
  Vector third(const Vector &at, const Vector &a, const Vector &b) const;
  /// V''''[phi_i, phi_j, phi_k].
  Vector fourth(std::size_t i, std::size_t j, std::size_t k) const;
  Vector solved(const Vector &f, double shift) const;
  /// Of modes near n omega_i those on which F acts by more than rounding, `degree` of F in the amplitude.
  std::vector<Resonance> driven(std::size_t i, int n, double near, int degree, const std::function<Vector()> &force) const;

  const MechanicalSystem &system;
  double t;
  const Vector &q;
  const Modes &modes;
  Indices numbers;
  double length;
  std::vector<Vector> forces;  ///< V'''[phi_i, phi_j], i <= j
  std::vector<Vector> theta, Ktheta;
};
}  // namespace symdyn
