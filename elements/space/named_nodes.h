#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// The mean of the vertices of the cell of the file that a cell is, or is a part of.
template <int dim>
dealii::Point<dim> centre_in_file(typename dealii::Triangulation<dim>::cell_iterator cell)
{
  while (cell->level() > 0)
    cell = cell->parent();
  dealii::Point<dim> centre;
  for (const unsigned int v : cell->vertex_indices())
    centre += cell->vertex(v) / cell->n_vertices();
  return centre;
}

/// Finds the nodes that the mesh's file names, by their places: numbers of a file do not survive refinement and distribution, places do.
/// Nodes at one place (of two bodies that touch) are told apart by the cells that have them.
template <int dim>
class NamedNodes
{
public:
  struct Node
  {
    long number;         ///< in the file
    unsigned int local;  ///< of the mesh; `nowhere`: this rank does not know it
  };
  static constexpr unsigned int nowhere = ~0u;

  explicit NamedNodes(const Discretisation<dim> &mesh);

  /// The node of a number, or those of a set, in the file's order; of a mesh of lower degree those that it has. Collective. Errors:
  /// InputError that lists the sets.
  std::vector<Node> find(const std::string &name) const;
  /// Local indices of those that this rank knows, ascending.
  std::vector<unsigned int> local(const std::vector<std::string> &names) const;

private:
  void find_twins();
  /// Local nodes within `same_place` of a place.
  std::vector<unsigned int> near(const dealii::Point<dim> &x) const;
  /// The local node at the place of one of the file; of a twin: if this rank owns the cell beside it.
  unsigned int at(unsigned int member) const;
  /// What the owners of the cells beside know, on every rank. Collective.
  void share_twins(const std::vector<unsigned int> &members, std::vector<Node> &nodes) const;
  std::vector<unsigned int> members(const std::string &name) const;
  static double along(const dealii::Point<dim> &x);

  const Discretisation<dim> &mesh;
  const std::vector<dealii::Point<dim>> &place_in_file;   ///< of the local nodes
  double same_place;                                      ///< [m]
  std::vector<std::pair<double, unsigned int>> by_place;  ///< sorted by a coordinate in which no two nodes of a usual mesh agree
  std::vector<bool> twin;                                 ///< of the file's nodes: another one stands at its place
  std::map<unsigned int, std::vector<dealii::Point<dim>>>
      beside;  ///< of local nodes at places of twins: centres of the file's cells that have them, owned cells
};
}  // namespace symdyn
