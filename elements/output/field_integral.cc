#include "elements/output/field_integral.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>

#include "elements/output/body_points.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Where the variables of the formula begin.
struct Slot
{
  enum
  {
    X = 0,
    t = 3,
    u = 4,
    v = 7,
    J = 10,
    number
  };
};
const std::vector<std::string> names_of_variables{"x", "y", "z", "t", "u_x", "u_y", "u_z", "v_x", "v_y", "v_z", "J"};
}  // namespace

template <int dim>
FieldIntegral<dim>::FieldIntegral() : integrand("0", names_of_variables)
{
}

template <int dim>
void FieldIntegral<dim>::add_entries(Parameters &p)
{
  p.add(
      "Integrand", integrand,
      "what is integrated over the undeformed body into the column NAME: a formula of the place x, y, z, t, displacement u_x, u_y, u_z, velocity v_x, v_y, v_z and J = det F");
  p.add("Unit", unit, "unit in the header of the column");
}

template <int dim>
void FieldIntegral<dim>::declare(const std::string &name, Parameters &p)
{
  own_name = name;
  add_entries(p);
  where = p.where("Integrand");
  if (integrand.is_zero())
    p.fail("Integrand", "a formula is needed, such as u_x or 0.5*(v_x^2 + v_y^2)");
}

template <int dim>
void FieldIntegral<dim>::document(Parameters p)
{
  FieldIntegral().add_entries(p);
}

template <int dim>
double FieldIntegral<dim>::value(const Discretisation<dim> &mesh, const Vector &q, const Vector &v, const double t) const
{
  q.update_ghost_values();
  v.update_ghost_values();
  double sum = 0;
  for_points_of_body<dim>(mesh, [&](const dealii::FEValues<dim> &values, const unsigned int point, const std::vector<unsigned int> &nodes) {
    double at[Slot::number] = {};
    at[Slot::t] = t;
    dealii::Tensor<2, dim> F = dealii::unit_symmetric_tensor<dim>();
    for (int d = 0; d < dim; ++d)
    {
      at[Slot::X + d] = values.quadrature_point(point)[d];
      for (std::size_t a = 0; a < nodes.size(); ++a)
      {
        const double u = q.local_element(dim * nodes[a] + d);
        at[Slot::u + d] += u * values.shape_value(a, point);
        at[Slot::v + d] += v.local_element(dim * nodes[a] + d) * values.shape_value(a, point);
        F[d] += u * values.shape_grad(a, point);
      }
    }
    at[Slot::J] = determinant(F);
    const auto thickness = mesh.thickness.find(values.get_cell()->material_id());
    sum += values.JxW(point) * (thickness == mesh.thickness.end() ? 1. : thickness->second) * integrand(at);
  });
  sum = dealii::Utilities::MPI::sum(sum, mesh.communicator);
  if (!std::isfinite(sum))
    throw ComputationError(fmt::format(
        "{}: '{}' is not finite at t = {:.10g}. Its arguments must be in range in the whole body, e.g. no division by a displacement at rest",
        where, integrand.text(), t));
  return sum;
}

template class FieldIntegral<2>;
template class FieldIntegral<3>;
}  // namespace symdyn
