#pragma once
#include <complex>
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
  double bias = 1;
  std::vector<std::string> quadrature;  ///< names of loads that are a quarter of a period ahead
  ModesRequest modes;
  ModalDamping damping;
  /// Errors: InputError for a wrong range and for entries without effect.
  void declare(Parameters &p);
  bool modal() const { return method == "modal"; }
  bool needs_modes() const { return modal() || at_modes(); }
  bool at_modes() const { return spacing == "around modes" || spacing == "between modes"; }
};

/// A force of F e^{i omega t} [N].
struct ComplexForce
{
  Vector real, imaginary;
};

/// Steady vibration u e^{i omega t} about a state, u complex [m], under forces F e^{i omega t} [N]:
///     (K (1 + i eta) + i omega C - omega² M) u = F
/// Prescribed degrees of freedom may oscillate, with the amplitude g: then u = s + w with K s = 0 on the free ones, s = g on the others, and w vibrates under
/// (omega² M - i omega C) s beside F.
/// `direct`: this equation, one factorisation of K (1 + eta) + omega C - omega² M a frequency. `modal`: u = sum phi_i (phi_iᵀF) / (omega_i² (1 + i eta) - omega² +
/// i omega (2 zeta_i omega_i + phi_iᵀ C phi_i)), a sum over the modes that are asked for.
class HarmonicResponse
{
public:
  /// `prescribed`: g, zero at free degrees of freedom; empty: supports rest.
  HarmonicResponse(const MechanicalSystem &system, double t, const Vector &q, ComplexForce force, const Vector &prescribed, const HarmonicRequest &request);

  struct Amplitude
  {
    Vector real, imaginary;  ///< of u [m]
    int krylov = 0;
  };
  /// Ascending [Hz].
  const std::vector<double> &frequencies() const { return grid; }
  /// Errors: ComputationError.
  Amplitude at(double frequency) const;
  /// y_i of u = sum phi_i y_i, for Method = modal.
  std::vector<std::complex<double>> shares(double omega) const;
  /// What there is to say of modes; no modes: empty.
  const Modes &all_modes() const { return modes; }

private:
  void carry(const Vector &prescribed);
  void make_grid();
  void add_around_modes();
  void spread_between_modes();
  Amplitude direct(double omega) const;
  Amplitude modal(double omega) const;

  const MechanicalSystem &system;
  double t;
  const Vector &q;
  ComplexForce force;
  Vector rest, carried;  ///< carried: s; empty: supports rest
  const HarmonicRequest &request;
  Modes modes;
  std::vector<double> grid, ratios;         ///< zeta_i of the request and the system's damping
  std::vector<std::complex<double>> loads;  ///< phi_iᵀF
  std::vector<double> inertia, drag;        ///< phi_iᵀM s, phi_iᵀC s; empty: supports rest
};
}  // namespace symdyn
