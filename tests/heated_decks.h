#pragma once
#include <string>

#include "tests/linear_decks.h"

// Decks of bodies that are heated.
namespace symdyn::tests::heated_decks
{
inline const std::string tight =
    section("Newton", "set Tolerance = 1e-12\nset Max iterations = 30") + section("Linear solver", "set Tolerance = 1e-13");

inline std::string held(const std::string &boundary, const std::string &components)
{
  return section(boundary, "set Boundary = " + boundary + "\nset Type = displacement\nset Displacement = " + components);
}
inline const std::string planes = held("x-", "0, free, free") + held("y-", "free, 0, free") + held("z-", "free, free, 0");

inline std::string steel(const std::string &law = "linear-elasticity", const std::string &more = "")
{
  return section("Materials", section("steel", "set Type = " + law +
                                                   "\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Expansion = 12e-6\n" + more));
}
inline std::string hot(const std::string &field) { return section("Temperature", "set Field = " + field); }

inline std::string block(const std::string &mesh = "set Subdivisions = 2, 2, 2")
{
  return section("Mesh", "set Type = box\n" + mesh + "\n" + section("box", "set Size = 2, 1, 1\nset Distortion = 0.15"));
}
inline const std::string heating = stages(section("heating", "set Type = static\nset Increments = 2"));
inline const std::string corner = section("Probes", section("corner", "set Point = 2, 1, 1"));
}  // namespace symdyn::tests::heated_decks
