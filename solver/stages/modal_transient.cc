#include "solver/vibration/modal_transient.h"

#include <fmt/format.h>

#include "solver/base/log.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/motion.h"
#include "solver/stages/state_at_rest.h"

namespace symdyn
{
/// Linear motion about the state that it starts from, mode by mode, in steps that are exact.
class ModalTransientStage : public Motion
{
public:
  std::string meaning() const override { return "linear motion, mode by mode"; }
  void declare(Parameters &p) override
  {
    modal->declare(p);
    time.scheme = "modal";
    time.integrator = modal;
    time.chosen = false;
    time.parameters = std::make_shared<Parameters>(p);
  }
  StageTraits traits() const override
  {
    StageTraits traits = Motion::traits();
    traits.linear = true;
    traits.modes = modal->number_of_modes();
    traits.may_end_early = modal->may_end_early();
    return traits;
  }

  void check(Analysis &analysis) override
  {
    check_linear(analysis, *this);
    if (substeps.on())
      throw InputError(
          where + ": a modal transient stage steps its modes exactly and has no steps to divide. Remove Adaptive and Halve on failure");
    Motion::check(analysis);
  }
  void check_supports(Analysis &analysis) override { modal->check(analysis.system(), *time.parameters); }

  void end(Analysis &analysis) override
  {
    if (modal->may_end_early() && !ended_early)
      log_warning(fmt::format("stage {}: not steady at its end. Raise its End time", name));
    Motion::end(analysis);
    if (is_constrained(analysis.system()))  // modes are straight
      project_on_constraints(analysis.system(), analysis.state);
  }

protected:
  void declare_scheme(TimeSections &deck) override
  {
    if (const Parameters own = deck.own.section("Integrator"); own.exists())
      own.fail("", "has no effect: a modal transient stage steps its modes exactly. Remove the section");
  }
  void prepare(Analysis &analysis) override
  {
    constexpr double little = 1e-3;
    modal->search_with(analysis.should_stop, analysis.modes_progress(*this));
    modal->prepare(analysis.system(), analysis.state.t, analysis.at_rest, time.step);
    report_modes(analysis, *this, modal->all_modes(), modal->all_ratios());
    if (const double lost = modal->lost_share(analysis.state); lost > little)
      log_warning(fmt::format(
          "stage {}: {:.2g} of the energy that the motion starts with is in none of the {} modes and is lost. Ask for more Modes", name,
          lost, modal->all_modes().size()));
  }
  void prepare_again(Analysis &analysis) override
  {
    modal->search_with(analysis.should_stop, analysis.modes_progress(*this));
    modal->prepare(analysis.system(), analysis.place.start, analysis.state.memory.at(ModalTransient::base), time.step);
  }
  bool meets_tables() const override { return true; }
  double table_tolerance() const override { return 1e-6; }
  bool is_steady(const State &from, const State &to) const override { return modal->is_steady(from, to); }
  bool feels_kinks(const Analysis &) const override { return false; }
  bool closes_balance(const Analysis &) const override { return false; }  // modes are about a state

private:
  const std::shared_ptr<ModalTransient> modal = std::make_shared<ModalTransient>();
};
SYMDYN_REGISTER(Stage, ModalTransientStage, "modal transient");
}  // namespace symdyn
