#include <fmt/format.h>

#include "elements/lumped/model.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Dead forces on points.
class Forces : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    if (!p.given("Points"))
      p.fail("Points", "a force needs the points where it acts");
    if (int(entries.force.size()) != model.dimension())
      p.fail("Force", fmt::format("needs {} components separated by commas", model.dimension()));
    bool zero = true;
    for (const Expression &component : entries.force)
    {
      zero = zero && component.is_zero();
      for (const char *variable : {"x", "y", "z"})
        if (component.uses(variable))
          p.fail("Force", "depends on t alone. A force that depends on coordinates is a potential");
    }
    if (zero)
      p.fail("Force", "is zero: it has no effect. Remove the section");
    for (const int k : model.find(entries.points, p, "Points"))
      model.parts.loads.push_back({k, entries.force, model.parts.load_names.size()});
    model.parts.load_names.push_back(name);
    model.force_names.push_back(fmt::format("{} (on {})", name, join(entries.points)));
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    std::vector<std::string> points;
    std::vector<Expression> force;
    void declare(Parameters &p)
    {
      p.add("Points", points, "points and groups");
      p.add("Force", force, "components on each point [N], expressions of t");
    }
  };
};

SYMDYN_REGISTER(DiscreteSection, Forces, "Forces");
}  // namespace
}  // namespace symdyn
