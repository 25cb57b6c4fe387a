#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;

/// One *BOUNDARY: what it says of a set or node.
struct Held
{
  std::string word;
  std::size_t line, first;                       ///< first: the step in which it begins
  bool stands = false;                           ///< FIXED
  std::array<std::optional<double>, 6> value{};  ///< displacements, then rotations
  std::array<std::size_t, 6> lines{};
  const Keyword *card = nullptr;
  std::vector<std::size_t> nodes{};  ///< of *BASE MOTION, which names none
  std::string text(int d) const;
  bool says_the_same(const Held &other, int d) const;
};

using Owners = std::map<std::pair<std::size_t, int>, std::size_t>;  ///< of a node and a component: index into Supports::held
struct Supports
{
  std::vector<Held> held;
  std::set<std::size_t> frees_all;                ///< steps with OP=NEW
  std::vector<Owners> owners;                     ///< of each step
  std::vector<std::vector<std::string>> in_step;  ///< names of supports and equations
};

/// What comes later stands: of nodes that two name, each component belongs to the last; for each step.
std::vector<Owners> owners_of_steps(const Job &job);
std::vector<std::size_t> nodes_of(const Job &job, const Held &by);
/// Errors: InputError for a motion that stays active in a later step, where its amplitude would restart; `instead`: the way
/// out.
void require_same_motion(const Job &job, const Held &by, const std::set<std::size_t> &when, const std::string &instead);
/// value*amplitude, of a component that *BOUNDARY moves.
std::string motion_of(const Job &job, const Held &by, int d);
}  // namespace symdyn::abaqus
