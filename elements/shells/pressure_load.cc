#include "elements/shells/pressure_load.h"

#include <algorithm>

#include "elements/shells/shell_surface.h"
#include "elements/space/boundary_names.h"
#include "solver/error.h"

namespace symdyn
{
void PressureLoad::declare(Parameters &p)
{
  p.add("Groups", groups, "of the surface; default: all of it");
  p.add("Pressure", pressure, "[Pa] on the " + area + ", of shells positive along the normal; expression of x, y, z, t");
  p.add(
      "Side", side,
      "where it acts: on the surface of the nodes; or on the top of the shell (the face along its normal), its bottom or its middle, whose "
      "areas differ where it is curved",
      {"nodes", "top", "bottom", "middle"});
  amplitude.declare(p);
  if (pressure.is_zero())
    p.fail("Pressure", "a pressure of zero has no effect. Give its value or remove the load");
  refuse_repeated(p, "Groups", groups);
  where = p.where("Groups");
}

void PressureLoad::prepare(const SurfaceInSystem &surface)
{
  try
  {
    for (const std::size_t cell : surface.mesh.cells_of(groups))
      add_cell(cell, surface);
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }
}

double PressureLoad::height(const SurfaceInSystem &surface, const std::size_t cell) const
{
  const auto [bottom, top] = surface.shells.faces(cell);
  return side == "top" ? top : side == "bottom" ? bottom : side == "middle" ? 0.5 * (bottom + top) : 0.;
}

std::vector<PressureLoad::Slot> PressureLoad::slots_of(const SurfaceMesh::Cell &cell, const std::vector<GramVector> &normals,
                                                       const double zeta, const SurfaceInSystem &surface)
{
  std::vector<Slot> slots;
  for (std::size_t a = 0; a < cell.nodes.size(); ++a)
  {
    SiteSum sum{{surface.of_nodes(cell.nodes[a]), 1.}};
    if (zeta != 0.)
      for (const auto &[site, factor] : surface.director(cell.nodes[a], normals[a]))
        sum.emplace_back(site, zeta * factor);
    for (const auto &[site, factor] : sum)
    {
      const int local = surface.sites.local(site);
      if (local < 0)
        return {};
      slots.push_back({int(a), unsigned(local), factor});
    }
  }
  return slots;
}

PressureLoad::Batch &PressureLoad::open_batch(const std::size_t nodes, const bool owned, const std::vector<Slot> &slots)
{
  std::vector<int> of_slots;
  for (const Slot &slot : slots)
    of_slots.push_back(slot.node);
  const auto [found, is_new] = open.emplace(std::pair{owned, of_slots}, batches.size());
  if (!is_new && batches[found->second].cells < lanes)
    return batches[found->second];
  found->second = batches.size();
  const std::vector<SurfacePoint> &points = surface_points(nodes);
  const bool in_time = pressure.uses("t");
  batches.push_back(
      {&points, owned, 0, int(nodes), int(slots.size()), node_of.size(), rest.size(), in_time ? places.size() : pressures.size()});
  const Triple<Wide> zero{Wide(0.), Wide(0.), Wide(0.)};
  node_of.insert(node_of.end(), of_slots.begin(), of_slots.end());
  sites.resize(node_of.size() * lanes, slots.front().site);
  factors.resize(node_of.size(), Wide(0.));
  rest.resize(rest.size() + nodes, zero);
  places.resize(places.size() + (in_time ? points.size() : 0), zero);
  pressures.resize(pressures.size() + (in_time ? 0 : points.size()), Wide(0.));
  return batches.back();
}

void PressureLoad::add_cell(const std::size_t number, const SurfaceInSystem &surface)
{
  const SurfaceMesh::Cell &cell = surface.mesh.cells[number];
  const double zeta = height(surface, number);
  const std::vector<GramVector> &normals = surface.shells.normals(number);
  const std::vector<Slot> slots = slots_of(cell, normals, zeta, surface);
  if (slots.empty())
    return;
  Batch &cells = open_batch(cell.nodes.size(), surface.owns(cell.nodes.front()), slots);
  const int lane = cells.cells++;
  for (std::size_t i = 0; i < slots.size(); ++i)
  {
    sites[(cells.first_slot + i) * lanes + lane] = slots[i].site;
    factors[cells.first_slot + i].set(lane, slots[i].factor);
  }
  for (int a = 0; a < cells.nodes; ++a)
    for (int d = 0; d < 3; ++d)
      rest[cells.first_node + a][d].set(lane, surface.mesh.nodes[cell.nodes[a]][d] + zeta * normals[a][d]);
  add_points(lane, cells);
}

void PressureLoad::add_points(const int lane, const Batch &cells)
{
  for (std::size_t i = 0; i < cells.points->size(); ++i)
  {
    const SurfacePoint &point = (*cells.points)[i];
    GramVector X{};
    for (int a = 0; a < cells.nodes; ++a)
      for (int d = 0; d < 3; ++d)
        X[d] += point.N[a] * rest[cells.first_node + a][d][lane];
    for (int d = 0; d < 3 && !places.empty(); ++d)
      places[cells.first_point + i][d].set(lane, X[d]);
    if (places.empty())
      pressures[cells.first_point + i].set(lane, point.weight * pressure.at(X.data(), 3, 0.));
  }
}

Wide PressureLoad::pressures_at(const Batch &cells, const std::size_t point, const double t) const
{
  Wide p = 0.;
  const Triple<Wide> &at = places[cells.first_point + point];
  for (int lane = 0; lane < cells.cells; ++lane)
  {
    const GramVector X{at[0][lane], at[1][lane], at[2][lane]};
    p.set(lane, (*cells.points)[point].weight * pressure.at(X.data(), 3, t));
  }
  return p;
}

void PressureLoad::add_moves(const Batch &cells, const Vector &u, NodeVectors &y) const
{
  const double *x = u.begin();
  for (std::size_t slot = cells.first_slot, end = slot + cells.slots; slot < end; ++slot)
  {
    const unsigned int *site = &sites[slot * lanes];
    Triple<Wide> one{Wide(0.), Wide(0.), Wide(0.)};
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < 3; ++d)
        one[d].set(lane, x[3 * site[lane] + d]);
    Triple<Wide> &of_node = y[node_of[slot]];
    of_node = combination(of_node, factors[slot], one);
  }
}

PressureLoad::NodeVectors PressureLoad::moves(const Batch &cells, const Vector &u) const
{
  NodeVectors y;
  std::fill_n(y.begin(), cells.nodes, Triple<Wide>{Wide(0.), Wide(0.), Wide(0.)});
  add_moves(cells, u, y);
  return y;
}

PressureLoad::NodeVectors PressureLoad::at_rest(const Batch &cells) const
{
  NodeVectors y;
  std::copy_n(&rest[cells.first_node], cells.nodes, y.begin());
  return y;
}

PressureLoad::NodeVectors PressureLoad::present(const Batch &cells, const Vector &q) const
{
  NodeVectors y = at_rest(cells);
  add_moves(cells, q, y);
  return y;
}

void PressureLoad::scatter(const Batch &cells, const NodeVectors &of_nodes, Vector &f) const
{
  double *x = f.begin();
  for (std::size_t slot = cells.first_slot, end = slot + cells.slots; slot < end; ++slot)
  {
    const unsigned int *site = &sites[slot * lanes];
    for (int d = 0; d < 3; ++d)
    {
      const Wide one = factors[slot] * of_nodes[node_of[slot]][d];
      for (int lane = 0; lane < cells.cells; ++lane)
        x[3 * site[lane] + d] += one[lane];
    }
  }
}

void PressureLoad::add_forces(const Moment &now, const Vector *q, const double factor, Vector &f) const
{
  const double s = factor * amplitude(now);
  for (const Batch &cells : batches)
    if (cells.owned)
    {
      const NodeVectors y = q ? present(cells, *q) : at_rest(cells);
      const auto normal = [&](const SurfacePoint &point) {
        const auto [a_xi, a_eta] = tangents(point, cells.nodes, y);
        return cross(a_xi, a_eta);
      };
      scatter(cells, forces(cells, now, s, normal), f);
    }
}
}  // namespace symdyn
