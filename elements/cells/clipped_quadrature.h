#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/grid/reference_cell.h>

#include <functional>

namespace symdyn
{
/// A rule over the part of a reference cell where g(xi) < 0, exact for polynomials of this total degree where g is linear. Otherwise
/// the surface g = 0 is replaced by planes between points on it, of simplices after a number of bisections.
template <int dim>
dealii::Quadrature<dim> clipped_quadrature(const dealii::ReferenceCell &shape, const std::function<double(const dealii::Point<dim> &)> &g,
                                           int degree, int bisections);
}  // namespace symdyn
