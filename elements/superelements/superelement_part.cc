#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/superelements/superelement.h"
#include "elements/superelements/superelement_term.h"
#include "elements/superelements/unused_components.h"
#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
void Superelement::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  p.add("File", file, "reduced model: the .npz file of a stage of Type = substructure; relative to the deck");
  if (!file.empty())
    p.file_path(file);  // named here, so that a restart asks whether it is the same one
  p.add(
      "At", at,
      "where its masters are: points, numbers or sets of nodes, or boundaries, whose nodes stand where those of the file do; default: all "
      "points, nodes and ends of beams there");
  p.add("Tolerance", tolerance, "how far nodes may be from those of the file [m]; default: 1e-6 of the size", not_negative());
  p.add("Recover", recovers,
        "yes: frames have the cells of the body, with the displacement that follows from masters and modes; its stage needs Inside = yes");
  p.add("Origin", origin, "where the origin of the file is [m]");
  p.add("Axes", axes, "directions of the axes x and y of the file, at right angles");
  if (file.empty())
    p.fail("File", "a superelement needs the file of its reduced model");
  if (p.given("At") && at.empty())
    p.fail("At", "names nothing. Name points, nodes or boundaries, or remove the entry");
  units = Units::of(p.root());
  if (origin.size() != 3)
    p.fail("Origin", "needs three numbers [m]");
  if (axes.size() != 6)
    p.fail("Axes", "needs six numbers: the direction of x, then that of y");
  const GramVector x{axes[0], axes[1], axes[2]}, y{axes[3], axes[4], axes[5]};
  constexpr double rounding = 1e-9;
  if (norm(x) == 0. || norm(y) == 0. || std::abs(dot(x, y)) > rounding * norm(x) * norm(y))
    p.fail("Axes", "the directions of x and y are not at right angles");
  turn[0] = scaled(1. / norm(x), x);
  turn[1] = scaled(1. / norm(y), y);
  turn[2] = cross(turn[0], turn[1]);
}

Place Superelement::placed(const Place &X, const bool is_direction) const
{
  Place moved{};
  for (int d = 0; d < 3; ++d)
    moved[d] = turn[0][d] * X[0] + turn[1][d] * X[1] + turn[2][d] * X[2] + (is_direction ? 0. : origin[d]);
  return moved;
}

void Superelement::read_model()
{
  try
  {
    model = ReducedModel::read(deck->file_path(file));
    const std::vector<std::string> own{units.length, units.mass, units.time};
    if (!model.units.empty() && model.units != own)
      throw InputError(fmt::format("is in {}, and this deck is in {}. Write it from a deck with the units of this one (section Units)",
                                   fmt::join(model.units, ", "), fmt::join(own, ", ")));
  }
  catch (const InputError &error)
  {
    deck->fail("File", error.what());
  }
  if (recovers && model.inside.points() == 0)
    deck->fail("Recover", "the file has no inside. Set Inside = yes in the stage that writes it");
  for (Place &X : model.nodes)
    X = placed(X, false);
  for (ReducedModel::Master &master : model.masters)
    master.axis = placed(master.axis, true);
}

/// What At names; empty: all.
std::vector<PartPlaces::End> Superelement::candidates(SitePlan &plan) const
{
  std::vector<PartPlaces::End> all;
  auto &places = plan.shared<PartPlaces>();
  for (const std::string &name : at)
  {
    std::vector<MeshPoints::Node> found;
    try
    {
      found = plan.mesh().on_boundary(name);
    }
    catch (const InputError &no_boundary)
    {
      try
      {
        found = plan.mesh().named(name);
      }
      catch (const InputError &)
      {
        try
        {
          all.push_back(places.find(plan, {name}, "At", *deck));
        }
        catch (const InputError &)
        {
          deck->fail("At", fmt::format("'{}' is no point, no number or set of nodes, and no boundary: {}. Name one of these, or remove the "
                                       "entry: all that stands where the file has nodes is taken then",
                                       name, no_boundary.what()));
        }
      }
    }
    for (const MeshPoints::Node &node : found)  // corners of two boundaries once
      if (std::none_of(all.begin(), all.end(), [&](const PartPlaces::End &other) { return other.site == node.number; }))
        all.push_back({node.number, node.position});
  }
  return all;
}

void Superelement::find_nodes(SitePlan &plan)
{
  const auto distance = [](const Place &a, const Place &b) { return norm(combination(a, -1., b)); };
  double size = plan.mesh().size(), coordinates = 0;
  for (const Place &X : model.nodes)
  {
    size = std::max(size, distance(X, model.nodes.front()));
    coordinates = std::max(coordinates, norm(X));
  }
  constexpr double near = 1e-6;
  const double allowed = tolerance > 0. ? tolerance : near * (size > 0. ? size : coordinates);
  const std::vector<PartPlaces::End> named = candidates(plan);
  std::set<SitePlan::Site> taken;
  for (const Place &X : model.nodes)
  {
    std::optional<PartPlaces::End> best;
    if (!named.empty())
      best = *std::min_element(named.begin(), named.end(),
                               [&](const auto &a, const auto &b) { return distance(a.position, X) < distance(b.position, X); });
    else
      best = plan.shared<PartPlaces>().nearest(plan, X);
    if (!best || !(distance(best->position, X) <= allowed))
      deck->fail(
          at.empty() ? "File" : "At",
          fmt::format("nothing stands at ({:.6g}, {:.6g}, {:.6g}) m, where the file has a node of its masters{}. Put a point there, or "
                      "correct Origin, Axes or Tolerance ({:.3g} m)",
                      X[0], X[1], X[2],
                      best ? fmt::format(": the nearest is at ({:.6g}, {:.6g}, {:.6g}) m, {:.3g} m away", best->position[0],
                                         best->position[1], best->position[2], distance(best->position, X))
                           : "",
                      allowed));
    if (!taken.insert(best->site).second)
      deck->fail(at.empty() ? "File" : "At", fmt::format("two nodes of the file stand at ({:.6g}, {:.6g}, {:.6g}) m. Lower Tolerance",
                                                         best->position[0], best->position[1], best->position[2]));
    nodes.push_back(*best);
  }
  if (taken.size() < named.size())
    deck->fail("At", fmt::format("names {} nodes, and the file has {}. Name those alone", named.size(), taken.size()));
}

void Superelement::check_masters(const SitePlan &plan) const
{
  if (plan.mesh().dimension() == 3)
    return;
  for (const ReducedModel::Master &master : model.masters)
    if (master.turns || master.axis[2] != 0.)
      deck->fail("File", fmt::format("'{}' is a {} in a plane structure. Take masters in the plane", master.name,
                                     master.turns ? "rotation" : "displacement across it"));
}

void Superelement::plan(SitePlan &plan)
{
  read_model();
  block = plan.mesh().dimension();
  check_masters(plan);
  find_nodes(plan);
  auto &directors = plan.shared<DirectorNodes>();
  for (const ReducedModel::Master &master : model.masters)
    if (const SitePlan::Site site = nodes[master.node].site; master.turns && directors.is_body(site))
      directors.carry(site, master.axis);
    else if (master.turns)
      directors.use(site);
}

std::size_t Superelement::place_of(const SitePlan::Site site)
{
  const std::size_t place = std::find(sites.begin(), sites.end(), site) - sites.begin();
  if (place == sites.size())
    sites.push_back(site);
  return place;
}

void Superelement::add_rotation(SitePlan &plan, const ReducedModel::Master &master, Row &row)
{
  auto &all = plan.shared<DirectorNodes>();
  const SitePlan::Site node = nodes[master.node].site;
  if (!all.has(node))
    deck->fail("File",
               fmt::format("'{}' is a rotation, and nothing turns there: no beam, shell, rigid body or reference of a coupling. Put one "
                           "there, or make the file without rotations",
                           master.name));
  const std::vector<SitePlan::Site> of_node = all.directors(plan, node);
  const std::vector<GramVector> D = all.basis(node);
  GramVector a = master.axis;
  constexpr double rounding = 1e-6;
  if (D.size() == 1 && std::abs(dot(a, D[0])) > rounding)
    deck->fail("File",
               fmt::format("'{}' is a rotation about the normal of a shell, which does not resist it. Make the file with that shell",
                           master.name));
  for (std::size_t k = 0; k < D.size(); ++k)
    if (std::none_of(lines.begin(), lines.end(), [&](const Line &line) { return line.site == of_node[k]; }))
      lines.push_back({of_node[k], D[k], true});
  if (D.size() == 2)
  {
    const GramVector n = cross(D[0], D[1]);
    a = combination(a, -0.5 * dot(a, n), n);
  }
  else if (D.size() == 3)
    a = scaled(0.5, a);
  for (std::size_t k = 0; k < D.size(); ++k)
  {
    const GramVector factor = cross(a, D[k]);  // a·(D x u) = u·(a x D)
    const std::size_t place = place_of(of_node[k]);
    for (int d = 0; d < 3; ++d)
      row.emplace_back(block * place + d, factor[d]);
  }
}

void Superelement::join(SitePlan &plan)
{
  for (const PartPlaces::End &node : nodes)
    place_of(node.site);
  for (const ReducedModel::Master &master : model.masters)
  {
    Row &row = rows.emplace_back();
    if (master.turns)
      add_rotation(plan, master, row);
    for (int d = 0; d < block && !master.turns; ++d)
      row.emplace_back(block * place_of(nodes[master.node].site) + d, master.axis[d]);
  }
  const double unit = std::sqrt(model.mass());
  if (model.modes > 0 && !(unit > 0.))
    deck->fail("File", "has modes, and masters that carry no mass. Keep displacements as masters");
  for (std::size_t mode = 0; mode < model.modes; ++mode)
  {
    if (mode % block == 0)
      sites.push_back(plan.append({{}, true, -SitePlan::Site(plan.appended().size()) - 1, true}));
    rows.push_back({{block * (sites.size() - 1) + mode % block, unit}});
  }
  plan.join(sites);
}

std::vector<double> Superelement::at_sites(const std::vector<double> &reduced) const
{
  const std::size_t n = block * sites.size(), m = model.size();
  std::vector<double> A(n * n, 0.);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (const auto &[row, left] : rows[i])
        for (const auto &[column, right] : rows[j])
          A[n * row + column] += left * reduced[m * i + j] * right;
  return A;
}

PartInSystem Superelement::build(const PlannedSites &of_system)
{
  seen = std::make_unique<PlannedSites>(of_system);
  GramVector middle{};
  for (const PartPlaces::End &node : nodes)
    middle = combination(middle, 1. / double(nodes.size()), node.position);
  double size = 0, stiffest = 0;
  for (const PartPlaces::End &node : nodes)
  {
    lines.push_back({node.site, combination(node.position, -1., middle), false});
    size = std::max(size, norm(lines.back().arm));
  }
  std::vector<std::uint64_t> numbers;
  for (const SitePlan::Site site : sites)
    numbers.push_back(of_system.number(site));
  PartInSystem part;
  part.linear = true;
  for (std::size_t i = 0; i < model.masters.size(); ++i)
    stiffest = std::max(stiffest, model.masters[i].turns ? 0. : model.K[(model.size() + 1) * i]);
  const bool counts = of_system.owns(sites.front());
  const int used = int(model.modes) % block;
  part.terms.push_back(std::make_shared<SuperelementTerm>(of_system.space(), numbers, at_sites(model.K),
                                                          model.C.empty() ? std::vector<double>() : at_sites(model.C),
                                                          counts ? stiffest * size * size : 0.));
  std::vector<double> mass = at_sites(model.M);
  for (std::size_t n = block * sites.size(), i = n - (used > 0 ? block - used : 0); i < n; ++i)
    mass[(n + 1) * i] = model.mass();  // of components that no mode has, and which rest: M has an inverse
  part.dense_masses.push_back({sites, std::move(mass), deck->where("File"), model.carries_all(block)});
  if (used > 0)
    part.supports.push_back(std::make_shared<UnusedComponents>(sites.back(), used, of_system));
  if (!model.loads.empty())
    log_line(fmt::format("superelement {}: loads in its file do not act: {}", called, fmt::join(model.loads, ", ")));
  return part;
}

std::string Superelement::description() const
{
  return fmt::format("{} masters at {} nodes, {}, {:.6g} kg", model.masters.size(), model.nodes.size(),
                     model.modes > 0 ? fmt::format("{} modes up to {:.6g} Hz", model.modes, model.highest) : "no modes", model.mass());
}

SYMDYN_REGISTER(StructurePart, Superelement, "Superelements");
}  // namespace symdyn
