#pragma once
#include <array>
#include <memory>
#include <vector>

#include "solver/integrator.h"
#include "solver/vibration/static_correction.h"
#include "solver/vibration/support_response.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// Damping of modes as a deck gives it: ratios zeta_i + alpha/(2 omega_i) + beta omega_i/2, and a loss factor eta of the stiffness.
struct ModalDamping
{
  std::vector<double> ratios;    ///< [-]; one for all modes, or one a mode
  double structural = 0;         ///< eta [-]
  std::vector<double> rayleigh;  ///< alpha [1/s], beta [s]
  /// Which motion ratios and Rayleigh damping resist where supports move: modal_damping_force().
  static constexpr const char *motion_entry = "Modal damping acts on";
  std::string motion = "automatic", motion_given;  ///< motion_given: place of the entry in the deck, or ""
  void declare(Parameters &p);
  /// Errors: InputError if their number is not that of the modes.
  std::vector<double> of(const Modes &modes) const;
  /// Of what does not vibrate, and has no ratio [1/s].
  double of_rigid() const { return rayleigh.empty() ? 0. : rayleigh[0]; }
  bool on_relative_motion() const { return motion == "relative motion"; }
  bool on_absolute_motion() const { return motion == "absolute motion"; }
  /// Errors: InputError if the entry is given and nothing moves that it is about.
  void check_motion(bool supports_move) const;

private:
  std::string where;
};

/// Linear motion about a state, q = q0 + sum phi_i y_i, mode by mode:
///     y_i'' + c_i y_i' + omega_i² y_i = phi_i·(f_applied(t) - f_int(q0))
/// exact for loads that change linearly within a step (Nigam and Jennings 1969; here by the exponential of the matrix of an oscillator with
/// its load). c_i = phi_iᵀ C phi_i + 2 zeta_i omega_i + eta phi_iᵀ V'' phi_i/omega_i: a loss factor eta acts as the ratio eta/2, which is
/// exact at resonance only. Where supports move, q = q0 + u_s + sum phi_i y_i, u_s what they carry along (SupportResponse), and
///     y_i'' + c_i y_i' + omega_i² y_i = phi_i·(f_applied(t) - f_int(q0) - C u_s' - f_modal(u_s')) - s_i'',   s_i = phi_i·M u_s,  f_modal:
///     modal_damping_force(),
/// where s is linear within a step: s' is constant there and jumps between steps, y' + s' does not. Exact for supports that move linearly
/// within a step. With the static correction q and q' have what the other modes answer to the load and to its rate as if at rest.
class ModalTransient : public Integrator
{
public:
  void declare(Parameters &p) override;
  void check(const MechanicalSystem &system, const Parameters &p) const override;
  Promise promise(const MechanicalSystem &system) const override;
  double solver_tolerance() const override { return 0.; }
  /// What the search for modes asks and reports (ModesRequest).
  void search_with(std::function<bool()> stop, std::function<void(long, long)> progress)
  {
    request.stop = std::move(stop);
    request.progress = std::move(progress);
  }
  int number_of_modes() const { return request.number; }
  /// Finds the modes about q0, for steps of length h; to be called before start().
  void prepare(const MechanicalSystem &system, double t, const Vector &q0, double h);
  void start(const MechanicalSystem &system, State &state, double h) const override;
  StepReport step(const MechanicalSystem &system, State &state, double h) const override;

  /// Whether the stage may end after this step, by its entry Stop when steady: |max |q1| - max |q0|| < steady max |q1|. Collective.
  bool along_constraints() const override { return true; }
  bool is_steady(const State &before, const State &after) const;
  bool may_end_early() const { return steady > 0.; }

  /// Of the energy of q - q0 and v, what is in no mode and is lost by start(): 0 to 1.
  double lost_share(const State &state) const;
  const Modes &all_modes() const { return modes; }
  const std::vector<double> &all_ratios() const { return ratios; }
  /// Name of the vector in State::memory of u_s' at the end of the last step, where supports move.
  static constexpr const char *carried_rate = "velocity that supports carry";
  /// Name of the vector in State::memory that q0 is kept in.
  static constexpr const char *base = "base of modes";

private:
  struct Oscillator
  {
    double stiffness, damping, own_damping;  ///< omega², c, and what of c the system does not have [1/s², 1/s]
  };
  /// From y, y', p, p' at the start of a step to y, y', and the integral of y, at its end.
  using Transition = std::array<std::array<double, 4>, 3>;
  static Transition transition(const Oscillator &oscillator, double h);
  /// f_applied(t) - f_int(q0)
  Vector load_at(const MechanicalSystem &system, double t) const;
  /// Takes y and y' over a step in which loads go from p0 to p1. Returns what own_damping dissipates [J].
  double advance_oscillators(const std::vector<double> &p0, const std::vector<double> &p1, double h, std::vector<double> &y,
                             std::vector<double> &rate) const;
  void compose(const std::vector<double> &y, const std::vector<double> &rate, const std::vector<double> &load, State &state) const;
  // Supports that move (modal_supports.cc).
  /// u_s, u_s', u_s'' at a time; s', s'' of the modes.
  struct QuasiStaticMotion
  {
    Vector u, v, a;
    std::vector<double> rate, inertia;
  };
  /// A step: u_s' of its start is that of the step before, s' and what drag adds to the loads are those of its mean velocity.
  struct SupportStep
  {
    QuasiStaticMotion start, end;
    std::vector<double> rate, drag;
  };
  QuasiStaticMotion quasi_static_motion(const MechanicalSystem &system, double t) const;
  SupportStep support_step(const MechanicalSystem &system, const State &state, double h) const;
  /// phi_i·M x
  std::vector<double> of_inertia(const MechanicalSystem &system, const Vector &x) const;
  /// - phi_i·(C u_s' + modal_damping_force(u_s'))
  std::vector<double> drag_of(const MechanicalSystem &system, const Vector &rate) const;
  static void add(const QuasiStaticMotion &quasi_static, State &state);

  ModesRequest request;
  ModalDamping damping;
  std::unique_ptr<AtRest> about;  ///< what the next three and the modes are of
  double steady = 0;              ///< [-]; 0: no end but that of the stage
  std::string correction_wanted = "no";
  std::unique_ptr<StaticCorrection> correction;
  std::unique_ptr<SupportResponse> supports;  ///< nullptr: they rest
  Modes modes;
  Vector q0, internal;
  std::vector<double> ratios;  ///< of each mode, from everything
  std::vector<Oscillator> oscillators;
  std::vector<Transition> transitions;
  double prepared_for = 0;  ///< h [s]
};
}  // namespace symdyn
