#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/laws.h"
#include "elements/lumped/model.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// phi = c/r
struct CoulombLaw
{
  static constexpr bool quadratic = false;
  double c;  ///< [J m]
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double i = 1. / s, phi = c * std::sqrt(i);
    return cut<order>({phi, -0.5 * phi * i, 0.75 * phi * i * i, -1.875 * phi * i * i * i});
  }
  bool smooth(double, double) const { return true; }
  double scale() const { return 0.; }
};

/// phi = A/r^12 - B/r^6
struct LennardJonesLaw
{
  static constexpr bool quadratic = false;
  double A, B;  ///< [J m^12], [J m^6]
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double i = 1. / s, i3 = i * i * i, a = A * i3 * i3, b = B * i3;
    return cut<order>({a - b, (3. * b - 6. * a) * i, (42. * a - 12. * b) * i * i, (60. * b - 336. * a) * i3});
  }
  bool smooth(double, double) const { return true; }
  double scale() const { return 0.; }
};

/// phi = D (1 - e^{-a (r - r0)})²
struct MorseLaw
{
  static constexpr bool quadratic = false;
  double D, a, r0;  ///< [J], [1/m], [m]
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double r = std::sqrt(s), e = std::exp(-a * (r - r0));
    return by_square<order>(
        r, {D * (1. - e) * (1. - e), 2. * D * a * (e - e * e), 2. * D * a * a * (2. * e * e - e), 2. * D * a * a * a * (e - 4. * e * e)});
  }
  bool smooth(double, double) const { return true; }
  double scale() const { return D; }
};

/// Central potentials between all points of some groups, each pair once:
///     coulomb         k q_i q_j/r             q: one charge a group
///     lennard-jones   A/r^12 - B/r^6
///     morse           D (1 - e^{-a (r - r0)})²
/// `Exclude = same-number`: points with the same number in their groups are of one molecule and do not act on each other. No cut-off: n²
/// pairs.
class PairPotentials : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    entries.require(p);
    const std::shared_ptr<DiscreteTerm> term = make(entries, p, model);
    term->name = name;
    term->stiff = entries.stiff;
    model.parts.terms.push_back(term);
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    std::string law, exclude = "none";
    std::vector<std::string> points;
    std::vector<double> charges;
    double constant = 0, A = 0, B = 0, depth = 0, width = 0, distance = 0;
    bool stiff = false;

    void declare(Parameters &p)
    {
      p.add("Law", law, "of the distance r: coulomb: k q q/r; lennard-jones: A/r^12 - B/r^6; morse: D (1 - exp(-a (r - r0)))^2",
            {"coulomb", "lennard-jones", "morse"});
      p.add("Points", points, "points and groups; every two points act on each other");
      p.add("Exclude", exclude, "same-number: points with the same number in their groups (of one molecule) do not act on each other",
            {"none", "same-number"});
      p.add("Constant", constant, "k of coulomb [J m/charge^2]", positive());
      p.add("Charges", charges, "q of coulomb, one for each name of Points");
      p.add("A", A, "of lennard-jones [J m^12]", positive());
      p.add("B", B, "of lennard-jones [J m^6]", not_negative());
      p.add("Depth", depth, "D of morse [J]", positive());
      p.add("Width", width, "a of morse [1/m]", positive());
      p.add("Distance", distance, "r0 of morse [m]", positive());
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }

    void require(const Parameters &p) const
    {
      for (const char *entry : {"Law", "Points"})
        if (!p.given(entry))
          p.fail(entry, "a pair potential needs it");
      for (const auto &[of, name] : {std::pair<const char *, const char *>{"coulomb", "Constant"},
                                     {"coulomb", "Charges"},
                                     {"lennard-jones", "A"},
                                     {"lennard-jones", "B"},
                                     {"morse", "Depth"},
                                     {"morse", "Width"},
                                     {"morse", "Distance"}})
        if (law == of && !p.given(name))
          p.fail(name, "Law = " + law + " needs it");
        else if (law != of && p.given(name))
          p.fail(name, "has no effect with Law = " + law + ". Remove the entry");
      if (law == "coulomb" && charges.size() != points.size())
        p.fail("Charges", fmt::format("are {}; Points has {} names, each needs its charge", charges.size(), points.size()));
      if (law == "coulomb" && std::all_of(charges.begin(), charges.end(), [](const double charge) { return charge == 0.; }))
        p.fail("Charges", "are all zero: no two points act on each other. Give them, or remove the section");
    }
  };

  static std::shared_ptr<DiscreteTerm> make(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    if (entries.law == "coulomb")
      return pairs<CoulombLaw>(entries, p, model, [&](const double q) { return CoulombLaw{entries.constant * q}; });
    if (entries.law == "lennard-jones")
      return pairs<LennardJonesLaw>(entries, p, model, [&](double) { return LennardJonesLaw{entries.A, entries.B}; });
    return pairs<MorseLaw>(entries, p, model, [&](double) { return MorseLaw{entries.depth, entries.width, entries.distance}; });
  }

  template <class Law, class Make>
  static std::shared_ptr<DiscreteTerm> pairs(const Entries &entries, const Parameters &p, const DiscreteModel &model, const Make &make)
  {
    struct Site
    {
      int point, number;
      double charge;
    };
    std::vector<Site> sites;
    model.find(entries.points, p, "Points");  // refuses what stands there twice
    for (std::size_t g = 0; g < entries.points.size(); ++g)
    {
      int number = 0;
      for (const int point : model.find({entries.points[g]}, p, "Points"))
        sites.push_back({point, number++, entries.charges.empty() ? 0. : entries.charges[g]});
    }
    auto term = std::make_shared<CentralPairs<Law>>();
    term->dimension = model.dimension();
    term->drawn = false;
    for (std::size_t i = 0; i < sites.size(); ++i)
      for (std::size_t k = i + 1; k < sites.size(); ++k)
        if (entries.exclude == "none" || sites[i].number != sites[k].number)
          term->pairs.push_back({sites[i].point, sites[k].point, make(sites[i].charge * sites[k].charge)});
    if (term->pairs.empty())
      p.fail("Points", "no two points act on each other: it has no effect");
    return term;
  }
};

SYMDYN_REGISTER(DiscreteSection, PairPotentials, "Pair potentials");
}  // namespace
}  // namespace symdyn
