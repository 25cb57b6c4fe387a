// What a Campbell stage says: of stopped runs, of what feeds a motion that grows, of bearings that push, of overdamped modes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <sstream>
#include <thread>

#include "solver/vibration/rotors/speed_branches.h"
#include "tests/rotor_decks.h"

namespace symdyn::tests::in_rotor
{
namespace
{
/// Discs that each need a search, on bearings in fixed axes.
std::string many_discs(const int number)
{
  std::string points = "set Dimension = 2\n", bearings;
  for (int i = 1; i <= number; ++i)
  {
    points += section(fmt::format("disc{}", i), "set Mass = 1\nset Position = 0, 0");
    bearings +=
        section(fmt::format("oil{}", i),
                fmt::format("set At = disc{}\nset Frame = fixed\nset Stiffness = {}, 0, 0, {}\nset Damping = 0.5", i, 100 * i, 130 * i));
  }
  return "set Structure = discrete\n" + section("Points", points) + rotation() + section("Bearings", bearings);
}
std::string own_bearing(const std::string &entries, const std::string &more = "")
{
  return "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0")) +
         rotation() + bearing("set Frame = fixed\n" + entries) + more;
}
}  // namespace

namespace
{
/// What progress.json has once so many speeds are done and a run has been sent SIGTERM.
nlohmann::json stopped(const Folder &folder, const std::string &deck, const int after)
{
  std::ofstream(folder / "deck.prm") << deck;
  const std::string output = folder / "results", file = folder / "deck.prm";
  const pid_t child = fork();
  if (child == 0)
  {
    execl(SYMDYN_BINARY, SYMDYN_BINARY, "run", "--quiet", file.c_str(), "--output", output.c_str(), nullptr);
    _exit(1);
  }
  nlohmann::json progress = nlohmann::json::object();
  for (int k = 0; k < 2000 && progress.value("done", 0) < after; ++k)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress = nlohmann::json::parse(text_of(output + "/progress.json"), nullptr, false);
    if (!progress.is_object())
      progress = nlohmann::json::object();
  }
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  return progress;
}
void expect_speeds(const nlohmann::json &progress, const double last, const int points)
{
  EXPECT_EQ(progress["kind"], "speeds");
  EXPECT_EQ(progress["of"], points);
  EXPECT_NEAR(progress["Omega"].get<double>(), last * progress["done"].get<double>() / (points - 1), last / points);
}
}  // namespace

/// SIGTERM in the middle: the finished speeds are in the tables, which say so; progress counts speeds.
TEST(RotorReports, Stopped)
{
  const Folder folder;
  constexpr int points = 10000;
  expect_speeds(stopped(folder, many_discs(6) + campbell(0., 5., points, "set Modes = 4\nset Frame = fixed"), 3), 5., points);
  const std::string output = folder / "results";
  const Table table = table_of(output + "/campbell-map.csv");
  const double done = table.at("speeds done").front();
  EXPECT_GE(done, 3.);
  ASSERT_LT(done, points) << "the map was done before the signal";
  EXPECT_EQ(table.at("speeds asked").front(), points);
  const std::vector<Line> lines = branch_of(table, 1);
  EXPECT_EQ(double(lines.size()), done);
  EXPECT_EQ(double(table_of(output + "/campbell-map-plot.csv").at("speed").size()), done);
  EXPECT_NEAR(lines.back().speed, 5. * (done - 1.) / (points - 1), 1e-12);
  for (const Line &line : lines)
    EXPECT_NEAR(2. * pi * line.frequency, std::sqrt(100. - 0.0625), 1e-7);
  const std::string log = text_of(output + "/run.log");
  EXPECT_NE(log.find(fmt::format("stage map: stopped after {:.0f} of {} speeds; they are in ", done, points)), std::string::npos) << log;
  EXPECT_NE(log.find("no motion grows at the finished speeds"), std::string::npos) << log;
  EXPECT_EQ(log.find("before it began"), std::string::npos) << log;
}

/// Of a sweep of orbits, too: each finished speed has the orbit that it has in a whole sweep.
TEST(RotorReports, StoppedUnbalance)
{
  const Folder folder;
  constexpr int points = 10000;
  const std::string rim = section("Unbalance", section("rim", "set At = disc1\nset Mass times radius = 1e-3")),
                    whirl = fmt::format("set Type = unbalance\nset Speeds = 1, 5\nset Points = {}", points);
  const nlohmann::json progress = stopped(folder, many_discs(30) + rim + stages(section("whirl", whirl)), 3);
  EXPECT_EQ(progress["kind"], "speeds");
  EXPECT_EQ(progress["of"], points);
  const std::string output = folder / "results";
  const Table table = table_of(output + "/unbalance-whirl.csv");
  const std::size_t done = table.at("speed").size();
  EXPECT_EQ(table.at("speeds done").front(), double(done));
  EXPECT_EQ(table.at("speeds asked").back(), points);
  EXPECT_GE(done, 3u);
  ASSERT_LT(done, std::size_t(points)) << "the sweep was done before the signal";
  for (const std::size_t k : {std::size_t(0), done / 2, done - 1})
  {
    const double speed = 1. + 4. * double(k) / (points - 1);
    EXPECT_NEAR(table.at("speed")[k], speed, 1e-12);
    // x and y by themselves: k_x = 100, k_y = 130, c = 0.5, the force (1, -i) m r Omega^2
    const double force = 1e-3 * speed * speed;
    const Complex i(0., 1.), x = force / Complex(100. - speed * speed, 0.5 * speed),
                             y = -i * force / Complex(130. - speed * speed, 0.5 * speed);
    EXPECT_NEAR(table.at("rim.orbit")[k], 0.5 * (std::abs(x + i * y) + std::abs(x - i * y)), 1e-12);
  }
  const std::string log = text_of(output + "/run.log");
  EXPECT_NE(log.find(fmt::format("stage whirl: stopped after {} of {} speeds; they are in ", done, points)), std::string::npos) << log;
  EXPECT_NE(log.find(fmt::format("orbits by unbalance at {} speeds", done)), std::string::npos) << log;
}

namespace
{
/// The onset, and what is said of it, of a bearing over the speed: k_xx = k_yy = k, k_xy = -k_yx = cross, c, from a speed of 0 to 40.
std::string growth(const Folder &folder, const std::array<double, 3> &first, const std::array<double, 3> &last, const std::string &shaft,
                   const std::string &frame, const double onset)
{
  std::ofstream file(folder / "oil.csv");
  file << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n";
  for (const auto &[speed, at] : {std::pair{0, first}, {40, last}})
    file << fmt::format("{}, {}, {}, {}, {}, {}, 0, 0, {}\n", speed, at[0], at[1], -at[1], at[0], at[2], at[2]);
  file.close();
  const Outcome run =
      run_text(folder, jeffcott(bearing("set File = oil.csv\n" + frame) + shaft) + campbell(0., 40., 5, "set Modes = 2\nset Frame = fixed"),
               {}, 1, " --overwrite");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(run.summary["stages"][0]["onset speed"].get<double>(), onset, 1e-4) << run.terminal;
  return run.summary["stages"][0]["onset cause"];
}
}  // namespace

/// Cross-coupled stiffness from c omega = k_xy on; damping that is below 0 from 20 on; damping that turns from omega_0 (1 + c_e/c_i) on;
/// negative stiffness from k = -100 on; in both frames.
TEST(RotorReports, WhatFeedsAMotionThatGrows)
{
  const Folder folder;
  const std::string damped = "; damping of Bearings takes from it";
  for (const std::string frame : {"", "set Frame = fixed\n"})
  {
    EXPECT_EQ(growth(folder, {0., 0., 1.}, {0., 40., 1.}, "", frame, 10.),
              "Cross-coupled stiffness (k_xy - k_yx) of Bearings oil feeds it" + damped);
    EXPECT_EQ(growth(folder, {0., 0., 1.}, {0., 0., -1.}, "", frame, 20.), "Damping of Bearings oil feeds it");
    EXPECT_EQ(growth(folder, {0., 0., 0.2}, {0., 0., 0.2}, dashpot(0.2), frame, 20.),
              "Damping that turns with the rotor feeds it" + damped);
  }
}

/// Forward whirl of a shaft with two stiffnesses is no single wave in the frame of the rotor, where it goes backward above 15. Its onset
/// is raised by the bearing, so that this one takes from it.
TEST(RotorReports, WhatFeedsAnUnevenShaft)
{
  for (const auto &[more, words] :
       {std::pair<std::string, std::string>{bearing("set Stiffness = 0\nset Damping = 0.08"), "; damping of Bearings takes from it"},
        {"", ""}})
  {
    const Folder folder;
    const nlohmann::json found =
        run_well(folder, jeffcott(dashpot(0.2) + more, 225.) + campbell(15.5, 20.5, 3, "set Modes = 4")).summary["stages"][0];
    EXPECT_EQ(found["onset cause"], "Damping that turns with the rotor feeds it" + words);
    if (!more.empty())
    {
      EXPECT_NEAR(found["onset speed"].get<double>(), 18.0111, 1e-3);
    }
  }
}

TEST(RotorReports, Divergence)
{
  const Folder folder, flat;
  std::string springs;  // of another disc, which is stiff where this one is not
  for (const char *along : {"1, 0", "0, 1"})
    springs += section(along[0] == '1' ? "other_x" : "other_y",
                       fmt::format("set From = other\nset To = ground\nset Anchor = {}\nset Stiffness = 900", along));
  const std::string other = section("Points", section("other", "set Mass = 1\nset Position = 0, 0")) + section("Springs", springs);
  EXPECT_EQ(growth(folder, {0., 0., 0.}, {-190., 0., 0.}, other, "set Frame = fixed\n", 4000. / 190.),
            "Negative stiffness of Bearings oil feeds it");
  EXPECT_NE(text_of(folder / stem + ".csv").find(",divergence\n"), std::string::npos);
  const Outcome run = run_well(flat, jeffcott("", 121.) + campbell(0., 20., 41, "set Modes = 4"));
  EXPECT_EQ(run.summary["stages"][0]["onset cause"], "The centrifugal force beyond the stiffness along this motion feeds it");
  // between 10 and 11: -sigma and sigma, which solve s^4 + (221 + 2 w^2) s^2 + (100 - w^2) (121 - w^2) = 0
  const double w2 = 10.5 * 10.5, b = 221. + 2. * w2, sigma = std::sqrt(0.5 * (std::sqrt(b * b - 4. * (100. - w2) * (121. - w2)) - b));
  std::istringstream rows(text_of(flat / stem + ".csv"));
  std::map<std::string, std::vector<double>> at_10_5;  // Re lambda of each kind
  for (std::string row; std::getline(rows, row);)
    if (row.rfind("10.5,", 0) == 0)
    {
      std::vector<std::string> cells;
      std::istringstream in(row);
      for (std::string cell; std::getline(in, cell, ',');)
        cells.push_back(cell);
      at_10_5[cells.back()].push_back(std::stod(cells[7]));
    }
  EXPECT_EQ(at_10_5.count("overdamped"), 0u);
  ASSERT_GE(at_10_5["divergence"].size(), 1u);
  for (const double re : at_10_5["divergence"])
    EXPECT_NEAR(std::abs(re), sigma, 1e-6);
  EXPECT_EQ(at_10_5["oscillates"].size(), 1u);
  EXPECT_EQ(run.log.find("overdamped"), std::string::npos) << run.log;
  EXPECT_NE(run.log.find("branches of the decaying root of a divergence, in the table alone: 1"), std::string::npos) << run.log;
}

/// Legal, and told with entry and value; what is cross-coupled is not negative.
TEST(RotorReports, BearingsThatPush)
{
  const auto warnings = [](const std::string &entries) {
    const Folder folder;
    std::ofstream(folder / "oil.csv")
        << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n0, 200, 0, 0, 200, 1, 0, 0, 1\n40, 200, 0, 0, 200, 1, "
           "3, 3, 1\n";
    const std::string text =
        run_well(folder, jeffcott(bearing("set Frame = fixed\n" + entries)) + campbell(0., 1., 2, "set Modes = 2\nset Frame = fixed"))
            .terminal;
    std::size_t number = 0;
    for (std::size_t at = text.find("Check the sign"); at != std::string::npos; at = text.find("Check the sign", at + 1))
      ++number;
    return std::pair(number, text);
  };
  for (const auto &[entries, words] :
       {std::pair<std::string, std::string>{
            "set Stiffness = 2, 0, 0, -3",
            "[Bearings/oil] Stiffness = 2, 0, 0, -3: the bearing has k_yy = -3 < 0: along this direction it pushes its node off the axis"},
        {"set Stiffness = 1\nset Damping = -0.5",
         "Damping = -0.5: the bearing has c_xx = -0.5 < 0: along this direction it feeds motions of its node"},
        {"set Stiffness = 1, 2, 2, 1", "k_xx = 1, k_yy = 1 and (k_xy + k_yx)/2 = 2, of which a principal value is -1 < 0"},
        {"set File = oil.csv", "its damping at 40 has c_xx = 1, c_yy = 1 and (c_xy + c_yx)/2 = 3, of which a principal value is -2 < 0"}})
  {
    const auto [number, text] = warnings(entries);
    EXPECT_EQ(number, 1u) << text;
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_EQ(warnings("set Stiffness = 0, 20, -20, 0\nset Damping = 1, 3, -3, 1").first, 0u);
}

/// x decays without going to and fro, y has 12 rad/s: one branch of one mode, and two that are in the table alone.
TEST(RotorReports, OverdampedModes)
{
  const Folder folder;
  const Outcome run = run_well(folder, own_bearing("set Stiffness = 100, 0, 0, 144\nset Damping = 50, 0, 0, 1") +
                                           campbell(0., 20., 3, "set Modes = 1\nset Frame = fixed\nset Engine orders = 1"));
  EXPECT_NE(run.log.find("stage map: 1 branches, frequencies in fixed axes"), std::string::npos) << run.log;
  EXPECT_NE(run.log.find("overdamped branches, in the table alone: 1"), std::string::npos) << run.log;
  const std::string picture = text_of(folder / stem + "-plot.csv");
  EXPECT_EQ(picture.substr(0, picture.find('\n')), "speed [rad/s],branch 2 [Hz],order 1 [Hz]");
  const Table table = table_of(folder / stem + ".csv");
  for (const Line &line : branch_of(table, 1))
  {
    EXPECT_EQ(line.frequency, 0.);
    EXPECT_NEAR(line.re, -25. + std::sqrt(525.), 1e-9);
  }
  for (const Line &line : branch_of(table, 2))
    EXPECT_NEAR(2. * pi * line.frequency, std::sqrt(143.75), 1e-8);
  const std::string rows = text_of(folder / stem + ".csv");
  EXPECT_NE(rows.find(",overdamped\n"), std::string::npos);
  EXPECT_NE(rows.find(",oscillates\n"), std::string::npos);
  EXPECT_EQ(rows.find("speeds done"), std::string::npos) << "of a map that is stopped alone";
}

namespace
{
/// Five discs that decay slowly, and one of 100 rad/s, which grows by `cross` [N/m].
std::string slow_discs_and_a_fast_one(const double cross)
{
  std::string points = "set Dimension = 2\n", bearings;
  const auto add = [&](const std::string &name, const std::string &entries) {
    points += section(name, "set Mass = 1\nset Position = 0, 0");
    bearings += section("oil_" + name, "set At = " + name + "\nset Frame = fixed\n" + entries);
  };
  for (int i = 1; i <= 5; ++i)
    add(fmt::format("slow{}", i), fmt::format("set Stiffness = {}\nset Damping = 500", 10 + i));
  add("fast", fmt::format("set Stiffness = 1e4, {}, -{}, 1e4\nset Damping = 1", cross, cross));
  return "set Structure = discrete\n" + section("Points", points) + rotation() + section("Bearings", bearings);
}
}  // namespace

/// Ten real lambda are lower than the motion that `Modes = 1` asks for; its growth has its cause.
TEST(RotorReports, ModesBehindOverdampedOnes)
{
  const Folder folder;
  const Outcome run = run_well(folder, slow_discs_and_a_fast_one(150.) + campbell(0., 20., 2, "set Modes = 1\nset Frame = fixed"));
  EXPECT_NEAR(omegas_at(table_of(folder / stem + ".csv"), 0.).back(), std::sqrt(Complex(1. - 4e4, 600.)).imag() / 2., 1e-6);
  EXPECT_EQ(run.summary["stages"][0]["onset cause"],
            "Cross-coupled stiffness (k_xy - k_yx) of Bearings oil_fast feeds it; damping of Bearings takes from it");
  EXPECT_NE(run.log.find("no mode missing"), std::string::npos);
  EXPECT_EQ(run.terminal.find("Raise Modes"), std::string::npos) << run.terminal;
}

/// Where the search ends before that motion, it has the number of those that it has found.
TEST(RotorReports, ModesThatAreNotFound)
{
  const auto lacking = [](const std::size_t real, const int most) {
    SpeedModes modes(
        [real](double, const int number) {
          std::vector<RotorMode> all;
          for (std::size_t i = 0; i < std::min<std::size_t>(number, real + 1); ++i)
            all.emplace_back().lambda = i < real ? Complex(-1. - double(i), 0.) : Complex(-1., 100.);
          return all;
        },
        1, most, [](const RotorMode &mode, double) { return mode.lambda.imag() == 0.; });
    modes.at(3.);
    return modes.lacking();
  };
  EXPECT_FALSE(lacking(10, 16));
  EXPECT_FALSE(lacking(0, 1));
  const auto there = lacking(20, 16);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->speed, 3.);
  EXPECT_EQ(there->found, 0);
  EXPECT_EQ(there->asked, 16);
}

/// A lower onset has its own cause, or none.
TEST(RotorReports, CauseGoesWithItsOnset)
{
  const auto of = [](const double onset, const std::string &cause) {
    SpeedBranches one;
    one.onset = onset;
    one.cause = cause;
    return one;
  };
  SpeedBranches all = of(10., "ten");
  all.append(of(12., "twelve"));
  EXPECT_EQ(all.cause, "ten");
  all.append(of(5., ""));
  EXPECT_EQ(all.cause, "");
  all.append(of(7., "seven"));
  EXPECT_EQ(all.cause, "");
  EXPECT_EQ(all.onset, 5.);
}

/// Bearings that take all stiffness away, or have none but k_xy.
TEST(RotorReports, NoStiffnessThatHolds)
{
  const auto growth_at_rest = [](const std::string &deck, const std::string &frame) {
    const Folder folder;
    run_well(folder, deck + campbell(0., 0.5, 2, "set Modes = 4\nset Frame = " + frame));
    double largest = -1.;
    const Table table = table_of(folder / stem + ".csv");
    for (std::size_t i = 0; i < table.at("speed").size(); ++i)
      if (table.at("speed")[i] == 0.)
        largest = std::max(largest, table.at("Re lambda")[i]);
    return largest;
  };
  EXPECT_NEAR(growth_at_rest(jeffcott(bearing("set Frame = fixed\nset Stiffness = -150\nset Damping = 1")), "fixed"),
              0.5 * (std::sqrt(201.) - 1.), 1e-9);
  EXPECT_NEAR(growth_at_rest(jeffcott(bearing("set Stiffness = -150"), 121.), "rotating"), std::sqrt(50.), 1e-9);
  EXPECT_NEAR(growth_at_rest(own_bearing("set Stiffness = 0, 40, -40, 0\nset Damping = 1"), "fixed"),
              0.5 * (std::sqrt(Complex(1., 160.)).real() - 1.), 1e-9);
}

/// The titles of tables, and the log, have the frame of their frequencies.
TEST(RotorReports, FramesOfFrequencies)
{
  for (const auto &[frame, words] :
       {std::pair<std::string, std::string>{"", " in the frame of the rotor"}, {"set Frame = fixed\n", " in fixed axes"}})
  {
    const Folder folder;
    const Outcome run = run_well(
        folder, jeffcott(bearing(frame + "set Stiffness = 1")) + stages(section("spin", "set Type = static\nset Loads = rotation") +
                                                                        section("free", "set Type = complex modes\nset Modes = 2")));
    const std::string head = text_of(folder / "results/complex-modes-free.csv");
    EXPECT_NE(head.find("Im lambda" + words + " [rad/s],damped frequency" + words + " [Hz]"), std::string::npos) << head;
    EXPECT_NE(run.log.find("2 complex modes u exp(lambda t)" + words + "\n"), std::string::npos) << run.log;
    const Folder ground;
    run_well(ground, jeffcott(bearing("set Stiffness = 1")) +
                         campbell(0., 1., 2, std::string("set Modes = 2\nset Frame = ") + (frame.empty() ? "rotating" : "fixed")));
    EXPECT_NE(text_of(ground / stem + ".csv").find(",frequency" + words + " [Hz]"), std::string::npos);
  }
}
}  // namespace symdyn::tests::in_rotor
