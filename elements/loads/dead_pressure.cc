#include "elements/loads/cell_load.h"
#include "elements/space/boundary_names.h"
#include "elements/space/load_reach.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Pressure that keeps the area and the normal N of the undeformed body: f_a = -∫ p N_a N dA [N], as linear analyses have it. Positive
/// pressure pushes against the body. `pressure` turns with it.
template <int dim>
class DeadPressure : public Load<dim>, public LoadReach<dim>, public CellLoad<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    p.add("Pressure", pressure, "[Pa] on the undeformed area, positive against the outer normal; expression of x, y, z, t");
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

  void add_force(const Moment &now, const Vector &, const double factor, Vector &f) const override
  {
    const double s = -factor * amplitude(now);
    for (const auto &face : surface.faces)
      for (std::size_t q = 0; q < face.dA.size(); ++q)
      {
        const auto force = s * pressure.at(&face.point[q][0], dim, now.t) * face.dA[q] * face.normal[q];
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * face.nodes[a] + d) += face.shape[q * face.nodes.size() + a] * force[d];
      }
  }

  void add_reach(Vector &r) const override { add_normals(surface, r); }
  std::vector<std::string> on_boundaries() const override { return boundaries; }
  dealii::Tensor<1, dim> per_area(const dealii::Point<dim> &X, const dealii::Tensor<1, dim> &N, const dealii::Tensor<2, dim> &,
                                  const Moment &now) const override
  {
    return -amplitude(now) * pressure.at(&X[0], dim, now.t) * N;
  }
  const Amplitude *in_time() const override { return &amplitude; }

private:
  std::vector<std::string> boundaries;
  Expression pressure;
  Amplitude amplitude;
  SurfaceIntegral<dim> surface;
};

SYMDYN_REGISTER_LOAD(DeadPressure, "dead-pressure");
}  // namespace symdyn
