#include "solver/integrator.h"
#include "solver/registry.h"
#include "solver/stages/motion.h"
#include "solver/stages/scheme_choice.h"

namespace symdyn
{
/// Motion by a time-stepping scheme that the deck chooses.
class Dynamic : public Motion
{
public:
  std::string meaning() const override { return "motion in time"; }
  StageTraits traits() const override
  {
    StageTraits traits = Motion::traits();
    traits.solves_newton =
        time.integrator && time.integrator->newton && time.integrator->solver_tolerance() == time.integrator->newton->tolerance;
    traits.of_sectors = true;
    return traits;
  }

protected:
  void declare_scheme(TimeSections &deck) override
  {
    const Parameters own = deck.own.section("Integrator");
    deck.integrator_used = deck.integrator_used || !own.exists();
    choose_scheme(own.exists() ? own : deck.root.section("Integrator"), deck.newton, time);
  }
};
SYMDYN_REGISTER(Stage, Dynamic, "dynamic");
}  // namespace symdyn
