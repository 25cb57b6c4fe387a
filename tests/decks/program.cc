#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/run.h"

// The command line as a user meets it.
namespace symdyn::tests::in_program
{
namespace
{
const std::string binary = SYMDYN_BINARY;

TEST(Program, HelpAndVersion)
{
  const Folder folder;
  const Outcome help = command(folder, binary + " --help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char *word : {"run", "check", "parameters", "new", "Exit codes"})
    EXPECT_NE(help.terminal.find(word), std::string::npos) << word;
  const std::string manual = text_of(SYMDYN_SOURCE "/cmake/debian/symdyn.1");
  std::istringstream commands(help.terminal.substr(help.terminal.find("Subcommands:")));
  int found = 0;
  for (std::string line; std::getline(commands, line);)
    if (const std::size_t end = line.find(' ', 2); line.rfind("  ", 0) == 0 && line.size() > 2 && line[2] != ' ')
    {
      EXPECT_EQ(has(manual, ".B " + line.substr(2, end - 2) + "\n"), "");
      ++found;
    }
  EXPECT_GT(found, 15) << help.terminal;
  EXPECT_EQ(command(folder, binary + " run --help").exit_code, 0);
  EXPECT_NE(command(folder, binary + " --version").terminal.find("symdyn 0."), std::string::npos);
  EXPECT_EQ(command(folder, binary).exit_code, 1);
  EXPECT_EQ(command(folder, binary + " run").exit_code, 1);
  EXPECT_EQ(command(folder, binary + " jump").exit_code, 1);
}

TEST(Program, NewCheckRun)
{
  const Folder folder;
  const std::string deck = folder / "mine.prm";
  ASSERT_EQ(command(folder, binary + " new " + deck).exit_code, 0);
  EXPECT_EQ(command(folder, binary + " new " + deck).exit_code, 1);  // never overwrites
  const Outcome check = command(folder, binary + " check " + deck);
  EXPECT_EQ(check.exit_code, 0) << check.terminal;
  for (const char *part :
       {"80 cells", "mass 10000 kg", "centre of mass (5", "boundary root: 1 m^2", "critical explicit time step", "history.csv"})
    EXPECT_NE(check.terminal.find(part), std::string::npos) << part << "\n" << check.terminal;
  const Outcome run = run_deck(folder, deck, {"Time/End time=0.04"});
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(run.history.rows(), 3u);
}

TEST(Program, ParametersInThreeForms)
{
  const Folder folder;
  const Outcome markdown = command(folder, "exec " + binary + " parameters");  // in children of this process tests have laws of their own
  EXPECT_EQ(markdown.exit_code, 0);
  for (const char *part : {"## Integrator/newmark", "| `beta` |", "## Materials/<name>", "## Loads/<name>", "## Mesh/cook"})
    EXPECT_NE(markdown.terminal.find(part), std::string::npos) << part;
  const Outcome json = command(folder, binary + " parameters --json");
  const auto list = nlohmann::json::parse(json.terminal);
  bool found = false;
  for (const auto &entry : list)
    found = found || entry["path"] == "Newton/Tolerance";
  EXPECT_TRUE(found);
  const Outcome prm = command(folder, binary + " parameters --prm");
  EXPECT_NE(prm.terminal.find("subsection Linear solver"), std::string::npos);
  // The printed reference of the manual is the one of this program.
  const std::string manual = text_of(SYMDYN_SOURCE "/docs/reference.md");
  EXPECT_NE(manual.find(markdown.terminal), std::string::npos)
      << "docs/reference.md is old: regenerate it with symdyn parameters --markdown";
}

/// Whether it is of the form that validators ask for.
bool is_schema(const nlohmann::json &schema)
{
  if (!schema.is_object())
    return false;
  const nlohmann::json own = schema.value("properties", nlohmann::json::object());
  if (const auto type = schema.find("type"); type != schema.end() && !type->is_string() && !type->is_array())
    return false;
  if (!own.is_object() || !std::all_of(own.begin(), own.end(), is_schema))
    return false;
  const auto others = schema.find("additionalProperties");
  return others == schema.end() || others->is_boolean() || is_schema(*others);
}

/// What a JSON deck has that its schema does not allow: the first place, or "".
std::string refused_by(const nlohmann::json &schema, const nlohmann::json &deck, const std::string &path = "")
{
  for (const auto &[name, value] : deck.items())
  {
    const std::string here = path + "/" + name;
    const nlohmann::json own = schema.value("properties", nlohmann::json::object()), &others = schema["additionalProperties"];
    if (!own.contains(name) && !others.is_object())
      return here;
    const nlohmann::json &rule = own.contains(name) ? own[name] : others;
    if (value.is_object() != (rule.value("type", nlohmann::json()) == "object"))
      return here;
    if (const std::string inside = value.is_object() ? refused_by(rule, value, here) : ""; !inside.empty())
      return inside;
  }
  return "";
}

TEST(Program, DecksAsJsonAreOfTheSchema)
{
  const Folder folder;
  const auto schema = nlohmann::json::parse(command(folder, "exec " + binary + " parameters --schema").terminal);
  EXPECT_TRUE(is_schema(schema));
  std::vector<std::string> names;
  for (const char *of : {"examples", "tutorial", "papers"})
    for (const auto &entry : std::filesystem::directory_iterator(SYMDYN_SOURCE "/decks/" + std::string(of)))
      if (entry.path().extension() == ".prm")
      {
        names.push_back(entry.path().stem());
        std::filesystem::copy_file(entry.path(), folder / (names.back() + ".prm"));
      }
  EXPECT_GT(names.size(), 30u);
  for (const std::string &name : names)
  {
    const Outcome done = command(folder, fmt::format("{} convert {} {}", binary, folder / (name + ".prm"), folder / (name + ".json")));
    ASSERT_EQ(done.exit_code, 0) << done.terminal;
    EXPECT_EQ(refused_by(schema, nlohmann::json::parse(text_of(folder / (name + ".json")))), "") << name;
  }
  std::filesystem::create_directory(folder / "else");
  EXPECT_EQ(command(folder, fmt::format("{} convert {} {}", binary, folder / "quickstart.prm", folder / "else/quickstart.json")).exit_code,
            0)
      << "it names no file";
  std::ofstream(folder / "of_file.prm")
      << "subsection Mesh\n  set Type = file\n  set File = part.msh\nend\n"
         "subsection Materials\n  subsection body\n    set Type = neo-hooke-log\n    set E = 1\n    set nu = 0\n    set Density = 1\n  end\nend\n"
         "subsection Time\n  set Time step = 1\n  set End time = 1\nend\n";
  const Outcome elsewhere = command(folder, fmt::format("{} convert {} {}", binary, folder / "of_file.prm", folder / "else/of_file.json"));
  EXPECT_EQ(elsewhere.exit_code, 1);
  EXPECT_NE(elsewhere.terminal.find("of_file.prm names the file part.msh, which is found from its folder"), std::string::npos)
      << elsewhere.terminal;
  const auto deck = nlohmann::json::parse(text_of(folder / "quickstart.json"));
  auto wrong = deck;
  wrong["Mesh"]["Typ"] = "box";
  EXPECT_EQ(refused_by(schema, wrong), "/Mesh/Typ");
  wrong = deck;
  wrong["Mesh"] = "box";
  EXPECT_EQ(refused_by(schema, wrong), "/Mesh");
  const auto &schemes = schema["properties"]["Integrator"]["properties"]["Scheme"]["anyOf"][0]["enum"];
  EXPECT_EQ(std::count(schemes.begin(), schemes.end(), "midpoint"), 1);
}

TEST(Program, ADeckFromStandardInputGivesTheSame)
{
  const Folder folder, other;
  const std::string deck = SYMDYN_SOURCE "/decks/verification/spinning-cube.prm";
  const Outcome from_file = run_deck(other, "verification/spinning-cube.prm", {"Time/End time=0.1"});
  const Outcome piped =
      command(folder, fmt::format("sh -c \"{} run - --quiet --set 'Time/End time=0.1' --output {} < {}\"", binary, folder / "piped", deck));
  ASSERT_EQ(piped.exit_code, 0) << piped.terminal;
  EXPECT_EQ(read_history(folder / "piped/history.csv")["corner.u_x"], from_file.history["corner.u_x"]);
  const Outcome json = command(folder, fmt::format("sh -c \"echo '{{}}' | {} check -\"", binary));
  EXPECT_EQ(has(json.terminal, "stdin [Materials]: there is no material"), "") << json.terminal;
  const Outcome wrong = command(folder, "sh -c \"echo 'set Titel = x' | " + binary + " check -\"");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "stdin:1: unknown entry 'Titel'"), "") << wrong.terminal;
}

TEST(Program, QuickstartDeckRuns)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/quickstart.prm", {"Time/End time=0.1"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_LT(run.summary["largest energy balance error"].get<double>(), 1e-3 * run.history["E_kinetic"][0]);
}

TEST(Program, JsonDeckGivesTheSame)
{
  const Folder folder;
  const std::string deck = folder / "cube.json";
  std::ofstream(deck) << R"({"Mesh": {"Type": "box", "Subdivisions": [2, 2, 2], "box": {"Corner": "-0.5, -0.5, -0.5", "Size": [1, 1, 1]}},
 "Materials": {"soft": {"Type": "st-venant-kirchhoff", "E": 1000, "nu": 0.3, "Density": 10}},
 "Initial conditions": {"Velocity": "2*z - 3*y + 0.1, 3*x - z + 0.2, y - 2*x + 0.3"},
 "Probes": {"corner": {"Point": [0.5, 0.5, 0.5]}},
 "Time": {"Time step": 0.01, "End time": 0.1}, "Integrator": {"Scheme": "newmark"}, "Newton": {"Tolerance": 1e-12}})";
  const Outcome json = run_deck(folder, deck);
  ASSERT_EQ(json.exit_code, 0) << json.terminal;
  const Folder other;
  const Outcome prm = run_deck(other, "verification/spinning-cube.prm", {"Time/End time=0.1"});
  EXPECT_EQ(json.history["corner.u_x"], prm.history["corner.u_x"]);
}

TEST(Program, StaticThenDynamic)
{
  // The dynamic stage starts from the static state; under the same load it stays at rest.
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/turek-hron-csm1.prm",
                               {"Stages/rest/Type=dynamic", "Time/Time step=0.01", "Time/End time=0.1", "Newton/Tolerance=1e-12"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  ASSERT_EQ(run.history.stage.back(), "rest");
  const double u = run.history.at(0., "A.u_y");
  EXPECT_LT(u, -0.06);
  for (std::size_t i = 0; i < run.history.rows(); ++i)
    if (run.history.stage[i] == "rest")
    {
      EXPECT_NEAR(run.history["A.u_y"][i], u, 1e-8);
      EXPECT_NEAR(run.history["A.v_y"][i], 0., 1e-6);
      EXPECT_NEAR(run.history["E_balance_error"][i], 0., 1e-8);
    }
}

TEST(Program, ExplicitStepIsChosenByItself)
{
  const Folder folder;
  const std::vector<std::string> explicit_run{"Mesh/Subdivisions=12, 3, 3", "Elements/Mass=lumped", "Integrator/newmark/beta=0",
                                              "Time/Time step=auto", "Time/End time=0.05"};
  const Outcome run = run_deck(folder, "verification/implicit-beam.prm", explicit_run);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(run.summary["krylov iterations"], 0);
  const double h = run.history["step"].back();
  // 0.9 of the critical step or a little less: 1.05 of it is refused, and beyond the limit the motion explodes.
  std::vector<std::string> too_large = explicit_run;
  too_large[3] = "Time/Time step=" + std::to_string(0.05 / std::floor(0.05 / (1.25 * h)));
  EXPECT_EQ(run_deck(folder, "verification/implicit-beam.prm", too_large).exit_code, 1);
  too_large.push_back("Time/Allow unstable step=yes");
  too_large.push_back("Output/History every=1");  // energies are looked at with the rows
  too_large.push_back("Time/End time=" + std::to_string(200 * 0.05 / std::floor(0.05 / (1.25 * h))));
  const Outcome exploded = run_deck(folder, "verification/implicit-beam.prm", too_large);
  EXPECT_EQ(exploded.exit_code, 2);
  EXPECT_NE(exploded.terminal.find("times the largest energy before it: newmark has lost the motion"), std::string::npos)
      << exploded.terminal;
}

TEST(Program, PetscOptionsPassThrough)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/implicit-beam.prm",
                               {"Mesh/Subdivisions=8, 2, 2", "Time/End time=0.01", "Linear solver/Type=cg"}, 1, "-- -ksp_view");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.terminal.find("KSP Object"), std::string::npos);
}
}  // namespace
}  // namespace symdyn::tests::in_program
