#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "solver/base/lock_owner.h"
#include "solver/base/run_progress.h"
#include "solver/base/sha256.h"
#include "tests/run.h"

// The certificate of a run and its parts (docs/report.md).
namespace symdyn::tests::in_certificate
{
namespace
{
/// A mass on a spring that hardens, u'' + u + u³ = 0 from u = 1 at rest.
const char *const oscillator = R"(set Structure = discrete
subsection Points
  set Dimension = 2
  subsection a
    set Position = 1, 0
    set Mass = 1
  end
end
subsection Potentials
  subsection well
    set Points = a
    set Expression = (x^2 + y^2)/2 + (x^2 + y^2)^2/4
  end
end
subsection Time
  set Time step = 0.02
  set End time = 20
end
subsection Integrator
  set Scheme = newmark
end
)";

nlohmann::json certificate_of(const std::vector<std::string> &settings)
{
  const Folder folder;
  const Outcome run = run_written(folder, oscillator, settings);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return run.summary.value("certificate", nlohmann::json::object());
}
}  // namespace

TEST(Certificate, Sha256)
{
  // Examples of FIPS 180-4 (csrc.nist.gov), and lengths about a block.
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  const Folder folder;
  for (const std::size_t length : {0, 55, 56, 63, 64, 65, 65535, 65536, 65537, 200000})
  {
    const std::string text(length, 'x');
    EXPECT_EQ(sha256_of(write_file(folder, "x", text)), sha256(text)) << length;
  }
  EXPECT_EQ(sha256_of(folder / "none"), "");
  EXPECT_EQ(sha256_of(folder.path), "");
}

TEST(Certificate, VerdictsFollowTheStep)
{
  const nlohmann::json fine = certificate_of({}), rough = certificate_of({"Time/Time step=0.4"}),
                       wrong = certificate_of({"Time/Time step=1"});
  EXPECT_EQ(fine["verdict"], "balanced") << fine;
  EXPECT_EQ(rough["verdict"], "coarse") << rough;
  EXPECT_EQ(wrong["verdict"], "doubtful") << wrong;
  // The error of the trapezoidal rule is O(h²).
  const auto error = [](const nlohmann::json &certificate) { return certificate["motions"][0]["error over largest energy"].get<double>(); };
  const nlohmann::json half = certificate_of({"Time/Time step=0.01"});
  EXPECT_NEAR(std::log2(error(fine) / error(half)), 2., 0.15);
  EXPECT_LT(fine["newton"]["largest residual over first"], 1e-9);
}

TEST(Certificate, DissipationOfTheSchemeIsNamed)
{
  const nlohmann::json damped = certificate_of({"Integrator/Scheme=hht-alpha", "Integrator/hht-alpha/alpha=-0.3", "Time/Time step=0.25"});
  EXPECT_EQ(damped["verdict"], "coarse") << damped;
  EXPECT_EQ(has(damped["reason"], "hht-alpha does not bound the energy"), "");
}

TEST(Certificate, ExplicitStepsAreOverTheCriticalOne)
{
  const nlohmann::json certificate = certificate_of({"Integrator/Scheme=central-difference"});
  const nlohmann::json &motion = certificate["motions"][0];
  EXPECT_NEAR(motion["step over critical step"].get<double>(), 0.02 / motion["critical step"].get<double>(), 1e-12);
  EXPECT_EQ(certificate.count("newton"), 0u);
}

TEST(Certificate, ARestartGoesOnWithIt)
{
  const Folder folder;
  const std::string deck = write_file(folder, "deck.prm", oscillator);
  const Outcome whole = run_deck(folder, deck, {"Time/Time step=0.4"});
  const Folder parts;
  ASSERT_EQ(run_deck(parts, deck, {"Time/Time step=0.4", "Time/End time=12", "Output/Checkpoint every=20"}).exit_code, 0);
  const Outcome resumed = with_results(tool(parts, "run --quiet --restart " + parts / "results" + " " + deck +
                                                       " --set 'Time/Time step=0.4' --set 'Output/Checkpoint every=20'"),
                                       parts);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.terminal;
  const auto a = whole.summary["certificate"], b = resumed.summary["certificate"];
  EXPECT_EQ(a["verdict"], b["verdict"]);
  EXPECT_NEAR(a["motions"][0]["largest error"].get<double>(), b["motions"][0]["largest error"].get<double>(), 1e-12);
  EXPECT_EQ(a["newton"]["solutions"], b["newton"]["solutions"]);
}

TEST(Certificate, ProgressIsReadBack)
{
  RunProgress progress;
  progress.stage = "sweep";
  progress.kind = "frequencies";
  progress.frequency_unit = "Hz";
  progress.done = 3;
  progress.of = 40;
  progress.part = 0.075;
  progress.f = 12.5;
  progress.left = 90.;
  const RunProgress back = RunProgress::of_json(nlohmann::json::parse(progress.json().dump()));
  EXPECT_EQ(back.line(79), progress.line(79));
  EXPECT_EQ(back.line(79), "  8 %  f = 12.5 Hz  3 of 40  ETA 1 min 30 s  [sweep]");
  EXPECT_EQ(back.line(20), "  8 %  f = 12.5 Hz");
  progress.kind = "modes";
  EXPECT_EQ(progress.line(79), "modes: 3 of 40 found  [sweep]");
  RunProgress lost;
  lost.energy_error = std::nan("");  // null in JSON
  EXPECT_FALSE(RunProgress::of_json(nlohmann::json::parse(lost.json().dump())).energy_error);
  EXPECT_THROW(RunProgress::of_json(nlohmann::json::object()), nlohmann::json::exception);
}

TEST(Certificate, OwnersOfLocks)
{
  const LockOwner self = LockOwner::self();
  EXPECT_TRUE(self.runs());
  EXPECT_FALSE((LockOwner{self.host, self.process, self.start + 1}.runs())) << "a later process with this number";
  EXPECT_FALSE((LockOwner{self.host, 999999999, 0}.runs()));
  EXPECT_EQ(LockOwner::of_file("/none").host, "");
}
}  // namespace symdyn::tests::in_certificate
