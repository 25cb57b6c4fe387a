#include "meshes/abaqus/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "meshes/abaqus/keywords.h"
#include "solver/base/names.h"
#include "solver/base/text_file.h"

namespace symdyn::abaqus
{
std::string written(const double value) { return fmt::format("{}", value); }

std::string written(const std::vector<double> &values)
{
  std::vector<std::string> words;
  for (const double value : values)
    words.push_back(written(value));
  return join(words);
}

void Entries::add(const std::size_t line, const std::string &path, const std::string &name, const std::string &value)
{
  text.lines.push_back({path, name, value, scanner.place(line) + card_at(line)});
}

std::string Entries::card_at(const std::size_t line) const
{
  const auto next =
      std::upper_bound(cards.begin(), cards.end(), line, [](const std::size_t at, const Keyword &card) { return at < card.line; });
  if (next == cards.begin())
    return "";
  const Keyword &card = *(next - 1);
  std::string text = "*" + card.name;
  for (const auto &[option, value] : card.options)
    text += ", " + option + (value.empty() ? "" : "=" + value);
  return fmt::format(" ({})", shortened(text));
}

void Entries::warn(const std::size_t line, const std::string &what, const std::string &message)
{
  text.warnings.push_back(fmt::format("{}: {}: {}", scanner.place(line), what, message));
}

std::string Entries::fresh(const std::string &section, const std::string &name)
{
  std::string allowed = name;
  for (char &c : allowed)
    if (std::string("/#\\,[\"=").find(c) != std::string::npos || std::iscntrl(static_cast<unsigned char>(c)))
      c = '_';
  if (section == "Loads" && (allowed == "all" || allowed == "none"))
    allowed += "_";  // words of Stages/.../Loads
  const int count = ++names[section + "/" + upper(allowed)];
  return count == 1 ? allowed : fresh(section, fmt::format("{} ({})", allowed, count));
}
}  // namespace symdyn::abaqus
