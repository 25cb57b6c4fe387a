// `symdyn verify` on laws that remember: its controls, and bodies of decks.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "solver/dynamics/symplectic.h"
#include "solver/verify/memory.h"
#include "solver/verify/subject.h"
#include "solver/verify/yielding.h"
#include "tests/bodies.h"
#include "tests/run.h"

namespace symdyn::tests::in_verify_memory
{
/// A memory that is right keeps all rows; each that is wrong breaks its own.
TEST(VerifyMemory, ControlsAreAsTheyMustBe)
{
  int kept = 0;
  for (const Finding &finding : run_memory_controls())
  {
    EXPECT_EQ(name_of(finding.verdict), "kept")
        << finding.scheme << ", " << finding.property << ": " << finding.value << ", " << finding.reason;
    kept += finding.verdict == Verdict::kept;
  }
  EXPECT_EQ(kept, 9);
}

/// f = dW_n/du and K = df/du of the mass that yields, by differences with slope 2; and its discrete gradient.
TEST(VerifyMemory, DerivativesOfTheMassThatYields)
{
  for (const double eta : {0., 0.3})
  {
    const YieldingMass system(eta);
    State state = system.start({0.9, -0.7}, {0., 0.});
    const auto increment = static_cast<const Remembering &>(system).increment(nullptr, 0.2, 0.2);
    state.history = increment->commit(state.q).history;
    const auto next = static_cast<const Remembering &>(system).increment(state.history, 0.2, 0.4);
    State other = system.start({1.1, -0.2}, {0., 0.});
    const Vector u = random_vector(system, 1);
    const auto errors = [&](const double e) {
      Vector ahead = other.q, behind = other.q, f = system.new_vector(), g = f, Ku = f;
      ahead.add(e, u);
      behind.add(-e, u);
      next->internal_force(other.q, f);
      const double slope = (next->potential(ahead) - next->potential(behind)) / (2. * e);
      next->stiffness(other.q, u, Ku);
      const double first = std::abs(slope - f * u);
      next->internal_force(ahead, f);
      next->internal_force(behind, g);
      f -= g;
      f *= 0.5 / e;
      f -= Ku;
      return std::array<double, 2>{first, f.l2_norm()};
    };
    const auto coarse = errors(1e-3), fine = errors(5e-4);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2., 0.15) << k;
    Vector f = system.new_vector(), dq = other.q;
    dq -= state.q;
    next->discrete_gradient(state.q, other.q, f);
    EXPECT_NEAR(f * dq, next->potential(other.q) - next->potential(state.q), 1e-14);
  }
}

/// Decks with a law that flows or relaxes preserve all rows.
TEST(VerifyMemory, BodiesOfDecks)
{
  const std::string body = subsection("Mesh", "set Type = box\nset Subdivisions = 2, 1, 1\n" + subsection("box", "set Size = 2, 1, 1")) +
                           subsection("Supports", subsection("x-", "set Boundary = x-\nset Type = fixed")) +
                           subsection("Time", "set Time step = 0.02\nset End time = 1"),
                    elastic = "set E = 100\nset nu = 0.3\nset Density = 1\n";
  const std::string laws[] = {"set Type = plastic\nset Yield stress = 1\nset Hardening modulus = 5\n" + elastic,
                              "set Type = viscoelastic\nset Elastic = neo-hooke-simo\nset Shear ratios = 0.4\nset Times = 0.3\n" + elastic};
  for (const std::string &law : laws)
    for (const std::string scheme : {"newmark", "midpoint", "discrete-gradient", "central-difference"})
    {
      SCOPED_TRACE(law + scheme);
      const Folder folder;
      Deck deck = Deck::from_text(body + subsection("Materials", subsection("body", law)), "body.prm");
      testing::internal::CaptureStdout();
      EXPECT_EQ(Verification(deck, {scheme, 40, folder / "report"}).run(), exit_done);
      const std::string said = testing::internal::GetCapturedStdout();
      EXPECT_EQ(said.find("dissipate 0 J"), std::string::npos) << said;
      EXPECT_EQ(said.find("nothing flows"), std::string::npos) << said;
      for (const char *row : {"second law", "dissipation balance", "order with flow", "function", "rollback", "same as elastic"})
        EXPECT_NE(said.find(row), std::string::npos) << said;
    }
}

/// A free body whose own start yields and whose smooth start does not: the rows look at its own. Control: with a quarter of its
/// velocity the deck's body stays elastic, and the row says what to do.
TEST(VerifyMemory, StartsThatFlowOnlyAsGiven)
{
  const std::string body = subsection("Mesh", "set Dimension = 2\nset Subdivisions = 2, 1\nset Element = mean-dilatation") +
                           subsection("Materials", subsection("steel",
                                                              "set Type = plastic\nset E = 1e6\nset nu = 0.3\nset Density = 1000\n"
                                                              "set Yield stress = 2e4\nset Backstress moduli = 1e5\n"
                                                              "set Hardening modulus = 1e4")) +
                           subsection("Time", "set Time step = 0.005\nset End time = 0.5");
  for (const std::string scheme : {"newmark", "discrete-gradient"})
    for (const bool fast : {true, false})
    {
      SCOPED_TRACE(scheme + (fast ? ", fast" : ", slow"));
      const VerifySubject subject(
          Deck::from_text(body + subsection("Initial conditions", fast ? "set Velocity = 4*x, 0" : "set Velocity = x, 0"), "b.prm"), 1000,
          false);
      const auto integrator = subject.scheme(scheme, subject.undamped());
      Trial trial;
      trial.system = subject.remembering_system();
      trial.keeps = subject.keeps();
      trial.start = subject.start;
      trial.h = subject.step_for(*integrator, subject.undamped());
      trial.steps = 40;
      const std::vector<Finding> found = MemoryCheck(scheme, *integrator, trial, &subject.other_starts).run();
      for (const Finding &finding : found)
      {
        SCOPED_TRACE(finding.property + ": " + finding.reason);
        const bool about_flow = finding.property == "second law" || finding.property == "order with flow";
        EXPECT_EQ(finding.verdict, about_flow && !fast ? Verdict::not_applicable : Verdict::kept);
        EXPECT_EQ(finding.reason.find("Raise the velocity") != std::string::npos, about_flow && !fast);
        EXPECT_EQ(finding.reason.find("the deck's start as given") != std::string::npos, finding.property == "second law" && fast);
      }
      EXPECT_EQ(found.size(), 7u);
    }
}

/// A block that slides into a floor, by points: friction dissipates, and what schemes keep with laws that flow holds.
TEST(VerifyMemory, ABlockThatSlides)
{
  const std::string deck =
      subsection("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 3, 2\n" + subsection("box", "set Size = 0.3, 0.2")) +
      subsection("Materials", subsection("rubber", "set Type = neo-hooke-log\nset E = 1e6\nset nu = 0.4\nset Density = 1100")) +
      subsection("Obstacles", subsection("floor", "set Type = plane\nset Point = 0, -0.001\nset Normal = 0, 1")) +
      subsection("Contact", subsection("hit", "set Between = y-, floor\nset Layer = 0.02\nset Friction = 0.4")) +
      subsection("Initial conditions", "set Velocity = 3, -1") + subsection("Time", "set Time step = 0.0005\nset End time = 0.1");
  for (const std::string scheme : {"newmark", "discrete-gradient"})
  {
    SCOPED_TRACE(scheme);
    const Folder folder;
    Deck of_block = Deck::from_text(deck, "block.prm");
    testing::internal::CaptureStdout();
    EXPECT_EQ(Verification(of_block, {scheme, 60, folder / "report"}).run(), exit_done);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_NE(said.find("; 1 where flow turns"), std::string::npos) << said;
    EXPECT_EQ(said.find("nothing flows or slides"), std::string::npos) << said;
  }
}
}  // namespace symdyn::tests::in_verify_memory
