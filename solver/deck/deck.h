#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
class DeckFormat;

/// One entry as the user wrote it, with the place to point at in errors.
struct DeckEntry
{
  std::string value;
  std::string place;  ///< "beam.prm:17", "beam.json:9" or "--set Integrator/newmark/beta"
  bool used = false;
  std::string written = "";  ///< with units, where `value` has been converted: what messages show
};

/// A declared parameter: a line of the deck reference.
struct Declaration
{
  std::string path, name, fallback, help, rule;
};

/// An input deck in memory. Syntax: deal.II ParameterHandler files (.prm: subsection NAME / set KEY = VALUE / end,
/// comments with #, continuation with \, include FILE relative to the deck's folder) or JSON objects (.json; an array
/// is a comma-separated list). Names are case sensitive and hold no '/', which separates sections in a path. It knows
/// nothing of what the entries mean: that is stated through Parameters, which marks what was used; `finish()` refuses
/// the rest.
class Deck
{
public:
  Deck() = default;                                                         ///< empty: all defaults
  static Deck read(const std::string &file);                                ///< by its ending; see also deck_format.h
  static Deck from_text(const std::string &text, const std::string &name);  ///< .prm, or JSON where it begins with {

  /// "Section/Sub/Entry=value", from the command line. Replaces or adds.
  void set(const std::string &assignment);

  /// A deck without what `drop` names, of which nothing is declared or used: sections, with all in them, by (path, ""), entries by (path of
  /// their section, name).
  Deck without(const std::function<bool(const std::string &path, const std::string &entry)> &drop) const;

  Parameters root() { return Parameters(*this, ""); }

  /// InputError for every entry that nobody declared, with the nearest declared names of its section.
  void finish() const;
  /// Complaints about sections and entries that `reference` neither declares nor has renamed; "<name>" in its paths matches any name. A
  /// deck may be refused for a missing entry before finish() could report the misspelt one in its place.
  std::vector<std::string> unknown_to(const Deck &reference) const;

  const std::string &name() const { return file; }  ///< file name as given
  std::string stem() const;                         ///< without folder and ending; "symdyn" without a deck
  std::string folder() const;                       ///< for files named in the deck; "." for the current one
  const std::vector<Declaration> &declarations() const { return declared; }
  /// Sections the deck fills but that are not selected ("Integrator/bathe"); not those inside of them.
  std::vector<std::string> inactive_sections() const;
  /// Files that the deck names and that were asked for, as it names them, with their paths.
  const std::map<std::string, std::string> &files() const { return named_files; }
  /// Files whose text is a part of it.
  const std::vector<std::string> &included() const { return included_files; }
  /// What of a file of another program is computed otherwise than it says.
  const std::vector<std::string> &warnings() const { return own_warnings; }
  /// Warnings, with file:line, for names of the version before: Parameters::renamed().
  const std::vector<std::string> &old_names_used() const { return old_names; }
  /// What was read, as a .prm text with --set applied.
  std::string as_prm() const;
  /// The same as JSON: nested objects, values as texts.
  std::string as_json() const;

private:
  friend class Parameters;
  friend class PrmReader;
  friend class JsonReader;
  static Deck from_format(const DeckFormat &format, const std::string &file);

  /// A section that the deck writes (place is not empty), that the program declares, or both.
  struct Section
  {
    std::string path, place;
    std::vector<std::string> order;     ///< entry names as in the file
    std::vector<std::string> children;  ///< paths of written subsections, in file order
    std::map<std::string, DeckEntry> entries;
    std::map<std::string, std::size_t> known;  ///< declared entries: their index in `declared`
    bool is_declared = false, active = false, inactive = false;
  };

  DeckEntry *find(const std::string &path, const std::string &name);
  const Declaration *declaration(const std::string &path, const std::string &name) const;
  const Section *written(const std::string &path) const;                    ///< nullptr if the deck does not write it
  const std::vector<std::string> &children(const std::string &path) const;  ///< paths of written subsections, in file order
  std::string place_of_section(const std::string &path) const;              ///< or of the nearest one around it, or the file
  void add_entry(const std::string &path, const std::string &name, const std::string &value, const std::string &place);
  void add_section(const std::string &path, const std::string &place);
  void declare(const Declaration &declaration, bool active);
  void declare_section(const std::string &path, bool active);
  void rename(const std::string &path, const std::string &before, const std::string &now);
  void rename_entry(const std::string &path, const std::string &before, const std::string &now);
  void rename_section(const std::string &before, const std::string &now);
  void rename_value(const std::string &path, const std::string &name, const std::string &before, const std::string &now);
  /// An entry, formerly called `before`, under its present name: the command line wins over the file. Errors: InputError if both give it.
  void take(const std::string &path, const std::string &name, const DeckEntry &entry, const std::string &before);
  bool filled(const std::string &path) const;
  std::string unknown_section(const Section &section) const;
  std::string unknown_entry(const Section &section, const std::string &name) const;
  /// Asks whether an unused entry of the section (`name` empty: a section beside it) is this one misspelt; or "".
  std::string misspelt(const std::string &path, const std::string &name) const;
  void write_prm(const std::string &path, int depth, std::string &text) const;

  std::vector<std::string> own_warnings, old_names;
  std::map<std::pair<std::string, std::string>, std::string> renamings;  ///< by section and old name
  std::string file = "(no deck)";
  std::vector<std::string> section_order;  ///< of the written ones
  std::map<std::string, Section> sections;
  std::vector<Declaration> declared;
  std::map<std::string, std::string> named_files;
  std::vector<std::string> included_files;
};
}  // namespace symdyn
