#include "elements/cells/formulations/pyramid_element.h"

#include <deal.II/base/polynomials_pyramid.h>
#include <deal.II/fe/fe_pyramid_p.h>

#include <cmath>

namespace symdyn
{
namespace
{
constexpr unsigned int pyramid_nodes = 5, pyramid_apex = 4;

/// deal.II's with gradients at the apex along the axis; its own there are those of no direction.
class PyramidFunctions : public dealii::ScalarLagrangePolynomialPyramid<3>
{
  using Base = dealii::ScalarLagrangePolynomialPyramid<3>;

public:
  PyramidFunctions() : Base(1) {}
  dealii::Tensor<1, 3> compute_grad(const unsigned int i, const dealii::Point<3> &p) const override
  {
    constexpr double at_apex = 1e-12;
    if (std::abs(1. - p[2]) > at_apex)
      return Base::compute_grad(i, p);
    const double r = i & 1 ? 0.25 : -0.25, s = i & 2 ? 0.25 : -0.25;
    return i == pyramid_apex ? dealii::Tensor<1, 3>({0., 0., 1.}) : dealii::Tensor<1, 3>({r, s, -0.25});
  }
  dealii::Tensor<1, 3> compute_1st_derivative(const unsigned int i, const dealii::Point<3> &p) const override { return compute_grad(i, p); }
  void evaluate(const dealii::Point<3> &p, std::vector<double> &values, std::vector<dealii::Tensor<1, 3>> &grads,
                std::vector<dealii::Tensor<2, 3>> &, std::vector<dealii::Tensor<3, 3>> &,
                std::vector<dealii::Tensor<4, 3>> &) const override
  {
    for (unsigned int i = 0; i < values.size(); ++i)
      values[i] = compute_value(i, p);
    for (unsigned int i = 0; i < grads.size(); ++i)
      grads[i] = compute_grad(i, p);
  }
  std::unique_ptr<dealii::ScalarPolynomialsBase<3>> clone() const override { return std::make_unique<PyramidFunctions>(*this); }
};
}  // namespace

PyramidElement::PyramidElement()
    : dealii::FE_Poly<3>(PyramidFunctions(), dealii::FE_PyramidP<3>(1), std::vector<bool>(pyramid_nodes, false),
                         std::vector<dealii::ComponentMask>(pyramid_nodes, std::vector<bool>(1, true)))
{
  const dealii::ReferenceCell cell = dealii::ReferenceCells::Pyramid;
  for (const unsigned int v : cell.vertex_indices())
    unit_support_points.push_back(cell.vertex<3>(v));
}

void PyramidElement::convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values,
                                                                            std::vector<double> &dofs) const
{
  for (unsigned int a = 0; a < dofs.size(); ++a)
    dofs[a] = values[a](0);
}
}  // namespace symdyn
