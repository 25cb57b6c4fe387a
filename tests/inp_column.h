#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/bad_input.h"
#include "tests/linear_decks.h"

// A .inp file of two bodies that touch.
namespace symdyn::tests::of_column
{
/// A column of a cube of one cell with another of 2 x 2 x 1 cells on it, pressed by 4 Pa; E = 1000 Pa, nu = 0.
inline std::string column(const std::string &interaction,
                          const std::string &pair = "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE\nslave, master\n",
                          const std::string &surface = "*SURFACE, NAME=slave\nupper, S1\n")
{
  std::string nodes = "*NODE, NSET=all\n", of_base, of_upper;
  int number = 0;
  const auto add = [&](const double x, const double y, const double z) { nodes += fmt::format("{}, {}, {}, {}\n", ++number, x, y, z); };
  for (const double z : {0., 1.})
    for (const auto &[x, y] : {std::pair{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}})
      add(x, y, z);
  for (const double z : {1., 2.})
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        add(0.5 * i, 0.5 * j, z);
  std::string cells = "*ELEMENT, TYPE=C3D8, ELSET=base\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*ELEMENT, TYPE=C3D8, ELSET=upper\n";
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
    {
      const int n = 9 + 3 * j + i;
      cells += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", 2 + 2 * j + i, n, n + 1, n + 4, n + 3, n + 9, n + 10, n + 13, n + 12);
    }
  return nodes + cells +
         "*NSET, NSET=foot\n1, 2, 3, 4\n*NSET, NSET=sides\n9, 10, 11, 12, 13, 14, 15, 16, 17\n*NSET, NSET=top\n18, 19, 20, 21, 22, 23, 24, 25, "
         "26\n*BOUNDARY\nfoot, 1, 3\nsides, 1, 2\ntop, 1, 2\n*MATERIAL, NAME=soft\n*ELASTIC\n1000., 0.\n*SOLID SECTION, ELSET=base, "
         "MATERIAL=soft\n*SOLID SECTION, ELSET=upper, MATERIAL=soft\n" +
         surface + "*SURFACE, NAME=master\nbase, S2\n" + pair + interaction +
         "*STEP\n*STATIC\n0.5, 1.\n*DLOAD\nupper, P2, 4.\n*NODE PRINT, NSET=all\nU\n*END STEP\n";
}

inline Outcome run_column(const Folder &folder, const std::string &text, const int ranks = 1)
{
  std::ofstream(folder / "column.inp") << text;
  return run_deck(folder, folder / "column.inp", {}, ranks);
}

inline void expect_column_refused(const std::string &text, const std::string &words)
{
  const Folder folder;
  const Outcome run = run_column(folder, text);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
}
}  // namespace symdyn::tests::of_column
