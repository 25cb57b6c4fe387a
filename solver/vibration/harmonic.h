#pragma once
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/linear/complex_vector.h"
#include "solver/vibration/fast_sweep.h"
#include "solver/vibration/modal_transient.h"
#include "solver/vibration/relaxing_stiffness.h"
#include "solver/vibration/static_correction.h"
#include "solver/vibration/support_response.h"

namespace symdyn
{
/// What a harmonic stage of a deck asks for.
struct HarmonicRequest
{
  std::string method = "direct", spacing = "linear", frame = "relative";
  std::vector<double> range;  ///< lowest and highest frequency [Hz]
  int points = 50;
  double bias = 1;
  std::vector<std::string> quadrature;             ///< names of loads that are a quarter of a period ahead
  std::vector<double> acceleration, displacement;  ///< amplitude of the base [m/s²], [m]; empty: it rests
  std::string correction = "automatic";
  std::vector<double> waveform;  ///< between these times loads and supports go through a period [s]; empty: they are harmonic
  int terms = 20;                ///< of that period: samples
  double tolerance = 1e-6;       ///< of a fast sweep: largest residual
  std::function<void(int solutions)> show = [](int) {};  ///< of a fast sweep
  ModesRequest modes;
  ModalDamping damping;
  /// Errors of both: InputError for a wrong range and for entries without effect.
  void declare(Parameters &p);
  /// Without what drives.
  void declare_sweep(Parameters &p);
  bool modal() const { return method == "modal"; }
  bool fast() const { return method == "fast"; }
  bool needs_modes() const { return modal() || at_modes(); }
  bool at_modes() const { return spacing == "around modes" || spacing == "between modes"; }
  bool periodic() const { return !waveform.empty(); }
  /// That is asked for: of a period, its highest harmonic [Hz].
  double highest() const { return periodic() ? terms / 2 * range[1] : range[1]; }
  bool moves_base() const { return !acceleration.empty() || !displacement.empty(); }
  bool absolute() const { return frame == "absolute"; }

private:
  void add_entries(Parameters &p);
  void declare_modes(Parameters &p);
  void check_range(const Parameters &p) const;
  void declare_base(Parameters &p);
  void declare_waveform(Parameters &p);
  /// Errors: InputError for entries without effect.
  void check_effects(const Parameters &p) const;
};

/// One frequency of a sweep has no solution, or none was found.
struct UnsolvedFrequency : ComputationError
{
  using ComputationError::ComputationError;
};

/// Steady vibration u e^{i omega t} about a state, u complex [m], under forces F e^{i omega t} [N]:
///     Z u = F,   Z = K + i eta V'' + i omega C - omega² M
/// K is the tangent of the state (material, stress, loads that follow), and eta V'' leaves those loads out. Laws that relax have K*(omega)
/// in place of K, with the loss factor Z = K* + i eta Re V''* + ... A base that moves by u_g e^{i
/// omega t} along r (all of the structure as a rigid body) adds omega² M r u_g to F, with u from the moving base; in the absolute frame u =
/// r u_g + w, Z w = F - Z r u_g on the free degrees of freedom. Supports that oscillate by themselves, by g, carry the structure by s with
/// K s = 0 on the free degrees of freedom, s = g on the others: u = s + w, Z w = F - Z s. Forces of supports: R = Z u - F on the held ones.
/// `direct`: this equation by solve_complex(), one factorisation of K + eta V'' + omega C - omega² M a frequency, as a rule. `fast`: the
/// same at a few of the frequencies, and FastSweep at all. `modal`: u = sum phi_i (phi_iᵀF) / (omega_i² + i eta phi_iᵀV''phi_i - omega² + i
/// omega (2 zeta_i omega_i + phi_iᵀ C phi_i)), a sum over the modes that are asked for, with the static correction of the others if it is.
class HarmonicResponse
{
public:
  /// `forces`: F on all degrees of freedom; of several the answers are independent, and share their factorisations. `prescribed`: g, zero
  /// at free ones; empty: no support oscillates by itself. Errors: InputError for what check_linear_system() refuses and a base that moves
  /// nothing; Interrupted. `relaxing`: of a direct or fast answer; nullptr: no law relaxes.
  HarmonicResponse(const MechanicalSystem &system, double t, const Vector &q, std::vector<ComplexVector> forces, const Vector &prescribed,
                   const HarmonicRequest &request, const RelaxingStiffness *relaxing = nullptr);

  using Complex = ComplexVector;
  struct Amplitude
  {
    Complex u;          ///< [m]
    Complex reactions;  ///< [N], on the held degrees of freedom
    int krylov = 0;
    double residual = 0;  ///< of a fast sweep: |F - Z u|/|F|
  };
  /// Takes another force and motion of supports from now on, complex ones; both on all degrees of freedom. Errors: ComputationError.
  void drive(Complex force, const Complex &prescribed);
  /// Ascending [Hz].
  const std::vector<double> &frequencies() const { return grid; }
  /// Frequency 0: at rest. Errors: UnsolvedFrequency, also where the answer is not finite; InputError for forces at rest along a motion
  /// that nothing resists.
  Amplitude at(double frequency) const;

  /// What is to be known of displacements: a linear function of them.
  using Measure = std::function<std::vector<double>(const Vector &u)>;
  void measure(Measure linear);
  /// Of the answer to each force, from the parts of the structure that vibrate: a base and supports that move are not in it. Errors as of
  /// at().
  struct Measured
  {
    std::vector<std::vector<std::complex<double>>> values;  ///< [force][value]
    double residual = 0;                                    ///< the largest, of a fast sweep
    int krylov = 0;
  };
  Measured measured(double frequency) const;
  /// Of a fast sweep; nullptr: it is none.
  const FastSweep *fast_sweep() const { return sweep.get(); }
  int fast_krylov() const { return krylov_of_sweep; }
  /// y_i of u = sum phi_i y_i, for Method = modal.
  std::vector<std::complex<double>> shares(double omega) const { return shares_of(omega, driving(omega, forces.front())); }
  /// What there is to say of modes; no modes: empty.
  const Modes &all_modes() const { return modes; }
  /// zeta_i of everything that damps, a loss factor as eta/2.
  const std::vector<double> &all_ratios() const { return ratios; }

private:
  void prepare_modes();
  std::vector<Vector> patterns() const;
  void prepare_base();
  void make_grid();
  void prepare_fast();
  /// Z and what drives the free degrees of freedom, by powers of omega, and by the times of laws that relax.
  SeparatedSystem separated() const;
  /// A drive, once its operators are known.
  void add_drive(const Complex &force, SeparatedSystem &all) const;
  void add_around_modes();
  void spread_between_modes();
  std::vector<std::complex<double>> shares_of(double omega, const Complex &F) const;
  /// Errors: InputError if a force at rest drives mode i, which nothing resists.
  void check_resonance(std::size_t i, std::complex<double> share, std::complex<double> dynamic_stiffness, const Complex &F) const;
  void check_at_rest(std::size_t i, double share, const Vector &F) const;
  /// Of the base [m], for the vector r that holds its direction and size.
  double base_at(double omega) const { return request.displacement.empty() ? -1. / (omega * omega) : 1.; }
  /// eta; what is at rest (omega = 0, the mean of a period) is elastic, without hysteresis.
  double loss_at(double omega) const { return omega > 0. ? request.damping.structural : 0.; }
  Complex zero() const { return {system.new_vector(), system.new_vector()}; }
  /// Where laws relax, Re K* + loss Im K* in place of K.
  const MechanicalSystem &stiff(const double omega, const double loss) const { return relaxing ? relaxing->at(omega, loss) : system; }
  /// y = (Re K - omega² M) x, and y = (Im K + eta V'' + omega C) x, on all degrees of freedom.
  void in_phase(double omega, const Vector &x, Vector &y) const;
  void across(double omega, const Vector &x, Vector &y) const;
  void add_loss(double omega, const Vector &x, Vector &y) const;
  /// Z x
  Complex dynamic(double omega, const Complex &x) const;
  /// On all degrees of freedom: the applied forces; and what drives the free ones.
  Complex applied(double omega, const Complex &force) const;
  Complex driving(double omega, const Complex &force) const;
  void resist_supports(double omega, Complex &F) const;
  std::vector<Complex> direct(double omega, const std::vector<Complex> &F, int &krylov) const;
  Complex modal(double omega, const Complex &F) const;
  /// What solve() throws, and an answer that is not finite, as an UnsolvedFrequency.
  static void at_frequency(double frequency, const std::function<void()> &solve);
  static void require_finite(double size);
  Measured measured_at(double frequency) const;

  const MechanicalSystem &system;
  double t;
  const Vector &q;
  std::vector<Complex> forces;
  Vector rest, base;  ///< base: r; empty without
  Complex carried;    ///< s; empty without
  std::unique_ptr<SupportResponse> supports;
  const HarmonicRequest &request;
  const RelaxingStiffness *relaxing;
  Modes modes;
  std::unique_ptr<StaticCorrection> correction;
  std::unique_ptr<FastSweep> sweep;
  int krylov_of_sweep = 0;
  Measure linear;
  std::vector<std::vector<double>> measured_basis;     ///< of vectors of the sweep, or of modes
  std::vector<std::vector<double>> measured_residual;  ///< of the static correction of each force: real, then imaginary parts
  std::vector<double> grid, viscous, ratios;           ///< viscous: c_ii + 2 zeta_i omega_i [1/s]
};
}  // namespace symdyn
