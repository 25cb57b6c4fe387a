#pragma once
#include <random>
#include <string>
#include <vector>

/// What both fuzzers of deck readers share. A deck is read as `symdyn check` reads it; InputError and ComputationError are answers,
/// anything else that is thrown, an error that a sanitizer sees, a hang and unbounded memory are faults.
namespace symdyn::fuzz
{
using Random = std::minstd_rand;

/// Of the reader that this program is for: the ending of its decks, and what a mutation may put into one.
struct Language
{
  std::string ending;              ///< ".prm"
  std::vector<std::string> words;  ///< one of them takes the place of a word of the deck
  std::string (*lines)(Random &);  ///< some lines that mean something to the reader
};
const Language &language();

inline const std::string &any_of(const std::vector<std::string> &all, Random &random) { return all[random() % all.size()]; }

/// Numbers and formulas that readers stumble over.
const std::vector<std::string> &awkward_values();
}  // namespace symdyn::fuzz
