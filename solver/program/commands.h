#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class Deck;
struct FailedPointFile;

enum class ReferenceFormat
{
  markdown,
  json,
  schema,  ///< JSON Schema, draft-07, of decks as JSON
  prm
};

/// Every entry a deck may have, with default, rule and meaning, from the declarations of the code itself.
std::string deck_reference(ReferenceFormat format);

enum class PathKind
{
  strain,
  stress,
  mixed,
  gradient
};
/// What `symdyn point` is to drive.
struct PointPath
{
  std::string file, material;  ///< "": the only one of the deck
  PathKind kind = PathKind::strain;
  int steps = 100;  ///< to each row of the file
};
/// A material point of a law of the deck along a path: a table (CSV) of strain, stress, energies and memory. Errors: InputError for a
/// file or a law that is wrong; ComputationError where the law has no answer.
std::string drive_point(Deck deck, const PointPath &path);
/// The step that failed in a run, for a point alone: its row of such a table, if the law has an answer now. `settings`: of --set, on the
/// materials. Errors: ComputationError where it fails again.
std::string replay_point(const FailedPointFile &given, const std::string &file, const std::vector<std::string> &settings);
}  // namespace symdyn
