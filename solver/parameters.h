#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace symdyn
{
class Deck;
class Expression;

/// What a number may be. Printed in the deck reference and in errors.
struct Range
{
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_excluded = false, max_excluded = false;

  bool holds(double value) const;
  std::string text() const;  ///< "> 0", "in [0, 0.5)", "" if any number will do
};
inline Range positive() { return {0., std::numeric_limits<double>::infinity(), true, false}; }
inline Range not_negative() { return {0., std::numeric_limits<double>::infinity(), false, false}; }
inline Range between(double min, double max) { return {min, max, false, false}; }

/// One section of a deck. A class states each parameter once, in its `declare(Parameters &p)`:
///     p.add("beta", beta, "weight of the new acceleration in q1 [-]", between(0, 0.5));
/// The value in the variable is the default; if the deck has the entry, its value is checked and stored. The same calls
/// produce the deck reference (`symdyn parameters`). Errors: InputError with file:line, the value and the rule.
class Parameters
{
public:
  Parameters(Deck &deck, std::string path, bool active = true) : deck(&deck), own_path(std::move(path)), active(active) {}

  void add(const std::string &name, double &value, const std::string &help, const Range &range = {});
  void add(const std::string &name, int &value, const std::string &help, const Range &range = {});
  void add(const std::string &name, bool &value, const std::string &help);
  void add(const std::string &name, std::string &value, const std::string &help, const std::vector<std::string> &choices = {});
  /// A comma-separated list.
  void add(const std::string &name, std::vector<double> &value, const std::string &help, const Range &range = {});
  void add(const std::string &name, std::vector<int> &value, const std::string &help, const Range &range = {});
  void add(const std::string &name, std::vector<std::string> &value, const std::string &help);
  /// An expression of x, y, z, t (or a number), one syntax in the whole deck.
  void add(const std::string &name, Expression &value, const std::string &help);
  /// A comma-separated list of expressions.
  void add(const std::string &name, std::vector<Expression> &value, const std::string &help);

  /// The entry or section `now` of this section was called `before` in the version before, which is accepted with a warning. To be called
  /// before add() and section(). Errors: InputError if the deck gives both.
  void renamed(const std::string &before, const std::string &now);
  /// The same for a value of the entry, or an item of its list.
  void renamed_value(const std::string &name, const std::string &before, const std::string &now);

  /// This section for entries whose units the help leaves open: numbers with units must have these, one for all or, "1/s, s", one an item.
  Parameters in_units(const std::string &units) const;

  /// The section `name` inside this one; an inactive one is validated but reported as unused.
  Parameters section(const std::string &name) const;
  Parameters inactive_section(const std::string &name) const;
  /// The whole deck.
  Parameters root() const { return Parameters(*deck, "", active); }
  /// Names of the sections inside this one, in the order of the file, where names are the user's choice. The deck
  /// reference declares them under a literal "<name>".
  std::vector<std::string> named_sections() const;

  /// Whether the deck (not the default) gives this entry.
  bool given(const std::string &name) const;
  /// Whether the deck writes this section (an empty one counts).
  bool exists() const;
  const std::string &path() const { return own_path; }
  /// `file` relative to the folder of the deck.
  std::string file_path(const std::string &file) const;
  /// "deck.prm:17 [Integrator/newmark] beta = 0.1"; with "(default)" if the deck does not give it; the section alone
  /// when `name` is empty.
  std::string where(const std::string &name = "") const;
  /// Throws InputError: where(name) + ": " + rule.
  [[noreturn]] void fail(const std::string &name, const std::string &rule) const;

private:
  /// Declares the entry; its text in the deck, or nullptr if the deck does not give it.
  const std::string *read(const std::string &name, const std::string &fallback, const std::string &help, const std::string &rule);

  [[noreturn]] void reject(const std::string &name, const std::string &rule, const std::string &help) const;
  /// Whether the deck gives the list, and then its parts; none of them is empty.
  bool read_list(const std::string &name, const std::string &fallback, const std::string &help, const std::string &rule,
                 std::vector<std::string> &parts);

  Deck *deck;
  std::string own_path;
  bool active;
  std::string units;  ///< "": as the help of an entry says
};
}  // namespace symdyn
