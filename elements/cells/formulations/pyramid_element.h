#pragma once
#include <deal.II/fe/fe_poly.h>

#include <memory>
#include <string>

namespace symdyn
{
/// The pyramid of 5 nodes over the square -1 < r, s < 1, with its apex at (0, 0, 1):
///     N_v = (1 + r r_v)(1 + s s_v)/4 - t/4 + r_v s_v r s t/(4 (1 - t)) at the base,   N = t at the apex
/// (Bedrosian 1992, as deal.II has it). At the apex, where gradients have no limit, those along the axis of the pyramid.
class PyramidElement : public dealii::FE_Poly<3>
{
public:
  PyramidElement();
  std::string get_name() const override { return "PyramidElement(1)"; }
  std::unique_ptr<dealii::FiniteElement<3>> clone() const override { return std::make_unique<PyramidElement>(*this); }
  void convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values,
                                                              std::vector<double> &dofs) const override;
};
}  // namespace symdyn
