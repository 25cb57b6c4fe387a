#pragma once
#include <string>
#include <vector>

#include "elements/loads/cell_load.h"
#include "elements/space/boundary_names.h"
#include "elements/space/load_reach.h"
#include "solver/parameters.h"

namespace symdyn
{
/// A pressure p(x, y, z, t) times an amplitude on boundaries, positive against the outer normal.
template <int dim>
class SurfacePressure : public Load<dim>, public LoadReach<dim>, public CellLoad<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    p.add("Pressure", pressure,
          std::string("[Pa] on the ") + (this->follows() ? "deformed" : "undeformed") +
              " area, positive against the outer normal; expression of x, y, z, t");
    amplitude.declare(p);
    if (boundaries.empty())
      p.fail("Boundary", "a pressure needs the name of a boundary");
    refuse_repeated(p, "Boundary", boundaries);
    if (pressure.is_zero())
      p.fail("Pressure", "a pressure of zero has no effect. Give its value or remove the load");
  }
  void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &) override
  {
    surface = SurfaceIntegral<dim>(mesh, boundaries);
  }
  void add_reach(Vector &r) const override { add_normals(surface, r); }
  std::vector<std::string> on_boundaries() const override { return boundaries; }
  const Amplitude *in_time() const override { return &amplitude; }

protected:
  /// p at an undeformed place, with its amplitude [Pa].
  double at(const dealii::Point<dim> &X, const Moment &now) const { return amplitude(now) * pressure.at(&X[0], dim, now.t); }

  std::vector<std::string> boundaries;
  Expression pressure;
  Amplitude amplitude;
  SurfaceIntegral<dim> surface;
};
}  // namespace symdyn
