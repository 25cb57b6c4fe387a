#include "solver/pictures/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "solver/base/names.h"
#include "solver/base/sha256.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
std::string last_part(const std::string &entry) { return entry.substr(entry.rfind('/') + 1); }

/// `text` with letters that are good in the name of a folder.
std::string in_letters(const std::string &text)
{
  std::string name;
  for (const char c : text)
    name += std::isalnum(static_cast<unsigned char>(c)) || std::string("=_.+-").find(c) != std::string::npos ? c : c == '/' ? '.' : '-';
  return name;
}

/// Short names of the entries: their last parts, or all of the path where two have the same.
std::vector<std::string> short_names(const std::vector<VariedEntry> &entries)
{
  std::vector<std::string> names;
  for (const VariedEntry &one : entries)
  {
    const auto same = [&](const VariedEntry &other) { return last_part(other.entry) == last_part(one.entry); };
    names.push_back(in_letters(std::count_if(entries.begin(), entries.end(), same) > 1 ? one.entry : last_part(one.entry)));
  }
  return names;
}

/// What letters of values are lost, or too many, a checksum replaces.
std::string name_of_folder(const std::string &text)
{
  constexpr std::size_t longest = 100, digits = 8;
  const std::string name = in_letters(text);
  return name == text && name.size() <= longest ? name : name.substr(0, longest) + "_" + sha256(text).substr(0, digits);
}
}  // namespace

VariedEntry VariedEntry::of(const std::string &text)
{
  const std::size_t sign = text.find('=');
  const std::string what = "--vary " + text;
  if (sign == std::string::npos || trim(text.substr(0, sign)).empty())
    throw InputError(what + ": has no entry and values. Write Section/Entry=a,b,c");
  const std::string values = text.substr(sign + 1);
  VariedEntry result{trim(text.substr(0, sign)), split(values, values.find(';') == std::string::npos ? ',' : ';')};
  if (result.values.empty() || std::count(result.values.begin(), result.values.end(), "") > 0)
    throw InputError(what + ": a value is missing. Write Section/Entry=a,b,c, or a;b;c where values contain commas");
  if (std::set<std::string>(result.values.begin(), result.values.end()).size() < result.values.size())
    throw InputError(what + ": has a value twice. Give each once");
  return result;
}

std::vector<std::string> SweepRun::settings(const std::vector<VariedEntry> &entries) const
{
  std::vector<std::string> result;
  for (std::size_t i = 0; i < entries.size(); ++i)
    result.push_back(entries[i].entry + "=" + values[i]);
  return result;
}

std::vector<SweepRun> runs_of(const std::vector<VariedEntry> &entries)
{
  constexpr std::size_t most = 10000;
  std::size_t number = 1;
  std::set<std::string> given;
  for (const VariedEntry &one : entries)
  {
    if (!given.insert(one.entry).second)
      throw InputError("--vary " + one.entry + ": is given twice. Give all its values in one --vary");
    number *= one.values.size();
    if (number > most)
      throw InputError(fmt::format("--vary: these are more than {} runs. Give fewer values", most));
  }
  const std::vector<std::string> names = short_names(entries);
  std::vector<SweepRun> runs(number);
  for (std::size_t r = 0; r < number; ++r)
  {
    std::size_t rest = r;
    std::vector<std::string> words(entries.size());
    runs[r].values.resize(entries.size());
    for (std::size_t i = entries.size(); i-- > 0;)
    {
      runs[r].values[i] = entries[i].values[rest % entries[i].values.size()];
      rest /= entries[i].values.size();
      words[i] = names[i] + "=" + runs[r].values[i];
    }
    runs[r].name = name_of_folder(join(words, "_"));
  }
  return runs;
}
}  // namespace symdyn
