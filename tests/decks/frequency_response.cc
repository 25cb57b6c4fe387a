// Frequency response functions: between places, of loads, their files, and beside a test.
#include <cmath>
#include <complex>

#include "solver/testdata/universal_file.h"
#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_frequency_response
{
namespace
{
using Complex = std::complex<double>;
using Table = std::map<std::string, std::vector<double>>;
const double pi = std::acos(-1.);

/// m1 - k1, c1 - wall; m2 - k2, c2 - m1: the matrices are K = [k1 + k2, -k2; -k2, k2], C alike, M diagonal.
struct TwoMasses
{
  double m1 = 2., m2 = 0.5, k1 = 900., k2 = 250., c1 = 3., c2 = 0.4;
  std::string deck(const std::string &entries) const
  {
    const auto between = [](const char *from, const char *to, const char *entry, const double value) {
      return fmt::format("set From = {}\nset To = {}\nset {} = {:.17g}", from, to, entry, value);
    };
    return "set Structure = discrete\n" +
           section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                                 section("one", fmt::format("set Mass = {}\nset Position = 1", m1)) +
                                 section("two", fmt::format("set Mass = {}\nset Position = 2", m2))) +
           section("Springs",
                   section("a", between("wall", "one", "Stiffness", k1)) + section("b", between("one", "two", "Stiffness", k2))) +
           section("Dashpots",
                   section("a", between("wall", "one", "Coefficient", c1)) + section("b", between("one", "two", "Coefficient", c2))) +
           section("Forces", section("shake", "set Points = two\nset Force = 7")) +
           stages(section("frf", "set Type = frequency response\nset Frequencies = 1, 9\nset Points = 9\n" + entries));
  }
  /// Of the force at `input`.
  std::array<Complex, 2> receptance(const double f, const int input) const
  {
    const double w = 2. * pi * f;
    const Complex a(k1 + k2 - w * w * m1, w * (c1 + c2)), b(-k2, -w * c2), d(k2 - w * w * m2, w * c2), det = a * d - b * b;
    return input == 0 ? std::array<Complex, 2>{d / det, -b / det} : std::array<Complex, 2>{-b / det, a / det};
  }
};

Complex value(const Table &table, const std::string &title, const std::size_t k)
{
  return std::polar(table.at("amplitude " + title)[k], table.at("phase " + title)[k] * pi / 180.);
}

Table response(const Folder &folder, const std::string &deck, const Settings &settings = {}, const int ranks = 1)
{
  run_well(folder, deck, settings, ranks);
  return table_of(folder / "results/response-frf.csv");
}
Table response(const std::string &deck, const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  return response(folder, deck, settings, ranks);
}

/// With a probe between nodes, and a load.
const std::string cantilever = damped_cantilever(20) + section("Probes", section("inside", "set Point = 0.513, 0.0213")) +
                               section("Loads", section("push", "set Type = traction\nset Boundary = y+\nset Traction = 0, 10"));
std::string cantilever_with(const std::string &entries)
{
  return cantilever +
         stages(section("frf",
                        "set Type = frequency response\nset Inputs = tip.y, inside.y\nset Frequencies = 10, 1500\nset Points = "
                        "12\nset Structural damping = 0.02\n" +
                            entries));
}

double largest_difference(const Table &one, const Table &other)
{
  double largest = 0.;
  for (const auto &[title, amplitude] : one)
    if (title.rfind("amplitude ", 0) == 0)
    {
      const std::string name = title.substr(10);
      const double size = *std::max_element(amplitude.begin(), amplitude.end());
      for (std::size_t k = 0; k < amplitude.size() && size > 1e-15; ++k)
        largest = std::max(largest, std::abs(value(one, name, k) - value(other, name, k)) / size);
    }
  return largest;
}
}  // namespace

TEST(FrequencyResponse, TwoMassesInClosedForm)
{
  const TwoMasses masses;
  const std::vector<std::string> names{"one", "two"};
  for (const char *method : {"direct", "fast"})
  {
    const std::string deck = masses.deck(fmt::format("set Inputs = one.x, two.x\nset Method = {}", method));
    const Table u = response(deck), v = response(deck, {"Stages/frf/Quantity=mobility"}),
                a = response(deck, {"Stages/frf/Quantity=accelerance"}), Z = response(deck, {"Stages/frf/Quantity=dynamic stiffness"});
    ASSERT_EQ(u.at("frequency").size(), 9u);
    for (std::size_t k = 0; k < 9; ++k)
    {
      const double f = u.at("frequency")[k], w = 2. * pi * f;
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i)
        {
          const Complex H = masses.receptance(f, j)[i];
          const std::string title = names[i] + ".x/" + names[j] + ".x";
          EXPECT_LT(std::abs(value(u, title, k) - H), 1e-8 * std::abs(H)) << method << title << f;
          EXPECT_LT(std::abs(value(v, title, k) - Complex(0., w) * H), 1e-8 * w * std::abs(H)) << method << title << f;
          EXPECT_LT(std::abs(value(a, title, k) + w * w * H), 1e-8 * w * w * std::abs(H)) << method << title << f;
        }
      EXPECT_LT(std::abs(value(Z, "one.x/one.x", k) - Complex(masses.k1 + masses.k2 - w * w * masses.m1, w * (masses.c1 + masses.c2))),
                1e-5);
      EXPECT_LT(std::abs(value(Z, "two.x/one.x", k) - Complex(-masses.k2, -w * masses.c2)), 1e-5);
      EXPECT_LT(std::abs(value(Z, "two.x/two.x", k) - Complex(masses.k2 - w * w * masses.m2, w * masses.c2)), 1e-5);
    }
  }
}

/// A load of 7 N is an input of size one: seven times the receptance.
TEST(FrequencyResponse, LoadIsAnInput)
{
  const TwoMasses masses;
  const Table u = response(masses.deck("set Inputs = shake\nset Outputs = one"));
  for (std::size_t k = 0; k < 9; ++k)
  {
    const Complex H = 7. * masses.receptance(u.at("frequency")[k], 1)[0];
    EXPECT_LT(std::abs(value(u, "one.x/shake", k) - H), 1e-9 * std::abs(H));
  }
}

/// A probe between nodes is pushed where it is measured, so that the matrix is symmetric; answers are those of a harmonic stage.
TEST(FrequencyResponse, AsHarmonicStages)
{
  const Folder folder;
  const std::string deck = cantilever_with("set Outputs = tip, inside");
  const Table direct = response(folder, deck);
  const nlohmann::json summary = nlohmann::json::parse(text_of(folder / "results/summary.json"));
  for (const auto &stage : summary["stages"])
    EXPECT_LT(stage["reciprocity"].get<double>(), 1e-8);
  for (std::size_t k = 0; k < direct.at("frequency").size(); ++k)
    EXPECT_LT(std::abs(value(direct, "tip.y/inside.y", k) - value(direct, "inside.y/tip.y", k)),
              1e-8 * direct.at("amplitude tip.y/tip.y")[k]);
  const Folder other;
  run_well(other, cantilever + section("Forces", section("shake", "set Points = tip\nset Force = 0, 1")) +
                      stages(section(
                          "sweep",
                          "set Type = harmonic\nset Loads = shake\nset Frequencies = 10, 1500\nset Points = 12\nset Structural damping = "
                          "0.02")));
  const Table harmonic = table_of(other / "results/harmonic-sweep.csv");
  for (std::size_t k = 0; k < 12; ++k)
    for (const auto &[mine, its] : {std::pair{"tip.y/tip.y", "tip.y"}, {"inside.y/tip.y", "inside.u_y"}})
      EXPECT_LT(std::abs(value(direct, mine, k) - value(harmonic, its, k)), 1e-8 * harmonic.at(std::string("amplitude ") + its)[k]);
}

TEST(FrequencyResponse, MethodsAgreeOnRanks)
{
  const std::string deck = cantilever_with("set Outputs = tip, inside");
  const Table direct = response(deck);
  EXPECT_LT(largest_difference(direct, response(deck, {"Stages/frf/Method=fast", "Stages/frf/Sweep tolerance=1e-8"})), 1e-7);
  EXPECT_LT(largest_difference(direct, response(deck, {}, 2)), 1e-7);
  EXPECT_LT(largest_difference(direct, response(deck, {"Stages/frf/Method=fast", "Stages/frf/Sweep tolerance=1e-8"}, 3)), 1e-7);
  // Modes: without the dashpot, which couples them. The correction has what the modes above answer, without loss: little damping.
  const std::string free = [&] {
    std::string text = deck;
    const std::string drag = section("Dashpots", section("drag", "set Points = tip\nset Coefficient = 200"));
    text.replace(text.find("set Structural damping = 0.02"), 29, "set Structural damping = 0.002");
    return text.erase(text.find(drag), drag.size());
  }();
  const Table exact = response(free), modal = response(free, {"Stages/frf/Method=modal", "Stages/frf/Modes=12"}),
              cut = response(free, {"Stages/frf/Method=modal", "Stages/frf/Modes=12", "Stages/frf/Static correction=no"});
  // What is left is (omega/omega_n)² of the modes above: more modes, less of it.
  const double of_twelve = largest_difference(exact, modal),
               of_thirty = largest_difference(exact, response(free, {"Stages/frf/Method=modal", "Stages/frf/Modes=30"}));
  EXPECT_LT(of_twelve, 1e-3);
  EXPECT_LT(of_thirty, 0.3 * of_twelve) << of_thirty;
  EXPECT_GT(largest_difference(exact, cut), 3. * of_twelve);
}

TEST(FrequencyResponse, FilesHoldTheTable)
{
  const Folder folder;
  const TwoMasses masses;
  const Table table =
      response(folder, masses.deck("set Inputs = one.x, shake\nset Outputs = two, one\nset Export = uff58, uff58b, npz, mat"));
  for (const auto &[file, tolerance] : {std::pair{"response-frf.uff", 1e-12}, {"response-frf-bytes.uff", 1e-15}})
  {
    const UniversalFile content = UniversalFile::read(folder / (std::string("results/") + file));
    ASSERT_EQ(content.functions.size(), 4u);
    EXPECT_EQ(content.nodes.size(), 2u);
    EXPECT_EQ(content.functions[0].titles.front(), "two.x/one.x");
    EXPECT_EQ(content.functions[0].response.name, "two");
    EXPECT_EQ(content.functions[0].below.type, 13);
    EXPECT_EQ(content.functions[2].below.type, 1) << "a load is no force";
    for (const UniversalFile::Function &function : content.functions)
      for (std::size_t k = 0; k < 9; ++k)
      {
        EXPECT_DOUBLE_EQ(function.abscissa[k], table.at("frequency")[k]);
        EXPECT_LT(std::abs(function.values[k] - value(table, function.titles.front(), k)), 4. * tolerance * std::abs(function.values[k]));
      }
  }
  // NumPy reads the archive: its own CRC, header and shape.
  const std::string script =
      write_file(folder, "read.py",
                 "import numpy as np\nz = np.load('" + (folder / "results/response-frf.npz") +
                     "')\nassert z['H'].shape == (9, 2, 2) and z['H'].dtype == complex, z['H'].shape\n"
                     "assert list(z['outputs']) == [b'two.x', b'one.x'] and list(z['inputs']) == [b'one.x', b'shake']\n"
                     "print(repr(abs(z['H'][4, 1, 0])))\n");
  const Outcome read = command(folder, "/usr/bin/python3 " + script);
  ASSERT_EQ(read.exit_code, 0) << read.terminal;
  EXPECT_NEAR(std::stod(read.terminal) / table.at("amplitude one.x/one.x")[4], 1., 1e-15);
  // MATLAB, level 4: frequency (9 x 1), H (9 x 4, complex) behind it.
  const std::string mat = text_of(folder / "results/response-frf.mat");
  const auto integer = [&](const std::size_t at) { return *reinterpret_cast<const std::int32_t *>(mat.data() + at); };
  EXPECT_EQ((std::array{integer(0), integer(4), integer(8), integer(12), integer(16)}), (std::array{0, 9, 1, 0, 10}));
  const std::size_t second = 20 + 10 + 9 * 8;
  EXPECT_EQ((std::array{integer(second), integer(second + 4), integer(second + 8), integer(second + 12)}), (std::array{0, 9, 4, 1}));
}

/// A test that is the model itself has FRAC = 1, in another quantity and with a sensor that points the other way; one of another damping
/// has less.
TEST(FrequencyResponse, BesideATest)
{
  const Folder folder, other;
  TwoMasses masses;
  response(other, masses.deck("set Inputs = one.x\nset Export = uff58b\nset Quantity = accelerance"), {"Stages/frf/Points=400"});
  UniversalFile test = UniversalFile::read(other / "results/response-frf-bytes.uff");
  for (UniversalFile::Function &function : test.functions)
    if (function.response.name == "two")
    {
      function.response.direction = -1;
      for (Complex &one : function.values)
        one = -one;
    }
  std::ofstream(folder / "test.uff") << test.text(true);
  const auto frac_of = [&](const Settings &settings) {
    Settings all{"Stages/frf/Points=400"};
    all.insert(all.end(), settings.begin(), settings.end());
    const Folder run;
    std::filesystem::copy(folder / "test.uff", run / "test.uff");
    run_well(run, masses.deck("set Inputs = one.x\n" + section("Test data", "set File = test.uff")), all);
    std::ifstream in(run / "results/frac-frf.csv");
    std::string line;
    std::map<std::string, double> values;
    for (std::getline(in, line); std::getline(in, line);)
      values[line.substr(0, line.find(','))] = std::stod(line.substr(line.rfind(',') + 1));
    return values;
  };
  const auto same = frac_of({});
  ASSERT_EQ(same.size(), 2u);
  EXPECT_NEAR(same.at("one.x"), 1., 1e-10);
  EXPECT_NEAR(same.at("two.x"), 1., 1e-10);
  const auto softer = frac_of({"Springs/b/Stiffness=150"});
  EXPECT_LT(softer.at("two.x"), 0.8);
}

/// A sweep that is stopped keeps its rows; its restart is the straight run to the last bit.
TEST(FrequencyResponse, StoppedAndResumed)
{
  const std::string deck = cantilever_with("set Outputs = tip, inside");
  const Settings many{"Stages/frf/Points=150"};
  const Folder straight, split;
  run_well(straight, deck, many);
  const Outcome stopped = run_text(split, deck, many, 1, "--max-wall-time 0.2");
  ASSERT_EQ(stopped.exit_code, 4) << stopped.terminal;
  EXPECT_EQ(has(stopped.log, "of 150 frequencies"), "");
  const std::size_t rows = table_of(split / "results/response-frf.csv")["frequency"].size();
  EXPECT_GT(rows, 0u);
  EXPECT_LT(rows, 150u);
  const Outcome resumed = command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.terminal;
  EXPECT_EQ(text_of(split / "results/response-frf.csv"), text_of(straight / "results/response-frf.csv"));
}

TEST(FrequencyResponse, Refused)
{
  const TwoMasses masses;
  const auto refused = [&](const std::string &entries, const std::string &words, const std::vector<std::string> &settings = {}) {
    expect_refused(masses.deck(entries), words, settings);
  };
  refused("", "a frequency response needs its inputs");
  refused("set Inputs = on.x", "there is no place or load 'on'; there are probes and points: one");
  refused("set Inputs = one", "'one' has no axis. Write one.x");
  refused("set Inputs = one.y", "'one.y' has no axis. Write one.x");
  refused("set Inputs = one.x, one.x", "Inputs = one.x, one.x: 'one.x' is named twice. Remove one");
  refused("set Inputs = wall.x", "'wall.x' acts on what supports hold, and moves nothing");
  refused("set Inputs = one.x\nset Outputs = shake", "Outputs = shake: there is no place 'shake'");
  refused("set Inputs = one.x\nset Export = uff, npz", "'uff' is none of csv, uff58, uff58b, npz, mat");
  refused("set Inputs = one.x\nset Loads = shake", "applies its Inputs, one at a time");
  refused("set Inputs = shake\nset Quantity = dynamic stiffness", "there is no place 'shake'");
  refused("set Inputs = one.x\nset Outputs = two\nset Quantity = dynamic stiffness", "of a dynamic stiffness are its Inputs");
  refused("set Inputs = one.x\n" + section("Test data", "set Tolerance = 1"), "Test data need a universal file");
  refused("set Inputs = one.x\n" + section("Test data", "set File = gone.uff"), "gone.uff: the file cannot be read");
  refused("set Inputs = one.x\nset Sweep tolerance = 1e-3", "has no effect with Method = direct");
  std::string acts = masses.deck("set Inputs = shake");
  acts.insert(acts.find("subsection frf"), section("rest", "set Type = static"));
  expect_refused(acts, "load 'shake' acts already, at rest, and cannot be an input, too");
}
}  // namespace symdyn::tests::in_frequency_response
