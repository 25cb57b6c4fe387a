#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// What a run needs to go on, by name. In a file, for any number of ranks to read back:
///     values     bool, int, long, unsigned int, std::size_t, double (nan and infinities too), std::string, and std::vector of bool, long,
///     double,
///                std::string; the same on each rank
///     vectors    of the system by identity of the degree of freedom (MechanicalSystem::identities); shorter ones are the same on each rank
///     blocks     as many doubles for each of the 64-bit identities that a rank owns: state variables by cell and number of point
/// A copy, or a section, is another handle on the same archive. Errors: InputError for a name that is not there.
class Archive
{
public:
  static constexpr int format = 6;  ///< of the file; older ones are refused
  Archive();

  /// These names alone: `archive.section("watch").put("steps", steps)` writes the value "watch/steps".
  Archive section(const std::string &name);
  const Archive section(const std::string &name) const;
  bool has(const std::string &name) const;

  template <class T>
  void put(const std::string &name, const T &value);
  void put(const std::string &name, const Vector &x);
  /// q, v, a, t, n and the memory.
  void put(const std::string &name, const State &state);
  void put_json(const std::string &name, const nlohmann::json &value);
  /// `values`: for each identity `doubles_per_block` of them. Every rank puts every name, perhaps without identities; one identity has one
  /// owner.
  void put_blocks(const std::string &name, const std::vector<std::uint64_t> &identities, std::size_t doubles_per_block,
                  const std::vector<double> &values);

  template <class T>
  T get(const std::string &name) const;
  template <class T>
  void get(const std::string &name, T &value) const
  {
    value = get<T>(name);
  }
  nlohmann::json get_json(const std::string &name) const;
  /// The blocks of these identities in this order, whoever has put them. Collective where the archive is of a file. Errors: InputError for
  /// an identity that has no block.
  std::vector<double> get_blocks(const std::string &name, const std::vector<std::uint64_t> &identities) const;

  /// Writes FILE.new, flushes it to the disk and lets it take the place of FILE: after a crash one of both is whole. Collective. Errors:
  /// ComputationError; FILE is as it was.
  void write(const std::string &file, const MechanicalSystem &system) const;
  /// The values alone: of which deck, which stage. Collective. Errors: InputError, for a file that is no checkpoint, of another version,
  /// cut off or changed.
  static Archive read(const std::string &file);
  /// And the vectors, for the present ranks. Blocks are read when they are asked for. Collective. Errors: InputError, also for those of
  /// another mesh.
  void read_vectors(const MechanicalSystem &system);

private:
  struct Content;
  Archive(std::shared_ptr<Content> content, std::string prefix) : content(std::move(content)), prefix(std::move(prefix)) {}
  const nlohmann::json &value(const std::string &name) const;

  std::shared_ptr<Content> content;
  std::string prefix;
};

template <>
Vector Archive::get<Vector>(const std::string &name) const;
template <>
State Archive::get<State>(const std::string &name) const;
}  // namespace symdyn
