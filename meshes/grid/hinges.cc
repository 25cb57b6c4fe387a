#include "meshes/grid/hinges.h"

#include <algorithm>
#include <vector>

namespace symdyn
{
namespace
{
/// Of the cells around a vertex those that a chain of faces with this vertex joins to the first one.
template <class Cell>
std::size_t joined_to_the_first(const std::vector<Cell> &around, const unsigned int vertex)
{
  std::vector<Cell> joined{around.front()};
  for (std::size_t i = 0; i < joined.size(); ++i)
    for (const unsigned int f : joined[i]->face_indices())
    {
      const auto face = joined[i]->face(f);
      bool has_vertex = false;
      for (const unsigned int v : face->vertex_indices())
        has_vertex = has_vertex || face->vertex_index(v) == vertex;
      if (!has_vertex || joined[i]->at_boundary(f))
        continue;
      const Cell next = joined[i]->neighbor(f);
      if (std::find(joined.begin(), joined.end(), next) == joined.end())
        joined.push_back(next);
    }
  return joined.size();
}
}  // namespace

template <int dim>
bool has_hinges(const dealii::Triangulation<dim> &mesh)
{
  std::vector<std::vector<typename dealii::Triangulation<dim>::cell_iterator>> around(mesh.n_vertices());
  for (const auto &cell : mesh.cell_iterators_on_level(0))
    for (const unsigned int v : cell->vertex_indices())
      around[cell->vertex_index(v)].push_back(cell);
  for (unsigned int vertex = 0; vertex < around.size(); ++vertex)
    if (!around[vertex].empty() && joined_to_the_first(around[vertex], vertex) < around[vertex].size())
      return true;
  return false;
}

template bool has_hinges(const dealii::Triangulation<2> &);
template bool has_hinges(const dealii::Triangulation<3> &);
}  // namespace symdyn
