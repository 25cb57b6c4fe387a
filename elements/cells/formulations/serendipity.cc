#include "elements/cells/formulations/serendipity.h"

#include <deal.II/base/scalar_polynomials_base.h>

#include <array>
#include <stdexcept>

namespace symdyn
{
namespace
{
/// The ends of the lines, in deal.II's order.
std::vector<std::array<unsigned int, 2>> edges_of_wedge()
{
  return {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
}

template <int dim>
std::vector<std::array<unsigned int, 2>> lines_of(const dealii::ReferenceCell &cell)
{
  if (cell == dealii::ReferenceCells::Wedge)
    return edges_of_wedge();
  if (cell == dealii::ReferenceCells::Triangle)
    return {{0, 1}, {1, 2}, {2, 0}};
  using Info = dealii::GeometryInfo<dim>;
  std::vector<std::array<unsigned int, 2>> lines;
  for (const unsigned int line : cell.line_indices())
    lines.push_back({Info::line_to_cell_vertices(line, 0), Info::line_to_cell_vertices(line, 1)});
  return lines;
}

/// Of the reference cell: vertices, then the middles of lines.
template <int dim>
std::vector<dealii::Point<dim>> node_points(const dealii::ReferenceCell &cell)
{
  std::vector<dealii::Point<dim>> points;
  for (const unsigned int v : cell.vertex_indices())
    points.push_back(cell.template vertex<dim>(v));
  for (const auto &[a, b] : lines_of<dim>(cell))
    points.push_back(0.5 * (points[a] + points[b]));
  return points;
}

/// How often a function is differentiated with respect to each coordinate.
template <int dim>
using Order = std::array<int, dim>;

/// Of the nodes of an element, by their derivatives of order 0 to 2.
template <int dim>
class Polynomials : public dealii::ScalarPolynomialsBase<dim>
{
public:
  explicit Polynomials(const unsigned int nodes) : dealii::ScalarPolynomialsBase<dim>(2, nodes) {}

  double compute_value(const unsigned int i, const dealii::Point<dim> &p) const override { return derivative(i, p, {}); }
  dealii::Tensor<1, dim> compute_grad(const unsigned int i, const dealii::Point<dim> &p) const override
  {
    dealii::Tensor<1, dim> grad;
    for (int d = 0; d < dim; ++d)
    {
      Order<dim> order{};
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
        Order<dim> order{};
        ++order[d];
        ++order[e];
        second[d][e] = derivative(i, p, order);
      }
    return second;
  }
  dealii::Tensor<1, dim> compute_1st_derivative(const unsigned int i, const dealii::Point<dim> &p) const override
  {
    return compute_grad(i, p);
  }
  dealii::Tensor<2, dim> compute_2nd_derivative(const unsigned int i, const dealii::Point<dim> &p) const override
  {
    return compute_grad_grad(i, p);
  }
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

  std::string name() const override { return "Serendipity"; }

private:
  virtual double derivative(unsigned int a, const dealii::Point<dim> &p, const Order<dim> &order) const = 0;
  [[noreturn]] static void refuse() { throw std::logic_error("serendipity elements have two derivatives here"); }
};

/// Of quadrilaterals and hexahedra, with respect to x in [0, 1]^dim, s = 2 x - 1.
template <int dim>
class TensorPolynomials : public Polynomials<dim>
{
public:
  TensorPolynomials() : Polynomials<dim>(dim == 2 ? 8 : 20), nodes(node_points<dim>(dealii::ReferenceCells::get_hypercube<dim>())) {}
  std::unique_ptr<dealii::ScalarPolynomialsBase<dim>> clone() const override { return std::make_unique<TensorPolynomials>(*this); }

private:
  /// (1 + s s_a)/2 or, along a line, 1 - s²; its derivative of the order given with respect to x.
  static double factor(const double s, const double s_a, const bool along, const int order)
  {
    if (along)
      return order == 0 ? 1. - s * s : order == 1 ? -4. * s : -8.;
    return order == 0 ? 0.5 * (1. + s * s_a) : order == 1 ? s_a : 0.;
  }

  double derivative(const unsigned int a, const dealii::Point<dim> &p, const Order<dim> &order) const override
  {
    const bool vertex = a < (1u << dim);
    // N = product (sum - dim + 1) at vertices: by Leibniz, where the sum has first derivatives alone.
    const auto product = [&](const Order<dim> &n) {
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
        Order<dim> less = order;
        --less[d];
        value += order[d] * product(less) * 2. * (2. * nodes[a][d] - 1.);
      }
    return value;
  }

  std::vector<dealii::Point<dim>> nodes;
};

/// Of wedges: the triangle x, y >= 0, x + y <= 1 with L = (1 - x - y, x, y), times z in [0, 1].
class WedgePolynomials : public Polynomials<3>
{
public:
  WedgePolynomials() : Polynomials<3>(15), lines(edges_of_wedge()) {}
  std::unique_ptr<dealii::ScalarPolynomialsBase<3>> clone() const override { return std::make_unique<WedgePolynomials>(*this); }

private:
  /// c + g·(x, y)
  struct Linear
  {
    double c, g[2];
    double at(const dealii::Point<3> &p) const { return c + g[0] * p[0] + g[1] * p[1]; }
  };
  static Linear area(const unsigned int corner)
  {
    return corner == 0 ? Linear{1., {-1., -1.}} : corner == 1 ? Linear{0., {1., 0.}} : Linear{0., {0., 1.}};
  }

  /// f g, differentiated with respect to x and y.
  static double product(const Linear &f, const Linear &g, const dealii::Point<3> &p, const Order<3> &order)
  {
    if (order[0] + order[1] == 0)
      return f.at(p) * g.at(p);
    const int d = order[0] > 0 ? 0 : 1, e = order[1] > 0 ? 1 : 0;
    if (order[0] + order[1] == 1)
      return f.g[d] * g.at(p) + f.at(p) * g.g[d];
    return f.g[d] * g.g[e] + f.g[e] * g.g[d];
  }
  /// 1 - z in the bottom, z in the top.
  static double along(const bool top, const double z, const int order)
  {
    return order == 0 ? (top ? z : 1. - z) : order == 1 ? (top ? 1. : -1.) : 0.;
  }
  /// 4 z (1 - z)
  static double bubble(const double z, const int order) { return order == 0 ? 4. * z * (1. - z) : order == 1 ? 4. - 8. * z : -8.; }

  double derivative(const unsigned int a, const dealii::Point<3> &p, const Order<3> &order) const override
  {
    const Linear one{1., {0., 0.}};
    if (a < 6)
    {
      const Linear L = area(a % 3), half_less{L.c - 0.5, {L.g[0], L.g[1]}};
      return 2. * product(L, half_less, p, order) * along(a >= 3, p[2], order[2]) -
             0.5 * product(L, one, p, order) * bubble(p[2], order[2]);
    }
    const auto [b, c] = lines[a - 6];
    if (b % 3 == c % 3)
      return product(area(b % 3), one, p, order) * bubble(p[2], order[2]);
    return 4. * product(area(b % 3), area(c % 3), p, order) * along(b >= 3, p[2], order[2]);
  }

  std::vector<std::array<unsigned int, 2>> lines;
};

template <int dim>
std::unique_ptr<dealii::ScalarPolynomialsBase<dim>> polynomials(const dealii::ReferenceCell &cell)
{
  if constexpr (dim == 3)
    if (cell == dealii::ReferenceCells::Wedge)
      return std::make_unique<WedgePolynomials>();
  return std::make_unique<TensorPolynomials<dim>>();
}

template <int dim>
dealii::FiniteElementData<dim> data(const dealii::ReferenceCell &cell)
{
  if (cell == dealii::ReferenceCells::Wedge)  // two faces have 6 nodes, three 8
  {
    dealii::internal::GenericDoFsPerObject nodes;
    nodes.dofs_per_object_exclusive = {{1}, {1}, {0, 0, 0, 0, 0}, {0}};
    nodes.dofs_per_object_inclusive = {{1}, {3}, {6, 6, 8, 8, 8}, {15}};
    nodes.object_index = {{}, {6}, {15, 15, 15, 15, 15}, {15}};
    nodes.first_object_index_on_face = {{}, {3, 3, 4, 4, 4}, {6, 6, 8, 8, 8}};
    return dealii::FiniteElementData<dim>(nodes, cell, 1, 2, dealii::FiniteElementData<dim>::H1);
  }
  std::vector<unsigned int> nodes_of_objects(dim + 1, 0);  // vertices, lines, faces, cells
  nodes_of_objects[0] = nodes_of_objects[1] = 1;
  return dealii::FiniteElementData<dim>(nodes_of_objects, cell, 1, 2, dealii::FiniteElementData<dim>::H1);
}

unsigned int n_nodes(const dealii::ReferenceCell &cell) { return cell.n_vertices() + cell.n_lines(); }
}  // namespace

template <int dim>
Serendipity<dim>::Serendipity(const dealii::ReferenceCell &cell)
    : dealii::FE_Poly<dim>(*polynomials<dim>(cell), data<dim>(cell), std::vector<bool>(n_nodes(cell), false),
                           std::vector<dealii::ComponentMask>(n_nodes(cell), std::vector<bool>(1, true)))
{
  this->unit_support_points = node_points<dim>(cell);
  this->unit_face_support_points.resize(this->n_unique_faces());
  for (unsigned int face = 0; face < this->n_unique_faces(); ++face)
    if constexpr (dim == 3)
      this->unit_face_support_points[face] = node_points<2>(cell.face_reference_cell(face));
    else
      this->unit_face_support_points[face] = {dealii::Point<1>(0.), dealii::Point<1>(1.), dealii::Point<1>(0.5)};
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
void Serendipity<dim>::convert_generalized_support_point_values_to_dof_values(const std::vector<dealii::Vector<double>> &values,
                                                                              std::vector<double> &dofs) const
{
  for (unsigned int a = 0; a < dofs.size(); ++a)
    dofs[a] = values[a](0);
}

template class Serendipity<2>;
template class Serendipity<3>;
}  // namespace symdyn
