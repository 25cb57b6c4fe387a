#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/linear_decks.h"

// Decks with superelements, and of the whole.
namespace symdyn::tests::superelements
{
inline const std::string no_frames = section("Output", "set Write every = never"),
                         clamp = section("Supports", section("clamp", "set Boundary = x-"));

/// A block of `length` x 1 x 1 m from x = 0 on, cells of 0.5 m.
inline std::string block(const int length)
{
  return section("Mesh", fmt::format("set Type = box\nset Subdivisions = {}, 2, 2\n", 2 * length) +
                             section("box", fmt::format("set Size = {}, 1, 1", length))) +
         elastic(1e6, 0.3, 1000.) + no_frames;
}
inline std::string at(const std::string &name, const std::string &place, const std::string &more = "")
{
  return section("Points", section(name, "set Position = " + place + "\n" + more));
}
inline const std::string on_mesh = "set On mesh = yes";

/// The file of a reduced model.
class Part
{
public:
  Part(const std::string &deck, const std::string &entries)
  {
    run_well(folder, deck + stages(section("part", "set Type = substructure\n" + entries)));
  }
  std::string file() const { return folder / "results/substructure-part.npz"; }
  /// The section of a deck.
  std::string used(const std::string &entries) const
  {
    return section("Superelements", section("end", "set File = " + file() + "\n" + entries));
  }

private:
  Folder folder;
};

/// A cube of 1 m whose face x- and one corner are masters, 51 inner degrees of freedom.
inline Part cube(const int modes, const std::string &more = "")
{
  return Part(block(1) + at("tip", "1, 1, 1", on_mesh) + more, fmt::format("set Masters = x-, tip\nset Fixed-interface modes = {}", modes));
}
inline const std::string behind = "set Origin = 1, 0, 0";  ///< of the first cube
inline std::string joined(const Part &part) { return block(1) + at("tip", "2, 1, 1") + part.used(behind); }
inline std::string whole() { return block(2) + at("tip", "2, 1, 1", on_mesh); }

inline std::vector<double> frequencies(const std::string &deck, const int modes)
{
  const Folder folder;
  run_well(folder, deck + stages(section("forms", fmt::format("set Type = modes\nset Modes = {}", modes))));
  return table_of(folder / "results/modes-forms.csv").at("frequency");
}
inline const std::string swing = section("Time", "set Time step = 0.002\nset End time = 0.2");
inline std::string newmark(const std::string &name) { return section("Integrator", "set Scheme = " + name); }
}  // namespace symdyn::tests::superelements
