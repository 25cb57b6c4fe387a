#include "solver/deck/deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr std::size_t longest_name = 200, deepest_section = 16, most_complaints = 20;

std::string parent(const std::string &path)
{
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string last_part(const std::string &path)
{
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool inside(const std::string &path, const std::string &outer)
{
  return outer.empty() || path == outer || path.compare(0, outer.size() + 1, outer + "/") == 0;
}

std::string bracketed(const std::string &path) { return path.empty() ? "" : "[" + path + "] "; }

std::string in_section(const std::string &path) { return path.empty() ? "outside of all sections" : "in section " + path; }

std::string ways_out(const std::string &name, const std::vector<std::string> &candidates, const std::string &kind)
{
  if (candidates.empty())
    return "; no " + kind + " is known here.";
  const auto sorted = nearest_first(name, candidates);
  return "; did you mean '" + sorted.front() + "'? Known here: " + join(sorted) + ".";
}

/// The .prm syntax could not write these.
void check_name(const std::string &name, const std::string &kind, const std::string &place)
{
  if (name.size() > longest_name)
    throw InputError(fmt::format("{}: '{}' is a name of {} characters; at most {} are possible. Shorten it.", place, shortened(name),
                                 name.size(), longest_name));
  if (!is_utf8(name))
    throw InputError(place + ": '" + shortened(name) +
                     "' is not text in UTF-8 (perhaps it is Latin-1). Save the file as UTF-8, or write ASCII.");
  const std::string forbidden = kind == "entry" ? "/=#\\\n\r\t" : "/#\\,[\"\n\r\t";  // , and [ would break the columns of history.csv
  if (name.empty() || trim(name) != name || name.find_first_of(forbidden) != std::string::npos)
    throw InputError(place + ": '" + shortened(name) + "' cannot name a" + (kind == "entry" ? "n " : " ") + kind +
                     "; leave out / # \\ = , [ and quotes, tabs, line ends and outer blanks.");
}

void check_value(const std::string &value, const std::string &what)
{
  if (value.find_first_of("#\n\r") != std::string::npos || (!value.empty() && value.back() == '\\'))
    throw InputError(what + ": a value holds no '#' (it starts a comment) and no line end, nor does it end with '\\'.");
  if (!is_utf8(value))
    throw InputError(what + ": is not text in UTF-8 (perhaps it is Latin-1). Save the file as UTF-8, or write ASCII.");
}
}  // namespace

void Deck::set(const std::string &assignment)
{
  const auto equals = assignment.find('=');
  if (equals == std::string::npos)
    throw InputError("--set " + assignment + ": has no '='; write --set \"Section/Sub/Entry=value\".");
  std::string path, name;
  std::vector<std::string> parts = split(assignment.substr(0, equals), '/');
  for (auto &part : parts)
  {
    if (part.empty())
      throw InputError("--set " + assignment + ": a name is empty; write --set \"Section/Sub/Entry=value\".");
    path += (path.empty() ? "" : "/") + part;
  }
  if (parts.empty())
    throw InputError("--set " + assignment + ": no entry is named; write --set \"Section/Sub/Entry=value\".");
  const std::string place = "--set " + path;
  name = parts.back();
  path = parent(path);
  const std::string value = trim(assignment.substr(equals + 1));
  if (value.empty())
    throw InputError(place + ": has no value; write --set \"Section/Sub/Entry=value\".");
  if (DeckEntry *entry = find(path, name))
  {
    check_value(value, place);
    *entry = DeckEntry{value, place, false};  // the command line wins over the file
  }
  else
    add_entry(path, name, value, place);
}

DeckEntry *Deck::find(const std::string &path, const std::string &name)
{
  const auto section = sections.find(path);
  if (section == sections.end())
    return nullptr;
  const auto entry = section->second.entries.find(name);
  return entry == section->second.entries.end() ? nullptr : &entry->second;
}

const Declaration *Deck::declaration(const std::string &path, const std::string &name) const
{
  const auto section = sections.find(path);
  if (section == sections.end() || section->second.known.count(name) == 0)
    return nullptr;
  return &declared[section->second.known.at(name)];
}

const Deck::Section *Deck::written(const std::string &path) const
{
  const auto section = sections.find(path);
  return section == sections.end() || section->second.place.empty() ? nullptr : &section->second;
}

const std::vector<std::string> &Deck::children(const std::string &path) const
{
  static const std::vector<std::string> none;
  const auto section = sections.find(path);
  return section == sections.end() ? none : section->second.children;
}

std::string Deck::place_of_section(const std::string &path) const
{
  for (std::string outer = path; !outer.empty(); outer = parent(outer))
    if (const Section *section = written(outer))
      return section->place;
  return file;
}

void Deck::add_section(const std::string &path, const std::string &place)
{
  if (written(path))
    return;
  if (!path.empty())
  {
    if (std::count(path.begin(), path.end(), '/') >= std::ptrdiff_t(deepest_section))
      throw InputError(fmt::format("{}: '{}' lies in more than {} sections, one in another; no deck is so deep. Is an 'end' missing?",
                                   place, shortened(last_part(path)), deepest_section));
    check_name(last_part(path), "section", place);
    add_section(parent(path), place);
    sections[parent(path)].children.push_back(path);
  }
  sections[path].path = path;
  sections[path].place = place;
  section_order.push_back(path);
}

void Deck::add_entry(const std::string &path, const std::string &name, const std::string &value, const std::string &place)
{
  check_name(name, "entry", place);
  add_section(path, place);
  const std::string what = place + " " + bracketed(path) + name + " = " + shortened(value);
  check_value(value, what);
  if (const DeckEntry *first = find(path, name))
    throw InputError(what + ": is already set at " + first->place + " (" + name + " = " + shortened(first->value) + "). Keep one of them.");
  sections[path].order.push_back(name);
  sections[path].entries[name] = DeckEntry{value, place, false};
}

void Deck::declare_section(const std::string &path, const bool active)
{
  for (std::string outer = path; !outer.empty(); outer = parent(outer))
    sections[outer].is_declared = true;
  Section &section = sections[path];
  section.is_declared = true;
  (active ? section.active : section.inactive) = true;
}

void Deck::declare(const Declaration &declaration, const bool active)
{
  declare_section(declaration.path, active);
  if (sections[declaration.path].known.emplace(declaration.name, declared.size()).second)
    declared.push_back(declaration);
}

void Deck::finish() const
{
  std::vector<std::string> complaints, unknown;
  for (const auto &path : section_order)
  {
    const Section &section = sections.at(path);
    if (std::any_of(unknown.begin(), unknown.end(), [&](const auto &outer) { return inside(path, outer); }))
      continue;  // one complaint for all that is in there
    if (!section.is_declared && !path.empty())
    {
      unknown.push_back(path);
      complaints.push_back(unknown_section(section));
    }
    else
      for (const auto &name : section.order)
        if (!section.entries.at(name).used)
          complaints.push_back(unknown_entry(section, name));
  }
  if (complaints.size() > most_complaints)
  {
    const std::size_t more = complaints.size() - most_complaints;
    complaints.resize(most_complaints);
    complaints.push_back(fmt::format("and {} more", more));
  }
  if (!complaints.empty())
    throw InputError(join(complaints, "\n"));
}

std::string Deck::unknown_section(const Section &section) const
{
  const std::string name = last_part(section.path), outer = parent(section.path);
  std::vector<std::string> candidates;
  for (const auto &[path, other] : sections)
    if (other.is_declared && !path.empty() && parent(path) == outer)
      candidates.push_back(last_part(path));
  return section.place + ": unknown section '" + name + "'" + (outer.empty() ? "" : " " + in_section(outer)) +
         ways_out(name, candidates, "section");
}

std::string Deck::unknown_entry(const Section &section, const std::string &name) const
{
  std::vector<std::string> candidates;
  for (const auto &known : section.known)
    candidates.push_back(known.first);
  std::string text =
      section.entries.at(name).place + ": unknown entry '" + name + "' " + in_section(section.path) + ways_out(name, candidates, "entry");
  for (const auto &[path, other] : sections)
    if (other.known.count(name))
      return text + " There is one " + in_section(path) + ".";
  return text;
}

std::string Deck::misspelt(const std::string &path, const std::string &name) const
{
  const auto ask = [](const std::string &found, const std::string &place) { return ". Is '" + found + "' (" + place + ") misspelt?"; };
  const Section *section = written(path);
  if (section && !name.empty() && !section->entries.count(name))
    for (const auto &[other, entry] : section->entries)
      if (!entry.used && resembles(other, name))
        return ask(other, entry.place);
  if (!section && !path.empty())
    for (const auto &other : children(parent(path)))
      if (!sections.at(other).is_declared && resembles(last_part(other), last_part(path)))
        return ask(last_part(other), sections.at(other).place);
  return "";
}

std::string Deck::stem() const { return file == Deck().file ? "symdyn" : std::filesystem::path(file).stem().string(); }

std::string Deck::folder() const
{
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool Deck::filled(const std::string &path) const
{
  return std::any_of(sections.begin(), sections.end(),
                     [&](const auto &section) { return inside(section.first, path) && !section.second.entries.empty(); });
}

std::vector<std::string> Deck::inactive_sections() const
{
  std::vector<std::string> paths;
  for (const auto &path : section_order)
  {
    const Section &section = sections.at(path);
    const bool reported = std::any_of(paths.begin(), paths.end(), [&](const auto &outer) { return inside(path, outer); });
    if (section.inactive && !section.active && !reported && filled(path))
      paths.push_back(path);
  }
  return paths;
}

Deck Deck::without(const std::function<bool(const std::string &path, const std::string &entry)> &drop) const
{
  Deck rest;
  rest.file = file;
  rest.own_warnings = own_warnings;
  const std::function<void(const std::string &)> copy = [&](const std::string &path) {
    if (const Section *section = written(path))
    {
      if (!path.empty())
        rest.add_section(path, section->place);
      for (const std::string &name : section->order)
        if (!drop(path, name))
          rest.add_entry(path, name, section->entries.at(name).value, section->entries.at(name).place);
    }
    for (const std::string &child : children(path))
      if (!drop(child, ""))
        copy(child);
  };
  copy("");
  return rest;
}

std::string Deck::as_prm() const
{
  std::string text;
  write_prm("", 0, text);
  return text;
}

std::string Deck::as_json() const
{
  const std::function<nlohmann::ordered_json(const std::string &)> object = [&](const std::string &path) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (const Section *section = written(path))
      for (const auto &name : section->order)
        json[name] = section->entries.at(name).value;
    for (const auto &child : children(path))
      json[last_part(child)] = object(child);
    return json;
  };
  return object("").dump(2) + "\n";
}

void Deck::write_prm(const std::string &path, const int depth, std::string &text) const
{
  const std::string indent(2 * depth, ' ');
  if (const Section *section = written(path))
    for (const auto &name : section->order)
    {
      const std::string &value = section->entries.at(name).value;
      text += indent + "set " + name + " =" + (value.empty() ? "" : " ") + value + "\n";
    }
  for (const auto &child : children(path))
  {
    text += indent + "subsection " + last_part(child) + "\n";
    write_prm(child, depth + 1, text);
    text += indent + "end\n";
  }
}
}  // namespace symdyn
