#pragma once
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>

#include "tests/run.h"

// Decks in a few lines, for tests of stages.
namespace symdyn::tests
{
/// A csv with a header, the columns by name without unit; columns of text are left out.
inline std::map<std::string, std::vector<double>> table_of(const std::string &file)
{
  std::map<std::string, std::vector<double>> columns;
  std::ifstream in(file);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, cell, ',');)
    names.push_back(cell.substr(0, cell.find(" [")));
  while (std::getline(in, line))
  {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
      if (names[i] != "kind")
        columns[names[i]].push_back(std::stod(cell));
  }
  return columns;
}

inline std::string section(const std::string &name, const std::string &content)
{
  return "subsection " + name + "\n" + content + "\nend\n";
}
inline std::string stages(const std::string &content) { return section("Stages", content); }

inline Outcome run_text(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {}, const int ranks = 1,
                        const std::string &more = "")
{
  std::ofstream(folder / "deck.prm") << deck;
  return run_deck(folder, folder / "deck.prm", settings, ranks, more);
}

inline Outcome run_well(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings = {}, const int ranks = 1)
{
  Outcome outcome = run_text(folder, deck, settings, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return outcome;
}

/// Exit code 1, and these words in the message.
inline void expect_refused(const std::string &deck, const std::string &words, const std::vector<std::string> &settings = {})
{
  const Folder folder;
  const Outcome run = run_text(folder, deck, settings);
  EXPECT_EQ(run.exit_code, 1) << run.terminal;
  EXPECT_NE(run.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << run.terminal;
}

inline std::string elastic(const double E, const double nu, const double density, const std::string &law = "linear-elasticity")
{
  return section("Materials", section("stuff", fmt::format("set Type = {}\nset E = {:.15g}\nset nu = {:.15g}\nset Density = {:.15g}", law,
                                                           E, nu, density)));
}

/// A bar of length 1 that moves along x alone, on rollers, clamped at x = 0: E = 1e6, rho = 1000.
inline std::string bar(const int cells)
{
  return section("Mesh", fmt::format("set Type = box\nset Subdivisions = {}, 1, 1\n", cells) + section("box", "set Size = 1, 0.05, 0.05")) +
         elastic(1e6, 0., 1000.) +
         section("Supports", section("clamp", "set Boundary = x-") + section("y", "set Boundary = y-\nset Type = symmetry") +
                                 section("z", "set Boundary = z-\nset Type = symmetry")) +
         section("Probes", section("tip", "set Point = 1, 0, 0"));
}
inline const std::string pull = section("Loads", section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0, 0"));

/// A plane cantilever of steel of 1 x 0.05 m with a dashpot at the tip; `tip` is a point, frames are not written.
inline std::string damped_cantilever(const int cells)
{
  return section("Mesh", fmt::format("set Type = box\nset Dimension = 2\nset Subdivisions = {}, 2\nset Order = 2\n", cells) +
                             section("box", "set Size = 1, 0.05")) +
         section("Materials", section("stuff",
                                      "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Plane = "
                                      "stress\nset Thickness = 0.05")) +
         section("Supports", section("root", "set Boundary = x-")) +
         section("Points", section("tip", "set On mesh = yes\nset Position = 1, 0.025")) +
         section("Dashpots", section("drag", "set Points = tip\nset Coefficient = 200")) + section("Output", "set Write every = never");
}

/// A mass on a spring k and a dashpot c, one axis; `wall` is fixed.
inline std::string oscillator(const double m, const double k, const double c)
{
  const std::string ends = "set From = wall\nset To = mass\n";
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                               section("mass", fmt::format("set Mass = {:.15g}\nset Position = 1", m))) +
         section("Springs", section("spring", ends + fmt::format("set Stiffness = {:.15g}", k))) +
         (c > 0. ? section("Dashpots", section("oil", ends + fmt::format("set Coefficient = {:.15g}", c))) : "");
}
inline const std::string shake = section("Forces", section("shake", "set Points = mass\nset Force = 7"));
}  // namespace symdyn::tests
