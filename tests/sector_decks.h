#pragma once
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/linear_decks.h"
#include "tests/sector_meshes.h"

// Decks of sectors with cyclic symmetry, and of the whole.
namespace symdyn::tests::sectors
{
using Table = std::map<std::string, std::vector<double>>;

inline std::string symmetry(const int sectors, const std::string &more = "")
{
  return section("Cyclic symmetry", fmt::format("set Sectors = {}\nset Low = low\nset High = high\n", sectors) + more);
}
inline std::string mesh_file(const int dim, const std::string &more = "")
{
  return section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = ring.msh\n", dim) + more);
}
inline std::string find_modes_of(const int number, const std::string &more = "")
{
  return section("free", fmt::format("set Type = modes\nset Modes = {}\n", number) + more);
}
inline const std::string no_frames = section("Output", "set Write every = never");

inline Outcome run_ring(const Folder &folder, const RingMesh &mesh, const std::string &deck, const int ranks = 1)
{
  mesh.write(folder / "ring.msh");
  return run_well(folder, deck, {}, ranks);
}
/// Plane stress E = 1, nu = 0.3, rho = 1; clamped at the bore; the rim has 12 waves.
inline RingMesh annulus(const int meshed)
{
  RingMesh mesh;
  mesh.meshed = meshed;
  mesh.rim = [](const double angle) { return 1. + 0.15 * std::cos(12. * angle); };
  return mesh;
}
inline const std::string plane = section("Materials", section("stuff",
                                                              "set Type = linear-elasticity\nset E = 1\nset nu = 0.3\nset Density = "
                                                              "1\nset Plane = stress")) +
                                 no_frames;
inline const std::string clamp = section("Supports", section("hub", "set Boundary = bore"));
inline const std::string of_annulus = mesh_file(2) + plane + clamp;
}  // namespace symdyn::tests::sectors
