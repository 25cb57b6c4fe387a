#pragma once
#include <deal.II/grid/tria.h>

namespace symdyn
{
/// Whether cells meet at a vertex around which no chain of faces joins them: bodies that share an edge or a corner alone. Ranks that touch
/// nowhere else do not learn of each other in deal.II 9.4 with p4est, and the nodes there would be double.
template <int dim>
bool has_hinges(const dealii::Triangulation<dim> &mesh);
}  // namespace symdyn
