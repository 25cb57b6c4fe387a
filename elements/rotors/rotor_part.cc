#include "elements/rotors/rotor_part.h"

namespace symdyn
{
void RotorPart::declare_node(const std::string &given_name, Parameters &p, const std::string &what)
{
  name = given_name;
  deck = p;
  part = what;
  p.add("At", at, "where it is: the name of a point, a node of the mesh, or a place [m]");
}

void RotorPart::plan(SitePlan &plan)
{
  if (at.empty())
    deck->fail("", part + " has no At. Name a point or a node, or give a place [m]");
  frame = TurningFrame::read(deck->root(), plan.mesh().dimension());
  if (!frame)
    deck->fail("", part + " is of a rotor, and the deck has no section Rotation. Add it, with the Axis of the rotor");
  if (deck->root().section("Cyclic symmetry").exists())
    deck->fail("", part + " is of the whole rotor, and Cyclic symmetry computes a sector of it. Remove one of both");
}

/// Once all parts have planned their nodes.
void RotorPart::join(SitePlan &plan)
{
  const std::size_t before = plan.appended().size();
  place = plan.shared<PartPlaces>().find(plan, at, "At", *deck);
  if (plan.appended().size() > before)
    deck->fail("At", "no node stands there. Name a point or a node, or give the place of one [m]");
}

RotorNode RotorPart::node(const PlannedSites &sites) const { return {name, deck->where(""), sites.owns(place.site) ? local(sites) : -1}; }
}  // namespace symdyn
