#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/deck/deck.h"
#include "solver/deck/deck_format.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
std::string content(const std::string &file, const std::string &named_by = "")
{
  const TextFile found = TextFile::read(file);
  if (!found.fault.empty())
    throw InputError((named_by.empty() ? "" : named_by + ": ") + found.place(file) + " " + found.fault + ".");
  return found.text;
}

std::string section_below(const std::string &path, const std::string &name) { return path.empty() ? name : path + "/" + name; }
}  // namespace

/// Reads the syntax of deal.II's ParameterHandler, line by line.
class PrmReader
{
public:
  PrmReader(Deck &deck, std::string file) : deck(deck), file(std::move(file)) {}
  /// Of a file that is included.
  PrmReader(const PrmReader &outer, std::string file)
      : deck(outer.deck), file(std::move(file)), path(outer.path), includes(outer.includes + 1), files(outer.files)
  {
  }

  void read(const std::string &text)
  {
    std::istringstream stream(text);
    std::string physical, logical;
    bool continued = false;
    for (int number = 1; std::getline(stream, physical); ++number)
    {
      physical = trim(physical);
      if (!continued)
        line = number;
      continued = !physical.empty() && physical.back() == '\\';
      logical += continued ? physical.substr(0, physical.size() - 1) : physical;
      if (continued && logical.find('#') != std::string::npos)
        fail("a comment that ends with '\\' would swallow the next line; remove the '\\'.");
      if (continued)
        continue;
      scan(logical);
      logical.clear();
    }
    scan(logical);
    if (!opened.empty())
      throw InputError(fmt::format("{}:{}: subsection {} has no 'end'.", file, opened.back(), path));
  }

private:
  [[noreturn]] void fail(const std::string &rule) const { throw InputError(place() + ": " + rule); }
  std::string place() const { return fmt::format("{}:{}", file, line); }

  void scan(const std::string &logical)
  {
    const std::string text = trim(logical.substr(0, logical.find('#')));
    if (text.empty())
      return;
    const auto blank = text.find_first_of(" \t");
    const std::string keyword = text.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : trim(text.substr(blank));
    if (keyword == "subsection")
      open(rest);
    else if (keyword == "end")
      close(rest);
    else if (keyword == "set")
      assign(rest);
    else if (keyword == "include")
      include(rest);
    else
      fail("'" + shortened(text) + "' is not understood; a line starts with " +
           join(nearest_first(keyword, {"set", "subsection", "end", "include"})) + " or #.");
  }

  void open(const std::string &name)
  {
    if (name.empty() || name.find('/') != std::string::npos)
      fail("subsection '" + shortened(name) + "': write 'subsection NAME', without '/'; one line for each level.");
    path = section_below(path, name);
    opened.push_back(line);
    deck.add_section(path, place());
  }

  void close(const std::string &rest)
  {
    if (!rest.empty())
      fail("'" + shortened(rest) + "' after 'end'; 'end' stands alone on its line.");
    if (opened.empty())
      fail("'end' without a subsection that it could close.");
    opened.pop_back();
    path = path.find('/') == std::string::npos ? "" : path.substr(0, path.rfind('/'));
  }

  void assign(const std::string &rest)
  {
    const auto equals = rest.find('=');
    if (equals == std::string::npos)
      fail("'set " + shortened(rest) + "' has no '='; write 'set NAME = VALUE'.");
    deck.add_entry(path, trim(rest.substr(0, equals)), trim(rest.substr(equals + 1)), place());
  }

  void include(const std::string &name)
  {
    constexpr int deepest = 16, most_files = 1000;
    if (name.empty())
      fail("write 'include FILE'.");
    if (includes == deepest)
      fail("'include " + name + "': files include each other more than " + std::to_string(deepest) + " deep.");
    if (++*files > most_files)
      fail("'include " + name + "': more than " + std::to_string(most_files) + " files are included. Write them into one.");
    const std::string included = (std::filesystem::path(file).parent_path() / name).string();
    deck.included_files.push_back(included);
    PrmReader(*this, included).read(content(included, place()));
  }

  Deck &deck;
  const std::string file;
  std::string path;
  const int includes = 0;                                 // how deep this file is included
  std::shared_ptr<int> files = std::make_shared<int>(0);  // included in all
  int line = 0;
  std::vector<int> opened;  // lines of the open subsections
};

/// Receives the events of nlohmann's parser: nothing is lost, neither duplicates nor the spelling of numbers.
class JsonReader
{
public:
  JsonReader(Deck &deck, std::string file) : deck(deck), file(std::move(file)) {}

  void read(const std::string &text);

  bool null() { fail("null is no value; leave the entry out."); }
  bool boolean(const bool value) { return scalar(value ? "true" : "false"); }
  bool number_integer(const std::int64_t value) { return scalar(std::to_string(value)); }
  bool number_unsigned(const std::uint64_t value) { return scalar(std::to_string(value)); }
  bool number_float(double, const std::string &spelling) { return scalar(spelling); }
  bool string(const std::string &value)
  {
    if (in_array && split(value).size() != 1)
      fail("'" + value + "' inside a list is empty or has a comma; write a list of single values.");
    return scalar(value);
  }
  bool binary(const std::vector<std::uint8_t> &) { fail("binary values are not supported."); }
  bool start_object(std::size_t)
  {
    if (in_array)
      fail("a list holds numbers or strings, not objects.");
    if (at_root)
      at_root = false;
    else
      deck.add_section(open.emplace_back(full_key()), key_place);
    return true;
  }
  bool end_object()
  {
    if (!open.empty())
      open.pop_back();
    return true;
  }
  bool start_array(std::size_t)
  {
    if (in_array)
      fail("a list holds numbers or strings, not lists.");
    check_root();
    in_array = true;
    list.clear();
    return true;
  }
  bool end_array()
  {
    in_array = false;
    return scalar(join(list));
  }
  bool key(const std::string &name)
  {
    key_name = name;
    key_place = fmt::format("{}:{}", file, line);
    if (name.find('/') != std::string::npos)
      fail("a name cannot hold '/'; nest objects instead.");
    return true;
  }
  bool parse_error(std::size_t, const std::string &token, const nlohmann::detail::exception &error)
  {
    const std::string what = error.what(), mark = "column ";
    const auto column = what.find(mark);
    throw InputError(fmt::format("{}:{}: JSON, {} (last read: '{}').", file, line,
                                 shortened(column == std::string::npos ? what : what.substr(column)), shortened(token)));
  }

private:
  /// Counts lines while the parser moves on; the parser reports no positions of its own.
  struct Cursor
  {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;
    const char *at;
    int *line;
    reference operator*() const { return *at; }
    Cursor &operator++()
    {
      *line += *at++ == '\n';
      return *this;
    }
    Cursor operator++(int)
    {
      const Cursor before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Cursor &other) const { return at == other.at; }
    bool operator!=(const Cursor &other) const { return at != other.at; }
  };

  [[noreturn]] void fail(const std::string &rule) const
  {
    throw InputError(key_place + (key_name.empty() ? "" : " " + full_key()) + ": " + rule);
  }
  std::string full_key() const { return section_below(open.empty() ? "" : open.back(), key_name); }
  void check_root() const
  {
    if (at_root)
      throw InputError(file + ":1: a JSON deck is one object: { \"Section\": { \"Entry\": value } }.");
  }
  bool scalar(const std::string &value)
  {
    check_root();
    if (in_array)
      list.push_back(value);
    else
      deck.add_entry(open.empty() ? "" : open.back(), key_name, trim(value), key_place);
    return true;
  }

  Deck &deck;
  const std::string file;
  int line = 1;
  std::vector<std::string> open;  // paths of the open objects
  std::string key_name, key_place;
  bool in_array = false, at_root = true;
  std::vector<std::string> list;
};

void JsonReader::read(const std::string &text)
{
  const char *end = text.data() + text.size();
  nlohmann::json::sax_parse(Cursor{text.data(), &line}, Cursor{end, &line}, this);
}

Deck Deck::from_text(const std::string &text, const std::string &name)
{
  Deck deck;
  deck.file = name;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{')
    JsonReader(deck, name).read(text);
  else
    PrmReader(deck, name).read(text);
  return deck;
}

Deck Deck::from_format(const DeckFormat &format, const std::string &file)
{
  Deck deck;
  deck.file = file;
  const DeckText text = format.read(file);
  for (const DeckLine &line : text.lines)
    deck.add_entry(line.path, line.name, line.value, line.place);
  deck.own_warnings = text.warnings;
  deck.included_files = text.files;
  return deck;
}

Deck Deck::read(const std::string &file)
{
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".prm")
    return from_text(content(file), file);
  if (Registry<DeckFormat>::instance().has(ending))
    return from_format(*Registry<DeckFormat>::instance().make(ending), file);
  if (ending != ".json")
    throw InputError(file + ": ends in '" + ending +
                     "'; a deck is a .prm or a .json file, or one of: " + join(Registry<DeckFormat>::instance().names()) + ".");
  Deck deck;
  deck.file = file;
  JsonReader(deck, file).read(content(file));
  return deck;
}
}  // namespace symdyn
