#include "elements/contact/contact_part.h"

#include "elements/contact/contact_damping.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/space/boundary_names.h"
#include "elements/term_histories.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/units.h"
#include "solver/error.h"

// How a deck describes a contact, and what it reports.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr const char *help_of_clearance =
    "added to the gap [m]: thickness of paint is negative, play positive. Of a beam whose section is not round: minus the distance of the axis "
    "from the side that touches";
}  // namespace

void ContactPart::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  units = Units::of(p.root());
  p.add(
      "Between", between,
      "what touches each other: boundaries of the mesh and one obstacle; two boundaries; one boundary, which touches itself; `all`: the whole "
      "surface of solids and shells, itself or beside an obstacle. A shell, or a group of its cells, is a boundary, too: both its faces, t apart; NAME.top and NAME.bottom are one of them. A beam, or a group of its lines, is its axis: its surface is the radius of the section away, of other sections than circle and pipe -Clearance. With Points = nodes "
      "the first may be a set of nodes");
  declare_law(p);
  p.add(
      "Points", points_given,
      "of integration a direction on each face, Gauss points; triangles have rules up to 4. Of boundaries with each other Gauss-Lobatto points, at least 2; triangles have 7. Of segments: of each triangle that two faces share. nodes: nodes of the first boundary against faces of the second one (node to surface), which fails the patch test");
  p.add(
      "Pairing", pairing,
      "of boundaries with each other: points of both against the other one, for sliding and impacts; segments of what their faces cover of "
      "each other, which pass the patch test, for presses and joints that slide little",
      {"points", "segments"});
  p.add("Damping", damping,
        "c of a damper between surfaces that press each other, along the normal: c n.v [Pa s/m], v their relative velocity",
        not_negative());
  p.add("Clearance", clearance, help_of_clearance);
  declare_friction(p);
  declare_start(p);
  refuse_what_is_not_there(p);
  refuse_repeated(p, "Between", between);
  declare_changes(p);
  replace_law(p);
  choose_points(p);
  check_law(p);
  check_friction();
  check_tied(p);
  check_damping(p);
  check_start_entries();
}

void ContactPart::declare_start(Parameters &p)
{
  p.add(
      "Start", at_begin,
      "of two boundaries: as it is; adjust: nodes of the first within Tolerance of the second are moved onto it before anything is computed, "
      "free of stress; shrink: what overlaps at the start is taken back and comes by and by over the first stage, a static one, place by place; clearance: the gap at the start is Clearance everywhere, whatever the meshes have",
      {"as it is", "adjust", "shrink", "clearance"});
  p.add("Tolerance", tolerance, "of Start = adjust [m]; auto: 2.5 % of the mean size of a face");
  p.add(
      "Adjust nodes", adjusted,
      "of Start = adjust: a set of nodes of the mesh's file; those of the first boundary in it are moved, at any distance, and no others");
}

void ContactPart::declare_friction(Parameters &p)
{
  p.add("Friction", friction,
        "coefficient mu of Coulomb's friction [-]: the traction is at most mu p, p of the start of a step or increment", not_negative());
  p.add("Stick slope", stick_slope,
        "of Friction: traction over slip before it slides [Pa/m], of tied: in the surface; auto: the stiffness k of the contact");
  p.add("Friction iterations", friction_iterations,
        "of Friction: how often a step or increment is repeated with the pressure of its end in place of that of its start", {0., 100.});
}

void ContactPart::refuse_what_is_not_there(Parameters &p)
{
  std::string value;
  p.add("Stick velocity", value, "of friction that grows with the velocity, and creeps: there is none; Stick slope holds, also in motion");
  if (p.given("Stick velocity"))
    p.fail("Stick velocity", "is of friction that creeps. Friction sticks by Stick slope, also in motion. Remove the entry");
}

void ContactPart::plan(SitePlan &plan)
{
  body_size = size_of_part > 0. ? std::min(size_of_part, plan.mesh().size()) : plan.mesh().size();
  all = &plan.shared<All>();
  actions = plan.shared<ContactStages>().actions;
  is_first = all->parts.empty();
  all->parts.push_back(this);
  plan.shared<NamedContacts>().all[called] = this;
}

void ContactPart::join(SitePlan &plan)
{
  body = plan.shared<FacesOfPlan>().all();
  if (!body)
    deck->fail("", "contact is of solids, shells and beams: the structure has neither solid cells, nor shells on a mesh, nor beams");
  Obstacles &obstacles = plan.shared<Obstacles>();
  for (const std::string &name : between)
    if (const auto found = obstacles.all.find(name); found == obstacles.all.end())
      boundaries.push_back(name);
    else if (obstacle)
      deck->fail("Between", fmt::format("names two obstacles, '{}' and '{}'. Give each its own contact", against, name));
    else
    {
      obstacle = &found->second;
      against = name;
      found->second.used.push_back(called);
    }
  if (boundaries.empty())
    deck->fail("Between", "names no boundary of the mesh. Give one beside the obstacle");
  if (obstacle && law->holds())
    deck->fail("Law", law_name + " is of two boundaries. Hold the body with a section of Supports");
  for (const std::string &name : boundaries)
    find_boundary(plan, name, obstacles);
  find_axes();
  if (!obstacle)
    return join_boundaries(plan);
  refuse_of_obstacle();
  std::vector<std::vector<BoundaryCell>> of_boundaries;
  for (std::size_t i = 0; i < boundaries.size() && boundaries.size() > 1; ++i)
    of_boundaries.push_back(body->boundary_cells(in_mesh({boundaries[i]})));
  refuse_shared_faces(of_boundaries);
  for (const std::string &name : boundaries)
    if (!obstacles.pairs.emplace(name, against).second)
      deck->fail("Between",
                 fmt::format("another contact has '{}' and '{}', too: their pressures would add up. Remove one of both", name, against));
}

/// Entries of boundaries with each other.
void ContactPart::refuse_of_obstacle() const
{
  if (at_begin == "adjust")
    deck->fail("Start", "adjust is of two boundaries. Move the obstacle");
  if (at_begin == "clearance")
    deck->fail("Start", "clearance is of two boundaries. Move the obstacle");
  if (at_begin == "shrink")
    deck->fail("Start", "shrink is of two boundaries. Let the obstacle move: its Motion, in static stages, comes in increments, too");
  if (of_nodes)
    deck->fail("Points", "nodes are of two boundaries. Give a number of points against an obstacle");
  if (deck->given("Pairing"))
    deck->fail("Pairing", "is of boundaries with each other, and has no effect against an obstacle. Remove the entry");
}

PartInSystem ContactPart::build(const PlannedSites &sites)
{
  space = sites.space();
  n = space->block();
  const std::vector<MeshFace> faces = faces_of(sites);
  const Surface surface = measure(faces, space->communicator());
  constexpr double far = 1e3;
  farthest_drawn = obstacle ? far * body_size : surface.size;
  entries.inside = side == "inside";
  find_material(sites);
  choose_layer(surface, faces, space->communicator());
  check_thickness(surface);
  choose_stiffness(surface);
  make_law(surface);
  check_steps(surface);
  if (obstacle)
    term =
        against_obstacle({called, fmt::format("{}", fmt::join(boundaries, ", ")), against, obstacle->obstacle, law, faces}, sites, surface);
  else
    term = between_boundaries(sites, surface);
  if (at_begin == "shrink")
    take_overlap_back(sites, surface);
  term->name = called;
  term->units = units;
  term->impact = impact_of(surface);
  term->way_out = [this] { return way_out(); };
  term->slow_out = [this] { return slow_out(); };
  rubs = make_friction();
  drawn = surface_to_draw(sites);
  const ContactSums start = sums(*term, at_start(space->new_vector()), nullptr);
  if (law->holds())
    describe_tied(start);
  else
    check_start(start);
  describe_start(start);
  describe_memory();
  log_line(fmt::format("contact {}: {}", called, words));
  return terms_of(surface);
}

/// Off where a stage says so.
PartInSystem ContactPart::terms_of(const Surface &surface) const
{
  PartInSystem part;
  part.terms = {term};
  if (rubs)
    part.terms.push_back(rubs);
  constexpr double onset = 1e-3;  // of a cell
  if (damping > 0.)
    part.terms.push_back(std::make_shared<ContactDamping>(term, *law, damping, onset * surface.height, space));
  const Parameters stages = deck->root().section("Stages");
  const std::vector<std::string> names = stages.named_sections();
  const auto switches = [&](const std::string &stage) { return stages.section(stage).given("Contact"); };
  for (const auto &one : part.terms)
    if (std::any_of(names.begin(), names.end(), switches))
      one->is_off = [this] { return is_off(); };
  return part;
}

void ContactPart::describe_start(const ContactSums &start)
{
  if (!law->holds())
    words += fmt::format(", smallest gap {} at {}", units.in_length(start.gap), units.at_place(start.at));
  if (const StepsOfDeck steps(*deck);
      law->is_barrier() && !entries.inside && start.gap < entries.layer && steps.in_time() && !steps.begins_at_rest)
    log_warning(
        fmt::format("{}: {} and {} are {} apart at the start, within the layer of {} in front of them, which throws them "
                    "apart. Make Layer less than the gap, or begin with a static stage",
                    deck->where("Between"), obstacle ? fmt::format("{}", fmt::join(boundaries, ", ")) : boundaries[0], against,
                    units.in_length(start.gap), units.in_length(entries.layer)));
  if (!turned.empty() && StepsOfDeck(*deck).in_time())
    log_warning(deck->where("Between") + ": " + turned);
  if (overlap > 0.)
    words += fmt::format(", an overlap of {} comes over the first stage", units.in_length(overlap));
  words += words_of_changes;
  if (at_begin == "adjust")
    words += fmt::format(", nodes moved by up to {}, {} beyond Tolerance left", units.in_length(largest_move), left);
}

std::shared_ptr<TouchingTerm> ContactPart::against_obstacle(ContactPair pair, const PlannedSites &sites, const Surface &surface)
{
  pair.if_slow = if_slow_to_lift(surface);
  pair.carrier = carrier = obstacle->moves ? sites.local(obstacle->site) : -1;
  double height = 1e300;
  for (const MeshFace &face : pair.faces)
    height = std::min(height, face.height);
  height = MPI::min(height, space->communicator());
  pair.clearance = clearance - radii() - (has_axes() ? touching(height) : 0.);
  pair.deep = deep_of_hard * height;
  const double deepest = pair.clearance - (std::isfinite(law->least()) ? law->least() : -0.5 * height);
  if (deepest > obstacle->obstacle->depth())
    deck->fail(law->is_barrier() ? "Layer" : "Law",
               fmt::format("admits a depth of {}, and the obstacle '{}' has a normal to {} (its radius or rounding). Use Law = "
                           "barrier with a thinner Layer or Side = outside, a smaller Clearance, or a larger Rounding",
                           units.in_length(deepest), against, units.in_length(obstacle->obstacle->depth())));
  check_gradient(pair, space->communicator());
  check_spacing(pair.faces);
  return std::make_shared<ContactTerm>(std::move(pair), space);
}

/// q, with the obstacle where it begins. In static stages it comes there by and by.
Vector ContactPart::at_start(const Vector &given) const
{
  Vector q = given;
  q.zero_out_ghost_values();
  for (int d = 0; d < n && carrier >= 0 && carrier < space->owned() && !StepsOfDeck(*deck).begins_at_rest; ++d)
    q.local_element(n * carrier + d) = obstacle->start[d];
  q.update_ghost_values();
  return q;
}

void ContactPart::initialise(const PlannedSites &, Vector &q, Vector &) const
{
  if (!law->holds())
    check_start(sums(*term, at_start(q), nullptr));
}

SYMDYN_REGISTER(StructurePart, ContactPart, "Contact");
}  // namespace symdyn
