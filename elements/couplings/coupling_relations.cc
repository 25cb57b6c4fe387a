#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "elements/couplings/coupling_part.h"
#include "elements/couplings/director_pairs.h"
#include "elements/gram/coupled_nodes.h"
#include "elements/gram/director_term.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/stiffest_material.h"
#include "solver/base/log.h"
#include "solver/base/names.h"

// What a coupling adds to a system: relations, and what keeps the directors of its reference in shape.
namespace symdyn
{
void Coupling::join(SitePlan &plan)
{
  auto &of_plan = plan.shared<DirectorNodes>();
  if (of_plan.has(reference.site))
  {
    directors = of_plan.directors(plan, reference.site);
    basis = of_plan.basis(reference.site);
    of_elements = of_plan.of_elements(reference.site);
    plan.join(directors);
  }
  for (Node &node : nodes)
    if (directors_follow && is_rigid() && of_plan.has(node.site))
      for (std::size_t i = 0; i < of_plan.directors(plan, node.site).size(); ++i)
      {
        node.directors.emplace_back(of_plan.directors(plan, node.site)[i], of_plan.basis(node.site)[i]);
        of_nodes.push_back(node.directors.back().second);
      }
  check_rotation(plan);
  is_rigid() ? check_rank(plan) : check_average(plan);
  if (off_plane)
    raise_reference(plan);
  is_rigid() ? relate_rigidly() : relate_on_average();
  for (const Node &node : nodes)  // for pictures and moments
  {
    std::vector<SitePlan::Site> together{reference.site, node.site};
    if (off_plane)
      together.insert(together.end(), directors.begin(), directors.end());
    plan.join(together);
  }
}

void Coupling::raise_reference(SitePlan &plan)
{
  auto &at_rest = plan.shared<OffPlaneReferences>().all.at(reference.site);
  const GramVector off = combination(reference.position, -1., average->centroid());
  at_rest = {{directors.at(0), directors.at(1)}, {basis.at(0), basis.at(1)}, dot(off, cross(basis[0], basis[1])), at_rest.where};
  height = at_rest;
}

void Coupling::check_rotation(SitePlan &plan) const
{
  for (const char *entry : {"Rotation", "Stiffness", "Angular velocity"})
    if (deck->given(entry) && directors.empty())
      deck->fail(entry, "has no effect: all nodes stand where the reference is, which has nothing that turns. Remove the entry");
  if (deck->given("Angular velocity") && plan.shared<CoupledNodes>().led.count(reference.site) > 0)
    deck->fail("Angular velocity",
               "has no effect, because the reference turns with another coupling, of which it is a node. Give it there, or let that one's "
               "Components be x, y, z");
  if (!held_rotation.any())
    return;
  plan.shared<HeldRotations>().claim(reference.site, *deck);
  held_rotation.check(turning_node(), *deck);
}

void Coupling::check_rank(SitePlan &plan) const
{
  if (plan.shared<CoupledNodes>().averaged.count(reference.site) > 0)
    deck->fail("At", "follows the nodes of a distributing coupling, and cannot lead nodes rigidly. Give another reference");
  constexpr int motions = 6;
  const bool is_place_known = reference.site >= 0 || plan.shared<PartPlaces>().is_point(reference.site);
  std::array<bool, space> held{};
  for (int axis = 0; axis < space; ++axis)
    held[axis] = held_rotation.holds(axis);
  const bool is_led = plan.shared<CoupledNodes>().led.count(reference.site) > 0;
  if (is_led || of_elements > 0 || rank_of_motions(arms(), follows, of_nodes, is_place_known, held) == motions)
    return;
  if (all_components())
    deck->fail("",
               "the nodes lie on a line with the reference, or are one: how it turns about the line is not determined. Name nodes that "
               "span a plane, or hold its Rotation");
  deck->fail("Components", fmt::format("{} of these nodes do not determine how the reference moves and turns. Name more components or "
                                       "nodes, or hold its Rotation",
                                       symdyn::join(components)));
}

void Coupling::check_average(SitePlan &plan) const
{
  const auto &raised_ones = plan.shared<OffPlaneReferences>().all;
  for (const Node &node : nodes)
    if (const auto other = raised_ones.find(node.site); other != raised_ones.end())
      deck->fail(
          "Nodes",
          fmt::format("has the reference of {}, which is off the plane of its nodes and has no linear relation to others. Take it out, "
                      "or set Geometry = linear there",
                      other->second.where));
  if (off_plane && reference.site >= 0 && !plan.shared<PartPlaces>().is_point(reference.site))
    deck->fail("At",
               "a node of cells stands there, off the plane of the nodes, which do not determine in large rotations how it moves. Put the "
               "reference into the plane, set Type = rigid, or Geometry = linear");
  if (off_plane && of_elements > 0)
    deck->fail("At",
               "a beam or shell ends there, off the plane of the nodes, which do not determine in large rotations how it moves. Put the "
               "reference into the plane, set Type = rigid, or Geometry = linear");
  constexpr double in_plane = 1e-6;
  for (const GramVector &D : basis)
    if (!linear && norm(average->outside(D)) > in_plane)
      deck->fail(
          "At",
          "a beam or shell there has a director across the plane of the nodes, which do not determine it in large rotations. Set Type "
          "= rigid, or Geometry = linear");
}

void Coupling::add_relation(const SitePlan::Site site, const GramVector &rest, const int component, std::vector<Relation::Share> shares,
                            const std::string &what)
{
  followed.push_back({site, rest, component});
  relations.push_back({fmt::format("{} ({} of {})", called, "xyz"[component], what), deck->where(""), std::move(shares)});
}

void Coupling::relate_rigid_place(const Node &node)
{
  const GramVector c = combination(node.X, -1., reference.position);
  for (int d = 0; d < space; ++d)
    if (follows[d])
    {
      std::vector<Relation::Share> shares{{node.site, d, 1.}, {reference.site, d, -1.}};
      for (std::size_t k = 0; k < basis.size(); ++k)
        if (const double factor = dot(c, basis[k]); factor != 0.)
          shares.push_back({directors[k], d, -factor});
      add_relation(node.site, node.X, d, std::move(shares), node.name);
    }
}

void Coupling::relate_rigidly()
{
  for (const Node &node : nodes)
  {
    relate_rigid_place(node);
    for (const auto &[site, D] : node.directors)
      for (int d = 0; d < space; ++d)
      {
        std::vector<Relation::Share> shares{{site, d, 1.}};
        for (std::size_t k = 0; k < basis.size(); ++k)
          if (const double factor = dot(D, basis[k]); factor != 0.)
            shares.push_back({directors[k], d, -factor});
        add_relation(site, D, d, std::move(shares), "a director of " + node.name);
      }
  }
}

std::vector<AffineMotion::Matrix> Coupling::shares_of_place() const
{
  std::vector<AffineMotion::Matrix> shares(nodes.size());
  GramVector off = combination(reference.position, -1., average->centroid());
  if (off_plane)  // the rest is no linear relation
    off = combination(off, -1., average->outside(off));
  for (std::size_t s = 0; s < nodes.size(); ++s)
  {
    shares[s] = average->share(s, off);
    for (int d = 0; d < space; ++d)
      shares[s][d][d] += average->weight(s);
  }
  return shares;
}

void Coupling::relate_on_average()
{
  std::vector<AffineMotion::Matrix> shares = shares_of_place();
  relate_to_nodes(reference.site, reference.position, shares);
  for (std::size_t k = 0; k < basis.size(); ++k)
  {
    for (std::size_t s = 0; s < nodes.size(); ++s)
      shares[s] = average->share(s, basis[k]);
    relate_to_nodes(directors[k], basis[k], shares);
  }
}

void Coupling::relate_to_nodes(const SitePlan::Site site, const GramVector &rest, const std::vector<AffineMotion::Matrix> &shares)
{
  for (int d = 0; d < space; ++d)
  {
    std::vector<Relation::Share> all{{site, d, 1.}};
    for (std::size_t s = 0; s < nodes.size(); ++s)
      for (int e = 0; e < space; ++e)
        if (const double factor = shares[s][d][e]; factor != 0.)
          all.push_back({nodes[s].site, e, -factor});
    add_relation(site, rest, d, std::move(all), "the reference");
  }
}

double Coupling::stiffness_of_size() const
{
  GramVector middle{};
  double of_arms = 0, of_nodes_alone = 0;  // mean squares [m²]
  for (const Node &node : nodes)
    add(1. / double(nodes.size()), node.X, middle);
  for (const Node &node : nodes)
  {
    const GramVector c = combination(node.X, -1., reference.position), about_middle = combination(node.X, -1., middle);
    of_arms += dot(c, c) / double(nodes.size());
    of_nodes_alone += dot(about_middle, about_middle) / double(nodes.size());
  }
  const auto material = of_arms > 0. ? stiffest_material(*deck) : std::nullopt;
  return material ? material->E * std::sqrt(of_nodes_alone > 0. ? of_nodes_alone : of_arms) * of_arms : 0.;
}

double Coupling::stiffness_of_directors() const
{
  if (given_stiffness > 0.)
    return given_stiffness;
  if (size() == 0.)
    return 0.;  // directors of nodes alone
  if (!stiffest_material(*deck) && of_elements == 0)
    deck->fail("Stiffness", "there is no material from which it follows. Give the entry [N m]");
  constexpr double times_stiffer = 100.;
  return times_stiffer * stiffness_of_size();
}

void Coupling::warn_of_softness() const
{
  double joined = stiffened->stiffness(reference.site);
  for (const Node &node : nodes)
    joined = std::max(joined, stiffened->stiffness(node.site));
  if (!boundaries.empty() && of_nodes.empty())  // a face of a solid
    joined = std::max(joined, stiffness_of_size());
  constexpr double times_stiffer = 100.;
  if (given_stiffness > 0. && given_stiffness < joined)
    log_warning(
        fmt::format("{}: is less than that of the parts it joins, {:.3g} N m: the coupling gives way before they do, and the nodes do "
                    "not move as a rigid body. Give {:.3g}, or remove the entry",
                    deck->where("Stiffness"), joined, times_stiffer * joined));
}

void Coupling::add_light(PartInSystem &part)
{
  const std::vector<std::size_t> all = massless_directors(arms(), of_nodes, basis, of_elements);
  light = all.size();
  for (const std::size_t k : all)
  {
    PartInSystem::Light one{directors[k], {}, {}};
    for (const Node &node : nodes)
    {
      const GramVector c = combination(node.X, -1., reference.position), across = combination(c, -dot(c, basis[k]), basis[k]);
      one.nodes.emplace_back(node.site, dot(across, across));
    }
    for (std::size_t other = 0; other < directors.size(); ++other)
      if (other != k)
        one.others.push_back(directors[other]);
    part.light.push_back(std::move(one));
  }
}

/// The velocity of a reference is that of its nodes; off their plane that of its site is the foot's of the arm. Another one would move the
/// nodes when relations are imposed.
void Coupling::lead_foot(const PlannedSites &sites, Vector &v) const
{
  const std::vector<AffineMotion::Matrix> shares = shares_of_place();
  std::vector<double> sum(space, 0.);
  for (std::size_t s = 0; s < nodes.size(); ++s)
    for (int d = 0; d < space && sites.owns(nodes[s].site); ++d)
      for (int e = 0; e < space; ++e)
        sum[d] += shares[s][d][e] * v.local_element(space * sites.local(nodes[s].site) + e);
  dealii::Utilities::MPI::sum(sum, v.get_mpi_communicator(), sum);
  for (int d = 0; d < space && sites.owns(reference.site); ++d)
    v.local_element(space * sites.local(reference.site) + d) = sum[d];
}

void Coupling::initialise(const PlannedSites &sites, Vector &, Vector &v) const
{
  if (!is_rigid())
    lead_foot(sites, v);
  if (!deck->given("Angular velocity"))
    return;
  const GramVector w{angular_velocity[0], angular_velocity[1], angular_velocity[2]};
  std::vector<double> of_reference(space, 0.);
  for (int d = 0; d < space && sites.owns(reference.site); ++d)
    of_reference[d] = v.local_element(space * sites.local(reference.site) + d);
  dealii::Utilities::MPI::sum(of_reference, v.get_mpi_communicator(), of_reference);
  const auto set = [&](const SitePlan::Site site, const int d, const double value) {
    if (sites.owns(site))
      v.local_element(space * sites.local(site) + d) = value;
  };
  for (std::size_t k = 0; k < directors.size(); ++k)
    for (int d = 0; d < space; ++d)
      set(directors[k], d, cross(w, basis[k])[d]);
  for (const Node &node : nodes)
    for (int d = 0; d < space; ++d)
    {
      if (follows[d])
        set(node.site, d, of_reference[d] + cross(w, combination(node.X, -1., reference.position))[d]);
      for (const auto &[site, D] : node.directors)
        set(site, d, cross(w, D)[d]);
    }
}

PartInSystem Coupling::build(const PlannedSites &sites)
{
  PartInSystem part;
  seen = std::make_unique<PlannedSites>(sites);
  part.relations = std::move(relations);
  if (height)
    raised = std::make_unique<OffPlaneReference>(*height, sites);
  part.linear = linear;
  part.not_exact = refusal_of_exact_directors(linear, *deck);
  part.related.insert(directors.begin(), directors.end());
  for (const Node &node : nodes)
    for (const auto &[site, D] : node.directors)
      part.related.insert(site);
  if (!is_rigid() && !directors.empty())
    part.terms.push_back(std::make_shared<DirectorPairs>(directors, sites));
  if (!is_rigid() || directors.empty())
    return part;
  warn_of_softness();
  add_light(part);
  part.director_nodes = {directors};
  if (const double stiffness = stiffness_of_directors(); stiffness > 0.)
  {
    PlannedElement element;
    element.model = director_model(int(directors.size()), stiffness);
    for (const SitePlan::Site site : directors)
      element.vectors.push_back({{site, 1.}});
    part.directors = std::make_shared<DirectorTerm>([&element](std::size_t) { return element; }, sites,
                                                    std::vector<GramVector>{reference.position}, linear);
  }
  else if (part.not_exact.empty())
    part.not_exact = deck->where("") +
                     ": directors of a reference stay elastic beside exact ones, and there is no material from which their stiffness "
                     "follows, or no arm. Give a Stiffness [N m], or set Elements/Directors = elastic";
  if (held_rotation.any())
    held_rotation.add_to(part, turning_node(), sites, deck->where("Rotation"));
  return part;
}
}  // namespace symdyn
