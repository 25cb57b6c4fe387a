#include "elements/beams/beam_part.h"

#include <fmt/format.h>

#include <numeric>

#include "elements/beams/beam_axes.h"
#include "elements/beams/line_load.h"
#include "elements/gram/group_masses.h"
#include "elements/gram/held_rotation.h"
#include "elements/gram/held_sites.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/mass_choice.h"
#include "elements/gram/planned_mass.h"
#include "solver/base/log.h"

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
  p.add("Groups", groups, "instead of From, To and Elements: groups of lines of the mesh, each of which is an element");
  p.add("Section forces at", forces_at_nodes,
        "of Groups: numbers and sets of one node of the mesh's file, at which history.csv has section forces, beside both ends of one open "
        "line");
  p.add("Type", type, "B31: two nodes an element; B32: three, one in the middle", {"B31", "B32"});
  p.add("Direction", direction, "of local axis 1: its part normal to the beam [-]");
  p.add("Clamped", clamped, "of from, to: ends that do not turn; whether they move is up to their points");
  p.add("Hinged", hinged, "of from, to: ends that turn freely against what meets there (ball joints)");
  const std::string help = " that is not transmitted: torsion, moment 1, moment 2 (about axes 1, 2: hinges), moments, all";
  p.add("Release at From", release_at_from, "what of moments at the end From" + help);
  p.add("Release at To", release_at_to, "what of moments at the end To" + help);
  p.add("Releases", releases, "of Groups: the same of elements by their number in the file: 12 from moment 1, 12 from torsion, 13 to all");
  p.add("Line load", line_load, "components per length [N/m], expressions of t; a load of the name of the beam");
  p.add(
      "Stiffness damping", damping,
      "stresses of this times the rate of strain, as Kelvin-Voigt's [s]: 2 zeta/omega for a damping ratio zeta; a rigid motion does not feel it",
      not_negative());
  director_stiffness.declare(p, "E A times the length of an element (at kinks and joints at least 20 radii of gyration)");
  linear = declare_linear(p);
  section.declare(p);
  check_entries(p);
  check_ends(p);
  check_line_load(p);
}

void Beam::check_entries(const Parameters &p) const
{
  if (p.given("Groups"))
    for (const char *entry : {"From", "To", "Elements", "Clamped", "Hinged"})
      if (p.given(entry))
        p.fail(entry, "has no effect with Groups. Remove one of both");
  if (p.given("Releases") && is_straight())
    p.fail("Releases", "is for beams on Groups: this one has Release at From and Release at To. Remove the entry");
  if (p.given("Groups") && groups.empty())
    p.fail("Groups", "needs the name of a group of lines");
  if (p.given("Section forces at") && is_straight())
    p.fail("Section forces at", "is for beams on Groups: this one has section forces at From and To. Remove the entry, or divide the beam");
  for (const char *entry : {"From", "To", "Direction"})
    if (!p.given(entry) && (is_straight() || entry == std::string("Direction")))
      p.fail("",
             std::string("the beam has no ") + entry + ". It needs its ends, From and To, or Groups, and a Direction that is not along it");
  if (direction.size() != 3 || !(norm({direction[0], direction[1], direction[2]}) > 0.))
    p.fail("Direction", "needs three numbers, not all zero");
}

namespace
{
using Sites = std::vector<SitePlan::Site>;
Sites joined(Sites all, const Sites &more)
{
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
}  // namespace

void Beam::check_ends(const Parameters &p) const
{
  for (const auto &[entry, ends] : {std::pair{"Clamped", &clamped}, {"Hinged", &hinged}})
    for (const std::string &end : *ends)
      if (end != "from" && end != "to")
        p.fail(entry, fmt::format("'{}' is no end. The ends are from and to", end));
  check_releases(p);
}

void Beam::check_line_load(const Parameters &p) const
{
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

void Beam::plan(SitePlan &plan)
{
  if (plan.mesh().dimension() != 3)
    deck->fail("", "beams are in space. Set Points/Dimension = 3, or give a mesh in 3-D");
  is_straight() ? plan_straight(plan) : plan_lines(plan);
  plan.shared<BeamAxes>().stand_in(plan);
  find_cuts(plan);
  find_hinges();
  auto &nodes = plan.shared<DirectorNodes>();
  for (std::size_t e = 0; e < course.elements.size(); ++e)
    for (std::size_t a = 0; a < course.elements[e].nodes.size(); ++a)
    {
      const SitePlan::Site place = course.places[course.elements[e].nodes[a]];
      if (const BeamHinge *hinge = hinge_at(e, a))
        plan_hinge(plan, *hinge);
      else
        for (const GramVector &director : course.elements[e].directors[a])
          nodes.need(place, director);
      if (is_clamped(course.elements[e].nodes[a]))
        nodes.use(place);
    }
}

void Beam::plan_straight(SitePlan &plan)
{
  auto &all_places = plan.shared<PartPlaces>();
  const PartPlaces::End start = all_places.find(plan, from, "From", *deck), end = all_places.find(plan, to, "To", *deck);
  const GramVector along = combination(end.position, -1., start.position);
  const double length = norm(along);
  if (!(length > 0.))
    deck->fail("To", "the beam has no length: To is where From is. Give another end");
  const GramVector tangent = scaled(1. / length, along);
  const BeamCourse::Directors frame = BeamCourse::frame({direction[0], direction[1], direction[2]}, tangent);
  if (norm(frame[0]) == 0.)
    deck->fail("Direction", "is along the beam. Give a direction of its section's axis 1");
  const int step = nodes_of_element() - 1, intervals = elements * step;
  for (int i = 0; i <= intervals; ++i)
  {
    const GramVector X = combination(start.position, double(i) / intervals * length, tangent);
    const auto standing = i > 0 && i < intervals ? all_places.standing(plan, X) : std::nullopt;
    course.positions.push_back(X);
    course.places.push_back(i == 0 ? start.site : i == intervals ? end.site : standing ? standing->site : plan.append({X, false}));
    shared += course.places.back() >= 0;
    if (i > 0 && i < intervals && !standing)
      all_places.add_inner(deck->where("Elements"), {course.places.back(), X});
  }
  for (int e = 0; e < elements; ++e)
  {
    BeamCourse::Element element;
    for (int a = 0; a <= step; ++a)
      element.nodes.push_back(e * step + a);
    element.directors.assign(step + 1, frame);
    course.elements.push_back(std::move(element));
  }
  all_places.add_line(called, start, end, course.places);
  all_places.add_end(deck->where("From"), start);
  all_places.add_end(deck->where("To"), end);
}

void Beam::plan_lines(SitePlan &plan)
{
  auto &lines = plan.shared<MeshLines>();
  if (!lines.exists())
    deck->fail("Groups", "there is no mesh with lines. Set Mesh/Type = polyline or file, or give From and To");
  try
  {
    course =
        course_of_lines(lines, plan.shared<SurfaceSites>(), lines.take(groups, called), type, {direction[0], direction[1], direction[2]});
  }
  catch (const InputError &error)
  {
    deck->fail("Groups", error.what());
  }
  elements = int(course.elements.size());
  for (const BeamCourse::Element &element : course.elements)
  {
    std::vector<SitePlan::Site> sites;
    for (const int node : element.nodes)
      sites.push_back(course.places[node]);
    const auto end = [&](const int node) { return PartPlaces::End{course.places[node], course.positions[node]}; };
    if (element.nodes.size() == 2)  // curved ones have no straight axis
      plan.shared<PartPlaces>().add_line(called, end(element.nodes.front()), end(element.nodes.back()), sites);
  }
  for (const BeamCut &end : ends_of(course))
  {
    const std::vector<int> &nodes = course.elements[end.element].nodes;
    const int node = end.at_start ? nodes.front() : nodes.back();
    plan.shared<PartPlaces>().add_end(deck->where("Groups"), {course.places[node], course.positions[node]});
  }
}

void Beam::find_cuts(SitePlan &plan)
{
  cuts = is_straight() ? std::vector<BeamCut>{{"from", 0, true}, {"to", course.elements.size() - 1, false}} : ends_of(course);
  for (const std::string &name : forces_at_nodes)
    try
    {
      const std::vector<unsigned int> nodes = plan.shared<MeshLines>().mesh().set(name);
      if (nodes.size() != 1)
        throw InputError(fmt::format("'{}' has {} nodes. Give sets of one node, or numbers", name, nodes.size()));
      cuts.push_back(cut_at(course, plan.shared<SurfaceSites>()(nodes.front()), name));
    }
    catch (const InputError &error)
    {
      deck->fail("Section forces at", error.what());
    }
}

void Beam::join(SitePlan &plan)
{
  lumped = plan.shared<MassChoice>().lumped;
  heat = HeatedElements::of(plan, {{section.expansion()}}, section.heated_stiffness(), linear);
  check_crossings(plan);
  const BeamType model = section.type(nodes_of_element());
  lengths.assign(course.places.size(), 0.);
  find_turning(plan);
  for (std::size_t e = 0; e < course.elements.size(); ++e)
  {
    planned.push_back(planned_element(plan, e, model));
    add_axis(plan, e);
    std::vector<double> &shares = planned.back().shares_of_temperature;
    shares.assign(course.elements[e].nodes.size(), 0.);
    shares.front() = shares.back() = 0.5;
    if (lumped)
      lump_at_nodes(int(course.elements[e].nodes.size()), planned.back().model);
  }
  for (const Turning &one : turning)
    plan.shared<DirectorNodes>().stiffen(course.places[one.node], stiffness_of(one));
}

void Beam::find_turning(SitePlan &plan)
{
  auto &nodes = plan.shared<DirectorNodes>();
  std::vector<Sites> of_nodes(course.places.size());
  for (std::size_t e = 0; e < course.elements.size(); ++e)
    for (std::size_t a = 0; a < course.elements[e].nodes.size(); ++a)
    {
      const int node = course.elements[e].nodes[a];
      const SitePlan::Site place = course.places[node];
      BeamHinge *hinge = hinge_at(e, a);
      if (hinge)
        join_hinge(plan, *hinge);
      if (!hinge || (hinge->release.count() == 1 && !nodes.is_shaped(place) && nodes.basis(place).size() > 1))
        of_nodes[node] = nodes.directors(plan, place);
      if (is_clamped(node) && nodes.has(place))
      {
        held = joined(held, nodes.directors(plan, place));
        plan.shared<HeldRotations>().clamped.emplace(place, deck->where("Clamped"));
      }
    }
  at_node.assign(of_nodes.size(), 0);
  for (std::size_t node = 0; node < of_nodes.size(); ++node)
  {
    at_node[node] = turning.size();
    if (const Sites &sites = of_nodes[node]; !sites.empty())
    {
      turning.push_back({int(node), sites, {}, sites.size() > 2 || !nodes.is_shaped(course.places[node])});
      for (const SitePlan::Site site : sites)
        turning.back().directors.push_back({{site, 1.}});
    }
    for (BeamHinge &hinge : hinges)
      if (node_of(hinge) == int(node))
        add_turning(hinge);
  }
}

PlannedElement Beam::planned_element(SitePlan &plan, const std::size_t number, const BeamType &model)
{
  auto &nodes = plan.shared<DirectorNodes>();
  const BeamCourse::Element &of_course = course.elements[number];
  PlannedElement element;
  std::vector<GramVector> rest;
  std::vector<SitePlan::Site> together;
  for (std::size_t a = 0; a < of_course.nodes.size(); ++a)
  {
    const int node = of_course.nodes[a];
    element.vectors.push_back({{course.places[node], 1.}});
    rest.push_back(course.positions[node]);
    together.push_back(course.places[node]);
    const BeamHinge *hinge = hinge_at(number, a);
    together = joined(together, hinge ? hinge->together : turning[at_node[node]].sites);
  }
  for (int d = 0; d < 2; ++d)
    for (std::size_t a = 0; a < of_course.nodes.size(); ++a)
    {
      const BeamHinge *hinge = hinge_at(number, a);
      const GramVector &director = of_course.directors[a][d];
      element.vectors.push_back(hinge ? hinge->directors[d] : nodes.sum(plan, course.places[of_course.nodes[a]], director));
      rest.push_back(director);
    }
  try
  {
    element.model = model.model(rest);
  }
  catch (const std::invalid_argument &error)
  {
    deck->fail(is_straight() ? "" : "Groups", error.what());
  }
  if (!is_straight())
    plan.shared<GroupMasses>().add(plan, of_course.groups, element);
  const std::size_t nodes_here = of_course.nodes.size();
  for (std::size_t a = 0; a < nodes_here; ++a)
    for (std::size_t b = 0; b < nodes_here; ++b)
      lengths[of_course.nodes[a]] += element.model.mass[a * element.vectors.size() + b] / section.line_mass();
  scale_inertia(number, element.model);
  metrics.push_back(model.metrics(rest));
  plan.join(together);
  return element;
}

void Beam::scale_inertia(const std::size_t element, const GramModel &model)
{
  const std::size_t n = course.elements[element].nodes.size();
  const double length = std::accumulate(model.lumped.begin(), model.lumped.begin() + n, 0.) / section.line_mass();
  for (std::size_t a = 0; a < n; ++a)
  {
    const BeamHinge *hinge = hinge_at(element, a);
    Turning &of = turning[hinge ? hinge->turning : at_node[course.elements[element].nodes[a]]];
    const bool at_end = a == 0 || a + 1 == n;
    of.length += (at_end ? 0.5 : 1.) * course.chord(course.elements[element]) / double(n - 1);
    of.scaled_inertia += model.lumped[a] * length * length / 12.;
  }
}

double Beam::stiffness_of(const Turning &one) const
{
  const double per_length = director_stiffness.of(section.axial(), section.shear(), lumped);
  return per_length * (one.is_joint ? std::max(one.length, length_of_joint(section.gyration())) : one.length);
}

PlannedElement Beam::planned_directors(const Turning &node) const
{
  return {director_model(int(node.directors.size()), stiffness_of(node)), node.directors};
}

PartInSystem Beam::build(const PlannedSites &sites)
{
  PartInSystem part;
  part.off_nodes = section.off_nodes(*deck);
  part.not_exact = refusal_of_exact_directors(linear, *deck);
  if (part.not_exact.empty())
    part.not_exact = not_exact;
  if (part.not_exact.empty() && lumped && !hinges.empty() && !part.off_nodes.empty())
    part.not_exact =
        part.off_nodes +
        ": a lumped mass off the nodes joins the directors of both sides of a hinge. Set Elements/Directors = elastic, or Mass "
        "= consistent";
  seen = std::make_unique<PlannedSites>(sites);
  for (const PlannedElement &element : planned)
    add_mass(element, nodes_of_element(), part);
  for (std::size_t e = 0; e < planned.size(); ++e)
    if (sites.owns(course.places[course.elements[e].nodes.front()]))
      counted.push_back(e);
  term = std::make_shared<GramTerm>(std::move(planned), sites, damping, linear, section.law(), std::move(heat));
  if (section.law())
    log_line(fmt::format("beam '{}': {}", called, section.description()));
  planned = {};
  std::vector<GramVector> places;
  for (const Turning &one : turning)
  {
    places.push_back(course.positions[one.node]);
    part.director_nodes.push_back(one.sites);
    part.scaled_inertia.push_back(one.scaled_inertia);
  }
  directors = std::make_shared<DirectorTerm>([this](const std::size_t i) { return planned_directors(turning[i]); }, sites, places, linear);
  part.terms = {term};
  part.directors = directors;
  part.linear = linear;
  part.relations = relations;
  part.light = light;
  if (!held.empty())
    part.supports.push_back(std::make_shared<HeldSites>(held, sites));
  if (!line_load.empty())
    part.loads.push_back({called, deck->where("Line load"), std::make_shared<LineLoad>(line_load, course.places, lengths, sites)});
  return part;
}

std::vector<std::string> Beam::loads() const
{
  return line_load.empty() ? std::vector<std::string>() : std::vector<std::string>{called + " (line load)"};
}

SYMDYN_REGISTER(StructurePart, Beam, "Beams");
}  // namespace symdyn
