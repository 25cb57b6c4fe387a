#include "elements/space/node_span.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

/// Places with numbers, found by a coordinate in which no two places of a usual mesh agree.
template <int dim>
class SpanPlaces
{
public:
  explicit SpanPlaces(const double tolerance) : tolerance(tolerance) {}
  void add(const dealii::Point<dim> &x, const std::size_t number) { all.push_back({along(x), x, number}); }
  void sort()
  {
    std::sort(all.begin(), all.end(), [](const Place &a, const Place &b) { return a.s < b.s; });
  }
  /// Numbers of those within the tolerance of x.
  std::vector<std::size_t> at(const dealii::Point<dim> &x) const
  {
    std::vector<std::size_t> found;
    const double s = along(x);
    auto place =
        std::lower_bound(all.begin(), all.end(), s - tolerance, [](const Place &entry, const double least) { return entry.s < least; });
    for (; place != all.end() && place->s <= s + tolerance; ++place)
      if (place->x.distance(x) < tolerance)
        found.push_back(place->number);
    return found;
  }

private:
  struct Place
  {
    double s;
    dealii::Point<dim> x;
    std::size_t number;
  };
  static double along(const dealii::Point<dim> &x)
  {
    constexpr double direction[] = {0.8011784, 0.4872391, 0.3475123};
    double s = 0;
    for (int d = 0; d < dim; ++d)
      s += direction[d] * x[d];
    return s;
  }

  double tolerance;
  std::vector<Place> all;
};

/// Which vertices of the triangulation the file's nodes are, and those between them.
template <int dim>
class NodeSpan<dim>::Vertices
{
public:
  using In = std::vector<bool>;  ///< vertices of the triangulation

  explicit Vertices(const Discretisation<dim> &mesh)
      : mesh(mesh), same_place(1e-3 * mesh.smallest_edge), nodes_of_file(same_place), corners(same_place), centres(same_place)
  {
    for (std::size_t i = 0; i < mesh.file_nodes->nodes.size(); ++i)
      nodes_of_file.add(mesh.file_nodes->nodes[i].x, i);
    for (const auto &cell : mesh.triangulation->cell_iterators_on_level(0))
    {
      centres.add(centre_in_file<dim>(cell), coarse.size());
      coarse.push_back(cell);
      for (const unsigned int v : cell->vertex_indices())
        corners.add(cell->vertex(v), cell->vertex_index(v));
    }
    for (SpanPlaces<dim> *places : {&nodes_of_file, &corners, &centres})
      places->sort();
  }

  /// Whether a corner of a coarse cell is no node of the file: its cells were cut. Collective.
  bool was_cut() const
  {
    int cut = 0;
    for (const auto &cell : coarse)
      for (const unsigned int v : cell->vertex_indices())
        cut = cut || nodes_of_file.at(cell->vertex(v)).empty();
    return MPI::max(cut, mesh.communicator) > 0;
  }

  void add(const FileNode<dim> &node, In &in) const
  {
    bool found = false;
    for (const std::size_t c : centres.at(node.beside))
      for (const unsigned int v : coarse[c]->vertex_indices())
        if (coarse[c]->vertex(v).distance(node.x) < same_place)
          found = in[coarse[c]->vertex_index(v)] = true;
    if (found || nodes_of_file.at(node.x).size() > 1)  // of two bodies that touch the cell beside the node tells which one's it is
      return;
    for (const std::size_t vertex : corners.at(node.x))
      in[vertex] = true;
  }

  /// Vertices that refinement has put between others.
  void refine(In &in) const
  {
    for (unsigned int level = 0; level + 1 < mesh.triangulation->n_levels(); ++level)
      for (const auto &cell : mesh.triangulation->cell_iterators_on_level(level))
        if (cell->has_children())
        {
          for (const unsigned int line : cell->line_indices())
            if (cell->line(line)->has_children())
              in[cell->line(line)->child(0)->vertex_index(1)] = all_in(cell->line(line), in);
          if (!cell->reference_cell().is_hyper_cube())
            continue;  // triangles and tetrahedra get no vertex inside
          if constexpr (dim == 3)
            for (const unsigned int face : cell->face_indices())
              if (cell->face(face)->has_children())
                in[cell->face(face)->child(0)->vertex_index(3)] = all_in(cell->face(face), in);
          in[cell->child(0)->vertex_index((1 << dim) - 1)] = all_in(cell, in);
        }
  }

  std::vector<unsigned int> nodes(const In &in) const
  {
    constexpr double rounding = 1e-12;
    std::vector<bool> held(mesh.n_local_nodes(), false);
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (!cell->is_artificial())
      {
        const CellRegion<dim> &region = mesh.region_of(cell);
        const dealii::ReferenceCell shape = region.shape();
        const auto &places = region.family.fe->get_unit_support_points();
        const auto of_cell = mesh.cell_nodes(cell);
        for (unsigned int a = 0; a < of_cell.size(); ++a)
        {
          bool all = true;
          for (const unsigned int v : cell->vertex_indices())
            all = all && (in[cell->vertex_index(v)] || shape.d_linear_shape_function(places[a], v) < rounding);
          if (all)
            held[of_cell[a]] = true;
        }
      }
    std::vector<unsigned int> list;
    for (unsigned int node = 0; node < held.size(); ++node)
      if (held[node])
        list.push_back(node);
    return list;
  }

private:
  template <class Object>
  static bool all_in(const Object &object, const In &in)
  {
    for (unsigned int v = 0; v < object->n_vertices(); ++v)
      if (!in[object->vertex_index(v)])
        return false;
    return true;
  }

  const Discretisation<dim> &mesh;
  const double same_place;  ///< [m]
  SpanPlaces<dim> nodes_of_file, corners, centres;
  std::vector<typename dealii::Triangulation<dim>::cell_iterator> coarse;
};

template <int dim>
NodeSpan<dim>::NodeSpan(const Discretisation<dim> &given) : mesh(given), finder(std::make_unique<const NamedNodes<dim>>(mesh))
{
  const bool simplices = mesh.triangulation->all_reference_cells_are_simplex();  // they may be parts of the cells of the file
  if (!mesh.file_nodes || mesh.regions.front().family.curved ||
      (!simplices && mesh.degree() == 1 && mesh.triangulation->n_global_levels() == 1))
    return;
  vertices = std::make_unique<const Vertices>(mesh);
  if (simplices && vertices->was_cut())
    throw InputError(
        "the cells of the file are cut into tetrahedra, and the new corners are in no set of the file. Use Boundary, or remove \"Cell shape\"");
}

template <int dim>
NodeSpan<dim>::~NodeSpan() = default;

template <int dim>
std::vector<unsigned int> NodeSpan<dim>::operator()(const std::vector<std::string> &names) const
{
  const std::vector<unsigned int> named = finder->local(names);  // also checks the names
  if (!vertices)
    return named;
  typename Vertices::In in(mesh.triangulation->n_vertices(), false);
  for (const std::string &name : names)
    for (const auto &node : finder->find(name))
      vertices->add(*mesh.file_nodes->with_number(node.number), in);
  vertices->refine(in);
  return vertices->nodes(in);
}

template <int dim>
std::vector<unsigned int> spanned_nodes(const Discretisation<dim> &mesh, const std::vector<std::string> &names)
{
  return NodeSpan<dim>(mesh)(names);
}

template <int dim>
std::uint64_t count_of_all_ranks(const Discretisation<dim> &mesh, const std::vector<unsigned int> &nodes)
{
  const std::uint64_t owned =
      std::count_if(nodes.begin(), nodes.end(), [&](const unsigned int node) { return int(node) < mesh.n_owned_nodes(); });
  return MPI::sum(owned, mesh.communicator);
}

template std::vector<unsigned int> spanned_nodes(const Discretisation<2> &, const std::vector<std::string> &);
template std::vector<unsigned int> spanned_nodes(const Discretisation<3> &, const std::vector<std::string> &);
template std::uint64_t count_of_all_ranks(const Discretisation<2> &, const std::vector<unsigned int> &);
template std::uint64_t count_of_all_ranks(const Discretisation<3> &, const std::vector<unsigned int> &);
template class NodeSpan<2>;
template class NodeSpan<3>;
}  // namespace symdyn
