#include <fmt/format.h>

#include <cmath>

#include "elements/lumped/laws.h"
#include "elements/lumped/model.h"
#include "elements/lumped/yielding.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Bars and cables. W [J] of a bar of length l, L without strain:
///     green-lagrange   EA L/2 E², E = (l² - L²)/(2 L²)      polynomial: what the papers on energy and momentum take
///     linear           EA/(2 L) (l - L)²                    the engineering strain
///     cable            the same where l > L, else 0
///     squared          k/2 (l² - L²)²                       a penalty (Tao and Owhadi 2015)
///     plastic          YieldLaw of l - L, k = EA/L          the engineering strain, forces by the undeformed area
class Bars : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    const bool squared = entries.law == "squared";
    const std::string needed = squared ? "Stiffness" : "EA", other = squared ? "EA" : "Stiffness";
    if (!p.given(needed))
      p.fail(needed, "a bar of law " + entries.law + " needs it");
    if (p.given(other))
      p.fail(other, "has no effect with Law = " + entries.law + ". Remove the entry");
    if (entries.ends.to_ground() && entries.ends.anchor.empty())
      p.fail("Anchor", "a bar to the ground needs the place where it ends [m]");
    entries.flow.check(entries.law == "plastic", entries.law, p);
    const auto length = [&](const double between, const std::string &from, const std::string &to) {
      if (entries.length == 0. && between == 0.)
        p.fail("Length", fmt::format("the bar from '{}' to '{}' has length zero. Move a point, or give the length", from, to));
      return entries.length > 0. ? entries.length : between;
    };
    std::shared_ptr<DiscreteTerm> term;
    if (squared || entries.law == "green-lagrange")
      term = join_ends<SquaredLaw>(entries.ends, model, p, [&](const double between, const std::string &from, const std::string &to) {
        const double L = length(between, from, to);
        return SquaredLaw{squared ? entries.stiffness : entries.EA / (4. * std::pow(L, 3)), L};
      });
    else if (entries.law == "plastic")
    {
      const auto bars = join_ends<YieldLaw, YieldingPairs>(entries.ends, model, p,
                                                           [&](const double between, const std::string &from, const std::string &to) {
                                                             return entries.flow.of_bar(entries.EA, length(between, from, to));
                                                           });
      bars->reported = entries.flow.reports();
      term = bars;
    }
    else
      term = join_ends<LinearLaw>(entries.ends, model, p, [&](const double between, const std::string &from, const std::string &to) {
        const double L = length(between, from, to);
        return LinearLaw{entries.EA / L, L, entries.law == "cable"};
      });
    term->name = name;
    term->stiff = entries.stiff;
    model.parts.terms.push_back(term);
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    Ends ends;
    std::string law = "green-lagrange";
    double EA = 0, stiffness = 0, length = 0;
    bool stiff = false;
    YieldEntries flow;

    void declare(Parameters &p)
    {
      ends.declare(p);
      p.add("Anchor", ends.anchor, "the place that To = ground means [m]");
      p.add(
          "Law", law,
          "of the length l: green-lagrange: EA/(8 L^3) (l^2 - L^2)^2; linear: EA/(2 L) (l - L)^2; cable: the same, slack for l < L; squared: k/2 (l^2 - L^2)^2; plastic: linear, yields",
          {"green-lagrange", "linear", "cable", "squared", "plastic"});
      p.add("EA", EA, "axial stiffness [N]; not of squared", positive());
      p.add("Stiffness", stiffness, "k of squared [N/m^3]", positive());
      p.add("Length", length, "L [m]; default: the distance of the positions", positive());
      flow.declare_of_bars(p);
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }
  };
};

SYMDYN_REGISTER(DiscreteSection, Bars, "Bars");
}  // namespace
}  // namespace symdyn
