#pragma once
#include <complex>
#include <optional>

#include "solver/linear/complex_vector.h"
#include "solver/vibration/complex_modes.h"

namespace symdyn
{
/// A free motion u e^(lambda t) of a rotor at one speed Omega, (lambda² M + lambda C + K) u = 0 in its frame. A real mode has conj(lambda),
/// conj(u) as well: beyond a critical speed a forward wave of k goes on as one with Im lambda < 0.
struct RotorMode
{
  std::complex<double> lambda;         ///< [1/s]
  ComplexVector shape, left;           ///< u; y with yᵀ (lambda² M + lambda C + K) = 0
  ComplexVector mass, damping;         ///< M u, C u
  ComplexVector left_damping;          ///< C^T y
  std::optional<int> waves;            ///< k of e^(i (omega t - k theta)); no value: it is no wave
  std::optional<double> forward = {};  ///< of equations in fixed axes, where `waves` is |k|: the part of waves forward less those backward
  /// divergence: of its two real roots the one that decays, too
  ComplexModes::Kind kind = ComplexModes::oscillates;
  bool grows() const { return kind == ComplexModes::flutter || (kind == ComplexModes::divergence && lambda.real() > 0.); }
  bool rigid() const { return kind == ComplexModes::rigid; }
  RotorMode conjugate() const;
};

/// The modal assurance criterion with right and left vectors of modes at two speeds,
///     |y_aᵀ B u_b| |y_bᵀ B u_a| / (|y_aᵀ B u_a| |y_bᵀ B u_b|),   B of a and b = (lambda_a + lambda_b) M + (C_a + C_b)/2
/// B is 0 between two modes of one speed. Where the form of a mode with itself vanishes, that of M alone.
double assurance(const RotorMode &a, const RotorMode &b);
/// The same of right vectors and M alone, |x* M y|²/(x*Mx y*My).
double assurance_of_mass(const RotorMode &a, const RotorMode &b);
/// Of two modes of one lambda: a becomes one with y_a^T B u_b = y_b^T B u_a = 0, unless the form of b with itself vanishes.
void take_out(RotorMode &a, const RotorMode &b);
}  // namespace symdyn
