#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// The candidates sorted by edit distance (Levenshtein 1966) to `name`, nearest first.
std::vector<std::string> nearest_first(const std::string &name, std::vector<std::string> candidates);

/// Whether `a` may be a misspelling of `b`: at most a third of its letters differ.
bool resembles(const std::string &a, const std::string &b);

/// "a, b, c".
std::string join(const std::vector<std::string> &words, const std::string &separator = ", ");

/// `text` cut at `separator` outside of parentheses, each part without surrounding blanks; empty text gives no parts.
std::vector<std::string> split(const std::string &text, char separator = ',');

/// `text` without blanks at its ends.
std::string trim(const std::string &text);
}  // namespace symdyn
