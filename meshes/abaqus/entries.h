#pragma once
#include <map>
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"
#include "meshes/scanner.h"
#include "solver/deck/deck_format.h"

namespace symdyn::abaqus
{
/// A number as a deck has it.
std::string written(double value);
std::string written(const std::vector<double> &values);

/// The entries of the deck that a file amounts to, each with the line of the file that it comes from, and its keyword.
class Entries
{
public:
  Entries(const Scanner &scanner, const std::vector<Keyword> &cards) : scanner(scanner), cards(cards) {}

  void add(std::size_t line, const std::string &path, const std::string &name, const std::string &value);
  /// "file:line: what: text"
  void warn(std::size_t line, const std::string &what, const std::string &text);
  /// "name", or "name (2)", ... the first that the section does not have yet; without what a deck's names cannot hold.
  std::string fresh(const std::string &section, const std::string &name);

  DeckText text;

private:
  /// "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD" that the line is of; "" in front of the first.
  std::string card_at(std::size_t line) const;

  const Scanner &scanner;
  const std::vector<Keyword> &cards;
  std::map<std::string, int> names;
};
}  // namespace symdyn::abaqus
