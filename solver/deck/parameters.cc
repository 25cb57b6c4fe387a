#include "solver/parameters.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <utility>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/base/unit_value.h"
#include "solver/deck/deck.h"
#include "solver/deck/deck_format.h"
#include "solver/deck/formula/expression.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
std::string with_range(const std::string &kind, const Range &range) { return range.text().empty() ? kind : kind + " " + range.text(); }

/// Number or whole number, by the type of the variable.
template <class T>
std::string kind(const bool many)
{
  const std::string whole = std::is_integral<T>::value ? "whole " : "";
  return many ? "comma-separated " + whole + "numbers" : "a " + whole + "number";
}

const char *const known_units =
    ". Units of numbers that have one are m, mm, kg, t, s, N, kN, Pa, MPa, GPa, Hz and the like: 210 GPa, 7850 kg/m^3";

/// "210 GPA"
bool has_word_behind_number(const std::string &text)
{
  const std::size_t blank = text.find(' ');
  return blank + 1 < text.size() && blank != std::string::npos && std::isalpha(static_cast<unsigned char>(text[blank + 1])) &&
         number_from<double>(text.substr(0, blank));
}

/// The value, or what is wrong with the text.
template <class T>
std::string convert_value(const std::string &text, const Range &range, T &value)
{
  const auto number = number_from<T>(text);
  if (!number)
    return "must be " + with_range(kind<T>(false), range) + (has_word_behind_number(text) ? known_units : "");
  if (!range.holds(*number))
    return "must be " + range.text();
  value = *number;
  return "";
}

template <class T>
std::string listed_choices(const std::vector<T> &values)
{
  return fmt::format("{}", fmt::join(values, ", "));
}

/// The rule of a choice; of many names the nearest.
std::string one_of(const std::string &text, const std::vector<std::string> &choices)
{
  constexpr std::size_t many = 12, shown = 3;
  std::vector<std::string> sorted = nearest_first(text, choices);
  if (sorted.size() <= many)
    return "must be one of " + join(sorted);
  sorted.resize(shown);
  return fmt::format("is not one of the {} names possible here. Did you mean {}? `symdyn parameters` lists all", choices.size(),
                     join(sorted, " or "));
}

std::string item(const std::vector<std::string> &parts, const std::size_t i)
{
  return parts.size() > 1 ? fmt::format("item {} ('{}') ", i + 1, parts[i]) : "";
}

std::string as_sentence(const std::string &text) { return text.empty() || text.back() == '.' ? text : text + "."; }
/// The way to entries for which a deck of another program has no card, behind a text that may end with a stop.
std::string by_command_line(const Deck &deck, const std::string &path, const std::string &text)
{
  const std::string ending = std::filesystem::path(deck.name()).extension().string();
  if (path.empty() || !Registry<DeckFormat>::instance().has(ending))
    return "";
  return fmt::format("{} Set entries without a card by --set \"{}/NAME=VALUE\"", text.back() == '.' || text.back() == '?' ? "" : ".", path);
}
}  // namespace

bool Range::holds(const double value) const
{
  return (min_excluded ? value > min : value >= min) && (max_excluded ? value < max : value <= max);
}

std::string Range::text() const
{
  const bool below = std::isfinite(max), above = std::isfinite(min);
  if (below && above)
    return fmt::format("in {}{}, {}{}", min_excluded ? "(" : "[", min, max, max_excluded ? ")" : "]");
  if (above)
    return fmt::format("{} {}", min_excluded ? ">" : ">=", min);
  return below ? fmt::format("{} {}", max_excluded ? "<" : "<=", max) : "";
}

const std::string *Parameters::read(const std::string &name, const std::string &fallback, const std::string &help, const std::string &rule)
{
  deck->declare({own_path, name, fallback, help, rule}, active);
  DeckEntry *entry = deck->find(own_path, name);
  if (!entry)
    return nullptr;
  entry->used = true;
  std::string wrong;
  const DeckEntry *system = deck->find("Units", "System");
  const std::string plain = without_units(entry->value, {help, units}, system ? system->value : "SI", wrong);
  if (!wrong.empty())
    reject(name, wrong, help);
  if (plain != entry->value)
    entry->written = std::exchange(entry->value, plain);
  return &entry->value;
}

bool Parameters::read_list(const std::string &name, const std::string &fallback, const std::string &help, const std::string &rule,
                           std::vector<std::string> &parts)
{
  const std::string *text = read(name, fallback, help, rule);
  if (!text)
    return false;
  parts = split(*text);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].empty())
      reject(name, fmt::format("item {} of the list is empty", i + 1), help);
  return true;
}

void Parameters::add(const std::string &name, double &value, const std::string &help, const Range &range)
{
  if (const auto *text = read(name, fmt::format("{}", value), help, with_range(kind<double>(false), range)))
  {
    const std::string wrong = convert_value(*text, range, value);
    if (!wrong.empty())
      reject(name, wrong, help);
  }
}

void Parameters::add(const std::string &name, int &value, const std::string &help, const Range &range)
{
  if (const auto *text = read(name, fmt::format("{}", value), help, with_range(kind<int>(false), range)))
  {
    const std::string wrong = convert_value(*text, range, value);
    if (!wrong.empty())
      reject(name, wrong, help);
  }
}

void Parameters::add(const std::string &name, bool &value, const std::string &help)
{
  const std::string *text = read(name, value ? "yes" : "no", help, "yes or no");
  if (!text)
    return;
  const bool yes = *text == "yes" || *text == "true" || *text == "on";
  if (!yes && *text != "no" && *text != "false" && *text != "off")
    reject(name, "must be yes or no (or true, on, false, off)", help);
  value = yes;
}

void Parameters::add(const std::string &name, std::string &value, const std::string &help, const std::vector<std::string> &choices)
{
  const std::string *text = read(name, value, help, choices.empty() ? "text" : "one of " + join(choices));
  if (!text)
    return;
  bool known = choices.empty();
  for (const auto &choice : choices)
    known = known || *text == choice;
  if (!known)
    reject(name, one_of(*text, choices), help);
  value = *text;
}

void Parameters::add(const std::string &name, std::vector<double> &value, const std::string &help, const Range &range)
{
  std::vector<std::string> parts;
  if (!read_list(name, listed_choices(value), help, with_range(kind<double>(true), range), parts))
    return;
  value.assign(parts.size(), 0.);
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    const std::string wrong = convert_value(parts[i], range, value[i]);
    if (!wrong.empty())
      reject(name, item(parts, i) + wrong, help);
  }
}

void Parameters::add(const std::string &name, std::vector<int> &value, const std::string &help, const Range &range)
{
  std::vector<std::string> parts;
  if (!read_list(name, listed_choices(value), help, with_range(kind<int>(true), range), parts))
    return;
  value.assign(parts.size(), 0);
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    const std::string wrong = convert_value(parts[i], range, value[i]);
    if (!wrong.empty())
      reject(name, item(parts, i) + wrong, help);
  }
}

void Parameters::add(const std::string &name, std::vector<std::string> &value, const std::string &help)
{
  std::vector<std::string> parts;
  if (read_list(name, join(value), help, "comma-separated words", parts))
    value = parts;
}

void Parameters::add(const std::string &name, Expression &value, const std::string &help)
{
  const std::string *text = read(name, value.text(), help, "formula of " + join(value.variables()));
  if (!text)
    return;
  try
  {
    value = Expression(*text, value.variables());
  }
  catch (const InputError &error)
  {
    reject(name, error.what(), help);
  }
}

void Parameters::add(const std::string &name, std::vector<Expression> &value, const std::string &help)
{
  const std::vector<std::string> variables = (value.empty() ? Expression() : value[0]).variables();
  std::vector<std::string> parts;
  for (const auto &formula : value)
    parts.push_back(formula.text());
  if (!read_list(name, join(parts), help, "comma-separated formulas of " + join(variables), parts))
    return;
  value.clear();
  for (std::size_t i = 0; i < parts.size(); ++i)
    try
    {
      value.emplace_back(parts[i], variables);
    }
    catch (const InputError &error)
    {
      reject(name, error.what(), help);
    }
}

void Parameters::renamed(const std::string &before, const std::string &now) { deck->rename(own_path, before, now); }

void Parameters::renamed_value(const std::string &name, const std::string &before, const std::string &now)
{
  deck->rename_value(own_path, name, before, now);
}

Parameters Parameters::in_units(const std::string &units) const
{
  Parameters same = *this;
  same.units = units;
  return same;
}

Parameters Parameters::section(const std::string &name) const
{
  const std::string path = own_path.empty() ? name : own_path + "/" + name;
  deck->declare_section(path, active);
  return Parameters(*deck, path, active);
}

Parameters Parameters::inactive_section(const std::string &name) const
{
  const std::string path = own_path.empty() ? name : own_path + "/" + name;
  deck->declare_section(path, false);
  return Parameters(*deck, path, false);
}

std::vector<std::string> Parameters::named_sections() const
{
  deck->declare_section(own_path, active);
  std::vector<std::string> names;
  for (const auto &child : deck->children(own_path))
    names.push_back(own_path.empty() ? child : child.substr(own_path.size() + 1));
  return names;
}

bool Parameters::given(const std::string &name) const { return deck->find(own_path, name) != nullptr; }

bool Parameters::exists() const { return deck->written(own_path) != nullptr; }

std::string Parameters::file_path(const std::string &file) const
{
  return deck->named_files[file] = (std::filesystem::path(deck->folder()) / file).string();
}

std::string Parameters::where(const std::string &name) const
{
  const std::string section = own_path.empty() ? "" : " [" + own_path + "]";
  if (name.empty())
    return deck->place_of_section(own_path) + section;
  if (const DeckEntry *entry = deck->find(own_path, name))
    return entry->place + section + " " + name + " = " + shortened(entry->written.empty() ? entry->value : entry->written);
  const Declaration *declaration = deck->declaration(own_path, name);
  return deck->place_of_section(own_path) + section + " " + name +
         (declaration && !declaration->fallback.empty() ? " = " + declaration->fallback + " (default)" : " (not given)");
}

void Parameters::fail(const std::string &name, const std::string &rule) const
{
  const std::string what = rule + deck->misspelt(own_path, name);
  throw InputError(where(name) + ": " + what + by_command_line(*deck, own_path, what));
}

void Parameters::reject(const std::string &name, const std::string &rule, const std::string &help) const
{
  throw InputError(where(name) + ": " + as_sentence(rule) + (help.empty() ? "" : " Meaning: " + as_sentence(help)) +
                   deck->misspelt(own_path, name));
}
}  // namespace symdyn
