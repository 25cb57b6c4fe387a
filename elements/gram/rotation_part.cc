#include <optional>

#include "elements/gram/held_rotation.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// The rotation of a node of beams and shells, or of the reference of a coupling, held or prescribed.
class RotationPart : public StructurePart
{
public:
  void declare(const std::string &given_name, Parameters &p) override
  {
    node.name = given_name;
    deck = p;
    p.add("At", at, "an end of a beam, a node of a shell, or the reference of a coupling: the name of a point, or a place [m]");
    rotation.declare(p, "of the node");
    node.linear = declare_linear(p, "nonlinear, or linear: for small rotations");
    for (const char *entry : {"At", "Rotation"})
      if (!p.given(entry))
        p.fail("", std::string("the rotation has no ") + entry + ". It needs the place of a node, and three components, as 0, free, free");
  }
  void plan(SitePlan &plan) override
  {
    place = plan.shared<PartPlaces>().find(plan, at, "At", *deck).site;
    plan.shared<DirectorNodes>().use(place);
  }
  void join(SitePlan &plan) override
  {
    auto &nodes = plan.shared<DirectorNodes>();
    if (!nodes.has(place))
      deck->fail("At", "nothing turns there: no beam ends there, no shell has a node there, and no coupling its reference");
    plan.shared<HeldRotations>().claim(place, *deck);
    node.directors = nodes.directors(plan, place);
    node.basis = nodes.basis(place);
    rotation.check(node, *deck);
    plan.join(node.directors);
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    PartInSystem part;
    part.linear = node.linear || !rotation.moves();
    rotation.add_to(part, node, sites, deck->where("Rotation"));
    return part;
  }
  std::string description() const override { return "a rotation"; }

private:
  std::optional<Parameters> deck;
  std::vector<std::string> at;
  HeldRotation rotation;
  HeldRotation::Node node;
  SitePlan::Site place = 0;
};

SYMDYN_REGISTER(StructurePart, RotationPart, "Rotations");
}  // namespace symdyn
