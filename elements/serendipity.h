#pragma once
#include <deal.II/fe/fe_poly.h>

#include <memory>
#include <string>

namespace symdyn
{
/// The quadratic serendipity quadrilateral (8 nodes) and hexahedron (20): vertices, then the middles of the lines, in deal.II's order. With s, t over the
/// cell from -1 to 1 and s_a, t_a at the node (0 at the middle of a line, in its direction):
///     vertices: N = prod (1 + s_d s_ad)/2 (sum s_d s_ad - dim + 1);   lines in direction e: N = (1 - s_e²) prod_(d != e) (1 + s_d s_ad)/2
/// (Ergatoudis, Irons, Zienkiewicz 1968.)
template <int dim>
class Serendipity : public dealii::FE_Poly<dim>
{
public:
  Serendipity();
  std::string get_name() const override;
  std::unique_ptr<dealii::FiniteElement<dim>> clone() const override;
  void convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values, std::vector<double> &dofs) const override;
};
}  // namespace symdyn
