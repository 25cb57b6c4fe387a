// What `symdyn verify` says of schemes through impacts, and the stiffness that a contact chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_contact_proof
{
namespace
{
nlohmann::json verdicts(const Folder &folder, const std::string &deck, const std::string &scheme, const int steps, const int exit_code = 0)
{
  write(folder / "deck.prm", deck);
  const Outcome run = command(folder, fmt::format("{} verify {} --scheme {} --steps {} --report {}/report --overwrite", SYMDYN_BINARY,
                                                  folder / "deck.prm", scheme, steps, folder.path));
  EXPECT_EQ(run.exit_code, exit_code) << run.terminal;
  nlohmann::json all;
  if (std::ifstream file(folder / "report/verify.json"); file)
    for (const auto &one : nlohmann::json::parse(file))
      all[one["property"].get<std::string>()] = one;
  return all;
}

void expect_kept(const nlohmann::json &all, const std::vector<std::string> &properties)
{
  for (const std::string &property : properties)
  {
    ASSERT_TRUE(all.contains(property)) << property;
    EXPECT_EQ(all[property]["verdict"], "kept") << all[property];
  }
}

/// Beginnings of a contact's pressure.
int impacts(const History &history, const std::string &contact)
{
  const std::vector<double> &p = history[contact + ".pressure"];
  int number = 0;
  for (std::size_t i = 1; i < p.size(); ++i)
    number += p[i] > 0. && p[i - 1] == 0.;
  return number;
}

/// Soft blocks in a row between two walls, 0.1 m apart from each other and from the walls; the first flies.
std::string between_walls(const Folder &folder, const int blocks, const std::string &contact)
{
  std::vector<Blocks::Block> row;
  for (int i = 0; i < blocks; ++i)
    row.push_back({{1.1 * i, 0.02 * i, 0.03 * i}, {1., 1., 1.}, {2, 2, 2}});
  Blocks(row).write(folder / "row.msh");
  std::string materials, hits = section("left", "set Between = first-x-, west\n" + contact);
  for (int i = 0; i < blocks; ++i)
    materials += section(i == 0 ? "first" : "second", "set Type = neo-hooke-log\nset E = 900\nset nu = 0.3\nset Density = 1");
  hits += section("right", fmt::format("set Between = {}-x+, east\n{}", blocks == 1 ? "first" : "second", contact));
  if (blocks == 2)
    hits += section("hit", "set Between = first-x+, second-x-\n" + contact);
  return section("Mesh", "set Dimension = 3\nset Type = file\nset File = row.msh") + section("Materials", materials) +
         section("Elements", "set Mass = lumped") +
         section("Obstacles",
                 section("west", "set Type = plane\nset Point = -0.1, 0, 0\nset Normal = 1, 0, 0") +
                     section("east", fmt::format("set Type = plane\nset Point = {}, 0, 0\nset Normal = -1, 0, 0", 1.1 * blocks))) +
         section("Contact", hits) + section("Initial conditions", "set Velocity = if(x < 1.05, 3, 0), 0, 0") +
         section("Time", "set Time step = 0.002\nset End time = 0.8") + section("Integrator", "set Scheme = midpoint") +
         section("Output", "set Write every = never");
}

const std::vector<std::string> of_the_form{"one-step form", "form", "form, neighbours", "reversible"};

void expect_form_through_impacts(const int blocks, const std::vector<std::string> &schemes)
{
  const Folder folder;
  const std::string deck = between_walls(folder, blocks, "set Layer = 0.08\nset Side = outside");
  const History history = run_well(folder, deck).history;
  EXPECT_GE(impacts(history, "left") + impacts(history, "right"), 5);
  if (blocks == 2)
  {
    EXPECT_GE(impacts(history, "hit"), 5);
  }
  for (const std::string &scheme : schemes)
  {
    SCOPED_TRACE(scheme);
    const nlohmann::json all = verdicts(folder, deck, scheme, 400);
    expect_kept(all, of_the_form);
    EXPECT_LT(all["form"]["value"], 1e-10);
    EXPECT_LT(all["form, neighbours"]["value"], 1e-5);
  }
}

double stiffness_in(const std::string &log)
{
  const std::size_t at = log.find(" k = ");
  return at == std::string::npos ? NAN : std::stod(log.substr(at + 5));
}
}  // namespace

/// The modulus is that of the softer body, not that of another part of the deck.
TEST(ContactProof, StiffnessIsThatOfTheSofterBody)
{
  const CollidingBlocks two;
  const auto stiffness = [&](const double first, const double second) {
    return stiffness_in(run_well(two.folder, two.deck,
                                 {fmt::format("Materials/first/E={}", first), fmt::format("Materials/second/E={}", second),
                                  "Time/Time step=1e-5", "Time/End time=2e-5"})
                            .log);
  };
  EXPECT_NEAR(stiffness(900., 900.), 10. * 900. / (1. / 3.), 1.);
  EXPECT_EQ(stiffness(9e4, 900.), stiffness(900., 900.));
  EXPECT_EQ(stiffness(900., 9e4), stiffness(900., 900.));
  EXPECT_NEAR(stiffness(9e4, 9e4), 10. * 9e4 / (1. / 3.), 100.);
}

TEST(ContactProof, ABlockBetweenWallsKeepsTheForm) { expect_form_through_impacts(1, {"zhang-skeel"}); }

TEST(ContactProof, EveryKindOfSchemeKeepsTheFormNightly)
{
  const std::vector<std::string> schemes{"midpoint", "variational-newmark", "newmark", "central-difference", "yoshida4", "zhang-skeel"};
  for (const int blocks : {1, 2})
    expect_form_through_impacts(blocks, schemes);
}

/// Reference R15: eleven masses in a row, 900 N/m between them, fall on a floor, which is a potential of the foot: the barrier of 450 J.
/// The control: with a penalty the energy is not bounded.
TEST(ContactProof, MassesOnABarrierKeepTheForm)
{
  const auto deck = [](const std::string &floor) {
    const auto point = [](const int i, const double mass) {
      return section(fmt::format("m{}", i), fmt::format("set Position = {:.15g}\nset Mass = {}\nset Velocity = -3", i + 0.3, mass));
    };
    std::string points = "set Dimension = 1\n", springs, inner = "m1";
    for (int i = 0; i < 11; ++i)
      points += point(i, i == 0 ? 0.25 : i == 10 ? 0.5 : 1.);
    for (int i = 0; i < 10; ++i)
      springs += section(fmt::format("s{}", i), fmt::format("set From = m{}\nset To = m{}\nset Stiffness = 900\nset Length = 1", i, i + 1));
    for (int i = 2; i < 10; ++i)
      inner += fmt::format(", m{}", i);
    return "set Structure = discrete\n" + section("Points", points) + section("Springs", springs) +
           section("Potentials", section("floor", "set Points = m0\nset Expression = " + floor) +
                                     section("weight", "set Points = " + inner + "\nset Expression = 10*x") +
                                     section("foot", "set Points = m0\nset Expression = 2.5*x") +
                                     section("head", "set Points = m10\nset Expression = 5*x")) +
           section("Time", "set Time step = 0.005\nset End time = 2") + section("Integrator", "set Scheme = midpoint");
  };
  const Folder folder;
  const std::string barrier = deck("if(x < 0.5, -450*(1 - 2*x)^3*log(max(2*x, 1e-3)), 0)");
  for (const std::string scheme : {"midpoint", "central-difference", "variational-newmark", "yoshida4", "zhang-skeel"})
  {
    SCOPED_TRACE(scheme);
    expect_kept(verdicts(folder, barrier, scheme, 400), of_the_form);
  }
  expect_kept(verdicts(folder, barrier, "discrete-gradient", 400), {"energy"});
  EXPECT_EQ(verdicts(folder, deck("if(x < 0, 900*x^2, 0)"), "midpoint", 400, 5)["energy bounded"]["verdict"], "broken");
}
}  // namespace symdyn::tests::in_contact_proof
