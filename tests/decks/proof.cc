// `symdyn verify` as a user runs it.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_proof
{
namespace
{
struct Proven : Outcome
{
  nlohmann::json findings;
};

Proven verify(const Folder &folder, const std::string &deck, const std::string &more)
{
  Proven run;
  static_cast<Outcome &>(run) = command(folder, std::string(SYMDYN_BINARY) + " verify " + SYMDYN_SOURCE "/decks/" + deck + " --report " +
                                                    folder.path + "/report --overwrite " + more);
  if (std::ifstream file(folder / "report/verify.json"); file)
    run.findings = nlohmann::json::parse(file);
  return run;
}

nlohmann::json finding(const Proven &run, const std::string &property)
{
  for (const auto &entry : run.findings)
    if (entry["property"] == property)
      return entry;
  return {};
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST(Proof, SpinningCubeKeepsAllThatNewmarkPromises)
{
  const Folder folder;
  const Proven run = verify(folder, "verification/spinning-cube.prm", "--steps 100");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  for (const char *property :
       {"order", "tangent", "one-step form", "form", "reversible", "linear momentum", "angular momentum", "energy bounded"})
    EXPECT_EQ(finding(run, property)["verdict"], "kept") << property;
  EXPECT_EQ(finding(run, "energy")["verdict"], "not promised");
  EXPECT_LT(finding(run, "form")["value"], 1e-12);
  EXPECT_LT(finding(run, "angular momentum")["value"], 1e-12);
  EXPECT_TRUE(contains(finding(run, "form")["reason"], "in (q, Mv)"));
  for (const char *file : {"index.html", "energy.svg", "angular-momentum.svg", "form.svg"})
    EXPECT_GT(text_of(folder / ("report/" + std::string(file))).size(), 1000u) << file;
  EXPECT_TRUE(contains(text_of(folder / "report/index.html"), "</html>"));
}

/// Beams at an angle: as shells, below. On a stiff frame equal schemes differ by the rounding of forces, and by no more.
TEST(Proof, AnElbowOfBeams)
{
  for (const std::string scheme : {"midpoint", "variational-newmark", "zhang-skeel", "two-step", "discrete-gradient"})
  {
    const Folder folder;
    const Proven run = verify(folder, "verification/elbow.prm", "--steps 40 --scheme " + scheme);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    if (scheme == "discrete-gradient")
      EXPECT_EQ(finding(run, "energy")["verdict"], "kept");
    else
      for (const char *property : {"order", "form", "one-step form", "reversible", "energy bounded"})
        EXPECT_EQ(finding(run, property)["verdict"], "kept") << scheme << ": " << property;
    if (scheme == "two-step")
    {
      EXPECT_EQ(finding(run, "same as midpoint")["verdict"], "kept");
      EXPECT_LT(finding(run, "same as midpoint")["limit"], 1e-7) << "others are 1e-4 apart";
    }
  }
  const Folder folder;
  const Proven damped = verify(folder, "verification/elbow.prm", "--steps 40 --scheme hht-alpha");
  EXPECT_EQ(damped.exit_code, 0) << damped.terminal;
  EXPECT_GT(finding(damped, "form")["value"], 1e-4);
  EXPECT_GT(finding(damped, "energy")["value"], 1e-4);
}

/// Shells: schemes with and without Newton keep the form and the momenta, `discrete-gradient` the energy; alpha methods keep neither.
TEST(Proof, AFreePlateOfShells)
{
  const auto of_scheme = [](const std::string &scheme) {
    const Folder folder;
    const Proven run = verify(folder, "verification/free-plate.prm", "--steps 40 --scheme " + scheme);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run;
  };
  for (const std::string scheme : {"midpoint", "zhang-skeel"})
  {
    const Proven run = of_scheme(scheme);
    for (const char *property : {"order", "form", "reversible", "linear momentum", "energy bounded"})
      EXPECT_EQ(finding(run, property)["verdict"], "kept") << scheme << property;
    EXPECT_LT(finding(run, "form")["value"], 1e-10) << scheme;
  }
  const Proven conserving = of_scheme("discrete-gradient"), damped = of_scheme("hht-alpha");
  for (const char *property : {"energy", "linear momentum", "angular momentum"})
    EXPECT_EQ(finding(conserving, property)["verdict"], "kept") << property;
  for (const char *property : {"energy", "form"})
    EXPECT_GT(finding(damped, property)["value"], 1e-6) << property;
}

/// Steps shorter than those of the deck: the run has more of them than tangents, and the plots are of what there is.
TEST(Proof, ExplicitRunsAreLongerThanTheirTangents)
{
  const Folder folder;
  const Proven run = verify(folder, "verification/spinning-cube.prm", "--scheme central-difference --steps 20");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(finding(run, "form")["verdict"], "kept");
  EXPECT_EQ(text_of(folder / "report/form.svg").find("1e+"), std::string::npos) << "no drift of 1e-14 needs such an axis";
  EXPECT_EQ(text_of(folder / "report/form.svg").find(">1e1"), std::string::npos);
}

TEST(Proof, DampedNewmarkPromisesLess)
{
  const Folder folder;
  const Proven run = verify(folder, "verification/spinning-cube.prm",
                            "--steps 100 --set Integrator/newmark/gamma=0.6 --set Integrator/newmark/beta=0.3025");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(double(finding(run, "order")["value"]), 1., 0.15);
  EXPECT_EQ(finding(run, "form")["verdict"], "not promised");
  EXPECT_GT(finding(run, "form")["value"], 1e-3);
}

TEST(Proof, ALinearDeckIsSymplecticInPositionsToo)
{
  const Folder folder;
  const Proven run = verify(folder, "verification/cantilever-linear.prm", "--scheme newmark --steps 50");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_TRUE(contains(finding(run, "one-step form")["reason"], "linear deck"));
  EXPECT_EQ(finding(run, "angular momentum")["verdict"], "not applicable");
}

TEST(Proof, EverySchemeKeepsItsPromises)
{
  const Folder folder;
  for (const char *deck :
       {"verification/spinning-cube.prm", "papers/kmow-conservative.prm", "papers/kmow-dissipative.prm", "papers/truss-ring.prm"})
  {
    const Proven run = verify(folder, deck, "--scheme all");
    EXPECT_EQ(run.exit_code, 0) << deck << run.terminal;
  }
}

TEST(Proof, SaysWhatIsLeftOutAndMeasuresTheDamping)
{
  const Folder folder;
  const Proven run = verify(folder, "papers/kmow-dissipative.prm", "--scheme two-step");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_TRUE(contains(run.terminal, "the damping is off, but in the rows `damping ...`")) << run.terminal;
  EXPECT_FALSE(contains(run.terminal, "the loads are left out"));
  EXPECT_NEAR(double(finding(run, "order")["value"]), 2., 0.15);
  EXPECT_NEAR(double(finding(run, "damping order")["value"]), 1., 0.15);
  EXPECT_EQ(finding(run, "damping rate")["verdict"], "kept");
  EXPECT_EQ(finding(run, "form, neighbours")["verdict"], "kept");
  EXPECT_EQ(finding(run, "same as midpoint")["verdict"], "kept");
  const Proven heavy = verify(folder, "verification/cantilever-linear.prm", "--scheme newmark --steps 10");
  EXPECT_TRUE(contains(heavy.terminal, "the loads are left out, gravity included")) << heavy.terminal;
  EXPECT_FALSE(contains(heavy.terminal, "the damping is off"));
}

TEST(Proof, ARunThatIsLostIsRunAgainWithHalfTheStepNightly)
{
  const Folder folder;
  const Proven run = verify(folder, "examples/quickstart.prm", "--scheme zhang-skeel --steps 100 --set \"Mesh/Subdivisions=5, 2, 1\"");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_TRUE(contains(finding(run, "scheme")["reason"], "because with 0.005 s: the run is lost")) << run.terminal;
  EXPECT_EQ(finding(run, "form")["verdict"], "kept");
  // Here the order of v goes 1.8, 0.9, 0.1, 2.6, 2.3 as h falls: the one Newton iteration resolves the stiff modes late.
  const Proven partial =
      verify(folder, "examples/quickstart.prm", "--scheme newmark-partial --steps 70 --set \"Mesh/Subdivisions=5, 2, 1\"");
  EXPECT_EQ(partial.exit_code, 0) << partial.terminal;
  EXPECT_TRUE(contains(finding(partial, "order")["reason"], "still on the way")) << partial.terminal;
}

TEST(Proof, AReportIsReplacedOnlyIfAsked)
{
  const Folder folder;
  const std::string call = std::string(SYMDYN_BINARY) +
                           " verify " SYMDYN_SOURCE "/decks/papers/kmow-conservative.prm --steps 10 --report " + folder.path + "/report";
  EXPECT_EQ(command(folder, call).exit_code, 0);
  for (const char *file : {"notes.txt", "linear-momentum.svg"})
    std::ofstream(folder / ("report/" + std::string(file))) << "left by somebody";
  const Outcome refused = command(folder, call);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(contains(refused.terminal, "/report: the folder is not empty. Use --overwrite")) << refused.terminal;
  EXPECT_EQ(command(folder, call + " --overwrite").exit_code, 0);
  EXPECT_TRUE(std::ifstream(folder / "report/notes.txt").good());
  EXPECT_FALSE(std::ifstream(folder / "report/linear-momentum.svg").good()) << "of another report: the oscillator has no such symmetry";
}

TEST(Proof, NightlyEverySchemeOnTheQuickstart)
{
  const Folder folder;
  const Proven run = verify(folder, "examples/quickstart.prm", "--scheme all");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
}

TEST(Proof, NightlyEverySchemeOnThinStructures)
{
  for (const std::string deck : {"elbow", "free-plate"})
  {
    const Folder folder;
    const Proven run = verify(folder, "verification/" + deck + ".prm", "--steps 60 --scheme all");
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
  }
}

TEST(Proof, WrongOptionsAreExplained)
{
  struct Case
  {
    std::string options, message;
  };
  const Folder folder;
  for (const Case &bad :
       {Case{"--scheme newmrk", "--scheme newmrk: no such scheme. Did you mean newmark or "},
        Case{"--scheme zhang-skeel-stiff", "zhang-skeel-stiff solves with the part of V that the deck marks stiff"},
        Case{"--steps 5", "--steps 5: at least 10"}, Case{"--report /proc/nowhere", "--report /proc/nowhere: the folder cannot be made"},
        Case{"--report " + folder.path + "/terminal.txt", "the folder cannot be made"}})
  {
    const Outcome run =
        command(folder, std::string(SYMDYN_BINARY) + " verify " + SYMDYN_SOURCE "/decks/verification/spinning-cube.prm " + bad.options);
    EXPECT_EQ(run.exit_code, 1) << bad.options;
    EXPECT_TRUE(contains(run.terminal, bad.message)) << run.terminal;
  }
}
}  // namespace symdyn::tests::in_proof
