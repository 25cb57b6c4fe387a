#include "elements/loads/surface_pressure.h"

namespace symdyn
{
/// Pressure that keeps the area and the normal N of the undeformed body: f_a = -∫ p N_a N dA [N], as linear analyses have it. Positive
/// pressure pushes against the body. `pressure` turns with it.
template <int dim>
class DeadPressure : public SurfacePressure<dim>
{
public:
  void add_force(const Moment &now, const Vector &, const double factor, Vector &f) const override
  {
    const double s = -factor * this->amplitude(now);
    for (const auto &face : this->surface.faces)
      for (std::size_t q = 0; q < face.dA.size(); ++q)
      {
        const auto force = s * this->pressure.at(&face.point[q][0], dim, now.t) * face.dA[q] * face.normal[q];
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * face.nodes[a] + d) += face.shape[q * face.nodes.size() + a] * force[d];
      }
  }

  dealii::Tensor<1, dim> per_area(const dealii::Point<dim> &X, const dealii::Tensor<1, dim> &N, const dealii::Tensor<2, dim> &,
                                  const Moment &now) const override
  {
    return -this->at(X, now) * N;
  }
};

SYMDYN_REGISTER_LOAD(DeadPressure, "dead-pressure");
}  // namespace symdyn
