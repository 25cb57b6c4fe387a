#include <fmt/format.h>

#include <cmath>

#include "elements/discrete_laws.h"
#include "elements/discrete_model.h"
#include "elements/formula_potential.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Springs. V [J] of a spring of length r, L without force:
///     quadratic   k/2 (r - L)²
///     quartic     K/4 (r² - L²)²             (Gonzalez 1999, sect. 4)
///     angle       k/2 (theta - theta_0)², theta the angle at Centre between the lines to From and To; in a plane with its sign
class Springs : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    if (!p.given("Stiffness"))
      p.fail("Stiffness", "a spring needs it");
    const bool angle = entries.law == "angle";
    for (const char *entry : {"Centre", "Angle"})
      if (!angle && p.given(entry))
        p.fail(entry, "has no effect with Law = " + entries.law + ". Remove the entry");
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
    double stiffness = 0, length = 0, angle = 0;
    bool stiff = false;

    void declare(Parameters &p)
    {
      ends.declare(p);
      p.add("Anchor", ends.anchor, "the place that To = ground means [m]");
      p.add("Law", law, "of the length r: quadratic: k/2 (r - L)^2; quartic: k/4 (r^2 - L^2)^2; angle: k/2 (theta - theta_0)^2 at Centre",
            {"quadratic", "quartic", "angle"});
      p.add("Stiffness", stiffness, "k: of quadratic [N/m], of quartic [N/m^3], of angle [N m]", positive());
      p.add("Length", length, "L [m]; default: the distance of the positions; 0: a force towards the other end everywhere", not_negative());
      p.add("Centre", centre, "of angle: point or group, as many as From and To");
      p.add("Angle", angle, "theta_0 [degrees]; default: that of the positions", between(-180., 180.));
      p.add("Stiff", stiff, "belongs to the stiff part of V, for schemes that treat it apart");
    }
  };

  static std::shared_ptr<DiscreteTerm> make_line(const Entries &entries, const Parameters &p, const DiscreteModel &model)
  {
    if (entries.ends.to_ground() && entries.ends.anchor.empty())
      p.fail("Anchor", "a spring to the ground needs the place where it ends [m]");
    const bool length_given = p.given("Length");
    if (entries.law == "quartic")
      return join_ends<SquaredLaw>(entries.ends, model, p, [&](const double between, const std::string &, const std::string &) {
        return SquaredLaw{0.5 * entries.stiffness, length_given ? entries.length : between};
      });
    return join_ends<LinearLaw>(entries.ends, model, p, [&](const double between, const std::string &, const std::string &) {
      return LinearLaw{entries.stiffness, length_given ? entries.length : between};
    });
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
    const auto from = model.find({entries.ends.from}, p, "From"), centre = model.find({entries.centre}, p, "Centre"), to = model.find({entries.ends.to}, p, "To");
    if (from.size() != centre.size() || to.size() != centre.size())
      p.fail("Centre", fmt::format("From, Centre and To have {}, {} and {} points; an angle needs as many of each", from.size(), centre.size(), to.size()));
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
    term->formula.expression = Expression(fmt::format("0.5*{:.17g}*({})^2", entries.stiffness, angle_formula(n, rest)), names);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (const int point : {from[k], centre[k], to[k]})
        for (int d = 0; d < n; ++d)
          term->coordinates.push_back(n * point + d);
    return term;
  }

  /// theta - rest of a (From), b (Centre), c (To): atan2(|u x w|, u·w), u = a - b, w = c - b. In a plane u x w has a sign, and the difference is taken between -pi
  /// and pi, so that a straight chain may bend to either side.
  static std::string angle_formula(const int n, const double rest)
  {
    if (n == 3)
      return fmt::format("atan2(sqrt(((ay - by)*(cz - bz) - (az - bz)*(cy - by))^2 + ((az - bz)*(cx - bx) - (ax - bx)*(cz - bz))^2 + ((ax - bx)*(cy - by) - (ay - "
                         "by)*(cx - bx))^2), (ax - bx)*(cx - bx) + (ay - by)*(cy - by) + (az - bz)*(cz - bz)) - {:.17g}",
                         rest);
    const std::string S = "((ax - bx)*(cy - by) - (ay - by)*(cx - bx))", C = "((ax - bx)*(cx - bx) + (ay - by)*(cy - by))";
    return fmt::format("atan2({1:.17g}*{2} - {0:.17g}*{3}, {1:.17g}*{3} + {0:.17g}*{2})", std::sin(rest), std::cos(rest), S, C);
  }
};

SYMDYN_REGISTER(DiscreteSection, Springs, "Springs");
}  // namespace
}  // namespace symdyn
