#include <fmt/format.h>

#include <optional>

#include "elements/gram/moment_load.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"

namespace symdyn
{
class MomentPart : public StructurePart
{
public:
  void declare(const std::string &given_name, Parameters &p) override
  {
    name = given_name;
    deck = p;
    p.add("At", at, "an end of a beam, a node of a shell, or the reference of a coupling: the name of a point, or a place [m]");
    p.add("Moment", moment, "components [N m], expressions of t");
    mode = declare_moment_mode(p);
    for (const char *entry : {"At", "Moment"})
      if (!p.given(entry))
        p.fail("", std::string("the moment has no ") + entry +
                       ". It needs the end of a beam or the node of a shell where it acts, and three components");
    if (moment.size() != 3)
      p.fail("Moment", "needs three components separated by commas");
    bool zero = true;
    for (const Expression &component : moment)
    {
      zero = zero && component.is_zero();
      for (const char *variable : {"x", "y", "z"})
        if (component.uses(variable))
          p.fail("Moment", "depends on t alone");
    }
    if (zero)
      p.fail("Moment", "has no effect, because it is zero. Remove the section");
  }
  void plan(SitePlan &plan) override { place = plan.shared<PartPlaces>().find(plan, at, "At", *deck).site; }
  void join(SitePlan &plan) override
  {
    auto &nodes = plan.shared<DirectorNodes>();
    if (!nodes.has(place))
      deck->fail("At", "no beam ends there, no shell has a node there, and no coupling its reference. Moments act on these: put one there");
    directors = nodes.directors(plan, place);
    if (const std::string why = refusal_of_moment(moment, {}, nodes.basis(place)); !why.empty())
      deck->fail("Moment", why);
    constexpr double small = 1e-6;
    if (lost_part(moment, {}, nodes.basis(place)) > small)
      deck->fail("Moment", "has a part about the normal of a shell, which resists none where it has no fold. Leave out this part");
    plan.join(directors);
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    PartInSystem part;
    part.linear = mode == MomentMode::at_rest;
    part.loads.push_back({name, deck->where(""), std::make_shared<MomentLoad>(moment, mode, directors, sites)});
    return part;
  }
  std::vector<std::string> loads() const override { return {fmt::format("{} (moment on {})", name, join_names(at))}; }
  std::string description() const override { return "a moment"; }

private:
  static std::string join_names(const std::vector<std::string> &names)
  {
    std::string text;
    for (const std::string &one : names)
      text += (text.empty() ? "" : ", ") + one;
    return text;
  }

  std::optional<Parameters> deck;
  std::string name;
  std::vector<std::string> at;
  std::vector<Expression> moment;
  MomentMode mode = MomentMode::in_space;
  SitePlan::Site place = 0;
  std::vector<SitePlan::Site> directors;
};

SYMDYN_REGISTER(StructurePart, MomentPart, "Moments");
}  // namespace symdyn
