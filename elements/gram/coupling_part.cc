#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "elements/files/node_files.h"
#include "elements/gram/coupling.h"
#include "elements/gram/director_term.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/part_places.h"
#include "elements/gram/stiffest_material.h"
#include "elements/gram/turned_sites.h"
#include "elements/structure_part.h"
#include "solver/base/names.h"
#include "solver/base/units.h"
#include "solver/error.h"

// Couplings: nodes that move with a reference, or a reference that moves with nodes.
namespace symdyn
{
namespace
{
/// Nodes that couplings move, of all couplings of a structure, and where.
struct CoupledNodes
{
  std::map<SitePlan::Site, std::string> moved;
};

constexpr int space = 3;
}  // namespace

/// Rigid: nodes X_s move with a reference r and its directors d_k, which are at rest D_k,
///     x_s = r + sum_k c_k d_k,   c_k = (X_s - r)·D_k;   of directors of nodes d = sum_k (D·D_k) d_k
/// exact in rotations of any size, as far as the directors keep their shape; linear in q, so that they are relations of sites.
/// Distributing: the reference moves with the best affine motion of the nodes (AffineMotion), and loads on it spread over them by the
/// transpose.
class Coupling : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  void draw(const State &state, NodeFrame &drawn) const override;
  std::string description() const override;
  std::vector<Column> columns_of_reactions(const Units &units) const override;
  void values_of_reactions(const State &state, const Vector &reaction, std::vector<double> &out) const override;

private:
  using Relation = PartInSystem::Relation;
  struct Node
  {
    SitePlan::Site site;
    GramVector X;
    std::string name;
    std::vector<std::pair<SitePlan::Site, GramVector>> directors = {};  ///< that follow, at rest
  };
  void check_entries(const Parameters &p) const;
  void declare_rotation(Parameters &p);
  void find_nodes(SitePlan &plan);
  std::vector<MeshPoints::Node> nodes_named(SitePlan &plan, const std::string &name) const;
  void add_node(const SitePlan &plan, const MeshPoints::Node &node, const std::string &from);
  /// Errors: InputError for a node that two couplings move.
  void claim(SitePlan &plan, SitePlan::Site site, const std::string &what);
  bool is_rigid() const { return type == "rigid"; }
  bool all_components() const { return std::count(follows.begin(), follows.end(), true) == space; }
  std::vector<GramVector> arms() const;
  double size() const;
  void plan_rigid(SitePlan &plan);
  void plan_distributing(SitePlan &plan);
  void check_rank(const DirectorNodes &of_nodes) const;
  void relate_rigidly();
  void relate_rigid_place(const Node &node);
  void relate_on_average();
  /// 0 = -u_site + sum_s share_s u_s
  void relate_to_nodes(SitePlan::Site site, const std::vector<AffineMotion::Matrix> &shares);
  void add_relation(int component, std::vector<Relation::Share> shares, const std::string &what);
  void find_stiffness();

  std::optional<Parameters> deck;
  std::string called, type = "rigid";
  std::vector<std::string> at, boundaries, names, components{"x", "y", "z", "rotations"};
  std::vector<double> weights;
  std::vector<Expression> rotation;
  double given_stiffness = 0;
  bool linear = false;

  std::array<bool, space> follows{};  ///< along x, y, z
  bool directors_follow = false;
  PartPlaces::End reference;
  std::vector<Node> nodes;
  std::optional<AffineMotion> average;
  std::vector<SitePlan::Site> directors;    ///< of the reference
  std::vector<GramVector> basis, of_nodes;  ///< its directors at rest; those that follow
  std::vector<Relation> relations;
  double stiffness = 0, density = 0;  ///< of directors [N m]; of the added mass [kg/m³]
  std::unique_ptr<PlannedSites> seen;
};

void Coupling::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  p.add("At", at, "the reference: the name of a point, a node of the mesh, or a place [m]");
  p.add("Boundaries", boundaries, "nodes that are coupled to it: those of boundaries of the mesh");
  p.add("Nodes", names, "the same: points, nodes and sets of nodes of the mesh by name");
  p.add(
      "Type", type,
      "rigid: the nodes move with the reference like a rigid body; distributing: the reference moves as the nodes do on average, and loads "
      "on it spread over them, which deform freely",
      {"rigid", "distributing"});
  p.add("Components", components,
        "of rigid: what of the nodes follows the reference; x, y, z: displacements, rotations: of nodes of beams and shells");
  p.add("Weights", weights, "of distributing: one for each node, in the order of Nodes [-]; left out: all are 1", not_negative());
  declare_rotation(p);
  p.add(
      "Stiffness", given_stiffness,
      "what holds the directors of the reference of rigid to length 1 and to right angles [N m]; left out: 100 E r^3, E the largest modulus "
      "of Materials, r the root mean square distance of the nodes from it",
      positive());
  linear = declare_linear(p, "nonlinear, or linear: for small rotations");
  check_entries(p);
}

void Coupling::declare_rotation(Parameters &p)
{
  p.add("Rotation", rotation,
        "of the reference: the rotation vector [rad], three expressions of t; 0, 0, 0: it does not turn; left out: it is free to turn");
  if (!p.given("Rotation"))
    return;
  if (rotation.size() != space)
    p.fail("Rotation", "needs three components separated by commas, 0, 0, 0 for a reference that does not turn");
  for (const Expression &component : rotation)
    for (const char *variable : {"x", "y", "z"})
      if (component.uses(variable))
        p.fail("Rotation", "depends on t alone");
}

void Coupling::check_entries(const Parameters &p) const
{
  if (!p.given("At"))
    p.fail("",
           "the coupling has no At. It needs a reference, the name of a point or a place [m], and Boundaries or Nodes that move with it");
  if (boundaries.empty() && names.empty())
    p.fail("", "the coupling has neither Boundaries nor Nodes. Name what is coupled to its reference");
  for (const char *entry : {"Components", "Stiffness", "Rotation"})
    if (!is_rigid() && p.given(entry))
      p.fail(entry, "has no effect with Type = distributing, where the reference follows the nodes. Remove the entry");
  if (is_rigid() && p.given("Weights"))
    p.fail("Weights", "has no effect with Type = rigid. Remove the entry");
  for (const std::string &component : components)
    if (component != "x" && component != "y" && component != "z" && component != "rotations")
      p.fail("Components", fmt::format("'{}' is no component. There are x, y, z and rotations", component));
  if (components.empty())
    p.fail("Components", "is empty, so that nothing would follow. Name some of x, y, z and rotations");
}

void Coupling::plan(SitePlan &plan)
{
  if (plan.mesh().dimension() != space)
    deck->fail("", "couplings are in space. Give a mesh in 3-D, or set Points/Dimension = 3");
  for (int d = 0; d < space; ++d)
    follows[d] = std::count(components.begin(), components.end(), std::string(1, "xyz"[d])) > 0;
  directors_follow = std::count(components.begin(), components.end(), "rotations") > 0;
  reference = plan.shared<PartPlaces>().find(plan, at, "At", *deck);
  find_nodes(plan);
  is_rigid() ? plan_rigid(plan) : plan_distributing(plan);
}

std::vector<MeshPoints::Node> Coupling::nodes_named(SitePlan &plan, const std::string &name) const
{
  try
  {
    return plan.mesh().named(name);
  }
  catch (const InputError &)
  {
    const PartPlaces::End end = plan.shared<PartPlaces>().find(plan, {name}, "Nodes", *deck);
    return {{end.site, end.position}};
  }
}

void Coupling::find_nodes(SitePlan &plan)
{
  for (const std::string &name : boundaries)
    try
    {
      for (const MeshPoints::Node &node : plan.mesh().on_boundary(name))
        add_node(plan, node, name);
    }
    catch (const InputError &error)
    {
      deck->fail("Boundaries", error.what());
    }
  for (const std::string &name : names)
    for (const MeshPoints::Node &node : nodes_named(plan, name))
      add_node(plan, node, name);
  if (nodes.empty())
    deck->fail("", "there is no node beside the reference itself. Name nodes that are coupled to it");
  if (!weights.empty() && weights.size() != nodes.size())
    deck->fail("Weights", fmt::format("there are {} weights and {} nodes. Give one for each node", weights.size(), nodes.size()));
  if (!weights.empty() && std::all_of(weights.begin(), weights.end(), [](const double w) { return w == 0.; }))
    deck->fail("Weights", "all are zero. Give some node a weight");
}

void Coupling::add_node(const SitePlan &, const MeshPoints::Node &node, const std::string &from)
{
  const bool there = std::any_of(nodes.begin(), nodes.end(), [&](const Node &one) { return one.site == node.number; });
  if (node.number != reference.site && !there)
    nodes.push_back({node.number, node.position, from});
}

void Coupling::claim(SitePlan &plan, const SitePlan::Site site, const std::string &what)
{
  const auto [other, is_new] = plan.shared<CoupledNodes>().moved.emplace(site, deck->where(""));
  if (!is_new)
    deck->fail("",
               fmt::format("moves {}, which {} moves, too. A node follows one coupling: take it out of one of both", what, other->second));
}

std::vector<GramVector> Coupling::arms() const
{
  std::vector<GramVector> all;
  for (const Node &node : nodes)
    all.push_back(combination(node.X, -1., reference.position));
  return all;
}

double Coupling::size() const
{
  double largest = 0;
  for (const GramVector &c : arms())
    largest = std::max(largest, norm(c));
  return largest;
}

void Coupling::plan_rigid(SitePlan &plan)
{
  auto &of_plan = plan.shared<DirectorNodes>();
  const double largest = size();
  for (const Node &node : nodes)
  {
    claim(plan, node.site, fmt::format("a node of '{}'", node.name));
    if (largest > 0.)
      of_plan.carry(reference.site, scaled(1. / largest, combination(node.X, -1., reference.position)));
    if (directors_follow)
      of_plan.carry_all(reference.site, node.site);
  }
}

void Coupling::plan_distributing(SitePlan &plan)
{
  claim(plan, reference.site, "its reference");
  std::vector<GramVector> places;
  for (const Node &node : nodes)
    places.push_back(node.X);
  average.emplace(std::move(places), weights.empty() ? std::vector<double>(nodes.size(), 1.) : weights);
  if (average->rank() < 2)
    deck->fail("", "the nodes lie on a line, or are one: how they turn about it is not determined. Name nodes that span a plane at least");
  constexpr double in_plane = 1e-6;
  const GramVector off = average->outside(combination(reference.position, -1., average->centroid()));
  if (!linear && norm(off) > in_plane * size())
    deck->fail("At",
               fmt::format("lies {:.4g} m off the plane of the nodes, which do not say how it moves in large rotations. Put it into the "
                           "plane, at ({:.6g}, {:.6g}, {:.6g}), and add the moment of the force (Moments), or set Geometry = linear",
                           norm(off), reference.position[0] - off[0], reference.position[1] - off[1], reference.position[2] - off[2]));
  for (const GramVector &axis : average->span())
    plan.shared<DirectorNodes>().carry(reference.site, axis);
}

void Coupling::join(SitePlan &plan)
{
  auto &of_plan = plan.shared<DirectorNodes>();
  if (of_plan.has(reference.site))
  {
    directors = of_plan.directors(plan, reference.site);
    basis = of_plan.basis(reference.site);
    plan.join(directors);
  }
  for (Node &node : nodes)
    if (directors_follow && is_rigid() && of_plan.has(node.site))
      for (std::size_t i = 0; i < of_plan.directors(plan, node.site).size(); ++i)
      {
        node.directors.emplace_back(of_plan.directors(plan, node.site)[i], of_plan.basis(node.site)[i]);
        of_nodes.push_back(node.directors.back().second);
      }
  if (is_rigid())
    check_rank(of_plan);
  is_rigid() ? relate_rigidly() : relate_on_average();
  for (const Node &node : nodes)  // for pictures and moments
    plan.join({reference.site, node.site});
}

void Coupling::check_rank(const DirectorNodes &of_plan) const
{
  constexpr int motions = 6;
  if (of_plan.of_elements(reference.site) || !rotation.empty() || rank_of_motions(arms(), follows, of_nodes) == motions)
    return;
  if (all_components())
    deck->fail("",
               "the nodes lie on a line with the reference, or are one: how it turns about the line is not determined. Name nodes that "
               "span a plane, or hold its Rotation");
  deck->fail("Components",
             fmt::format("{} of these nodes do not determine how the reference moves and turns. Name more components or nodes, or "
                         "hold its Rotation",
                         symdyn::join(components)));
}

void Coupling::add_relation(const int component, std::vector<Relation::Share> shares, const std::string &what)
{
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
      add_relation(d, std::move(shares), node.name);
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
        add_relation(d, std::move(shares), "a director of " + node.name);
      }
  }
}

void Coupling::relate_on_average()
{
  std::vector<AffineMotion::Matrix> shares(nodes.size());
  const GramVector off = combination(reference.position, -1., average->centroid());
  for (std::size_t s = 0; s < nodes.size(); ++s)
  {
    shares[s] = average->share(s, off);
    for (int d = 0; d < space; ++d)
      shares[s][d][d] += average->weight(s);
  }
  relate_to_nodes(reference.site, shares);
  for (std::size_t k = 0; k < basis.size(); ++k)
  {
    for (std::size_t s = 0; s < nodes.size(); ++s)
      shares[s] = average->share(s, basis[k]);
    relate_to_nodes(directors[k], shares);
  }
}

void Coupling::relate_to_nodes(const SitePlan::Site site, const std::vector<AffineMotion::Matrix> &shares)
{
  for (int d = 0; d < space; ++d)
  {
    std::vector<Relation::Share> all{{site, d, 1.}};
    for (std::size_t s = 0; s < nodes.size(); ++s)
      for (int e = 0; e < space; ++e)
        if (const double factor = shares[s][d][e]; factor != 0.)
          all.push_back({nodes[s].site, e, -factor});
    add_relation(d, std::move(all), "the reference");
  }
}

void Coupling::find_stiffness()
{
  double square = 0;
  for (const GramVector &c : arms())
    square += dot(c, c) / double(nodes.size());
  const double r = std::sqrt(square);
  stiffness = given_stiffness;
  const bool weighs = gives_mass(arms(), of_nodes, basis);
  if (stiffness > 0. && weighs)
    return;
  const auto material = stiffest_material(*deck);
  if (!material)
    deck->fail("Stiffness", "there is no material from which it follows. Give the entry [N m]");
  constexpr double times_stiffer = 100., share_of_mass = 1e-3;
  if (!(stiffness > 0.))
    stiffness = times_stiffer * material->E * r * r * r;
  // The mass of a director [kg m²] whose motion moves no node.
  density = weighs ? 0. : share_of_mass * material->rho * std::pow(r, 5);
}

PartInSystem Coupling::build(const PlannedSites &sites)
{
  PartInSystem part;
  seen = std::make_unique<PlannedSites>(sites);
  part.relations = std::move(relations);
  part.linear = linear;
  part.not_exact = deck->where("") + ": couplings need elastic directors. Set Elements/Directors = elastic";
  if (!is_rigid() || directors.empty())
    return part;
  find_stiffness();
  PlannedElement element;
  element.model = director_model(int(directors.size()), stiffness);
  for (const SitePlan::Site site : directors)
  {
    element.vectors.push_back({{site, 1.}});
    if (density > 0.)
      part.masses.emplace_back(site, density);
  }
  part.directors =
      std::make_shared<DirectorTerm>(std::vector<PlannedElement>{element}, sites, std::vector<GramVector>{reference.position}, linear);
  part.director_nodes = {directors};
  if (!rotation.empty())
    part.supports.push_back(std::make_shared<TurnedSites>(rotation, directors, sites, linear));
  return part;
}

void Coupling::draw(const State &state, NodeFrame &drawn) const
{
  constexpr std::uint8_t vtk_line = 3;
  const auto put = [&](const SitePlan::Site site, const GramVector &X) {
    const int local = seen->local(site);
    for (int d = 0; d < space; ++d)
    {
      drawn.places.values.push_back(X[d]);
      drawn.fields[0].values.push_back(state.q.local_element(space * local + d));
    }
  };
  constexpr std::size_t most = 60;  // more lines hide the body
  for (std::size_t s = 0; s < nodes.size(); s += 1 + nodes.size() / most)
    if (seen->owns(nodes[s].site) && seen->local(reference.site) >= 0)
    {
      drawn.add_cell(vtk_line, 2);
      put(reference.site, reference.position);
      put(nodes[s].site, nodes[s].X);
    }
}

std::vector<Column> Coupling::columns_of_reactions(const Units &units) const
{
  std::vector<Column> columns;
  for (const auto &[name, unit, kind] : {std::tuple{"F", units.force, Kind::force}, {"M", units.force + " " + units.length, Kind::moment}})
    for (int d = 0; d < space; ++d)
      columns.push_back({fmt::format("{}.{}_{}", called, name, "xyz"[d]), unit, kind});
  return columns;
}

/// What the reference exerts on its nodes, about its present place: F = sum_s R_s, M = sum_s (x_s - r) x R_s + sum d x R_d.
void Coupling::values_of_reactions(const State &state, const Vector &reaction, std::vector<double> &out) const
{
  std::vector<double> sums(2 * space, 0.);
  const auto at = [&](const Vector &x, const SitePlan::Site site, const GramVector &X) {
    const int local = space * seen->local(site);
    return GramVector{X[0] + x.local_element(local), X[1] + x.local_element(local + 1), X[2] + x.local_element(local + 2)};
  };
  const auto add_force = [&](const SitePlan::Site site, const GramVector &arm, const bool is_place) {
    const GramVector R = at(reaction, site, {}), M = cross(arm, R);
    for (int d = 0; d < space; ++d)
    {
      sums[d] += is_place ? R[d] : 0.;
      sums[space + d] += M[d];
    }
  };
  state.q.update_ghost_values();
  for (const Node &node : nodes)
  {
    if (seen->owns(node.site))
      add_force(node.site, combination(at(state.q, node.site, node.X), -1., at(state.q, reference.site, reference.position)), true);
    for (const auto &[site, D] : node.directors)
      if (seen->owns(site))
        add_force(site, at(state.q, site, D), false);
  }
  dealii::Utilities::MPI::sum(sums, state.q.get_mpi_communicator(), sums);
  out.insert(out.end(), sums.begin(), sums.end());
}

std::string Coupling::description() const
{
  return fmt::format(
      "{} nodes, {} at ({:g}, {:g}, {:g}) m{}", nodes.size(), is_rigid() ? "rigidly coupled to the reference" : "which move the reference",
      reference.position[0], reference.position[1], reference.position[2],
      density > 0. ? fmt::format("; its directors have {:.3g} kg m^2 of their own, since the nodes give one of them no mass", density)
                   : "");
}

SYMDYN_REGISTER(StructurePart, Coupling, "Couplings");
}  // namespace symdyn
