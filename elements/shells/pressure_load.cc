#include "elements/shells/pressure_load.h"

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

void PressureLoad::add_cell(const std::size_t number, const SurfaceInSystem &surface)
{
  const SurfaceMesh::Cell &cell = surface.mesh.cells[number];
  const double zeta = height(surface, number);
  Cell one{{}, {}, {}, {}, surface.owns(cell.nodes.front())};
  for (std::size_t a = 0; a < cell.nodes.size(); ++a)
  {
    const GramVector &normal = surface.shells.normals(number)[a];
    SiteSum parts{{surface.of_nodes(cell.nodes[a]), 1.}};
    if (zeta != 0.)
      for (const auto &[site, factor] : surface.director(cell.nodes[a], normal))
        parts.emplace_back(site, zeta * factor);
    for (const auto &[site, factor] : parts)
    {
      const int local = surface.sites.local(site);
      if (local < 0)
        return;
      one.sites.push_back(local);
      one.nodes.push_back(a);
      one.factors.push_back(factor);
    }
    one.rest.push_back(combination(surface.mesh.nodes[cell.nodes[a]], zeta, normal));
  }
  cells.push_back(std::move(one));
}

void PressureLoad::add_forces(const Moment &now, const Vector *q, const double factor, Vector &f) const
{
  const double s = factor * amplitude(now);
  for (const Cell &cell : cells)
    if (cell.owned)
      for_points(cell, now, [&](const SurfacePoint &point, const double p) {
        const auto [a_xi, a_eta] = tangents(cell, point, q);
        const GramVector n = cross(a_xi, a_eta);
        for (std::size_t i = 0; i < cell.sites.size(); ++i)
          for (int d = 0; d < 3; ++d)
            f.local_element(3 * cell.sites[i] + d) += s * p * point.N[cell.nodes[i]] * cell.factors[i] * n[d];
      });
}

void PressureLoad::for_points(const Cell &cell, const Moment &now, const std::function<void(const SurfacePoint &, double)> &act) const
{
  for (const SurfacePoint &point : surface_points(cell.rest.size()))
  {
    GramVector X{};
    for (std::size_t a = 0; a < cell.rest.size(); ++a)
      add(point.N[a], cell.rest[a], X);
    act(point, point.weight * pressure.at(X.data(), 3, now.t));
  }
}

PressureLoad::Tangents PressureLoad::tangents(const Cell &cell, const SurfacePoint &point, const Vector *q)
{
  Tangents t{};
  std::vector<GramVector> y = cell.rest;
  for (std::size_t i = 0; i < cell.sites.size() && q; ++i)
    for (int d = 0; d < 3; ++d)
      y[cell.nodes[i]][d] += cell.factors[i] * q->local_element(3 * cell.sites[i] + d);
  for (std::size_t a = 0; a < y.size(); ++a)
  {
    add(point.along_xi[a], y[a], t[0]);
    add(point.along_eta[a], y[a], t[1]);
  }
  return t;
}
}  // namespace symdyn
