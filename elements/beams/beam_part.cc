#include "elements/beams/beam_part.h"

#include <fmt/format.h>

#include "elements/beams/line_load.h"
#include "elements/gram/held_sites.h"
#include "elements/gram/planned_mass.h"

// How a deck describes a beam, and what it adds to a system.
namespace symdyn
{
void Beam::declare(const std::string &name, Parameters &p)
{
  deck = p;
  called = name;
  p.add("From", from, "first end: the name of a point (of a solid: the number of a node of its .inp file), or a place [m]");
  p.add("To", to, "other end, likewise");
  p.add("Elements", elements, "number of elements between the ends", between(1, 100000));
  p.add("Type", type, "B31: two nodes an element; B32: three, one in the middle", {"B31", "B32"});
  p.add("Direction", direction, "of local axis 1: its part normal to the beam [-]");
  p.add("Clamped", clamped, "of from, to: ends that do not turn; whether they move is up to their points");
  p.add("Hinged", hinged, "of from, to: ends that turn freely against what meets there (ball joints)");
  p.add("Line load", line_load, "components per length [N/m], expressions of t; a load of the name of the beam");
  p.add("Stiffness damping", damping, "C = this times the stiffness at rest [s]", not_negative());
  p.add("Director stiffness", director_stiffness,
        "what holds the directors to length 1 and to right angles, over E A times the length of an element", positive());
  section.declare(p);
  for (const char *entry : {"From", "To", "Direction"})
    if (!p.given(entry))
      p.fail("", std::string("the beam has no ") + entry + ". It needs its ends, From and To, and a Direction that is not along it");
  if (direction.size() != 3)
    p.fail("Direction", "needs three numbers");
  check_ends(p);
}

void Beam::check_ends(const Parameters &p) const
{
  for (const auto &[entry, ends] : {std::pair{"Clamped", &clamped}, {"Hinged", &hinged}})
    for (const std::string &end : *ends)
      if (end != "from" && end != "to")
        p.fail(entry, fmt::format("'{}' is no end. The ends are from and to", end));
  for (const std::string &end : clamped)
    if (is_hinged(end))
      p.fail("Hinged", fmt::format("'{}' is Clamped, too. Keep one of both", end));
  if (is_hinged("from") && is_hinged("to"))
    p.fail("Hinged", "with hinges at both ends the beam would turn about its axis. Keep one of them, or take a bar (Bars)");
  if (line_load.empty())
    return;
  if (line_load.size() != 3)
    p.fail("Line load", "needs three components separated by commas");
  for (const Expression &component : line_load)
    for (const char *variable : {"x", "y", "z"})
      if (component.uses(variable))
        p.fail("Line load", "depends on t alone");
  if (std::all_of(line_load.begin(), line_load.end(), [](const Expression &component) { return component.is_zero(); }))
    p.fail("Line load", "has no effect, because it is zero. Remove the entry");
}

void Beam::find_frame(const PartPlaces::End &start, const PartPlaces::End &end)
{
  const GramVector along = combination(end.position, -1., start.position);
  length = norm(along);
  if (!(length > 0.))
    deck->fail("To", "the beam has no length: To is where From is. Give another end");
  frame[2] = scaled(1. / length, along);
  const GramVector given{direction[0], direction[1], direction[2]};
  frame[0] = combination(given, -dot(given, frame[2]), frame[2]);
  const double normal = norm(frame[0]);
  constexpr double along_it = 1e-3;
  if (!(normal > along_it * norm(given)))
    deck->fail("Direction", norm(given) > 0. ? "is along the beam. Give a direction of its section's axis 1"
                                             : "has no length. Give a direction of its section's axis 1");
  frame[0] = scaled(1. / normal, frame[0]);
  frame[1] = cross(frame[2], frame[0]);
}

void Beam::plan(SitePlan &plan)
{
  if (plan.mesh().dimension() != 3)
    deck->fail("", "beams are in space. Set Points/Dimension = 3, or give a mesh in 3-D");
  auto &all_places = plan.shared<PartPlaces>();
  const PartPlaces::End start = all_places.find(plan, from, "From", *deck), end = all_places.find(plan, to, "To", *deck);
  find_frame(start, end);
  const int intervals = elements * (nodes_of_element() - 1);
  for (int i = 0; i <= intervals; ++i)
  {
    positions.push_back(combination(start.position, double(i) / intervals * length, frame[2]));
    const auto standing = i > 0 && i < intervals ? all_places.standing(plan, positions.back()) : std::nullopt;
    places.push_back(i == 0 ? start.site : i == intervals ? end.site : standing ? standing->site : plan.append({positions.back(), false}));
    shared += places.back() >= 0;
    for (int a = 0; a < 2 && !turns_alone(i); ++a)
      plan.shared<DirectorNodes>().need(places.back(), frame[a]);
  }
  all_places.add_line(called, start, end, places);
  first = places.front();
  last = places.back();
}

void Beam::check_crossings(SitePlan &plan) const
{
  for (const auto &[entry, site, position] :
       {std::tuple{"From", places.front(), positions.front()}, {"To", places.back(), positions.back()}})
    if (const std::string other = plan.shared<PartPlaces>().crossed_by(plan, {site, position}); !other.empty())
      deck->fail(entry,
                 fmt::format("lies on the beam '{}', to which it would not be joined: beams meet at ends, points and nodes of shells. "
                             "Divide '{}' there, put a point where it has a node, or move this end off it",
                             other, other));
}

void Beam::join(SitePlan &plan)
{
  check_crossings(plan);
  auto &nodes = plan.shared<DirectorNodes>();
  const BeamType model = section.type(nodes_of_element());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (turns_alone(int(i)))
      node_basis.push_back({plan.append({frame[0], true, places[i]}), plan.append({frame[1], true, places[i]})});
    else
      node_basis.push_back(nodes.directors(plan, places[i]));
  for (int e = 0; e < elements; ++e)
  {
    PlannedElement element;
    std::vector<GramVector> rest;
    std::vector<SitePlan::Site> together;
    for (int a = 0; a <= step(); ++a)
    {
      element.vectors.push_back({{places[e * step() + a], 1.}});
      rest.push_back(positions[e * step() + a]);
      together.push_back(places[e * step() + a]);
      together.insert(together.end(), node_basis[e * step() + a].begin(), node_basis[e * step() + a].end());
    }
    for (int d = 0; d < 2; ++d)
      for (int a = 0; a <= step(); ++a)
      {
        const std::size_t node = e * step() + a;
        element.vectors.push_back(turns_alone(int(node)) ? SiteSum{{node_basis[node][d], 1.}} : nodes.sum(plan, places[node], frame[d]));
        rest.push_back(frame[d]);
      }
    element.model = model.model(rest);
    plan.join(together);
    planned.push_back(std::move(element));
  }
}

std::vector<PlannedElement> Beam::planned_directors() const
{
  std::vector<PlannedElement> all;
  for (std::size_t i = 0; i < node_basis.size(); ++i)
  {
    const bool at_end = i == 0 || i + 1 == node_basis.size();
    const double share = (at_end ? 0.5 : 1.) * length / (elements * step());
    PlannedElement element;
    element.model = director_model(int(node_basis[i].size()), director_stiffness * section.axial() * share);
    for (const SitePlan::Site site : node_basis[i])
      element.vectors.push_back({{site, 1.}});
    all.push_back(std::move(element));
  }
  return all;
}

PartInSystem Beam::build(const PlannedSites &sites)
{
  PartInSystem part;
  part.not_lumped = section.refusal_of_lumped(*deck);
  seen = std::make_unique<PlannedSites>(sites);
  for (const PlannedElement &element : planned)
    add_mass(element, part);
  term = std::make_shared<GramTerm>(planned, sites, damping);
  directors = std::make_shared<DirectorTerm>(planned_directors(), sites, positions);
  planned.clear();
  part.terms = {term};
  part.directors = directors;
  part.director_nodes = node_basis;
  std::vector<SitePlan::Site> held;
  for (const std::string &end : clamped)
    for (const SitePlan::Site site : end == "from" ? node_basis.front() : node_basis.back())
      held.push_back(site);
  if (!held.empty())
    part.supports.push_back(std::make_shared<HeldSites>(held, sites));
  if (!line_load.empty())
    part.loads.push_back({called, deck->where("Line load"), std::make_shared<LineLoad>(line_load, places, tributary(), sites)});
  return part;
}

std::vector<double> Beam::tributary() const
{
  // The integrals of the functions of a node over its elements: Simpson's rule for three nodes.
  const double h = length / elements;
  std::vector<double> weights(places.size(), 0.);
  const std::vector<double> of_element =
      nodes_of_element() == 2 ? std::vector<double>{0.5, 0.5} : std::vector<double>{1. / 6., 2. / 3., 1. / 6.};
  for (int e = 0; e < elements; ++e)
    for (int a = 0; a <= step(); ++a)
      weights[e * step() + a] += h * of_element[a];
  return weights;
}

std::vector<std::string> Beam::loads() const
{
  return line_load.empty() ? std::vector<std::string>() : std::vector<std::string>{called + " (line load)"};
}

SYMDYN_REGISTER(StructurePart, Beam, "Beams");
}  // namespace symdyn
