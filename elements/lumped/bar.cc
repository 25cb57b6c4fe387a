#include <fmt/format.h>

#include <cmath>

#include "elements/lumped/laws.h"
#include "elements/lumped/model.h"
#include "elements/lumped/yielding.h"
#include "solver/base/log.h"
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
    entries.check_stiffness(p);
    const bool squared = entries.law == "squared";
    if (entries.ends.to_ground() && entries.ends.anchor.empty())
      p.fail("Anchor", "a bar to the ground needs the place where it ends [m]");
    entries.flow.check(entries.law, p);
    const auto length = [&](const double between, const std::string &from, const std::string &to) {
      if (entries.length == 0. && between == 0.)
        p.fail("Length", fmt::format("the bar from '{}' to '{}' has length zero. Move a point, or give the length", from, to));
      return entries.length > 0. ? entries.length : between;
    };
    entries.check_expansion(p);
    const auto join = [&](const auto &make) {
      return entries.join(
          model, p, [&](const double between, const std::string &from, const std::string &to) { return make(length(between, from, to)); });
    };
    std::shared_ptr<DiscreteTerm> term;
    if (squared || entries.law == "green-lagrange")
      term = join([&](const double L) { return SquaredLaw{squared ? entries.stiffness : entries.EA / (4. * std::pow(L, 3)), L}; });
    else if (entries.law == "plastic")
      term = join([&](const double L) { return entries.flow.of_bar(entries.EA, L); });
    else
      term = join([&](const double L) { return LinearLaw{entries.EA / L, L, entries.law == "cable"}; });
    if (auto *const memory = dynamic_cast<ElementMemory *>(term.get()))
      memory->reported = entries.flow.reports();
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
    Expansion expansion;
    HeatedStiffness over_temperature;
    bool heated = false;  ///< there are temperatures

    void declare(Parameters &p)
    {
      ends.declare(p);
      p.add("Anchor", ends.anchor, "the place that To = ground means [m]");
      p.add(
          "Law", law,
          "of the length l: green-lagrange: EA/(8 L^3) (l^2 - L^2)^2; linear: EA/(2 L) (l - L)^2; cable: the same, slack for l < L; squared: k/2 (l^2 - L^2)^2; plastic: linear, yields",
          {"green-lagrange", "linear", "cable", "squared", "plastic"});
      p.add("EA", EA, "axial stiffness [N]; not of squared", positive());
      over_temperature.declare(p, "EA table",
                               "instead of EA: axial stiffness [N] over the temperature, points \"T EA\", separated by commas; linear "
                               "between them. Of plastic: the yield stress and the hardening stay as they are");
      p.add("Stiffness", stiffness, "k of squared [N/m^3]", positive());
      p.add("Length", length, "L [m]; default: the distance of the positions", positive());
      flow.declare_of_bars(p);
      expansion.declare(p);
      heated = p.root().section("Temperature").exists();
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }

    void check_stiffness(const Parameters &p)
    {
      const bool squared = law == "squared", table = over_temperature.given();
      const std::string needed = squared ? "Stiffness" : "EA", other = squared ? "EA" : "Stiffness";
      if (!p.given(needed) && (squared || !table))
        p.fail(needed, "a bar of law " + law + " needs it");
      if (p.given(other))
        p.fail(other, "has no effect with Law = " + law + ". Remove the entry");
      if (table && squared)
        p.fail("EA table", "has no effect with Law = squared. Remove the entry");
      if (table && p.given("EA"))
        p.fail("EA table", "EA is given, too. Remove one of the two");
      if (table)
        EA = over_temperature.first();
    }

    void check_expansion(const Parameters &p) const
    {
      if (!heated && over_temperature.given())
        log_warning(p.where("EA table") +
                    ": the deck gives no temperatures: EA is that of the first point. Add subsection Temperature "
                    "with Initial and Field");
      if (!expansion.given())
        return over_temperature.given() ? expansion.refuse_reference(p) : expansion.refuse_rest(p);
      const char *const entry = Expansion::entry(p);
      if (law == "squared")
        p.fail(entry, "has no effect with Law = squared. Remove the entry");
      if (!expansion.isotropic())
        p.fail(entry, "a bar expands along itself alone. Give one coefficient");
      if (!heated)
        log_warning(p.where(entry) +
                    ": the deck gives no temperatures: it has no effect. Add subsection Temperature with Initial and Field");
    }

    /// make(length between the ends, their names): the law of a bar.
    template <class Make>
    std::shared_ptr<DiscreteTerm> join(const DiscreteModel &model, const Parameters &p, const Make &make) const
    {
      using Law = decltype(make(0., "", ""));
      if ((expansion.given() || over_temperature.given()) && heated)
      {
        const auto shared = std::make_shared<const Expansion>(expansion);
        const auto stiffness = over_temperature.given() ? std::make_shared<const HeatedStiffness>(over_temperature) : nullptr;
        return join_ends<HeatedLaw<Law>, HeatedPairs<Law>>(ends, model, p,
                                                           [&](const double between, const std::string &from, const std::string &to) {
                                                             return HeatedLaw<Law>{{shared, stiffness}, make(between, from, to)};
                                                           });
      }
      if constexpr (remembers<Law>)
        return join_ends<Law, YieldingPairs>(ends, model, p, make);
      else
        return join_ends<Law>(ends, model, p, make);
    }
  };
};

SYMDYN_REGISTER(DiscreteSection, Bars, "Bars");
}  // namespace
}  // namespace symdyn
