#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// An entry of a deck, as a line `set name = value` in the section `path` says it.
struct DeckLine
{
  std::string path, name, value;
  std::string place;  ///< what to point at in errors: "model.inp:17"
};

/// A deck in other words: the entries of a .prm deck that a file of another program amounts to.
struct DeckText
{
  std::vector<DeckLine> lines;
  std::vector<std::string> warnings;  ///< what is computed otherwise than the file says
  std::vector<std::string> files;     ///< that it includes
};

/// Reads decks of another program. Registered by the ending of their files: Registry<DeckFormat>, ".inp".
class DeckFormat
{
public:
  virtual ~DeckFormat() = default;
  /// Errors: InputError naming file, line, value and the way out, for everything that it does not understand.
  virtual DeckText read(const std::string &file) const = 0;
};
}  // namespace symdyn
