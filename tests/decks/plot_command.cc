#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "solver/base/plot.h"
#include "tests/results_deck.h"

// symdyn plot.
namespace symdyn::tests::in_plot_command
{
namespace
{
TEST(Plot, DrawsTheUsualPictures)
{
  const Folder a, b;
  const std::vector<std::string> settings{"Output/Spectra=clamp"};
  ASSERT_EQ(run_written(a, cantilever + dynamics, settings).exit_code, 0);
  ASSERT_EQ(run_written(b, cantilever + dynamics, {"Output/Spectra=clamp", "Time/Time step=0.02"}).exit_code, 0);
  const Outcome outcome = tool(a, "plot " + a.path + "/results " + b.path + "/results --output " + a.path + "/plots");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  for (const auto &[name, words] :
       std::map<std::string, std::vector<std::string>>{{"energy", {"E_kinetic, ", "[J]", "time [s]"}},
                                                       {"balance", {"Energy balance error"}},
                                                       {"linear-momentum", {"P_y", "[kg m/s]"}},
                                                       {"angular-momentum", {"J_z", "[kg m^2/s]"}},
                                                       {"reports-R", {"Reaction", "R [N]", "clamp.R_y, "}},
                                                       {"spectra-R", {"frequency [Hz]", "amplitude [N]", "1e"}}})
  {
    const std::string svg = text_of(a / ("plots/" + name + ".svg"));
    for (const std::string &word : words)
      EXPECT_EQ(has(svg.substr(0, 40) + (svg.find(word) == std::string::npos ? "" : word), word), "") << name;
    EXPECT_NE(svg.find("<polyline points=\"7"), std::string::npos) << name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
  }
  const Outcome wrong = tool(a, "plot " + a.path + "/results --columns clamp.R_yy");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no column 'clamp.R_yy'; it has: clamp.R_y"), "");
}

/// Campbell diagrams, orbits of rotors and backbone curves; a branch that has no frequency at a speed has no point there.
TEST(Plot, Diagrams)
{
  const Folder folder;
  std::filesystem::create_directories(folder / "results");
  const auto write = [&](const std::string &name, const std::string &text) { std::ofstream(folder / ("results/" + name)) << text; };
  write("history.csv", "t [s],E_total [J]\n0,0\n");
  write("campbell-map-plot.csv", "speed [rad/s],branch 1 [Hz],branch 2 [Hz],order 1 [Hz]\n0,1,2,0\n10,nan,2,1.6\n20,1.2,2.5,3.2\n");
  write("campbell-map.csv", "speed [rad/s],branch,frequency [Hz]\n0,1,1\n");
  write("unbalance-whirl.csv", "speed [rad/s],e.orbit [m],e.angle [deg]\n0,0,0\n10,0.1,90\n");
  write("periodic-path-orbits.csv",
        "frequency [Hz],frequency_corrected [Hz],energy [J],amplitude [m],kind\n1,1.1,1,0.1,stable\n2,2.1,3,0.2,fold or branch\n");
  const Outcome outcome = tool(folder, "plot " + folder.path + "/results --output " + folder.path + "/plots");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto lines_of = [&](const std::string &name, const std::vector<std::string> &words) {
    const std::string svg = text_of(folder / ("plots/" + name + ".svg"));
    for (const std::string &word : words)
      EXPECT_NE(svg.find(word), std::string::npos) << name << ": " << word;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
    int lines = 0;
    for (std::size_t at = svg.find("<polyline points"); at != std::string::npos; at = svg.find("<polyline points", at + 1))
      ++lines;
    return lines;
  };
  const auto chosen = [&](const std::string &columns) {
    return tool(folder, "plot " + folder.path + "/results --output " + folder.path + "/plots --columns " + columns);
  };
  ASSERT_EQ(chosen("e.orbit,E_total,amplitude").exit_code, 0) << chosen("e.orbit,E_total,amplitude").terminal;
  EXPECT_EQ(lines_of("columns-unbalance-whirl-orbit", {"e.orbit", "speed [rad/s]"}), 1);
  EXPECT_EQ(lines_of("columns-periodic-path-orbits-amplitude", {"frequency_corrected"}), 1);
  EXPECT_EQ(chosen("kind").exit_code, 1) << "words";
  EXPECT_EQ(chosen("e.orbits").exit_code, 1);
  EXPECT_EQ(lines_of("campbell-map-plot", {"Campbell diagram: map", "branch 2", "order 1", "speed [rad/s]", "frequency [Hz]"}), 3);
  const std::string map = text_of(folder / "plots/campbell-map-plot.svg");
  const auto count = [&map](const std::string &pen) {
    int times = 0;
    for (std::size_t at = map.find(pen); at != std::string::npos; at = map.find(pen, at + 1))
      ++times;
    return times;
  };
  EXPECT_GE(count("stroke=\"#000000\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\""), 1) << "the order is black and dashed";
  EXPECT_EQ(count("stroke=\"#000000\" stroke-width=\"1.5\" stroke-dasharray=\"\""), 0) << "no branch is black";
  EXPECT_EQ(lines_of("unbalance-whirl", {"Orbits by unbalance: whirl", "half axis [m]"}), 1);
  EXPECT_EQ(lines_of("periodic-path-orbits", {"Periodic motions: path", "frequency_corrected [Hz]", "amplitude [m]"}), 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "plots/campbell-map.svg"));
}

/// What a picture says: numbers of an attribute, labels of an axis.
std::vector<std::string> matches(const std::string &svg, const std::string &expression)
{
  const std::regex pattern(expression);
  std::vector<std::string> found;
  for (auto match = std::sregex_iterator(svg.begin(), svg.end(), pattern); match != std::sregex_iterator(); ++match)
    found.push_back((*match)[1]);
  return found;
}

/// An axis as a reader sees it: the straight line through the first and the last tick.
struct ReadAxis
{
  std::vector<double> places, values;

  ReadAxis(const std::string &svg, const bool upright)
  {
    const std::string line = upright ? R"re(y1="([0-9.]+)" x2="[0-9.]+" y2="[0-9.]+" class="grid"/>\n<text [^>]*text-anchor="end")re"
                                     : R"re(<line x1="([0-9.]+)"[^>]*class="grid"/>\n<text [^>]*text-anchor="middle")re";
    for (const std::string &place : matches(svg, line))
      places.push_back(std::stod(place));
    double common = 0;
    for (const std::string &before :
         matches(svg, upright ? "<text x=\"6.0\"[^>]*>([^<]*) \\+</text>" : "<text x=\"78.0\"[^>]*>([^<]*) \\+</text>"))
      common = std::stod(before);
    for (const std::string &label : matches(svg, upright ? R"re(class="grid"/>\n<text [^>]*text-anchor="end">([^<]*)<)re"
                                                         : R"re(class="grid"/>\n<text [^>]*text-anchor="middle">([^<]*)<)re"))
      values.push_back(common + std::stod(label));
  }
  double operator()(const double place) const
  {
    return values.front() + (place - places.front()) / (places.back() - places.front()) * (values.back() - values.front());
  }
};

std::vector<std::vector<std::pair<double, double>>> polylines(const std::string &svg)
{
  const ReadAxis x(svg, false), y(svg, true);
  std::vector<std::vector<std::pair<double, double>>> lines;
  for (const std::string &text : matches(svg, "<polyline points=\"([^\"]*)\""))
  {
    lines.emplace_back();
    std::istringstream in(text);
    double px = 0, py = 0;
    for (char comma = 0; in >> px >> comma >> py;)
      lines.back().emplace_back(x(px), y(py));
  }
  return lines;
}

TEST(Plot, LinesReadBackAreTheValues)
{
  for (const auto &[base, size] : {std::pair{0., 1.}, {41666.67, 1e-3}, {-2e-6, 3e-5}, {7e8, 20.}})
  {
    Plot plot{"t", "time [s]", "[J]", false, {}};
    plot.lines.push_back({"a", {}, {}});
    for (int i = 0; i <= 40; ++i)
    {
      plot.lines[0].x.push_back(1000. + 0.001 * i);
      plot.lines[0].y.push_back(base + size * std::sin(0.3 * i));
    }
    const auto read = polylines(plot.svg());
    ASSERT_EQ(read.size(), 1u);
    ASSERT_EQ(read[0].size(), 41u);
    for (int i = 0; i <= 40; ++i)
    {
      EXPECT_NEAR(read[0][i].first, plot.lines[0].x[i], 0.04 * 0.002) << "0.1 of 570 pixels";
      EXPECT_NEAR(read[0][i].second, plot.lines[0].y[i], 2. * size * 0.002) << base;
    }
  }
}

TEST(Plot, TicksOfARangeOfRoundingEnd)
{
  EXPECT_EQ(round_ticks(0., 1., 6), (std::vector<double>{0., 0.2, 0.4, 0.6000000000000001, 0.8, 1.}));
  EXPECT_EQ(round_ticks(-30., 20., 6), (std::vector<double>{-30., -20., -10., 0., 10., 20.}));
  // Of a conserved quantity: k + 1 = k for the count of steps. These ran until the memory was full.
  for (const double value : {1., 41666.67, -3e-5, 1e300, 5e-324})
    for (int ulps = 1; ulps <= 4; ++ulps)
    {
      double next = value;
      for (int k = 0; k < ulps; ++k)
        next = std::nextafter(next, 1e301);
      EXPECT_LE(round_ticks(value, next, 6).size(), 61u) << value;
      Plot plot{"t", "time [s]", "[J]", false, {{"a", {0., 1., 2.}, {value, next, value}}}};
      const std::string svg = plot.svg();
      EXPECT_LT(svg.size(), 10000u) << value;
      EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    }
}

TEST(Plot, LabelsTellTicksApart)
{
  for (const double size : {1e-1, 1e-3, 1e-6, 1e-9})
  {
    const Plot plot{"t", "time [s]", "[J]", false, {{"a", {0., 1., 2.}, {41666.67 - size, 41666.67 + size, 41666.67}}}};
    const std::string svg = plot.svg();
    const auto labels = matches(svg, R"re(class="grid"/>\n<text [^>]*text-anchor="end">([^<]*)<)re");
    EXPECT_GE(labels.size(), 3u);
    EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size()) << svg;
    for (const std::string &label : labels)
      EXPECT_LE(label.size(), 10u) << "does not fit beside the axis";
  }
}

TEST(Plot, WhatIsNoNumberIsAGap)
{
  const double nan = std::nan("");
  const Plot plot{"t",
                  "time [s]",
                  "[J]",
                  false,
                  {{"a", {0., 1., 2., 3., 4., 5., 6.}, {nan, 1., 2., nan, 5., nan, nan}},
                   {"b", {0., 1., 2., 3., 4., 5., 6.}, {1., 1., 1., 1., 1., 1., 1.}}}};
  const std::string svg = plot.svg();
  const auto lines = polylines(svg);
  ASSERT_EQ(lines.size(), 2u) << svg;
  EXPECT_EQ(lines[0].size(), 2u);
  EXPECT_EQ(lines[1].size(), 7u);
  EXPECT_EQ(matches(svg, "<circle cx=\"([0-9.]+)\"").size(), 1u) << "a point alone";
}

TEST(Plot, UnitsAndMissingColumns)
{
  const Folder folder;
  write_file(folder, "a/history.csv", "time [s],stage,E_kinetic [J],E_balance_error [J],tip.u_x [m]\n0,s,1,0,0\n1,s,2,0,1\n");
  write_file(folder, "b/history.csv", "time [s],stage,E_kinetic [mJ],E_balance_error [mJ]\n0,s,1000,0\n1,s,2000,0\n");
  const std::string plot = "plot " + folder.path + "/a " + folder.path + "/b --output " + folder.path + "/plots ";
  const Outcome outcome = tool(folder, plot);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const std::string J = text_of(folder / "plots/energy.svg"), mJ = text_of(folder / "plots/energy-2.svg");
  EXPECT_EQ(has(J, "[J]"), "");
  EXPECT_EQ(has(J, "E_kinetic, a"), "");
  EXPECT_NE(has(J, "E_kinetic, b"), "") << "1000 mJ beside 1 J on one axis";
  EXPECT_EQ(has(mJ, "[mJ]"), "");
  EXPECT_EQ(has(mJ, "E_kinetic, b"), "");
  for (const auto &[column, says] : {std::pair{"stage", "--columns stage: holds words"},
                                     {"time", "--columns time: is the abscissa"},
                                     {"tip.u_x", "b/history.csv: has no column 'tip.u_x'"}})
  {
    const Outcome refused = tool(folder, plot + "--columns " + column);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(has(refused.terminal, says), "");
  }
}
}  // namespace
}  // namespace symdyn::tests::in_plot_command
