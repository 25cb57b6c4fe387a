#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/space/named_nodes.h"

namespace symdyn
{
/// Finds the nodes that sets and numbers of nodes of the mesh's file span (spanned_nodes): what it needs of the mesh it makes once. The
/// mesh must outlive it and keep its nodes.
template <int dim>
class NodeSpan
{
public:
  explicit NodeSpan(const Discretisation<dim> &mesh);
  ~NodeSpan();
  std::vector<unsigned int> operator()(const std::vector<std::string> &names) const;

private:
  class Vertices;
  const Discretisation<dim> &mesh;
  std::unique_ptr<const NamedNodes<dim>> finder;
  std::unique_ptr<const Vertices> vertices;  ///< nullptr: those that are named are all that there are
};

/// Local indices, ascending, of the nodes that sets and numbers of nodes of the mesh's file span: the nodes named, and those that `Order`
/// or `Refinements` put on an edge, on a face or into a cell all of whose corners are named. These are the nodes at which the interpolation
/// between the corners of the file, 1 at the named ones and 0 elsewhere, is 1. Where the file gives all nodes (cells of second order) only
/// those that are named. Collective. Errors: InputError for names that do not exist; where the cells of the file were cut into simplices,
/// whose new corners no set has.
template <int dim>
std::vector<unsigned int> spanned_nodes(const Discretisation<dim> &mesh, const std::vector<std::string> &names);

/// How many of these local nodes there are on all ranks. Collective.
template <int dim>
std::uint64_t count_of_all_ranks(const Discretisation<dim> &mesh, const std::vector<unsigned int> &nodes);
}  // namespace symdyn
