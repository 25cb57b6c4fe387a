#include <fmt/format.h>

#include <algorithm>

#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/deck/deck.h"
#include "solver/error.h"

// Entries, sections and values that a deck gives by the names of the version before.
namespace symdyn
{
namespace
{
const char *const until_when = "; this is the last version that accepts the old name. Rename it";

bool from_command_line(const std::string &place) { return place.rfind("--set ", 0) == 0; }

std::string below(const std::string &path, const std::string &name) { return path.empty() ? name : path + "/" + name; }

std::string in_brackets(const std::string &path) { return path.empty() ? " " : " [" + path + "] "; }

bool lies_in(const std::string &path, const std::string &section)
{
  return path == section || path.compare(0, section.size() + 1, section + "/") == 0;
}

void remove(std::vector<std::string> &names, const std::string &name)
{
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
}
}  // namespace

void Deck::rename(const std::string &path, const std::string &before, const std::string &now)
{
  renamings[{path, before}] = now;
  if (find(path, before))
    rename_entry(path, before, now);
  if (written(below(path, before)))
    rename_section(below(path, before), below(path, now));
}

void Deck::rename_entry(const std::string &path, const std::string &before, const std::string &now)
{
  Section &section = sections.at(path);
  const DeckEntry entry = section.entries.at(before);
  old_names.push_back(fmt::format("{}{}{} = {}: the entry is now called \"{}\"{}", entry.place, in_brackets(path), before,
                                  shortened(entry.value), now, until_when));
  section.entries.erase(before);
  if (section.entries.count(now) > 0)
    remove(section.order, before);
  else
    std::replace(section.order.begin(), section.order.end(), before, now);
  take(path, now, entry, before);
}

void Deck::rename_section(const std::string &before, const std::string &now)
{
  const std::string place = sections.at(before).place;
  const Section *const other = written(now);
  if (other && !from_command_line(place) && !from_command_line(other->place))
    throw InputError(fmt::format("{} [{}]: this is the old name of the section [{}], which {} gives too. Write all of it into [{}].", place,
                                 before, now, other->place, now));
  old_names.push_back(fmt::format("{} [{}]: the section is now called \"{}\"{}", place, before, now, until_when));
  for (const std::string &path : std::vector<std::string>(section_order))
  {
    if (!lies_in(path, before))
      continue;
    const Section old = sections.at(path);
    const std::string target = now + path.substr(before.size());
    sections.erase(path);
    remove(section_order, path);
    if (const auto slash = path.rfind('/'); path == before)
      remove(sections[slash == std::string::npos ? "" : path.substr(0, slash)].children, path);
    add_section(target, old.place);
    for (const std::string &name : old.order)
    {
      if (!find(target, name))
        sections[target].order.push_back(name);
      take(target, name, old.entries.at(name), name);
    }
  }
}

void Deck::take(const std::string &path, const std::string &name, const DeckEntry &entry, const std::string &before)
{
  const DeckEntry *const other = find(path, name);
  if (other && from_command_line(entry.place) == from_command_line(other->place))
    throw InputError(fmt::format("{}{}{} = {}: this is the old name of \"{}\", which {} gives too. Keep one of them.", entry.place,
                                 in_brackets(path), before, shortened(entry.value), name, other->place));
  if (!other || from_command_line(entry.place))
    sections[path].entries[name] = entry;
}

void Deck::rename_value(const std::string &path, const std::string &name, const std::string &before, const std::string &now)
{
  DeckEntry *const entry = find(path, name);
  if (!entry)
    return;
  std::vector<std::string> items = split(entry->value);
  if (std::find(items.begin(), items.end(), before) == items.end())
    return;
  old_names.push_back(fmt::format("{}{}{} = {}: \"{}\" is now called \"{}\"{}", entry->place, in_brackets(path), name,
                                  shortened(entry->value), before, now, until_when));
  std::replace(items.begin(), items.end(), before, now);
  entry->value = join(items);
}
}  // namespace symdyn
