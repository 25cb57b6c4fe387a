#include "elements/models/body_motions.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "elements/solids/solid_body.h"
#include "solver/history.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Displacement of a place by a motion of its part: rotations, then translations.
template <int dim>
dealii::Tensor<1, dim> rigid_displacement(const RigidPart &part, const std::vector<double> &motion, const dealii::Point<dim> &X)
{
  constexpr int rotations = dim * (dim - 1) / 2;
  dealii::Tensor<1, dim> r, u;
  for (int d = 0; d < dim; ++d)
  {
    r[d] = (X[d] - part.centre[d]) / part.size;
    u[d] = motion[rotations + d];
  }
  if (dim == 2)
  {
    u[0] -= motion[0] * r[1];
    u[1] += motion[0] * r[0];
    return u;
  }
  for (int d = 0; d < dim; ++d)
    u[d] += motion[(d + 1) % dim] * r[(d + 2) % dim] - motion[(d + 2) % dim] * r[(d + 1) % dim];
  return u;
}

template <int dim>
std::string place_in_words(const Place &x)
{
  std::string text;
  for (int d = 0; d < dim; ++d)
    text += fmt::format("{}{:.4g}", d > 0 ? ", " : "", x[d]);
  return "(" + text + ")";
}

/// Of each two parts the outermost tied nodes along each axis: as many as hold one on the other. `part`: two of each node; X: its place.
template <int dim>
std::vector<SharedPlace> outermost_places(const std::vector<int> &part, const std::vector<double> &X)
{
  std::map<std::pair<int, int>, std::array<std::size_t, 2 * dim>> outermost;
  for (std::size_t i = 0; 2 * i < part.size(); ++i)
  {
    std::array<std::size_t, 2 * dim> same;
    same.fill(i);
    auto &ends = outermost.emplace(std::pair{part[2 * i], part[2 * i + 1]}, same).first->second;
    for (int d = 0; d < dim; ++d)
    {
      ends[2 * d] = X[dim * i + d] < X[dim * ends[2 * d] + d] ? i : ends[2 * d];
      ends[2 * d + 1] = X[dim * i + d] > X[dim * ends[2 * d + 1] + d] ? i : ends[2 * d + 1];
    }
  }
  std::vector<SharedPlace> places;
  for (const auto &[two, ends] : outermost)
    for (const std::size_t i : ends)
      if (two.first != two.second)
      {
        places.push_back({two.first, two.second, {}});
        for (int d = 0; d < dim; ++d)
          places.back().position[d] = X[dim * i + d];
      }
  return places;
}

/// A sector moves like the others: of rigid motions what turning it leaves, along the axis and about it.
template <int dim>
void hold_across(const CyclicSymmetry &whole, RigidPart &part)
{
  constexpr int m = dim * (dim + 1) / 2;
  for (int a = 0; a <= dim; ++a)  // motions that agree at these places agree everywhere
  {
    Place X = whole.point;
    if (a < dim)
      X[a] += part.size;
    const Place Y = whole.turned_place(X, whole.angle());
    dealii::Point<dim> from, onto;
    for (int d = 0; d < dim; ++d)
    {
      from[d] = X[d];
      onto[d] = Y[d];
    }
    std::array<std::vector<double>, dim> rows;
    rows.fill(std::vector<double>(m, 0.));
    for (int k = 0; k < m; ++k)
    {
      std::vector<double> unit(m, 0.);
      unit[k] = 1.;
      const auto there = rigid_displacement<dim>(part, unit, onto), here = rigid_displacement<dim>(part, unit, from);
      Place u{};
      for (int d = 0; d < dim; ++d)
        u[d] = here[d];
      const Place turned = whole.turned(u, whole.angle());
      for (int d = 0; d < dim; ++d)
        rows[d][k] = there[d] - turned[d];
    }
    for (auto &row : rows)
      part.held.add(std::move(row));
  }
}
}  // namespace

template <int dim>
BodyMotions<dim>::BodyMotions(const SolidBody<dim> &body, const SolidPoints &points, const MeshParts<dim> &parts,
                              const std::vector<bool> &equations_hold, const AssembledSystem::Parts &system, const Vector &q)
    : body(body),
      space(*system.space),
      coupled(!system.couplings.empty() || !system.ties.empty() || body.all_parts().held),
      points(points),
      parts(parts),
      position(body.mesh().position.begin(), body.mesh().position.begin() + body.mesh().n_owned_nodes())
{
  const bool turns = !body.linear();  // then a motion is rigid about the deformed body
  for (std::size_t node = 0; node < position.size() && turns; ++node)
    for (int d = 0; d < dim; ++d)
      position[node][d] += q.local_element(dim * node + d);
  FreeMotions::Given given;
  given.dimension = dim;
  given.parts = rigid_parts();
  if (system.cyclic && given.parts.size() == 1)
    hold_across<dim>(*system.cyclic, given.parts.front());
  for (const auto &[first, second, place] : parts.shared())
    given.shared.push_back({first, second, place});
  for (const SharedPlace &place : shared_by_ties(system.ties))
    given.shared.push_back(place);
  if (points.any())
  {
    given.points = &points.points()->parts();
    given.part_of_point = parts_of_points();
    given.x = points.points()->coordinates(q);
    given.arms = turns ? given.x : given.points->positions();
    given.equations_hold = equations_hold;
  }
  free = std::make_unique<FreeMotions>(std::move(given));
}

template <int dim>
std::vector<RigidPart> BodyMotions<dim>::rigid_parts() const
{
  constexpr int m = dim * (dim + 1) / 2;
  std::vector<RigidPart> all;
  for (std::size_t k = 0; k < parts.all().size(); ++k)
    all.push_back({name_of_part(parts, k), parts.all()[k].centre(), parts.all()[k].size(), RowFactor(m)});
  for (std::size_t node = 0; node < position.size(); ++node)
    if (const auto *P = body.supports().projector_of(node))
    {
      RigidPart &part = all[parts.of_node(node)];
      std::array<std::vector<double>, dim> rows;
      rows.fill(std::vector<double>(m, 0.));
      for (int k = 0; k < m; ++k)
      {
        std::vector<double> unit(m, 0.);
        unit[k] = 1.;
        const auto u = rigid_displacement<dim>(part, unit, position[node]);
        const dealii::Tensor<1, dim> held = u - *P * u;
        for (int d = 0; d < dim; ++d)
          rows[d][k] = held[d];
      }
      for (auto &row : rows)
        part.held.add(std::move(row));
    }
  std::vector<double> mine;
  for (const RigidPart &part : all)
    mine.insert(mine.end(), part.held.packed().begin(), part.held.packed().end());
  for (RigidPart &part : all)
    part.held = RowFactor(m);
  for (const auto &of_rank : MPI::all_gather(body.mesh().communicator, mine))
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k].held.add_packed(&of_rank[m * m * k]);
  return all;
}

template <int dim>
std::vector<SharedPlace> BodyMotions<dim>::shared_by_ties(const std::vector<SiteTie> &ties) const
{
  const auto &sites = *space.sites();
  const std::size_t n = ties.size();
  std::vector<int> part(2 * n, -1);
  std::vector<double> X(dim * n, -std::numeric_limits<double>::max());
  for (std::size_t i = 0; i < n; ++i)
  {
    const auto &others = ties[i].others;
    const auto less = [](const auto &a, const auto &b) { return std::abs(a.second) < std::abs(b.second); };
    if (sites.in_local_range(ties[i].site))
    {
      const unsigned int local = sites.global_to_local(ties[i].site);
      part[2 * i] = parts.of_node(local);
      for (int d = 0; d < dim; ++d)
        X[dim * i + d] = position[local][d];
    }
    if (const auto leader = std::max_element(others.begin(), others.end(), less)->first; sites.in_local_range(leader))
      part[2 * i + 1] = parts.of_node(sites.global_to_local(leader));
  }
  MPI::max(part, space.communicator(), part);
  MPI::max(X, space.communicator(), X);
  return outermost_places<dim>(part, X);
}

template <int dim>
std::vector<int> BodyMotions<dim>::parts_of_points() const
{
  const auto &nodes = *body.mesh().node_partitioner;
  std::vector<int> part;
  for (const auto &point : points.all_sections().model.parts.points)
    if (const bool on_body = point.node >= 0 && point.node < std::int64_t(body.mesh().n_nodes());
        on_body && nodes.in_local_range(body.mesh().site_of(point.node)))
      part.push_back(parts.of_node(nodes.global_to_local(body.mesh().site_of(point.node))));
    else
      part.push_back(-1);
  MPI::max(part, body.mesh().communicator, part);
  return part;
}

template <int dim>
Vector BodyMotions<dim>::field(const FreeMotions::Motion &motion) const
{
  Vector u = body.new_vector();
  for (std::size_t node = 0; node < position.size(); ++node)
  {
    const int part = parts.of_node(node);
    const auto moved = rigid_displacement<dim>(free->about().parts[part], motion.of_parts[part], position[node]);
    for (int d = 0; d < dim; ++d)
      u.local_element(dim * node + d) = moved[d];
  }
  turn_along(motion, u);
  if (points.any())
    points.points()->sites().assign_own(motion.of_points, u);
  u.update_ghost_values();
  return u;
}

/// Sites beside the body go with it, where it is one.
template <int dim>
void BodyMotions<dim>::turn_along(const FreeMotions::Motion &motion, Vector &u) const
{
  if (parts.all().size() > 1)
    return;
  const RigidPart &part = free->about().parts[0];
  const auto moved = [&](const Place &X) {
    dealii::Point<dim> x;
    for (int d = 0; d < dim; ++d)
      x[d] = X[d];
    return rigid_displacement<dim>(part, motion.of_parts[0], x);
  };
  for (int site = int(position.size()); site < space.owned(); ++site)
  {
    dealii::Tensor<1, dim> along = moved(space.position(site));
    if (space.is_director(site))
      along -= moved(Place{});
    for (int d = 0; d < dim; ++d)
      u.local_element(dim * site + d) = along[d];
  }
}

/// Parts that couplings join do not move without each other: leaves what they allow.
template <int dim>
bool BodyMotions<dim>::is_held(const MechanicalSystem &system, Vector &u)
{
  constexpr double nothing = 1e-6;
  const double before = u.l2_norm();
  system.project(u);
  return u.l2_norm() <= nothing * before;
}

template <int dim>
std::vector<const FreeMotions::Motion *> BodyMotions<dim>::unresisted(const MechanicalSystem &system, const Vector &q) const
{
  std::vector<const FreeMotions::Motion *> left;
  if (free->motions().empty())
    return left;
  // Rounding of V'' times a rigid motion is 1e-14 of what V'' makes of one that knows nothing of its neighbours.
  constexpr double resisted = 1e-11;
  Vector random = system.new_vector(), force = random;
  const auto first = random.get_partitioner()->local_range().first;
  for (unsigned int i = 0; i < random.locally_owned_size(); ++i)
    random.local_element(i) = std::cos(1. + 78.233 * (i + first));
  random.update_ghost_values();
  State virgin;  // of laws with a memory: what resists a rigid motion is not what they have lived through
  virgin.q = q;
  const About about(system, virgin);
  about->stiffness(q, random, force);
  const double scale = force.l2_norm() / random.l2_norm();
  for (const auto &motion : free->motions())
  {
    Vector u = field(motion);
    if (coupled && is_held(system, u))
      continue;
    about->stiffness(q, u, force);
    system.project(force);
    if (force.l2_norm() <= resisted * scale * u.l2_norm())
      left.push_back(&motion);
  }
  return left;
}

template <int dim>
std::string BodyMotions<dim>::in_words(const MechanicalSystem &system, const Vector &q, const Units &units) const
{
  return symdyn::in_words(*free, unresisted(system, q), Units::after(units.length));
}

template <int dim>
std::string name_of_part(const MeshParts<dim> &parts, const std::size_t part)
{
  const std::size_t n = parts.all().size();
  return n == 1 ? "the body" : fmt::format("part {} of {} (around {})", part + 1, n, place_in_words<dim>(parts.all()[part].centre()));
}

template <int dim>
std::string describe_parts(const MeshParts<dim> &parts, const std::vector<int> &groups, const Units &units)
{
  constexpr std::size_t most = 20;
  const std::size_t n = parts.all().size();
  std::string text = fmt::format("  parts of the mesh: {}\n", n);
  for (std::size_t k = 0; k < std::min(n, most) && n > 1; ++k)
  {
    const auto &part = parts.all()[k];
    const std::size_t with = std::find(groups.begin(), groups.end(), groups[k]) - groups.begin();
    text += fmt::format("    part {}: {} cells, from {} to {}{}{}\n", k + 1, part.cells, place_in_words<dim>(part.lower),
                        place_in_words<dim>(part.upper), Units::after(units.length),
                        with < k ? fmt::format(", joined to part {}", with + 1) : "");
  }
  return text + (n > most ? fmt::format("    and {} more\n", n - most) : "");
}

template class BodyMotions<2>;
template class BodyMotions<3>;
template std::string name_of_part(const MeshParts<2> &, std::size_t);
template std::string name_of_part(const MeshParts<3> &, std::size_t);
template std::string describe_parts(const MeshParts<2> &, const std::vector<int> &, const Units &);
template std::string describe_parts(const MeshParts<3> &, const std::vector<int> &, const Units &);
}  // namespace symdyn
