#include <cmath>

#include "elements/lumped/model.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// A chain of angles theta_k, each in a well of its own (Tao and Owhadi 2015, sect. 4.4: base pairs of DNA in the Morse potential of their
/// hydrogen bonds), points in one dimension whose coordinate is the angle [rad]:
///     V = k/2 sum (theta_k - theta_{k-1})² + epsilon sum U(theta_k),   U = (w - 1)², w = exp(-a (1 - cos theta - x0))
class TorsionalChain : public DiscreteTerm
{
public:
  std::vector<int> sites;  ///< of the wells
  std::vector<std::pair<int, int>> bonds;
  double k = 0, epsilon = 0, a = 0, x0 = 0;

  double potential(const double *x) const override
  {
    double V = 0;
    for_bonds([&](const int from, const int to) { V += 0.5 * k * std::pow(x[to] - x[from], 2); });
    for (const int site : sites)
      V += well<0>(x[site])[0];
    return V;
  }
  void add_force(const double *x, double *f) const override
  {
    add_bonds(x, f);
    for (const int site : sites)
      f[site] += well<1>(x[site])[1];
  }
  void add_stiffness(const double *x, const double *u, double *Ku) const override
  {
    add_bonds(u, Ku);
    for (const int site : sites)
      Ku[site] += well<2>(x[site])[2] * u[site];
  }
  void add_third(const double *x, const double *b, double *r) const override
  {
    for (const int site : sites)
      r[site] += well<3>(x[site])[3] * b[site] * b[site];
  }
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override
  {
    for_bonds([&](const int from, const int to) { add_pair(from, to, 0.5 * k * (x0[to] + x1[to] - x0[from] - x1[from]), f); });
    for (const int site : sites)
      f[site] += quotient(x0[site], x1[site]).first;
  }
  void add_tangent(const double *x, const double weight, const AddEntry &add) const override
  {
    add_bond_tangent(weight * k, add);
    for (const int site : sites)
      add(site, site, weight * well<2>(x[site])[2]);
  }
  void add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const override
  {
    add_bond_tangent(0.5 * weight * k, add);
    for (const int site : sites)
      add(site, site, weight * quotient(x0[site], x1[site]).second);
  }
  void couple(const std::function<void(int, int)> &join) const override { for_bonds(join); }
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<TorsionalChain>(*this);
    some->sites.clear();
    some->bonds.clear();
    for (const int site : sites)
      if (selection.keep({site}))
        some->sites.push_back(selection.place[site]);
    for (const auto &[from, to] : bonds)
      if (selection.keep({from, to}))
        some->bonds.emplace_back(selection.place[from], selection.place[to]);
    return some;
  }
  bool holds() const override { return true; }
  double scale() const override { return epsilon * sites.size(); }

private:
  template <class Visit>
  void for_bonds(const Visit &visit) const
  {
    for (const auto &[from, to] : bonds)
      visit(from, to);
  }
  static void add_pair(const int from, const int to, const double force, double *f)
  {
    f[to] += force;
    f[from] -= force;
  }
  void add_bonds(const double *x, double *f) const
  {
    for_bonds([&](const int from, const int to) { add_pair(from, to, k * (x[to] - x[from]), f); });
  }
  void add_bond_tangent(const double weight, const AddEntry &add) const
  {
    for_bonds([&](const int from, const int to) {
      add(from, from, weight);
      add(to, to, weight);
      add(from, to, -weight);
      add(to, from, -weight);
    });
  }

  /// epsilon U and its first slopes.
  template <int order>
  std::array<double, order + 1> well(const double theta) const
  {
    const double S = std::sin(theta), C = std::cos(theta), w = std::exp(-a * (1. - C - x0));
    std::array<double, order + 1> U;
    U[0] = epsilon * (w - 1.) * (w - 1.);
    const double w1 = -a * S * w, w2 = (a * S * S - C) * a * w;
    if constexpr (order > 0)
      U[1] = 2. * epsilon * (w - 1.) * w1;
    if constexpr (order > 1)
      U[2] = 2. * epsilon * (w1 * w1 + (w - 1.) * w2);
    if constexpr (order > 2)
    {
      const double w3 = (1. + 3. * a * C - a * a * S * S) * a * S * w;
      U[3] = 2. * epsilon * (3. * w1 * w2 + (w - 1.) * w3);
    }
    return U;
  }

  /// (U(1) - U(0))/(theta1 - theta0) and its slope by theta1; of near angles by the series.
  std::pair<double, double> quotient(const double theta0, const double theta1) const
  {
    constexpr double near = 1e-3;
    const double d = theta1 - theta0;
    if (std::abs(d) > near)
    {
      const auto U1 = well<1>(theta1);
      const double Q = (U1[0] - well<0>(theta0)[0]) / d;
      return {Q, (U1[1] - Q) / d};
    }
    // Gauss's rule of three points, of error d^6
    constexpr double at = 0.38729833462074169;  // ½ sqrt(3/5)
    double Q = 0, slope = 0;
    for (const auto &[place, weight] : {std::pair{0.5 - at, 5. / 18.}, {0.5, 8. / 18.}, {0.5 + at, 5. / 18.}})
    {
      const auto U = well<2>(theta0 + place * d);
      Q += weight * U[1];
      slope += weight * place * U[2];
    }
    return {Q, slope};
  }
};

class TorsionalChains : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    if (model.dimension() != 1)
      p.fail("", "a torsional chain is of angles: points in one dimension. Set Points/Dimension = 1");
    for (const char *entry : {"Points", "Coupling"})
      if (!p.given(entry))
        p.fail(entry, "a torsional chain needs it");
    auto term = std::make_shared<TorsionalChain>();
    term->name = name;
    term->stiff = entries.stiff;
    term->sites = model.find(entries.points, p, "Points");
    for (std::size_t i = entries.cyclic ? 0 : 1; i < term->sites.size(); ++i)
      term->bonds.emplace_back(term->sites[i == 0 ? term->sites.size() - 1 : i - 1], term->sites[i]);
    term->k = entries.coupling;
    term->epsilon = entries.depth;
    term->a = entries.width;
    term->x0 = entries.offset;
    for (const char *entry : {"Width", "Offset"})
      if (entries.depth == 0. && p.given(entry))
        p.fail(entry, "has no effect without a Depth of the well. Set Depth above 0, or remove this");
    const std::size_t least = entries.cyclic ? 3 : 2;
    if (term->sites.size() < least)
      p.fail("Points", entries.cyclic ? "a closed chain has 3 points or more" : "a chain has 2 points or more");
    model.parts.terms.push_back(term);
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    std::vector<std::string> points;
    double coupling = 0, depth = 0, width = 7, offset = 0.3;
    bool cyclic = false, stiff = false;

    void declare(Parameters &p)
    {
      p.add("Points", points, "points and groups, in the order of the chain; their coordinate x is the angle theta [rad]");
      p.add("Coupling", coupling, "k of k/2 (theta_i - theta_{i-1})^2 [N m]", positive());
      p.add("Cyclic", cyclic, "the last point is joined with the first");
      p.add("Depth", depth, "epsilon of the well of each angle, epsilon (exp(-a (1 - cos theta - x0)) - 1)^2 [J]", not_negative());
      p.add("Width", width, "a of the well [-]", positive());
      p.add("Offset", offset, "x0 of the well [-]");
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }
  };
};

SYMDYN_REGISTER(DiscreteSection, TorsionalChains, "Torsional chains");
}  // namespace
}  // namespace symdyn
