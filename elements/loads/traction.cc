#include "elements/loads/cell_load.h"
#include "elements/space/boundary_names.h"
#include "elements/space/load_reach.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Dead traction: force per reference area, f_a = ∫ N_a t(X, t) dA [N].
template <int dim>
class Traction : public DeadLoad<dim>, public LoadReach<dim>, public CellLoad<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    this->field.declare(p, "Traction", "components [Pa] per reference area, expressions of x, y, z, t");
    if (boundaries.empty())
      p.fail("Boundary", "a traction needs the name of a boundary");
    refuse_repeated(p, "Boundary", boundaries);
  }

  void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &) override
  {
    surface = SurfaceIntegral<dim>(mesh, boundaries);
    this->remember(mesh);
  }
  std::vector<std::string> on_boundaries() const override { return boundaries; }
  dealii::Tensor<1, dim> per_area(const dealii::Point<dim> &X, const dealii::Tensor<1, dim> &, const dealii::Tensor<2, dim> &,
                                  const Moment &now) const override
  {
    return this->field.amplitude(now) * this->field.at(X, now.t);
  }

  void add_reach(Vector &r) const override { this->field.steady() ? integrate(0., r) : add_nodes(surface, r); }

private:
  void integrate(const double t, Vector &f) const override
  {
    for (const auto &face : surface.faces)
      for (std::size_t q = 0; q < face.dA.size(); ++q)
      {
        const auto force = face.dA[q] * this->field.at(face.point[q], t);
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * face.nodes[a] + d) += face.shape[q * face.nodes.size() + a] * force[d];
      }
  }

  std::vector<std::string> boundaries;
  SurfaceIntegral<dim> surface;
};

SYMDYN_REGISTER_LOAD(Traction, "traction");
}  // namespace symdyn
