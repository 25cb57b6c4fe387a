#include "elements/shells/pressure_load.h"

#include "elements/space/boundary_names.h"
#include "solver/error.h"

namespace symdyn
{
void PressureLoad::declare(Parameters &p)
{
  p.add("Groups", groups, "of the surface; default: all of it");
  p.add("Pressure", pressure, "[Pa] on the " + area + ", of shells positive along the normal; expression of x, y, z, t");
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
    for (const SurfaceMesh::Cell *cell : surface.cells(groups))
      add_cell(*cell, surface);
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }
}

void PressureLoad::add_cell(const SurfaceMesh::Cell &cell, const SurfaceInSystem &surface)
{
  Cell one{{}, {}, surface.owns(cell.nodes.front())};
  for (const unsigned int node : cell.nodes)
  {
    const int local = surface.local(node);
    if (local < 0)
      return;
    one.sites.push_back(local);
    one.rest.push_back(surface.mesh.nodes[node]);
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
        for (std::size_t a = 0; a < cell.sites.size(); ++a)
          for (int d = 0; d < 3; ++d)
            f.local_element(3 * cell.sites[a] + d) += s * p * point.N[a] * n[d];
      });
}

void PressureLoad::for_points(const Cell &cell, const Moment &now, const std::function<void(const SurfacePoint &, double)> &act) const
{
  for (const SurfacePoint &point : surface_points(cell.sites.size()))
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
  for (std::size_t a = 0; a < cell.sites.size(); ++a)
  {
    GramVector x = cell.rest[a];
    for (int d = 0; d < 3 && q; ++d)
      x[d] += q->local_element(3 * cell.sites[a] + d);
    add(point.along_xi[a], x, t[0]);
    add(point.along_eta[a], x, t[1]);
  }
  return t;
}
}  // namespace symdyn
