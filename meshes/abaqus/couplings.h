#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;
struct Step;

/// A reference node and nodes that move with it, or it with them.
struct Coupled
{
  const Keyword *card;
  std::string section;                     ///< of the deck: "Couplings/rigid body 12"
  std::size_t reference;                   ///< node
  std::optional<std::size_t> turned = {};  ///< *RIGID BODY, ROT NODE: its components 1 to 3 are rotations
  std::string boundary = {};               ///< of the mesh; "": nodes
  std::vector<std::string> nodes = {};     ///< sets and numbers
  bool distributing = false;
  std::vector<std::string> components = {};  ///< of rigid; empty: all
};
/// *MPC of type BEAM between two nodes of solids, whose distance it keeps.
struct KeptDistance
{
  std::size_t one, other, line;
};
struct Couplings
{
  std::vector<Coupled> all;
  std::vector<KeptDistance> distances;
  std::map<std::size_t, std::size_t> of_reference, of_turned;  ///< by node: which
};

/// A node and its component [0, 6) that a line means: those of its reference where the node is the ROT NODE of a rigid body. Errors:
/// InputError for a rotation of such a node.
std::pair<std::size_t, int> meant(const Job &job, const Line &line, std::size_t node, int component);
/// The nodes of a line as they are written, or, where some is the ROT NODE of a rigid body, each with the component that it means.
std::vector<std::pair<std::string, int>> meant_words(const Job &job, const Line &line, int component);
/// Whether it is the reference of a coupling, and no beam or shell has it: its directors are those of the coupling.
bool turns_by_coupling(const Job &job, std::size_t node);
/// A moment on a reference that turns by its coupling. Returns the name of the load.
std::string write_moment(Job &job, const Keyword &card, const Step &step, std::size_t line, std::size_t node,
                         const std::array<double, 3> &moment);
}  // namespace symdyn::abaqus
