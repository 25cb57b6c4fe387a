#pragma once
#include <deal.II/base/derivative_form.h>
#include <deal.II/base/quadrature.h>
#include <deal.II/grid/reference_cell.h>

#include <array>

namespace symdyn
{
/// A face of the reference cell: places along it are v_0 + sum s_i t_i.
template <int dim>
struct ReferenceFace
{
  ReferenceFace(const dealii::ReferenceCell &cell, const unsigned int face)
  {
    const auto vertex = [&](const unsigned int v) { return cell.template vertex<dim>(cell.face_to_cell_vertices(face, v, 1)); };
    origin = vertex(0);
    for (int i = 0; i + 1 < dim; ++i)
      tangents[i] = vertex(i + 1) - vertex(0);
    outward = normal(tangents) * (vertex(0) - cell.template barycenter<dim>()) > 0. ? 1. : -1.;
  }

  dealii::Point<dim> place(const dealii::Point<dim - 1> &s) const
  {
    dealii::Point<dim> x = origin;
    for (int i = 0; i + 1 < dim; ++i)
      x += s[i] * tangents[i];
    return x;
  }
  dealii::Quadrature<dim> points(const dealii::Quadrature<dim - 1> &rule) const
  {
    std::vector<dealii::Point<dim>> places;
    for (const auto &s : rule.get_points())
      places.push_back(place(s));
    return dealii::Quadrature<dim>(places, rule.get_weights());
  }

  using Tangents = std::array<dealii::Tensor<1, dim>, dim - 1>;
  static dealii::Tensor<1, dim> normal(const Tangents &t)
  {
    if constexpr (dim == 2)
      return dealii::cross_product_2d(t[0]);
    else
      return dealii::cross_product_3d(t[0], t[1]);
  }

  /// Outer normal times the area that a unit of the face's coordinates has, J = dX/dxi.
  dealii::Tensor<1, dim> area(const dealii::DerivativeForm<1, dim, dim> &J) const
  {
    Tangents t;
    for (int i = 0; i + 1 < dim; ++i)
      t[i] = dealii::apply_transformation(J, tangents[i]);
    return outward * normal(t);
  }

  dealii::Point<dim> origin;
  Tangents tangents;
  double outward;
};
}  // namespace symdyn
