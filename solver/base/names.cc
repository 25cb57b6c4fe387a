#include "solver/base/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace symdyn
{
namespace
{
/// Names are shorter; what is longer resembles none of them.
constexpr std::size_t longest_compared = 100;

std::size_t edit_distance(const std::string &given_a, const std::string &given_b)
{
  const std::string a = given_a.substr(0, longest_compared), b = given_b.substr(0, longest_compared);
  const auto lower = [](const char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i)
  {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j)
    {
      const std::size_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}
}  // namespace

std::vector<std::string> nearest_first(const std::string &name, std::vector<std::string> candidates)
{
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  for (std::string &candidate : candidates)
    by_distance.emplace_back(edit_distance(name, candidate), std::move(candidate));
  std::stable_sort(by_distance.begin(), by_distance.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::transform(by_distance.begin(), by_distance.end(), candidates.begin(), [](auto &entry) { return std::move(entry.second); });
  return candidates;
}

bool resembles(const std::string &a, const std::string &b) { return 3 * edit_distance(a, b) <= b.size(); }

std::string join(const std::vector<std::string> &words, const std::string &separator)
{
  std::string text;
  for (const auto &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

std::vector<std::string> split(const std::string &text, const char separator)
{
  std::vector<std::string> parts;
  if (trim(text).empty())
    return parts;
  int depth = 0;
  std::string part;
  for (const char c : text)
  {
    depth += (c == '(') - (c == ')');
    if (c == separator && depth == 0)
    {
      parts.push_back(trim(part));
      part.clear();
    }
    else
      part += c;
  }
  parts.push_back(trim(part));
  return parts;
}

std::string trim(const std::string &text)
{
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}
}  // namespace symdyn
