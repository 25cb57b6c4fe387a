#pragma once
#include <deal.II/fe/fe_poly.h>

#include <memory>
#include <string>

namespace symdyn
{
/// The quadratic serendipity quadrilateral (8 nodes) and hexahedron (20): vertices, then the middles of the lines, in deal.II's order. With
/// s, t over the cell from -1 to 1 and s_a, t_a at the node (0 at the middle of a line, in its direction):
///     vertices: N = prod (1 + s_d s_ad)/2 (sum s_d s_ad - dim + 1);   lines in direction e: N = (1 - s_e²) prod_(d != e) (1 + s_d s_ad)/2
/// (Ergatoudis, Irons, Zienkiewicz 1968); and the wedge (15), with area coordinates L of its triangles and s along the prism:
///     vertices: N = L (2L - 1) (1 + s s_a)/2 - L (1 - s²)/2;   lines of the triangles: N = 2 L_i L_j (1 + s s_a);   the others: N = L (1 -
///     s²)
/// (Zienkiewicz and Taylor 2000, triangular prisms.)
template <int dim>
class Serendipity : public dealii::FE_Poly<dim>
{
public:
  explicit Serendipity(const dealii::ReferenceCell &cell);
  std::string get_name() const override;
  std::unique_ptr<dealii::FiniteElement<dim>> clone() const override;
  void convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values,
                                                              std::vector<double> &dofs) const override;
};
}  // namespace symdyn
