#pragma once
#include <string>

#include "solver/run/run.h"
#include "tests/linear_decks.h"

// Decks of a bar of the material with a memory in newcomers/j2.cc.
namespace symdyn::tests::in_newcomer_j2_decks
{
using OneRun = symdyn::Run;

inline std::string bar(const std::string &mesh_entries = "set Subdivisions = 3, 2, 2")
{
  return section("Mesh", "set Type = box\n" + mesh_entries + "\n" + section("box", "set Size = 4, 1, 1")) +
         section("Materials", section("body",
                                      "set Type = newcomer-j2\nset Density = 1\nset E = 1000\nset nu = 0.3\nset Yield stress = "
                                      "4\nset Hardening = 100"));
}

inline const std::string tight = section("Newton", "set Tolerance = 1e-13") + section("Linear solver", "set Tolerance = 1e-13");
inline const std::string tip = section("Probes", section("tip", "set Point = 4, 1, 1"));

inline std::string swing(const std::string &integrator, const std::string &step, const std::string &end = "1.2")
{
  return bar() + tight + tip + section("Elements", "set Mass = lumped") +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 0.8*sin(3*t), 0.1")) + integrator +
         section("Time", "set Time step = " + step + "\nset End time = " + end) +
         section("Output", "set Checkpoint every = 10\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}

inline std::string scheme(const std::string &name, const std::string &entries = "")
{
  return section("Integrator", "set Scheme = " + name + "\n" + (entries.empty() ? "" : section(name, entries)));
}
}  // namespace symdyn::tests::in_newcomer_j2_decks
