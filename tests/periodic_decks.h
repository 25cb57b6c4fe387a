#pragma once
#include "tests/linear_decks.h"

// Decks of periodic motions, and their tables.
namespace symdyn::tests::in_periodic
{
/// A particle of mass 1 in a potential.
inline std::string particle(const int dimension, const std::string &energy, const std::string &more = "")
{
  return "set Structure = discrete\n" +
         section("Points", fmt::format("set Dimension = {}\n", dimension) +
                               section("mass", std::string("set Mass = 1\nset Position = 0") + (dimension > 1 ? ", 0" : "") +
                                                   (dimension > 2 ? ", 0" : ""))) +
         section("Potentials", section("spring", "set Points = mass\nset Expression = " + energy)) +
         section("Integrator", "set Scheme = average-acceleration") + section("Output", "set Write every = never") + more;
}
inline std::string orbits(const std::string &content) { return stages(section("path", "set Type = periodic\n" + content)); }
inline const std::string duffing = "0.5*x^2 + 0.25*x^4";
inline const std::string by_amplitude = "set Continue by = amplitude\nset Probe = mass.x\n";

using Table = std::map<std::string, std::vector<double>>;

/// The rows that were asked for.
inline Table asked(const Folder &folder, const std::string &stage = "path")
{
  Table chosen;
  const Table all = table_of(folder / ("results/periodic-" + stage + "-orbits.csv"));
  for (const auto &[name, values] : all)
    for (std::size_t i = 0; i < values.size(); ++i)
      if (all.at("asked")[i] == 1.)
        chosen[name].push_back(values[i]);
  return chosen;
}
inline Table run_asked(const std::string &deck)
{
  const Folder folder;
  run_well(folder, deck);
  return asked(folder);
}
}  // namespace symdyn::tests::in_periodic
