// A state that cannot be is noticed, whatever the scheme.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/verify/particles.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_force_reports
{
namespace
{
/// The ring well, where beyond this x a cell would be inverted.
class Inverted : public Particles
{
public:
  explicit Inverted(const double beyond) : Particles(Particles::ring_well()), beyond(beyond) {}
  ForceReport internal_force(const Vector &q, Vector &f) const override
  {
    ++forces;
    Particles::internal_force(q, f);
    return report(q);
  }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
  {
    Particles::discrete_gradient(q0, q1, f);
    return report(q1);
  }
  mutable int forces = 0;

private:
  ForceReport report(const Vector &q) const { return {beyond - q.local_element(0), MPI_COMM_SELF}; }

  double beyond;
};

/// "" if the scheme is refused.
std::string outcome(const std::string &name, const double beyond)
{
  const Inverted system(beyond);
  try
  {
    const Scheme scheme(name);
    Deck deck = Deck::from_text("", "test.prm");
    check_scheme(*scheme.integrator, system, deck.root());
    constexpr double h = 0.01;
    State state = system.start({0.7, -0.5}, {0.3, 0.4});
    scheme.integrator->start(system, state, h);
    for (int k = 0; k < 3; ++k)
    {
      const StepReport report = scheme.integrator->step(system, state, h);
      const int forces = system.forces;
      if (!is_admissible(system, state, report))
        return "noticed";
      if (scheme.integrator->is_explicit() && name.rfind("toy-", 0) != 0)  // those of other tests may pay
      {
        EXPECT_EQ(system.forces, forces) << name << " does not report its force, so that each step costs one more";
      }
    }
    return "passes";
  }
  catch (const InputError &)
  {
    return "";
  }
  catch (const std::exception &)
  {
    return "noticed";
  }
}
}  // namespace

TEST(ForceReports, EverySchemeNoticesAStateThatCannotBe)
{
  int tested = 0;
  for (const std::string &name : Registry<Integrator>::instance().names())
    if (const std::string free = outcome(name, 2.); !free.empty())
    {
      SCOPED_TRACE(name);
      ++tested;
      EXPECT_EQ(free, "passes");
      EXPECT_EQ(outcome(name, 0.701), "noticed");
    }
  EXPECT_GE(tested, 15);
}

TEST(ForceReports, AreAdmissibleAboveZero)
{
  EXPECT_TRUE(ForceReport().admissible());
  EXPECT_TRUE((ForceReport{0.1, MPI_COMM_WORLD}).admissible());
  EXPECT_FALSE((ForceReport{0., MPI_COMM_WORLD}).admissible());
}
}  // namespace symdyn::tests::in_force_reports
