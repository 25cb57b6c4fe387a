#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solver/base/names.h"
#include "solver/deck/deck.h"

// What a deck has that no declaration knows, asked before everything is declared.
namespace symdyn
{
namespace
{
const std::string any_name = "<name>";

std::string entry_below(const std::string &path, const std::string &name) { return path.empty() ? name : path + "/" + name; }

std::pair<std::string, std::string> outer_and_name(const std::string &path)
{
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::pair{std::string(), path} : std::pair{path.substr(0, slash), path.substr(slash + 1)};
}

/// All names that a deck may use; "<name>" is any name of a section.
class KnownNames
{
public:
  using Renamings = std::map<std::pair<std::string, std::string>, std::string>;
  KnownNames(const std::vector<Declaration> &declarations, const Renamings &renamings) : renamings(renamings)
  {
    for (const Declaration &one : declarations)
    {
      entries[one.path].push_back(one.name);
      for (std::string path = one.path; !path.empty(); path = outer_and_name(path).first)
        sections[outer_and_name(path).first].insert(outer_and_name(path).second);
    }
  }

  /// The present name of an entry or a section inside `outer`.
  const std::string &present(const std::string &outer, const std::string &name) const
  {
    const auto renamed = renamings.find({outer, name});
    return renamed == renamings.end() ? name : renamed->second;
  }
  /// Where the section `given` inside `outer` is described; false if there is none of this name.
  bool find(const std::string &outer, const std::string &given, std::string &path) const
  {
    const std::string &name = present(outer, given);
    const std::set<std::string> &inside = sections_in(outer);
    path = entry_below(outer, inside.count(name) > 0 ? name : any_name);
    return inside.count(name) > 0 || inside.count(any_name) > 0;
  }
  const std::set<std::string> &sections_in(const std::string &path) const
  {
    return sections.count(path) > 0 ? sections.at(path) : no_sections;
  }
  const std::vector<std::string> &entries_in(const std::string &path) const
  {
    return entries.count(path) > 0 ? entries.at(path) : no_entries;
  }

private:
  const Renamings &renamings;
  std::map<std::string, std::set<std::string>> sections;
  std::map<std::string, std::vector<std::string>> entries;
  const std::set<std::string> no_sections;
  const std::vector<std::string> no_entries;
};

/// "deck.prm:12: unknown entry 'Typezz' in section Mesh; did you mean 'Type'? ..."; of many candidates the nearest.
std::string complaint(const std::string &place, const std::string &kind, const std::string &name, const std::string &path,
                      const std::vector<std::string> &candidates)
{
  constexpr std::size_t most = 8;
  const std::string what =
      fmt::format("{}: unknown {} '{}' {}", place, kind, name, path.empty() ? "outside of all sections" : "in section " + path);
  if (candidates.empty())
    return what + "; no " + kind + " is known here.";
  std::vector<std::string> sorted = nearest_first(name, candidates);
  const bool more = sorted.size() > most;
  sorted.resize(std::min(sorted.size(), most));
  return fmt::format("{}; did you mean '{}'? {}: {}.{}", what, sorted.front(), more ? "Near it" : "Known here", join(sorted),
                     more ? " `symdyn parameters` lists all." : "");
}
}  // namespace

std::vector<std::string> Deck::unknown_to(const Deck &reference) const
{
  const KnownNames known(reference.declared, reference.renamings);
  std::map<std::string, std::string> described{{"", ""}};  // where, by the path in this deck
  std::vector<std::string> complaints;
  for (const std::string &path : section_order)
  {
    const Section &section = sections.at(path);
    const auto [outer, name] = outer_and_name(path);
    if (described.count(outer) == 0)
      continue;  // one complaint for all that is in there
    std::string there;
    if (!path.empty() && !known.find(described.at(outer), name, there))
    {
      const std::set<std::string> &inside = known.sections_in(described.at(outer));
      complaints.push_back(complaint(section.place, "section", name, outer, {inside.begin(), inside.end()}));
      continue;
    }
    described[path] = there;
    const std::vector<std::string> &names = known.entries_in(there);
    for (const std::string &entry : section.order)
      if (!section.entries.at(entry).used && std::count(names.begin(), names.end(), known.present(there, entry)) == 0)
        complaints.push_back(complaint(section.entries.at(entry).place, "entry", entry, path, names));
  }
  return complaints;
}
}  // namespace symdyn
