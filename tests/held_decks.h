#pragma once
#include <string>
#include <vector>

#include "tests/run.h"

// Decks of bodies that supports hold, or do not.
namespace symdyn::tests::in_held
{
inline std::string section(const std::string &name, const std::string &content)
{
  return "subsection " + name + "\n" + content + "\nend\n";
}

inline const std::string steel =
    section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1e9\nset nu = 0.3\nset Density = 1000"));
inline const std::string still = section("Stages", section("load", "set Type = static"));
inline const std::string weight = section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -9.81"));

inline std::string support(const std::string &name, const std::string &content) { return section(name, content); }
inline std::string box(const std::string &cells = "4, 2, 2", const std::string &size = "2, 1, 1")
{
  return section("Mesh", "set Type = box\nset Subdivisions = " + cells + "\n" + section("box", "set Size = " + size));
}
inline std::string traction(const std::string &boundary, const std::string &force)
{
  return section("Loads", section("pull", "set Type = traction\nset Boundary = " + boundary + "\nset Traction = " + force));
}
/// A group of springs along `direction` from a boundary to the ground.
inline std::string bedding(const std::string &boundary, const std::string &direction)
{
  return section("Points", section("base", "set On boundary = " + boundary)) +
         section("Springs",
                 section("bed", "set From = base\nset To = ground\nset Law = small-displacement\nset Stiffness = 1e6\nset Direction = " +
                                    direction));
}

inline const std::string two_boxes = section("Mesh", "set Type = boxes\nset Subdivisions = 2, 2, 2\n" + section("boxes", "set Number = 2"));
inline const std::string first_held = section("Supports", support("wall", "set Boundary = x0-"));

inline const std::string tube =
    section("Mesh", "set Type = hollow-cylinder\nset Subdivisions = 16, 2, 2\n" +
                        section("hollow-cylinder", "set Inner radius = 1\nset Outer radius = 2\nset Length = 1"));
inline const std::string radial =
    "set Boundary = outer\nset Type = displacement\nset Displacement = 0, free, free\nset Axes = cylindrical\nset Axes points = 0, 0, 0, 0, 0, 1";
inline const std::string foot = support("foot", "set Boundary = z-\nset Type = roller");
inline const std::string torque = traction("inner", "-1e3*y, 1e3*x, 0");

/// A brick of 8 nodes from n + 1 on, from x to x + 1.
inline std::string brick(const int n, const int x)
{
  std::string nodes = "*NODE\n", element = "*ELEMENT, TYPE=C3D8, ELSET=E\n" + std::to_string(n + 1);
  const int corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int k = 0; k < 8; ++k)
  {
    nodes += std::to_string(n + k + 1) + ", " + std::to_string(x + corners[k][0]) + ".";
    nodes += ", " + std::to_string(corners[k][1]) + "., " + std::to_string(corners[k][2]) + ".\n";
    element += ", " + std::to_string(n + k + 1);
  }
  return nodes + element + "\n";
}
inline std::string inp(const std::string &bricks, const std::string &held, const std::string &loads, const std::string &step = "*STEP\n")
{
  return bricks + "*MATERIAL, NAME=M\n*ELASTIC\n1e9, 0.3\n*DENSITY\n1000.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n" + held + step +
         "*STATIC\n" + loads + "*END STEP\n";
}
inline const std::string pull_high = "*CLOAD\n5, 1, 10.\n6, 1, 10.\n7, 1, 10.\n8, 1, 10.\n";

struct Deck
{
  std::string name, text;
  std::vector<std::string> told;
  bool is_inp = false;
};

inline Outcome run(const Deck &deck, const std::vector<std::string> &settings = {}, const int ranks = 1)
{
  const Folder folder;
  return run_deck(folder, write_file(folder, deck.is_inp ? "deck.inp" : "deck.prm", deck.text), settings, ranks);
}

inline void expect_refused(const Deck &deck, const std::vector<std::string> &settings, const int ranks)
{
  const Outcome outcome = run(deck, settings, ranks);
  EXPECT_EQ(outcome.exit_code, 1) << deck.name << ": " << outcome.terminal;
  for (const std::string &part : deck.told)
    EXPECT_EQ(has(outcome.terminal, part), "") << deck.name;
  EXPECT_EQ(has(outcome.terminal, "a static stage needs supports that hold the body"), "") << deck.name;
}
}  // namespace symdyn::tests::in_held
