#include <algorithm>
#include <cmath>

#include "elements/lumped/model.h"
#include "elements/lumped/straight_springs.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Dashpots along the line between two points: R = c/2 (n·(v_to - v_from))², n = d/|d|. Keeps both momenta: a rigid motion feels none.
class AxialDashpots : public DampingTerm
{
public:
  int dimension = 3;
  double c = 0;  ///< [N s/m]
  std::vector<std::pair<int, int>> pairs;

  double dissipation(const double *x, const double *v) const override
  {
    double R = 0;
    for (const auto &pair : pairs)
      R += 0.5 * c * std::pow(rate(pair, direction(pair, x), v), 2);
    return R;
  }
  void add_force(const double *x, const double *v, double *f) const override
  {
    for (const auto &pair : pairs)
    {
      const Place n = direction(pair, x);
      const double force = c * rate(pair, n, v);
      for (int i = 0; i < dimension; ++i)
      {
        f[dimension * pair.second + i] += force * n[i];
        f[dimension * pair.first + i] -= force * n[i];
      }
    }
  }
  void add_tangent(const double *x, const double weight, const AddEntry &add) const override
  {
    for (const auto &pair : pairs)
    {
      const Place n = direction(pair, x);
      for (int i = 0; i < dimension; ++i)
        for (int j = 0; j < dimension; ++j)
          for (const int row : {pair.first, pair.second})
            for (const int column : {pair.first, pair.second})
              add(dimension * row + i, dimension * column + j, (row == column ? weight : -weight) * c * n[i] * n[j]);
    }
  }
  void couple(const std::function<void(int, int)> &join) const override
  {
    for (const auto &[from, to] : pairs)
      join(from, to);
  }
  std::shared_ptr<const DampingTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<AxialDashpots>(*this);
    some->pairs.clear();
    for (const auto &[from, to] : pairs)
      if (selection.keep({from, to}))
        some->pairs.emplace_back(selection.place[from], selection.place[to]);
    return some;
  }

private:
  Place direction(const std::pair<int, int> &pair, const double *x) const
  {
    Place d{};
    double s = 0;
    for (int i = 0; i < dimension; ++i)
    {
      d[i] = x[dimension * pair.second + i] - x[dimension * pair.first + i];
      s += d[i] * d[i];
    }
    for (double &component : d)
      component = s > 0. ? component / std::sqrt(s) : 0.;  // no line: no force
    return d;
  }
  double rate(const std::pair<int, int> &pair, const Place &n, const double *v) const
  {
    double sum = 0;
    for (int i = 0; i < dimension; ++i)
      sum += n[i] * (v[dimension * pair.second + i] - v[dimension * pair.first + i]);
    return sum;
  }
};

/// Dashpots that do not turn: R = c/2 (m·v_to - n·v_from)².
class StraightDashpots : public DampingTerm
{
public:
  int dimension = 3;
  double c = 0;  ///< [N s/m]
  std::vector<StraightEnds> dashpots;

  double dissipation(const double *, const double *v) const override
  {
    double R = 0;
    for (const StraightEnds &ends : dashpots)
      R += 0.5 * c * std::pow(ends.rate(dimension, v), 2);
    return R;
  }
  void add_force(const double *, const double *v, double *f) const override
  {
    for (const StraightEnds &ends : dashpots)
      ends.pull(dimension, c * ends.rate(dimension, v), f);
  }
  void add_tangent(const double *, const double weight, const AddEntry &add) const override
  {
    for (const StraightEnds &ends : dashpots)
      ends.add_tangent(dimension, weight * c, add);
  }
  void couple(const std::function<void(int, int)> &join) const override
  {
    for (const StraightEnds &ends : dashpots)
      if (ends.to >= 0)
        join(ends.from, ends.to);
  }
  std::shared_ptr<const DampingTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<StraightDashpots>(*this);
    some->dashpots.clear();
    for (const StraightEnds &ends : dashpots)
      if (ends.is_in(selection))
        some->dashpots.push_back(ends.renumbered(selection));
    return some;
  }
  bool linear() const override { return true; }
};

class Dashpots : public DiscreteSection
{
public:
  void add_terms(const std::string &, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    if (!p.given("Coefficient"))
      p.fail("Coefficient", "a dashpot needs it");
    const bool between = Ends::given(p);
    if (between == p.given("Points"))
      p.fail("Points", "a dashpot is between Points and the ground, or From one point To another. Give one of both");
    if (!entries.direction.empty() || !entries.direction_at_to.empty())
    {
      model.parts.damping.push_back(make_directed(entries, between, p, model));
      return;
    }
    if (between)
    {
      auto term = std::make_shared<AxialDashpots>();
      term->dimension = model.dimension();
      term->c = entries.coefficient;
      term->pairs = entries.ends.pairs(model, p);
      model.parts.damping.push_back(term);
      return;
    }
    model.parts.dashpots.resize(model.parts.points.size(), 0.);
    for (const int k : model.find(entries.points, p, "Points"))
      model.parts.dashpots[k] += entries.coefficient;
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    std::vector<std::string> points;
    Ends ends;
    std::vector<double> direction, direction_at_to;
    double coefficient = 0;
    void declare(Parameters &p)
    {
      p.add("Points", points, "points and groups, each with a dashpot to the ground: f = - c v");
      ends.declare(p);
      p.add("Coefficient", coefficient, "c [N s/m]; of a dashpot between points, of the rate of their distance", positive());
      p.add(
          "Direction", direction,
          "the dashpot does not turn, and feels velocities along this vector alone; default: along the line between its ends, or to the ground in every direction");
      p.add("Direction at To", direction_at_to, "the same of the end To, where it is another one: c/2 (m.v_to - n.v_from)^2");
    }
  };

  static std::shared_ptr<DampingTerm> make_directed(const Entries &entries, const bool between, const Parameters &p,
                                                    const DiscreteModel &model)
  {
    if (entries.direction.empty() || (!between && !entries.direction_at_to.empty()))
      p.fail("Direction at To", entries.direction.empty() ? "needs the Direction at From" : "the ground does not move. Remove the entry");
    auto term = std::make_shared<StraightDashpots>();
    term->dimension = model.dimension();
    term->c = entries.coefficient;
    const Place n = model.direction(entries.direction, "Direction", p),
                m = entries.direction_at_to.empty() ? n : model.direction(entries.direction_at_to, "Direction at To", p);
    if (between)
      for (const auto &[from, to] : entries.ends.pairs(model, p))
        term->dashpots.push_back({from, to, n, m});
    else
      for (const int k : model.find(entries.points, p, "Points"))
        term->dashpots.push_back({k, -1, n, n});
    return term;
  }
};

SYMDYN_REGISTER(DiscreteSection, Dashpots, "Dashpots");
}  // namespace
}  // namespace symdyn
