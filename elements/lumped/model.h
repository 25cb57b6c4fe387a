#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/lumped/central_pairs.h"
#include "elements/lumped/parts.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The first dozen, for messages.
std::string join_some(std::vector<std::string> names);

/// Points, and what acts on them, while a deck is read.
class DiscreteModel
{
public:
  LumpedParts parts;
  std::vector<double> displacement, velocity;  ///< at t = 0, of all coordinates
  std::vector<std::string> force_names;

  int dimension() const { return parts.dimension; }
  /// Errors: InputError through `p` if the name is taken.
  int add_point(const LumpedPoint &point, const std::vector<double> &u, const std::vector<double> &v, const Parameters &p);
  /// The last `count` points under one name.
  void add_group(const std::string &name, int count, const Parameters &p);
  /// Numbers of the points of these names and groups. Errors: InputError for a name that is no point, or twice.
  std::vector<int> find(const std::vector<std::string> &names, const Parameters &p, const std::string &entry) const;
  const std::string &name_of(const int point) const { return parts.points[point].name; }
  /// Between their positions [m].
  double distance(int from, int to) const;
  double distance(int from, const Place &to) const;
  /// `dimension` numbers. Errors: InputError for another count, or what is not finite.
  std::vector<double> components(const std::vector<Expression> &formulas, const std::vector<double> &variables, const std::string &entry,
                                 const Parameters &p) const;
  Place place(const std::vector<double> &given, const std::string &entry, const Parameters &p) const;
  /// The same as a unit vector. Errors: InputError for zero.
  Place direction(const std::vector<double> &given, const std::string &entry, const Parameters &p) const;

private:
  std::map<std::string, std::vector<int>> places;  ///< points of a name or a group
};

/// Two lists of points that something joins one by one; the second may be a place at rest.
struct Ends
{
  static constexpr const char *ground = "ground";
  std::string from, to;
  std::vector<double> anchor;
  std::vector<int> offset{0};
  bool cyclic = false;

  void declare(Parameters &p);
  static bool given(const Parameters &p);
  bool to_ground() const { return to == ground; }
  /// Errors: InputError through `p`.
  std::vector<std::pair<int, int>> pairs(const DiscreteModel &model, const Parameters &p) const;
  /// The points of From that end at the anchor.
  std::vector<int> anchored(const DiscreteModel &model, const Parameters &p) const;
};

/// Pairs of one law between these ends. `make(length)`: the law for ends so far apart (or of Length). Errors: InputError through `p`.
template <class Law, class Pairs = CentralPairs<Law>, class Make>
std::shared_ptr<Pairs> join_ends(const Ends &ends, const DiscreteModel &model, const Parameters &p, const Make &make)
{
  auto term = std::make_shared<Pairs>();
  term->dimension = model.dimension();
  if (ends.to_ground())
  {
    term->places = {model.place(ends.anchor, "Anchor", p)};
    for (const int k : ends.anchored(model, p))
      term->pairs.push_back({k, -1, make(model.distance(k, term->places[0]), model.name_of(k), Ends::ground)});
  }
  else
    for (const auto &[from, to] : ends.pairs(model, p))
      term->pairs.push_back({from, to, make(model.distance(from, to), model.name_of(from), model.name_of(to))});
  return term;
}

/// A formula of coordinates, as a deck gives it: its variables and the sets of coordinates that it is applied to.
struct FormulaPlaces
{
  std::vector<std::string> points;
  Ends ends;

  void declare(Parameters &p, const std::string &what);
  /// The formula with those variables that the text uses, and their coordinates for each set. Errors: InputError through `p`.
  void complete(const std::string &text, const DiscreteModel &model, const Parameters &p, Expression &expression,
                std::vector<int> &coordinates) const;

private:
  /// Names of variables, and the coordinates that they stand for in each set.
  struct Sets
  {
    std::vector<std::string> names;
    std::vector<std::vector<int>> dofs;
    void add(const std::string &of, int point, int dimension);
  };
  Sets sets(const DiscreteModel &model, const Parameters &p) const;
};

/// A kind of section of a deck about points ("Bars"), registered under its name. Each of its sections is given to one object.
class DiscreteSection
{
public:
  virtual ~DiscreteSection() = default;
  /// Adds points; before any terms.
  virtual void add_points(const std::string &, Parameters, DiscreteModel &) {}
  virtual void add_terms(const std::string &name, Parameters p, DiscreteModel &model) = 0;
  /// Declares all entries, for the deck reference.
  virtual void document(Parameters p) = 0;
};
}  // namespace symdyn
