#include "elements/space/round_nodes.h"

#include <array>
#include <cmath>

namespace symdyn
{
namespace
{
struct OnEdge
{
  double weight, s;
};

/// Where a place is along the edge from vertex `from` to vertex `to` of the reference cell.
template <int dim>
OnEdge along_edge(const dealii::ReferenceCell &shape, const dealii::Point<dim> &xi, const unsigned int from, const unsigned int to)
{
  constexpr double rounding = 1e-12;
  if (!shape.is_hyper_cube())
  {
    const double start = shape.d_linear_shape_function(xi, from), end = shape.d_linear_shape_function(xi, to);
    return {std::abs(start + end - 1.) < rounding ? 1. : 0., end};
  }
  OnEdge place{1., 0.};
  const dealii::Point<dim> a = shape.template vertex<dim>(from), b = shape.template vertex<dim>(to);
  for (int d = 0; d < dim; ++d)
    if (a[d] == b[d])
      place.weight *= a[d] == 0. ? 1. - xi[d] : xi[d];
    else
      place.s = b[d] > a[d] ? xi[d] : 1. - xi[d];
  return place;
}

template <int dim>
unsigned int vertex_of(const dealii::TriaAccessor<dim, dim, dim> &cell, const unsigned int index)
{
  unsigned int v = 0;
  while (cell.vertex_index(v) != index)
    ++v;
  return v;
}

/// arc(s) - chord(s). By get_new_point, which every manifold has.
template <int dim>
dealii::Tensor<1, dim> bulge(const dealii::Manifold<dim> &manifold, const dealii::Point<dim> &from, const dealii::Point<dim> &to,
                             const double s)
{
  const std::array<dealii::Point<dim>, 2> ends{from, to};
  const std::array<double, 2> weights{1. - s, s};
  return manifold.get_new_point(dealii::make_array_view(ends.begin(), ends.end()),
                                dealii::make_array_view(weights.begin(), weights.end())) -
         (from + s * (to - from));
}
}  // namespace

template <int dim>
std::vector<dealii::Point<dim>> nodes_along_arcs(const dealii::TriaAccessor<dim, dim, dim> &cell, const dealii::FiniteElement<dim> &fe,
                                                 const dealii::Manifold<dim> &manifold)
{
  const dealii::ReferenceCell shape = fe.reference_cell();
  std::vector<dealii::Point<dim>> places;
  for (const dealii::Point<dim> &xi : fe.get_unit_support_points())
  {
    dealii::Point<dim> x;
    for (const unsigned int v : cell.vertex_indices())
      x += shape.d_linear_shape_function(xi, v) * cell.vertex(v);
    for (const unsigned int line : cell.line_indices())
    {
      const unsigned int from = vertex_of(cell, cell.line(line)->vertex_index(0)), to = vertex_of(cell, cell.line(line)->vertex_index(1));
      const auto [weight, s] = along_edge<dim>(shape, xi, from, to);
      if (weight != 0. && s > 0. && s < 1.)
        x += weight * bulge(manifold, cell.vertex(from), cell.vertex(to), s);
    }
    places.push_back(x);
  }
  return places;
}

template std::vector<dealii::Point<2>> nodes_along_arcs<2>(const dealii::TriaAccessor<2, 2, 2> &, const dealii::FiniteElement<2> &,
                                                           const dealii::Manifold<2> &);
template std::vector<dealii::Point<3>> nodes_along_arcs<3>(const dealii::TriaAccessor<3, 3, 3> &, const dealii::FiniteElement<3> &,
                                                           const dealii::Manifold<3> &);
}  // namespace symdyn
