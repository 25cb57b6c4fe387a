#pragma once
#include <optional>
#include <string>

#include "solver/deck/deck.h"
#include "solver/failed_point.h"

namespace symdyn
{
/// What failed-point.json holds: a point whose law had no answer, and the materials of its deck.
struct FailedPointFile
{
  FailedPoint point;
  std::string deck;       ///< absolute path: files that materials name stand beside it
  std::string materials;  ///< the section Materials, as a deck

  /// Errors: ComputationError where it cannot be written.
  void write(const std::string &file) const;
  /// Empty: it is no such file. Errors: InputError for one that lacks an entry.
  static std::optional<FailedPointFile> read(const std::string &file);
};

/// The section Materials alone.
Deck materials_of(const Deck &deck);
}  // namespace symdyn
