#pragma once
#include <deal.II/base/point.h>

#include <vector>

namespace symdyn
{
/// Gauss points of the elements of CalculiX, in its order (the first coordinate runs fastest), in deal.II's unit cell; of plane elements those of one
/// layer. `count`: of the whole element, as its tables have them.
template <int dim>
std::vector<dealii::Point<dim>> points_of_tables(bool simplex, unsigned int count);

/// Shape function of the node at `node` of the serendipity element of degree 2 (Ergatoudis, Irons and Zienkiewicz 1968: 20 nodes, 8 in the plane) at
/// `x`, both in deal.II's unit cell; nodes are corners and middles of edges.
template <int dim>
double serendipity(const dealii::Point<dim> &node, const dealii::Point<dim> &x);
}  // namespace symdyn
