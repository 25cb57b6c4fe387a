// What somebody meets who starts: misspelt words, short lines, small numbers.
#include "solver/base/progress_line.h"
#include "tests/bad_input.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_first_contact
{
namespace
{
const std::string binary = SYMDYN_BINARY;

Run check(const Case &deck, const std::string &more = "")
{
  return command(deck.folder, binary + " check " + deck.folder / "box.prm" + " " + more);
}
}  // namespace

/// Beside a missing entry, which may be the misspelt one, the unknown one is the error.
TEST(FirstContact, AnUnknownEntryComesBeforeAMissingOne)
{
  const Case type(replaced(box, "set Type = st-venant", "set Typezz = st-venant"));
  expect_message(check(type), 1, {"box.prm:7: unknown entry 'Typezz' in section Materials/body; did you mean 'Type'?"});
  const Case constant(replaced(box, "set E = 1000", "set Ezz = 1000"));
  expect_message(check(constant), 1, {"box.prm:8: unknown entry 'Ezz' in section Materials/body; did you mean 'E'?"});
  EXPECT_EQ(check(constant).terminal.find("nu, but exactly one of the pairs"), std::string::npos);
  const Case section(replaced(box, "subsection Time", "subsection Tyme"));
  expect_message(check(section), 1, {"unknown section 'Tyme' outside of all sections; did you mean 'Time'?"});
  expect_message(check(Case(replaced(box, "set E = 1000", "")), "--set Materials/body/EE=3"), 1,
                 {"--set Materials/body/EE: unknown entry 'EE'"});
  // Negative controls: without an unknown entry the missing one is the error, and names of the user's own are known.
  expect_message(check(Case(replaced(box, "set Type = st-venant-kirchhoff", ""))), 1,
                 {"[Materials/body] Type", "a material needs its law"});
  expect_message(check(Case(replaced(box, "set E = 1000", ""))), 1, {"the elastic constants given are nu"});
  EXPECT_EQ(check(Case()).exit_code, 0);
  // A stage may have Time and Integrator of its own.
  const std::string own =
      "\nsubsection Stages\n  subsection on\n    set Type = dynamic\n    subsection Time\n      set Time step = 0.01\n      set End time = 0.1\n    end\n    subsection Integrator\n"
      "      set Scheme = hht-alpha\n      subsection hht-alpha\n        set alpha = -0.1\n      end\n    end\n  end\nend\n";
  const std::string staged = box.substr(0, box.find("subsection Time")) + own;
  EXPECT_EQ(check(Case(staged)).exit_code, 0) << check(Case(staged)).terminal;
  expect_message(check(Case(replaced(staged, "set E = 1000", "set E = -1000"))), 1, {"box.prm:8", "E = -1000"});
  expect_message(check(Case(replaced(staged, "set Time step = 0.01", "set Time stepp = 0.01"))), 1,
                 {"unknown entry 'Time stepp' in section Stages/on/Time"});
}

TEST(FirstContact, AnUnknownSchemeNamesTheNearest)
{
  const auto run = check(Case(), "--set Integrator/Scheme=newmrk");
  expect_message(run, 1, {"--set Integrator/Scheme", "Did you mean newmark or ", "`symdyn parameters` lists all"});
  EXPECT_LT(run.terminal.size(), 400u) << run.terminal;
}

TEST(FirstContact, AnUnknownCommandNamesTheNearest)
{
  const Folder folder;
  const auto run = command(folder, binary + " chek");
  expect_message(run, 1, {"error: unknown command 'chek'. Did you mean 'check'?", "verify"});
  expect_message(command(folder, binary + " frobnicate"), 1, {"error: unknown command 'frobnicate'"});
  const auto alone = command(folder, binary);
  expect_message(alone, 1, {"Usage: symdyn", "Subcommands:", "check", "Exit codes"});
}

/// The 200 libraries of the computation take a third of a second to load; help, version and mistakes in the command line do without.
TEST(FirstContact, TheProgramLoadsTheLibrariesThatACommandNeeds)
{
  const Folder folder;
  const auto linked = command(folder, "ldd " + binary);
  EXPECT_EQ(linked.exit_code, 0);
  EXPECT_NE(linked.terminal.find("libc.so"), std::string::npos) << linked.terminal;
  for (const char *library : {"libdeal", "libmpi", "libpetsc", "libsymdyn"})
    EXPECT_EQ(linked.terminal.find(library), std::string::npos) << linked.terminal;
}

TEST(FirstContact, ChecksPrintZerosAndSingulars)
{
  const auto one =
      check(Case(), "--set 'Mesh/Subdivisions=1, 1, 1' --set 'Mesh/box/Corner=-0.5, -0.1, -0.3' --set 'Mesh/box/Size=1, 0.2, 0.6'");
  expect_message(one, 0, {"3-D, 1 cell (Hex", "8 nodes", "1 rank", "centre of mass (0, 0, 0)"});
  EXPECT_EQ(one.terminal.find("e-1"), std::string::npos) << "rounding: " << one.terminal;
  expect_message(check(Case(), "--set 'Mesh/box/Corner=1e-7, 0, 0'"), 0, {"8 cells", "extent (1e-07, 0, 0)"});
}

TEST(FirstContact, LoadsNoneIsForEveryStage)
{
  const std::string motion = section("Time", "set Time step = 0.01\nset End time = 0.02"), none = "\nset Loads = none\n";
  const std::string all =
      stages(section("hold", "set Type = static" + none) + section("forms", "set Type = modes\nset Modes = 2" + none) +
             section("shake", "set Type = harmonic\nset Frequencies = 1, 2\nset Points = 2\nset Base acceleration = 1, 0, 0" + none) +
             section("ring", "set Type = modal transient\nset Modes = 2" + none + motion) +
             section("move", "set Type = dynamic" + none + section("Time", "set Time step = 0.01\nset End time = 0.04")));
  const Folder folder;
  run_well(folder, bar(4) + pull + all);
  run_well(folder, bar(4) + all);  // a deck without loads, too
  expect_refused(bar(4) + pull + stages(section("forms", "set Type = modes\nset Loads = pull")), "a modes stage applies no loads");
}

/// gonzalez-constrained keeps g = 0 at the ends of steps, and g' = 0 nearly: its states are starts with Project = velocities.
TEST(FirstContact, AStateOfGonzalezConstrainedIsAStart)
{
  const Folder first, second;
  const std::string deck = "papers/gonzalez-four-particles.prm";
  const Outcome run = run_deck(first, deck, {"Time/End time=1", "Output/Write every=never"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  std::vector<std::string> start{"Time/End time=0.1", "Output/Write every=never"};
  for (const std::string point : {"a", "b", "c", "d"})
    for (const auto &[entry, dot] : {std::pair<std::string, std::string>{"Position", "."}, {"Velocity", ".v_"}})
      start.push_back(fmt::format("Points/{0}/{1}={2:.17g}, {3:.17g}, {4:.17g}", point, entry, run.history.last(point + dot + "x"),
                                  run.history.last(point + dot + "y"), run.history.last(point + dot + "z")));
  expect_message(run_deck(second, deck, start), 1, {"a speed across it of", "--set Constraints/Project=velocities"});
  start.push_back("Constraints/Project=velocities");
  const Outcome on = run_deck(second, deck, start);
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_EQ(on.history["a.x"][0], run.history.last("a.x"));
  EXPECT_NEAR(on.history["d.v_z"][0], run.history.last("d.v_z"), 1e-4);
}

TEST(FirstContact, ProgressFitsIntoATerminal)
{
  const std::vector<ProgressLine::Field> fields{
      {"100 %", 0},           {"t = 1.2346e-05 s", 0},      {"step 12345678", 1}, {"newton 12", 3}, {"energy error 1.2e-05 J", 2},
      {"ETA 12 min 30 s", 1}, {"[a stage of this name]", 4}};
  const std::string line = ProgressLine::line(fields);
  EXPECT_LE(line.size(), 79u);
  EXPECT_EQ(line, "100 %  t = 1.2346e-05 s  step 12345678  energy error 1.2e-05 J  ETA 12 min 30 s");
  EXPECT_EQ(ProgressLine::line({{"10 %", 0}, {"[a]", 4}}), "10 %  [a]");
  EXPECT_LE(ProgressLine::line({{std::string(200, 'x'), 0}}).size(), 79u);
}

TEST(FirstContact, TheTimeLeftIsThatOfTheStage)
{
  ProgressLine progress;
  progress.sample(0, 0.01, 100.);  // 100 s of start do not count
  EXPECT_LT(progress.left(), 0.) << "from one sample nobody can tell";
  for (int k = 2; k <= 50; ++k)
    progress.sample(0, 0.01 * k, 100. + 0.2 * (k - 1));
  EXPECT_NEAR(progress.left(), 0.2 * 50., 1e-9);
  progress.sample(1, 0.5, 200.);
  EXPECT_LT(progress.left(), 0.) << "a stage begins";
  for (int k = 1; k <= 6; ++k)
    progress.sample(1, 0.5 + 0.01 * k, 200. + 1e-3 * k);
  EXPECT_LT(progress.left(), 0.) << "milliseconds are noise";
  EXPECT_EQ(duration_text(3725.), "1 h 2 min");
  EXPECT_EQ(duration_text(3599.), "59 min 59 s");
}
}  // namespace symdyn::tests::in_first_contact
