#include "elements/serendipity.h"

#include <deal.II/base/scalar_polynomials_base.h>

#include <array>
#include <stdexcept>

namespace symdyn
{
namespace
{
template <int dim>
constexpr int n_nodes = dim == 2 ? 8 : 20;

/// Of the reference cell [0, 1]^dim.
template <int dim>
std::vector<dealii::Point<dim>> node_points()
{
  using Info = dealii::GeometryInfo<dim>;
  const auto cell = dealii::ReferenceCells::get_hypercube<dim>();
  std::vector<dealii::Point<dim>> points;
  for (const unsigned int v : cell.vertex_indices())
    points.push_back(cell.template vertex<dim>(v));
  for (const unsigned int line : cell.line_indices())
    points.push_back(0.5 * (points[Info::line_to_cell_vertices(line, 0)] + points[Info::line_to_cell_vertices(line, 1)]));
  return points;
}

/// Values and derivatives with respect to x in [0, 1]^dim, s = 2 x - 1.
template <int dim>
class Polynomials : public dealii::ScalarPolynomialsBase<dim>
{
public:
  Polynomials() : dealii::ScalarPolynomialsBase<dim>(2, n_nodes<dim>), nodes(node_points<dim>()) {}

  double compute_value(const unsigned int i, const dealii::Point<dim> &p) const override { return derivative(i, p, {}); }
  dealii::Tensor<1, dim> compute_grad(const unsigned int i, const dealii::Point<dim> &p) const override
  {
    dealii::Tensor<1, dim> grad;
    for (int d = 0; d < dim; ++d)
    {
      std::array<int, dim> order{};
      order[d] = 1;
      grad[d] = derivative(i, p, order);
    }
    return grad;
  }
  dealii::Tensor<2, dim> compute_grad_grad(const unsigned int i, const dealii::Point<dim> &p) const override
  {
    dealii::Tensor<2, dim> second;
    for (int d = 0; d < dim; ++d)
      for (int e = 0; e < dim; ++e)
      {
        std::array<int, dim> order{};
        ++order[d];
        ++order[e];
        second[d][e] = derivative(i, p, order);
      }
    return second;
  }
  dealii::Tensor<1, dim> compute_1st_derivative(const unsigned int i, const dealii::Point<dim> &p) const override { return compute_grad(i, p); }
  dealii::Tensor<2, dim> compute_2nd_derivative(const unsigned int i, const dealii::Point<dim> &p) const override { return compute_grad_grad(i, p); }
  dealii::Tensor<3, dim> compute_3rd_derivative(const unsigned int, const dealii::Point<dim> &) const override { refuse(); }
  dealii::Tensor<4, dim> compute_4th_derivative(const unsigned int, const dealii::Point<dim> &) const override { refuse(); }

  void evaluate(const dealii::Point<dim> &p, std::vector<double> &values, std::vector<dealii::Tensor<1, dim>> &grads,
                std::vector<dealii::Tensor<2, dim>> &grad_grads, std::vector<dealii::Tensor<3, dim>> &third,
                std::vector<dealii::Tensor<4, dim>> &fourth) const override
  {
    if (!third.empty() || !fourth.empty())
      refuse();
    for (unsigned int i = 0; i < values.size(); ++i)
      values[i] = compute_value(i, p);
    for (unsigned int i = 0; i < grads.size(); ++i)
      grads[i] = compute_grad(i, p);
    for (unsigned int i = 0; i < grad_grads.size(); ++i)
      grad_grads[i] = compute_grad_grad(i, p);
  }

  std::unique_ptr<dealii::ScalarPolynomialsBase<dim>> clone() const override { return std::make_unique<Polynomials>(*this); }
  std::string name() const override { return "Serendipity"; }

private:
  [[noreturn]] static void refuse() { throw std::logic_error("serendipity elements have two derivatives here"); }

  /// (1 + s s_a)/2 or, along a line, 1 - s²; its derivative of the order given with respect to x.
  static double factor(const double s, const double s_a, const bool along, const int order)
  {
    if (along)
      return order == 0 ? 1. - s * s : order == 1 ? -4. * s : -8.;
    return order == 0 ? 0.5 * (1. + s * s_a) : order == 1 ? s_a : 0.;
  }

  double derivative(const unsigned int a, const dealii::Point<dim> &p, const std::array<int, dim> &order) const
  {
    const bool vertex = a < (1u << dim);
    // N = product (sum - dim + 1) at vertices: by Leibniz, where the sum has first derivatives alone.
    const auto product = [&](const std::array<int, dim> &n) {
      double value = 1.;
      for (int d = 0; d < dim; ++d)
        value *= factor(2. * p[d] - 1., 2. * nodes[a][d] - 1., nodes[a][d] == 0.5, n[d]);
      return value;
    };
    if (!vertex)
      return product(order);
    double sum = 1. - dim;
    for (int d = 0; d < dim; ++d)
      sum += (2. * p[d] - 1.) * (2. * nodes[a][d] - 1.);
    double value = product(order) * sum;
    for (int d = 0; d < dim; ++d)
      if (order[d] > 0)
      {
        std::array<int, dim> less = order;
        --less[d];
        value += order[d] * product(less) * 2. * (2. * nodes[a][d] - 1.);
      }
    return value;
  }

  std::vector<dealii::Point<dim>> nodes;
};

template <int dim>
dealii::FiniteElementData<dim> data()
{
  std::vector<unsigned int> nodes_of_objects(dim + 1, 0);  // vertices, lines, quadrilaterals, hexahedra
  nodes_of_objects[0] = nodes_of_objects[1] = 1;
  return dealii::FiniteElementData<dim>(nodes_of_objects, 1, 2, dealii::FiniteElementData<dim>::H1);
}
}  // namespace

template <int dim>
Serendipity<dim>::Serendipity()
    : dealii::FE_Poly<dim>(Polynomials<dim>(), data<dim>(), std::vector<bool>(n_nodes<dim>, false),
                           std::vector<dealii::ComponentMask>(n_nodes<dim>, std::vector<bool>(1, true)))
{
  this->unit_support_points = node_points<dim>();
  if constexpr (dim == 3)
    this->unit_face_support_points.assign(1, node_points<2>());
  else
    this->unit_face_support_points.assign(1, {dealii::Point<1>(0.), dealii::Point<1>(1.), dealii::Point<1>(0.5)});
}

template <int dim>
std::string Serendipity<dim>::get_name() const
{
  return "Serendipity<" + std::to_string(dim) + ">(2)";
}

template <int dim>
std::unique_ptr<dealii::FiniteElement<dim>> Serendipity<dim>::clone() const
{
  return std::make_unique<Serendipity>(*this);
}

template <int dim>
void Serendipity<dim>::convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values, std::vector<double> &dofs) const
{
  for (unsigned int a = 0; a < dofs.size(); ++a)
    dofs[a] = values[a](0);
}

template class Serendipity<2>;
template class Serendipity<3>;
}  // namespace symdyn
