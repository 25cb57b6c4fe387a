#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// What a run needs to go on, as a file: numbers and texts, and vectors, which any number of ranks can read back. Parts:
///     a line with the name and version of the format, a line with the length and the CRC-32 of the header
///     the header, JSON: facts; names of the vectors; for each rank the range of degrees of freedom that it wrote, with a CRC-32
///     the identities of all degrees of freedom (MechanicalSystem::identities, 8 bytes), then each vector (8 bytes), little-endian
class Checkpoint
{
public:
  nlohmann::json facts = nlohmann::json::object();

  /// Vectors of the system are spread over the ranks; shorter ones (of a scheme's memory) are the same on each.
  void put(const std::string &name, const Vector &x);
  /// q, v, a, t, n and the memory, under a name.
  void put(const std::string &name, const State &state);
  Vector vector(const std::string &name) const;
  State state(const std::string &name) const;

  /// Writes FILE.new, flushes it to the disk and lets it take the place of FILE: after a crash one of both is whole. Collective. Errors:
  /// ComputationError; FILE is as it was.
  void write(const std::string &file, const MechanicalSystem &system) const;
  /// The facts alone: of which deck, which stage. Collective. Errors: InputError, for a file that is no checkpoint, of another version, cut
  /// off or changed.
  static Checkpoint read_facts(const std::string &file);
  /// And the vectors, for the present ranks. Collective. Errors: InputError, also for one of another mesh.
  void read_vectors(const std::string &file, const MechanicalSystem &system);

private:
  std::map<std::string, Vector> spread;
  nlohmann::json layout;  ///< of the file that was read: vectors, ranks
  std::size_t data_begin = 0;
};

/// The CRC-32 of a file, for comparison; 0 if it cannot be read.
std::uint32_t checksum_of(const std::string &file);

/// Numbers of JSON, which knows no nan and no infinity.
nlohmann::json exact(double value);
double from_exact(const nlohmann::json &value);
}  // namespace symdyn
