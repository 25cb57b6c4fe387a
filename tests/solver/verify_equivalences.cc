// Equal schemes, as `symdyn verify` compares them.
#include <gtest/gtest.h>

#include "solver/newton.h"
#include "solver/registry.h"
#include "solver/verify/particles.h"
#include "solver/verify/verify.h"

namespace symdyn::tests::in_verify_equivalences
{
namespace
{
constexpr int steps = 20;

/// The pendulum, for schemes that ask for an energy that is quadratic in the strain.
class QuadraticPendulum : public Particles
{
public:
  QuadraticPendulum() : Particles(Particles::pendulum()) {}
  bool has(const Feature feature) const override { return feature == Feature::quadratic_energy || Particles::has(feature); }
};

double unlikeness_of(const Equivalence &pair)
{
  Particles system = Particles::pendulum();
  system.c = pair.damped ? 0.3 : 0.;
  Newton newton;
  newton.tolerance = newton.step_tolerance = 1e-15;
  const auto first = scheme_with(pair.scheme, pair.settings, system, newton);
  const auto second = scheme_with(pair.partner, pair.partner_settings, system, newton);
  Trial trial;
  trial.system = &system;
  trial.start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  trial.h = 0.1;
  trial.steps = steps;
  return unlikeness(pair, *first, *second, trial);
}
}  // namespace

TEST(Verify, EquivalencesNameSchemesAndParametersThatExist)
{
  const QuadraticPendulum system;
  const Newton newton;
  for (const Equivalence &pair : equivalences())
    for (const auto &[name, settings] : {std::pair{pair.scheme, pair.settings}, {pair.partner, pair.partner_settings}})
    {
      if (!Registry<Integrator>::instance().has(name))
        continue;
      EXPECT_NO_THROW(scheme_with(name, settings, system, newton)) << name << " " << settings;
    }
}

TEST(Verify, EqualSchemesAreEqual)
{
  int compared = 0;
  for (const Equivalence &pair : equivalences())
    if (!pair.linear_only)
    {
      EXPECT_LT(unlikeness_of(pair), steps * exact_per_step) << pair.scheme << " " << pair.settings << pair.partner;
      ++compared;
    }
  EXPECT_EQ(compared, 22);
}

TEST(Verify, UnequalSchemesAreNot)
{
  for (const Equivalence &pair :
       {Equivalence{"newmark", "set beta = 0.25\n", "midpoint", ""},
        Equivalence{"variational-newmark", "set beta = 0.25\n", "newmark", "set beta = 0.25\n"},
        Equivalence{"variational-newmark", "set beta = 0.25\nset start = suris\n", "newmark", "set beta = 0.24\n", Likeness::shadow},
        Equivalence{"galerkin-alpha", "set alpha = 0.4\n", "newmark", "set beta = 0.25\n", Likeness::interpolated, false, false, 0.4},
        Equivalence{"galerkin-alpha", "set alpha = 0.3\n", "galerkin-alpha", "set alpha = 0.3\n", Likeness::adjoint},
        Equivalence{"two-step", "", "midpoint", "", Likeness::same, false, true},
        Equivalence{"newmark-dalembert", "set beta = 0.25\n", "incremental-potential", "set beta = 0.25\n", Likeness::same, false, true}})
    EXPECT_GT(unlikeness_of(pair), 1e-5) << pair.scheme << " " << pair.settings << pair.partner;
}
}  // namespace symdyn::tests::in_verify_equivalences
