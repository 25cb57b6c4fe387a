// Fuzzes the reader of .prm decks: CONTRIBUTING.md says how to run it.
#include "solver/base/names.h"
#include "solver/deck/deck.h"
#include "solver/run/run.h"
#include "tests/fuzz/fuzz.h"

namespace symdyn::fuzz
{
namespace
{
const std::vector<Declaration> &declarations()
{
  static const std::vector<Declaration> all = [] {
    Deck nothing;
    Run::document(nothing.root());
    return nothing.declarations();
  }();
  return all;
}

const std::string choice = "one of ";

/// An entry that the program knows, in its section, with its default, one of its choices or what it does not expect.
std::string any_entry(Random &random)
{
  const Declaration &entry = declarations()[random() % declarations().size()];
  std::string value = entry.fallback, text;
  if (entry.rule.compare(0, choice.size(), choice) == 0 && random() % 4 > 0)
    value = any_of(split(entry.rule.substr(choice.size())), random);
  else if (value.empty() || random() % 2 == 0)
    value = any_of(awkward_values(), random);
  const std::vector<std::string> path = split(entry.path, '/');
  for (const std::string &name : path)
    text += "subsection " + (name == "<name>" ? any_of({"a", "b", "body"}, random) : name) + "\n";
  text += "set " + entry.name + " = " + value + "\n";
  for (std::size_t i = 0; i < path.size(); ++i)
    text += "end\n";
  return text;
}

std::vector<std::string> words()
{
  std::vector<std::string> all{"set", "subsection", "end", "include", "\\", "#", "self.prm", "part.prm"};
  for (const Declaration &entry : declarations())
  {
    all.push_back(entry.name);
    const std::vector<std::string> path = split(entry.path, '/'), choices = entry.rule.compare(0, choice.size(), choice) == 0
                                                                                ? split(entry.rule.substr(choice.size()))
                                                                                : path;
    all.insert(all.end(), path.begin(), path.end());
    all.insert(all.end(), choices.begin(), choices.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
}  // namespace

const Language &language()
{
  static const Language prm{".prm", words(), any_entry};
  return prm;
}
}  // namespace symdyn::fuzz
