#include "elements/contact/obstacles/obstacle_part.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/step_rules.h"
#include "elements/files/node_files.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// The prescribed motion of an obstacle's site.
class ObstacleMotion : public SiteSupports
{
public:
  ObstacleMotion(std::vector<Expression> motion, const int n, const int site, const bool owned)
      : motion(std::move(motion)), n(n), site(site), owned(owned)
  {
  }
  void impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override
  {
    for (int d = 0; owned && d < n; ++d)
    {
      const Jet<double> u = actions.motion() * motion[d].in_time(nullptr, 0, t);
      q.local_element(n * site + d) = u.x;
      v.local_element(n * site + d) = u.d;
      a.local_element(n * site + d) = u.dd;
    }
    for (Vector *x : {&q, &v, &a})
      x->zero_out_ghost_values();
  }
  void project(Vector &r) const override
  {
    for (int d = 0; owned && d < n; ++d)
      r.local_element(n * site + d) = 0.;
  }
  const double *projector(const unsigned int at) const override { return int(at) == site ? nothing.data() : nullptr; }
  bool any() const override { return true; }
  bool moves() const override { return true; }

private:
  std::vector<Expression> motion;
  int n, site;
  bool owned;
  PlaceMatrix nothing{};
};
}  // namespace

std::vector<std::string> Obstacles::names() const
{
  std::vector<std::string> names;
  for (const auto &one : all)
    names.push_back(one.first);
  return names;
}

void ObstaclePart::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  p.add("Type", type, "shape of the obstacle, which is rigid; expression: by its signed distance", Registry<Obstacle>::instance().names());
  p.add("Motion", motion, "displacement of the obstacle: components [m], expressions of t; left out: it rests");
  if (name == "<name>")  // the deck reference has the entries of all shapes
    for (const std::string &other : Registry<Obstacle>::instance().names())
      try
      {
        Registry<Obstacle>::instance().make(other)->declare(p);
      }
      catch (const InputError &)  // of entries that must be given, once all are declared
      {
      }
  obstacle = Registry<Obstacle>::instance().make(type);
  obstacle->declare(p);
}

void ObstaclePart::plan(SitePlan &plan)
{
  n = plan.mesh().dimension();
  size = plan.mesh().size();
  centre = plan.mesh().nearest({}).position;
  obstacle->prepare(n, *deck);
  if (!motion.empty() && int(motion.size()) != n)
    deck->fail("Motion", fmt::format("needs {} components separated by commas", n));
  for (const Expression &component : motion)
    if (component.uses("x") || component.uses("y") || component.uses("z"))
      deck->fail("Motion", "is that of a rigid body: it may use t, not x, y or z");
  Obstacles::One one;
  one.obstacle = obstacle;
  one.moves = std::any_of(motion.begin(), motion.end(), [](const Expression &u) { return !u.is_zero(); });
  for (std::size_t d = 0; d < motion.size(); ++d)
  {
    const Jet<double> u = motion[d].in_time(nullptr, 0, 0.);
    one.start[d] = u.x;
    one.speed = std::hypot(one.speed, u.d);
  }
  if (one.moves)
    one.site = plan.append({plan.mesh().nearest({}).position, false, 0});
  shared = &(plan.shared<Obstacles>().all[called] = one);
}

PartInSystem ObstaclePart::build(const PlannedSites &sites)
{
  if (shared->used.empty())
    deck->fail("", "no contact names this obstacle in its Between, so that it has no effect. Name it there, or remove the section");
  const MPI_Comm communicator = sites.space()->communicator();
  draws = dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
  const Space &space = *sites.space();
  std::vector<double> lower(3, 1e300), upper(3, -1e300);
  for (int site = 0; site < space.owned(); ++site)
    for (int d = 0; d < n && !space.is_director(site); ++d)
    {
      lower[d] = std::min(lower[d], space.position(site)[d]);
      upper[d] = std::max(upper[d], space.position(site)[d]);
    }
  dealii::Utilities::MPI::min(lower, communicator, lower);
  dealii::Utilities::MPI::max(upper, communicator, upper);
  for (int d = 0; d < n; ++d)
    centre[d] = 0.5 * (lower[d] + upper[d]);
  PartInSystem part;
  if (!shared->moves)
    return part;
  local = sites.local(shared->site);
  part.supports.push_back(std::make_shared<ObstacleMotion>(motion, n, local, sites.owns(shared->site)));
  return part;
}

/// The site has the velocity that its support prescribes, not that of the body.
void ObstaclePart::initialise(const PlannedSites &sites, Vector &, Vector &v) const
{
  if (!shared->moves || !sites.owns(shared->site))
    return;
  const bool at_rest = StepsOfDeck(*deck).begins_at_rest;
  for (int d = 0; d < n; ++d)
    v.local_element(n * local + d) = at_rest ? 0. : motion[d].in_time(nullptr, 0, 0.).d;
}

void ObstaclePart::draw(const State &state, NodeFrame &frame) const
{
  constexpr std::uint8_t vtk_quad = 9;
  if (!draws)
    return;
  for (const auto &corners : obstacle->drawing(centre, size))
  {
    frame.add_cell(vtk_quad, 4);
    for (const Place &X : corners)
      for (int d = 0; d < 3; ++d)
      {
        frame.places.values.push_back(X[d]);
        frame.fields[0].values.push_back(local >= 0 && d < n ? state.q.local_element(n * local + d) : 0.);
      }
  }
}

std::string ObstaclePart::description() const
{
  return fmt::format("{}{}, touched by {}", type, shared && shared->moves ? " that moves" : "", shared ? symdyn::join(shared->used) : "");
}

SYMDYN_REGISTER(StructurePart, ObstaclePart, "Obstacles");
}  // namespace symdyn
