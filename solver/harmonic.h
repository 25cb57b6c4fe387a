#pragma once
#include <string>
#include <vector>

#include "solver/modal_transient.h"

namespace symdyn
{
/// What a harmonic stage of a deck asks for.
struct HarmonicRequest
{
  std::string method = "direct", spacing = "linear";
  std::vector<double> range;  ///< lowest and highest frequency [Hz]
  int points = 50;
  ModesRequest modes;
  ModalDamping damping;
  /// Errors: InputError for a wrong range and for entries without effect.
  void declare(Parameters &p);
  bool modal() const { return method == "modal"; }
  bool needs_modes() const { return modal() || spacing == "around modes"; }
};

/// Steady vibration u e^{i omega t} about a state, u complex [m], under forces F e^{i omega t}, F real [N]:
///     (K (1 + i eta) + i omega C - omega² M) u = F
/// `direct`: this equation, one factorisation of K (1 + eta) + omega C - omega² M a frequency. `modal`: u = sum phi_i (phi_iᵀF) / (omega_i² (1 + i eta) - omega² +
/// i omega (2 zeta_i omega_i + phi_iᵀ C phi_i)), a sum over the modes that are asked for.
class HarmonicResponse
{
public:
  HarmonicResponse(const MechanicalSystem &system, double t, const Vector &q, Vector force, const HarmonicRequest &request);

  struct Amplitude
  {
    Vector real, imaginary;  ///< of u [m]
    int krylov = 0;
  };
  /// Ascending [Hz].
  const std::vector<double> &frequencies() const { return grid; }
  /// Errors: ComputationError.
  Amplitude at(double frequency) const;
  /// What there is to say of modes; no modes: empty.
  const Modes &all_modes() const { return modes; }

private:
  void make_grid();
  Amplitude direct(double omega) const;
  Amplitude modal(double omega) const;

  const MechanicalSystem &system;
  double t;
  const Vector &q;
  Vector force, rest;
  const HarmonicRequest &request;
  Modes modes;
  std::vector<double> grid, ratios, loads;  ///< ratios: zeta_i of the request and the system's damping; loads: phi_iᵀF
};
}  // namespace symdyn
