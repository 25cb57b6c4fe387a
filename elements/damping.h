#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// Damping of a solid, the section `Damping` of a deck: f_damp = dR/dv,
///     R = ½ v·(alpha_M M + alpha_K K) v + ½ ∫ tau Edot : D0 : Edot dX [W]
/// Rayleigh (1877): alpha_M M resists every motion, rigid ones too. alpha_K K with K = V''(0) is constant, but damps a rigid
/// spin, because K(0) sees a rotation of the deformed body as strain; with K = V''(q) (`current`) it has a torque
/// -alpha_K Σ v × f_int under stress and is negative where the body softens. Neither keeps the angular momentum.
/// Kelvin–Voigt (Voigt 1892): a second Piola stress tau D0 : Edot, Edot = sym(Fᵀ Fdot), D0 = 4 d²psi/dC² at C = I. It sees
/// the strain alone, so rigid motions are free of it and all momenta stay; R >= 0.
///
/// A small oscillation of circular frequency w has the ratio zeta = alpha_M/(2 w) + alpha_K w/2 (Chopra, Dynamics of
/// Structures, 11.4), of the unloaded body with Kelvin–Voigt as with alpha_K = tau.
struct Damping
{
  double mass = 0;          ///< alpha_M [1/s]
  double stiffness = 0;     ///< alpha_K [s]
  bool current = false;     ///< K = V''(q), not V''(0)
  double kelvin_voigt = 0;  ///< tau [s]
  int modes = 3;            ///< number of lowest modes whose damping ratio is logged

  /// Errors: InputError for entries without effect, for ratios that need a negative coefficient.
  void declare(Parameters p);
  bool exists() const { return mass != 0. || couples_nodes(); }
  bool couples_nodes() const { return stiffness != 0. || kelvin_voigt != 0.; }
  bool depends_on_q() const { return (stiffness != 0. && current) || kelvin_voigt != 0.; }
  /// What came of the target ratios, or "": coefficients, ratios there and the smallest between.
  std::string report() const;
  /// Of how many modes there is a ratio to tell.
  int told() const { return mass != 0. || stiffness != 0. ? modes : 0; }
  /// zeta at a frequency [Hz]
  double ratio(double frequency) const;

private:
  void fit(const Parameters &p);

  std::vector<double> target;  ///< zeta1, f1, zeta2, f2
};
}  // namespace symdyn
