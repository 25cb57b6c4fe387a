#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/formula_potential.h"
#include "elements/lumped/laws.h"
#include "elements/lumped/model.h"
#include "elements/lumped/straight_springs.h"
#include "elements/lumped/yielding.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Springs. V [J] of a spring of length r, L without force:
///     quadratic   k/2 (r - L)²
///     quartic     K/4 (r² - L²)²             (Gonzalez 1999, sect. 4)
///     small-displacement   k/2 (n·(u_to - u_from))², n along the positions: it does not turn
///                 with a Direction: k/2 (m·u_to - n·u_from)², n = Direction, m = Direction at To
///     table       with a Direction likewise; otherwise the integral of a force that is linear between Forces at Elongations of r - L
///     gap         with a Direction: k/2 <-(e + c)>², e = m·u_to - n·u_from, c = Clearance
///     plastic     YieldLaw of r - L; with a Direction of m·u_to - n·u_from
///     bouc-wen    BoucWenLaw likewise
///     angle       k/2 (theta - theta_0)², theta the angle at Centre between the lines to From and To; in a plane with its sign
class Springs : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    const bool angle = entries.law == "angle", table = entries.law == "table";
    entries.check_stiffness(p);
    for (const char *entry : {"Forces", "Elongations"})
      if (p.given(entry) != table)
        p.fail(entry, table ? "a table needs it" : "has no effect with Law = " + entries.law + ". Remove the entry");
    if (entries.law == "gap" && entries.direction.empty())
      p.fail("Law", "gap needs the Direction along which the ends come nearer, from From to To");
    if (entries.law != "gap" && p.given("Clearance"))
      p.fail("Clearance", "has no effect with Law = " + entries.law + ". Remove the entry");
    for (const char *entry : {"Centre", "Angle"})
      if (!angle && p.given(entry))
        p.fail(entry, "has no effect with Law = " + entries.law + ". Remove the entry");
    entries.flow.check(entries.law, p);
    check_direction(entries, p);
    entries.check_expansion(p);
    const std::shared_ptr<DiscreteTerm> term = angle ? make_angle(entries, p, model) : make_line(entries, p, model);
    term->name = name;
    term->stiff = entries.stiff;
    model.parts.terms.push_back(term);
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    Ends ends;
    std::string law = "quadratic", centre;
    double stiffness = 0, length = 0, angle = 0, clearance = 0;
    std::vector<double> forces, elongations, direction, direction_at_to;
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
          "of the length r: quadratic: k/2 (r - L)^2; quartic: k/4 (r^2 - L^2)^2; small-displacement: k/2 (n.(u_to - u_from))^2, n along the positions; table: the integral of "
          "a force of r - L; angle: k/2 (theta - theta_0)^2 at Centre; plastic: quadratic, yields; bouc-wen: yields gradually; gap: pushes where the ends have come nearer along Direction than Clearance",
          {"quadratic", "quartic", "small-displacement", "table", "angle", "plastic", "bouc-wen", "gap"});
      p.in_units(law == "quartic" ? "N/m^3"
                 : law == "angle" ? "N m"
                                  : "N/m")
          .add("Stiffness", stiffness,
               "k: of quadratic, small-displacement, plastic, bouc-wen and gap [N/m], of quartic [N/m^3], of angle [N m]", positive());
      over_temperature.declare(p, "Stiffness table",
                               "instead of Stiffness, of small-displacement without a Direction: k [N/m] over the temperature, points "
                               "\"T k\", separated by commas; linear between them");
      p.add("Clearance", clearance, "of gap: how far the ends come nearer before they push [m]; negative: they push at the start");
      p.add("Forces", forces, "of table [N]: linear between the points, constant beyond them");
      p.add("Elongations", elongations, "of table [m]: r - L of each force, ascending");
      p.add(
          "Direction", direction,
          "of small-displacement, table, plastic, bouc-wen and gap: the spring does not turn, and feels how its ends move along this vector; to the ground without an Anchor. Default: the line between them");
      p.add("Direction at To", direction_at_to, "the same of the end To, where it is another one: k/2 (m.u_to - n.u_from)^2");
      p.add("Length", length, "L [m]; default: the distance of the positions; 0: a force towards the other end everywhere", not_negative());
      flow.declare_of_springs(p);
      expansion.declare(p);
      heated = p.root().section("Temperature").exists();
      p.add("Centre", centre, "of angle: point or group, as many as From and To");
      p.add("Angle", angle, "theta_0 [degrees]; default: that of the positions", between(-180., 180.));
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }

    void check_stiffness(const Parameters &p)
    {
      const bool table = law == "table";
      if (over_temperature.given())
      {
        if (law != "small-displacement" || !direction.empty())
          p.fail("Stiffness table", "is of springs of Law = small-displacement without a Direction. Remove the entry, or take Bars");
        if (p.given("Stiffness"))
          p.fail("Stiffness table", "Stiffness is given, too. Remove one of the two");
        stiffness = over_temperature.first();
        if (!heated)
          log_warning(p.where("Stiffness table") +
                      ": the deck gives no temperatures: the stiffness is that of the first point. Add "
                      "subsection Temperature with Initial and Field");
      }
      else if (p.given("Stiffness") == table)
        p.fail("Stiffness", table ? "has no effect with Law = table. Remove the entry" : "a spring needs it");
    }

    void check_expansion(const Parameters &p) const
    {
      if (!expansion.given())
        return over_temperature.given() ? expansion.refuse_reference(p) : expansion.refuse_rest(p);
      const char *const entry = Expansion::entry(p);
      if (law != "small-displacement" || !direction.empty())
        p.fail(
            entry,
            "is of springs of Law = small-displacement without a Direction, which go from place to place. Remove the entry, or take Bars");
      if (!expansion.isotropic())
        p.fail(entry, "a spring expands along itself alone. Give one coefficient");
      if (!heated)
        log_warning(p.where(entry) +
                    ": the deck gives no temperatures: it has no effect. Add subsection Temperature with Initial and Field");
    }
  };

  static void check_direction(const Entries &entries, const Parameters &p)
  {
    if (entries.direction.empty())
    {
      if (!entries.direction_at_to.empty())
        p.fail("Direction at To", "needs the Direction at From");
      return;
    }
    const std::vector<std::string> straight{"small-displacement", "table", "plastic", "bouc-wen", "gap"};
    if (!std::count(straight.begin(), straight.end(), entries.law))
      p.fail("Direction",
             "has no effect with Law = " + entries.law + ", whose springs turn. Remove the entry, or take one of " + join(straight));
    for (const char *entry : {"Anchor", "Length"})
      if (p.given(entry))
        p.fail(entry, "has no effect with a Direction. Remove the entry");
    if (entries.ends.to_ground() && !entries.direction_at_to.empty())
      p.fail("Direction at To", "the ground does not move. Remove the entry");
  }

  static std::shared_ptr<DiscreteTerm> make_line(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    if (entries.ends.to_ground() && entries.ends.anchor.empty() && entries.direction.empty())
      p.fail("Anchor", "a spring to the ground needs the place where it ends [m], or a Direction");
    if (entries.law == "table")
      check_table(entries, p);
    if (!entries.direction.empty())
      return make_directed(entries, p, model);
    if (entries.law == "small-displacement")
      return make_straight(entries, p, model);
    if (entries.law == "plastic")
      return make_yielding<YieldLaw, YieldingPairs>(entries, p, model,
                                                    [&](const double length) { return entries.flow.of_spring(entries.stiffness, length); });
    if (entries.law == "bouc-wen")
      return make_yielding<BoucWenLaw, HystereticPairs>(
          entries, p, model, [&](const double length) { return entries.flow.of_hysteresis(entries.stiffness, length); });
    const bool length_given = p.given("Length");
    if (entries.law == "table")
    {
      return join_ends<TableLaw>(entries.ends, model, p, [&](const double between, const std::string &, const std::string &) {
        return TableLaw(entries.elongations, entries.forces, length_given ? entries.length : between);
      });
    }
    if (entries.law == "quartic")
      return join_ends<SquaredLaw>(entries.ends, model, p, [&](const double between, const std::string &, const std::string &) {
        return SquaredLaw{0.5 * entries.stiffness, length_given ? entries.length : between};
      });
    return join_ends<LinearLaw>(entries.ends, model, p, [&](const double between, const std::string &, const std::string &) {
      return LinearLaw{entries.stiffness, length_given ? entries.length : between};
    });
  }

  /// Of springs that turn.
  template <class Law, class Pairs, class Make>
  static std::shared_ptr<DiscreteTerm> make_yielding(const Entries &entries, const Parameters &p, const DiscreteModel &model,
                                                     const Make &make)
  {
    const bool length_given = p.given("Length");
    const auto term =
        join_ends<Law, Pairs>(entries.ends, model, p, [&](const double between, const std::string &from, const std::string &to) {
          const double length = length_given ? entries.length : between;
          if (length == 0.)
            p.fail("Length", fmt::format("the yielding spring from '{}' to '{}' has length zero. Give a Direction, in which it does not "
                                         "turn, or a Length",
                                         from, to));
          return make(length);
        });
    term->reported = entries.flow.reports();
    return term;
  }

  static void check_table(const Entries &entries, const Parameters &p)
  {
    if (entries.forces.size() != entries.elongations.size() || entries.forces.size() < 2)
      p.fail("Elongations",
             fmt::format("are {} for {} forces; there must be as many, at least two", entries.elongations.size(), entries.forces.size()));
    for (std::size_t i = 1; i < entries.elongations.size(); ++i)
      if (entries.elongations[i] <= entries.elongations[i - 1])
        p.fail("Elongations", fmt::format("{:g} follows {:g}: they must ascend", entries.elongations[i], entries.elongations[i - 1]));
  }

  static std::shared_ptr<DiscreteTerm> make_directed(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    std::shared_ptr<StraightSprings> term;
    if (entries.law == "plastic")
    {
      const auto yielding = std::make_shared<YieldingSprings>();
      yielding->yield = entries.flow.of_spring(entries.stiffness, 0.);
      yielding->reported = entries.flow.reports();
      term = yielding;
    }
    else if (entries.law == "bouc-wen")
    {
      const auto yielding = std::make_shared<HystereticSprings>();
      yielding->hysteresis = entries.flow.of_hysteresis(entries.stiffness, 0.);
      yielding->reported = entries.flow.reports();
      term = yielding;
    }
    else
      term = std::make_shared<StraightSprings>();
    term->dimension = model.dimension();
    term->k = entries.stiffness;
    if (entries.law == "table")
      term->table.emplace(entries.elongations, entries.forces, 0.);
    if (entries.law == "gap")
      term->clearance = entries.clearance;
    const Place n = model.direction(entries.direction, "Direction", p),
                m = entries.direction_at_to.empty() ? n : model.direction(entries.direction_at_to, "Direction at To", p);
    const auto &points = model.parts.points;
    if (entries.ends.to_ground())
      for (const int k : entries.ends.anchored(model, p))
        term->join(StraightEnds{k, -1, n, n}, points[k].position, points[k].position);
    else
      for (const auto &[from, to] : entries.ends.pairs(model, p))
        term->join(StraightEnds{from, to, n, m}, points[from].position, points[to].position);
    return term;
  }

  static std::shared_ptr<DiscreteTerm> make_straight(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    if (p.given("Length"))
      p.fail("Length", "has no effect with Law = small-displacement, which has no force in the positions. Remove the entry");
    std::shared_ptr<StraightSprings> term;
    if ((entries.expansion.given() || entries.over_temperature.given()) && entries.heated)
    {
      const auto warm = std::make_shared<HeatedSprings>();
      warm->expansion = std::make_shared<const Expansion>(entries.expansion);
      if (entries.over_temperature.given())
        warm->over_temperature = std::make_shared<const HeatedStiffness>(entries.over_temperature);
      term = warm;
    }
    else
      term = std::make_shared<StraightSprings>();
    term->dimension = model.dimension();
    term->k = entries.stiffness;
    const auto join = [&](const int from, const int to, const Place &end) {
      const Place &start = model.parts.points[from].position;
      if (start == end)
        p.fail(
            "To",
            fmt::format(
                "the ends of the spring at '{}' are at one place: it has no direction. Move one, or take Law = quadratic with Length = 0",
                model.name_of(from)));
      term->join(from, to, start, end);
    };
    if (entries.ends.to_ground())
      for (const int k : entries.ends.anchored(model, p))
        join(k, -1, model.place(entries.ends.anchor, "Anchor", p));
    else
      for (const auto &[from, to] : entries.ends.pairs(model, p))
        join(from, to, model.parts.points[to].position);
    return term;
  }

  static std::shared_ptr<DiscreteTerm> make_angle(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    const int n = model.dimension();
    if (n == 1)
      p.fail("Law", "there are no angles in one dimension");
    for (const char *entry : {"From", "Centre", "To"})
      if (!p.given(entry))
        p.fail(entry, "an angle needs From, Centre and To: points, or groups of equal size");
    for (const char *entry : {"Length", "Anchor", "Offset", "Cyclic"})
      if (p.given(entry))
        p.fail(entry, "has no effect with Law = angle. Remove the entry");
    const auto from = model.find({entries.ends.from}, p, "From"), centre = model.find({entries.centre}, p, "Centre"),
               to = model.find({entries.ends.to}, p, "To");
    if (from.size() != centre.size() || to.size() != centre.size())
      p.fail("Centre", fmt::format("From, Centre and To have {}, {} and {} points; an angle needs as many of each", from.size(),
                                   centre.size(), to.size()));
    auto term = std::make_shared<FormulaPotential>();
    term->dimension = n;
    const std::vector<std::string> names = n == 2 ? std::vector<std::string>{"ax", "ay", "bx", "by", "cx", "cy"}
                                                  : std::vector<std::string>{"ax", "ay", "az", "bx", "by", "bz", "cx", "cy", "cz"};
    constexpr double degree = M_PI / 180.;
    double rest = entries.angle * degree;
    if (n == 3 && rest < 0.)
      p.fail("Angle", "in space an angle has no sign. Give 0 to 180 degrees");
    if (!p.given("Angle"))
    {
      if (from.size() > 1)
        p.fail("Angle", "a group of angles needs it [degrees]");
      std::vector<double> z;
      for (const int k : {from[0], centre[0], to[0]})
        for (int d = 0; d < n; ++d)
          z.push_back(model.parts.points[k].position[d]);
      rest = Expression(angle_formula(n, 0.), names)(z.data());
    }
    term->formula.expression = Expression(fmt::format("0.5*{}*({})^2", entries.stiffness, angle_formula(n, rest)), names);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (const int point : {from[k], centre[k], to[k]})
        for (int d = 0; d < n; ++d)
          term->coordinates.push_back(n * point + d);
    return term;
  }

  /// theta - rest of a (From), b (Centre), c (To): atan2(|u x w|, u·w), u = a - b, w = c - b. In a plane u x w has a sign, and the
  /// difference is taken between -pi and pi, so that a straight chain may bend to either side.
  static std::string angle_formula(const int n, const double rest)
  {
    if (n == 3)
      return fmt::format(
          "atan2(sqrt(((ay - by)*(cz - bz) - (az - bz)*(cy - by))^2 + ((az - bz)*(cx - bx) - (ax - bx)*(cz - bz))^2 + ((ax - bx)*(cy - by) - (ay - "
          "by)*(cx - bx))^2), (ax - bx)*(cx - bx) + (ay - by)*(cy - by) + (az - bz)*(cz - bz)) - {}",
          rest);
    const std::string S = "((ax - bx)*(cy - by) - (ay - by)*(cx - bx))", C = "((ax - bx)*(cx - bx) + (ay - by)*(cy - by))";
    return fmt::format("atan2({1}*{2} - {0}*{3}, {1}*{3} + {0}*{2})", std::sin(rest), std::cos(rest), S, C);
  }
};

SYMDYN_REGISTER(DiscreteSection, Springs, "Springs");
}  // namespace
}  // namespace symdyn
