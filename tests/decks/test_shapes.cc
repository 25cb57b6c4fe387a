// Modes beside a test, and beside other runs.
#include <cmath>

#include "solver/testdata/universal_file.h"
#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_test_shapes
{
namespace
{
std::string cantilever(const std::string &cells, const std::string &entries)
{
  return section("Mesh", "set Type = box\nset Subdivisions = " + cells + "\nset Order = 2\n" + section("box", "set Size = 1, 0.06, 0.04")) +
         elastic(210e9, 0.3, 7850.) + section("Supports", section("root", "set Boundary = x-")) +
         stages(section("forms", "set Type = modes\nset Modes = 5\n" + entries));
}
const std::string coarse = "8, 1, 1";

/// Shapes of the run at a few nodes, in another order, other signs, and scaled.
UniversalFile shapes_of(const Folder &folder, const std::vector<int> &order)
{
  run_well(folder, cantilever(coarse, ""));
  const Outcome written = tool(folder, "export " + (folder / "results"));
  EXPECT_EQ(written.exit_code, 0) << written.terminal;
  const UniversalFile all = UniversalFile::read(folder / "results/modes.unv");
  UniversalFile test;
  test.length_factor = 1000.;  // millimetres
  test.unit_of_length = "mm";
  for (const auto &[number, X] : all.nodes)
    if (number % 7 == 0)
      for (int d = 0; d < 3; ++d)
        test.nodes[number][d] = 1000. * X[d];
  int mode = 1;
  for (const int i : order)
  {
    UniversalFile::Shape shape = all.shapes[i];
    for (auto at = shape.at.begin(); at != shape.at.end();)
      if (test.nodes.count(at->first) == 0)
        at = shape.at.erase(at);
      else
      {
        for (auto &u : at->second)
          u *= -3.;
        ++at;
      }
    shape.mode = mode++;
    test.shapes.push_back(shape);
  }
  return test;
}

struct Compared
{
  std::map<std::string, std::vector<double>> pairs;
  nlohmann::json summary;
};
Compared compared(const UniversalFile &test, const std::string &more = "", const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "test.unv") << test.text(false);
  const Outcome run = run_well(folder, cantilever(coarse, section("Test data", "set File = test.unv\n" + more)), settings, ranks);
  return {table_of(folder / "results/mac-forms-pairs.csv"), run.summary};
}
}  // namespace

TEST(TestShapes, PairsOfAMixedOrder)
{
  const Folder folder;
  const UniversalFile test = shapes_of(folder, {3, 0, 2});
  const Compared found = compared(test);
  EXPECT_EQ(found.pairs.at("mode of test"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(found.pairs.at("mode of model"), (std::vector<double>{4, 1, 3}));
  for (const double value : found.pairs.at("MAC"))
    EXPECT_NEAR(value, 1., 1e-9);
  for (const double value : found.pairs.at("MAC by mass"))
    EXPECT_NEAR(value, 1., 1e-9);
  for (const double value : found.pairs.at("difference"))
    EXPECT_NEAR(value, 0., 1e-3);
}

TEST(TestShapes, SameOnRanks)
{
  const Folder folder;
  const UniversalFile test = shapes_of(folder, {1, 0});
  const Compared one = compared(test), two = compared(test, "", {}, 2);
  EXPECT_EQ(one.pairs.at("mode of model"), two.pairs.at("mode of model"));
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(one.pairs.at("MAC")[k], two.pairs.at("MAC")[k], 1e-9);
}

/// Sensors that point against an axis, by the file of sensors. One that is wrong lowers the MAC and has the least COMAC.
TEST(TestShapes, SensorsOfAFile)
{
  const Folder folder;
  UniversalFile test = shapes_of(folder, {0, 1, 2});
  std::string lines = "# node, x, y, z, direction\n";
  for (const auto &[number, X] : test.nodes)
    for (const char *axis : {"-y", "z"})
      lines += fmt::format("{}, {:.9g}, {:.9g}, {:.9g}, {}\n", number, X[0] / 1000., X[1] / 1000., X[2] / 1000., axis);
  for (UniversalFile::Shape &shape : test.shapes)
    for (auto &at : shape.at)
      at.second[1] = -at.second[1];  // along -y
  const auto run = [&](const std::string &sensors) {
    const Folder own;
    std::ofstream(own / "test.unv") << test.text(false);
    std::ofstream(own / "sensors.txt") << sensors;
    run_well(own, cantilever(coarse, section("Test data", "set File = test.unv\nset Sensors = sensors.txt")));
    std::map<std::string, double> of_sensors;
    std::ifstream in(own / "results/mac-forms-sensors.csv");
    std::string line;
    for (std::getline(in, line); std::getline(in, line);)
      of_sensors[line.substr(0, line.find(','))] = std::stod(line.substr(line.find(',') + 1));
    return std::pair{table_of(own / "results/mac-forms-pairs.csv"), of_sensors};
  };
  const auto [right, of_right] = run(lines);
  for (const double value : right.at("MAC"))
    EXPECT_NEAR(value, 1., 1e-9);
  EXPECT_EQ(of_right.size(), 2 * test.nodes.size());
  test.shapes[0].at.rbegin()->second[1] *= 0.3;  // of the first shape alone: the sensor had a fault
  test.shapes[0].at.rbegin()->second[2] *= 0.3;
  const auto [wrong, of_wrong] = run(lines);
  EXPECT_LT(wrong.at("MAC")[0], 0.99);
  const auto least = std::min_element(of_wrong.begin(), of_wrong.end(), [](const auto &a, const auto &b) {
    return a.second < b.second || (std::isnan(b.second) && !std::isnan(a.second));  // a node of the support does not move
  });
  EXPECT_EQ(std::stoi(least->first), test.nodes.rbegin()->first);
  EXPECT_LT(least->second, 0.99);
}

/// Sensors with 3 % of noise, a model that is 3 % too stiff, and a mode in the plane of the plate, which sensors across it do not see.
TEST(TestShapes, Example)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/modal-test.prm");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const auto pairs = table_of(folder / "results/mac-forms-pairs.csv");
  EXPECT_EQ(pairs.at("mode of model"), (std::vector<double>{1, 2, 3, 4, 6}));
  for (std::size_t k = 0; k < 5; ++k)
  {
    EXPECT_GT(pairs.at("MAC")[k], 0.99);
    EXPECT_GT(pairs.at("MAC by mass")[k], 0.98);
    // 1.5 % of stiffness, the noise of 0.2 %, and what a mesh of half as many cells is stiffer
    EXPECT_GT(pairs.at("difference")[k], 1.);
    EXPECT_LT(pairs.at("difference")[k], 4.);
  }
}

TEST(TestShapes, Refused)
{
  const Folder folder;
  const UniversalFile test = shapes_of(folder, {0});
  const auto refused = [&](const std::string &text, const std::string &entries, const std::string &words, const std::string &sensors = "") {
    const Folder own;
    std::ofstream(own / "test.unv") << text;
    std::ofstream(own / "sensors.txt") << sensors;
    const Outcome run = run_text(own, cantilever(coarse, section("Test data", "set File = test.unv\n" + entries)));
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_EQ(has(run.terminal, words), "");
  };
  const std::string text = test.text(false);
  refused(text, "set Units = 1", "from the nearest node, (1, 0.06, 0.04); the Tolerance is 0.01");  // millimetres as metres
  refused(text, "set Units = mm", "must be automatic, or a number > 0");
  refused(text.substr(0, text.size() / 2), "", "the file ends within a dataset");
  refused("1, 2, 3\n", "", "this is no universal file");
  refused("    -1\n   151\n    -1\n", "", "the file has no shapes (dataset 55");
  refused(text, "set Sensors = sensors.txt", "sensors.txt:2: '12  0.5  0  0.1  w' is no sensor", "\n12, 0.5, 0, 0.1, w\n");
  refused(text, "set Sensors = sensors.txt", "there are no sensors", "# none\n");
  refused(text, "set Sensors = sensors.txt", "has no node 1, where there is the sensor 1.x", "1, 0.5, 0, 0, x\n");
  refused(text, "set Sensors = gone.txt", "gone.txt");
  std::string broken = text;
  broken.replace(broken.rfind("e-"), 2, "x-");
  refused(broken, "", "is not a number");
}

TEST(TestShapes, CommandsMacAndExport)
{
  const Folder folder, other;
  run_well(folder, cantilever(coarse, ""));
  run_well(other, cantilever("10, 2, 1", ""));
  const Outcome mac = tool(folder, "mac " + (folder / "results") + " " + (other / "results") + " --output " + (folder / "mac"));
  ASSERT_EQ(mac.exit_code, 0) << mac.terminal;
  const auto pairs = table_of(folder / "mac-pairs.csv");
  ASSERT_EQ(pairs.at("MAC").size(), 5u);
  for (std::size_t k = 0; k < 5; ++k)
  {
    EXPECT_EQ(pairs.at("mode of A")[k], pairs.at("mode of B")[k]);
    EXPECT_GT(pairs.at("MAC")[k], 0.99);
  }
  EXPECT_EQ(has(text_of(folder / "mac.svg"), "</svg>"), "");
  ASSERT_EQ(tool(folder, "export " + (folder / "results") + " --output " + (folder / "out.unv")).exit_code, 0);
  const Outcome beside = tool(folder, "mac " + (folder / "out.unv") + " " + (other / "results"));
  EXPECT_EQ(beside.exit_code, 0) << beside.terminal;
  // Parabolic bricks: nodes of edges stand between their corners.
  const std::string text = text_of(folder / "out.unv");
  const UniversalFile file = UniversalFile::read(folder / "out.unv");
  std::istringstream in(text.substr(text.find("  2412\n") + 7));
  int number = 0, descriptor = 0, other_numbers = 0, count = 0, elements = 0;
  while (in >> number && number != -1)
  {
    in >> descriptor >> other_numbers >> other_numbers >> other_numbers >> count;
    ASSERT_EQ(descriptor, 116);
    ASSERT_EQ(count, 20);
    std::array<std::array<double, 3>, 20> X{};
    for (auto &x : X)
    {
      in >> number;
      x = file.nodes.at(number);
    }
    ++elements;
    const auto middle = [&](const int m, const int a, const int b) {
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(X[m][d], 0.5 * (X[a][d] + X[b][d]), 1e-6);
    };
    for (int e = 0; e < 8; e += 2)
    {
      middle(e + 1, e, (e + 2) % 8);
      middle(e + 13, e + 12, 12 + (e + 2) % 8);
      middle(8 + e / 2, e, 12 + e);
    }
  }
  EXPECT_EQ(elements, 8);
  struct Wrong
  {
    std::string words, message;
  };
  for (const Wrong &wrong : {Wrong{"mac " + (folder / "gone") + " " + (other / "results"), "gone"},
                             {"mac " + (folder / "results") + " " + (folder / "out.unv"), "the second of both must be results of a run"},
                             {"mac " + (folder / "out.unv") + " " + (other / "results") + " --factor 1000", "from the nearest node"},
                             {"export " + (folder / "results") + " --output " + (folder / "out.unv"), "the file is there already"}})
  {
    const Outcome refused = tool(folder, wrong.words);
    EXPECT_EQ(refused.exit_code, 1) << wrong.words;
    EXPECT_EQ(has(refused.terminal, wrong.message), "");
  }
}
}  // namespace symdyn::tests::in_test_shapes
