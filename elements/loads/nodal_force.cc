#include <fmt/format.h>

#include <algorithm>

#include "elements/space/boundary_names.h"
#include "elements/space/load_reach.h"
#include "elements/space/local_axes.h"
#include "elements/space/named_nodes.h"
#include "elements/space/node_span.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Forces on nodes: on the node at a point, or the same force on each node of a boundary, or on each of the nodes that a mesh file names
/// [N].
template <int dim>
class NodalForce : public DeadLoad<dim>, public LoadReach<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Point", point, "coordinates of a node [m]");
    p.add("Boundary", boundaries, "or: names of boundaries, each node of which gets the force");
    p.add(
        "Nodes", names,
        "or: sets and numbers of nodes as the mesh's .inp file has them; one that is named twice gets the force twice. A set on whose edges or faces Order or Refinements put more nodes is "
        "refused");
    this->field.declare(p, "Force", "components [N], expressions of x, y, z, t");
    axes.declare(p, dim);
    where = p.where(!point.empty() ? "Point" : boundaries.empty() ? "Nodes" : "Boundary");
    if (int(!point.empty()) + int(!boundaries.empty()) + int(!names.empty()) != 1)
      p.fail("Point", "give one of Point, Boundary, Nodes");
    refuse_repeated(p, "Boundary", boundaries);
    if (!point.empty() && point.size() != dim)
      p.fail("Point", fmt::format("needs {} coordinates", dim));
  }

  void prepare(const Discretisation<dim> &discretisation, const std::function<double(unsigned int)> &) override
  {
    mesh = &discretisation;
    nodes.clear();
    for (const std::string &boundary : boundaries)
      for (const unsigned int node : mesh->boundary_nodes(boundary))
        if (int(node) < mesh->n_owned_nodes())
          nodes.push_back(node);
    std::sort(nodes.begin(), nodes.end());  // a node that two boundaries share gets the force once
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (!point.empty())
      find_node();
    if (!names.empty())
      find_named();
    this->remember(*mesh);
  }

  void add_reach(Vector &r) const override
  {
    if (this->field.steady())
      return integrate(0., r);
    for (const unsigned int node : nodes)
      for (int d = 0; d < dim; ++d)
        r.local_element(dim * node + d) += 1.;
  }

private:
  void find_node()
  {
    dealii::Point<dim> x;
    for (int d = 0; d < dim; ++d)
      x[d] = point[d];
    double nearest = std::numeric_limits<double>::max();
    for (int node = 0; node < mesh->n_owned_nodes(); ++node)
      if (const double distance = x.distance(mesh->position[node]); distance < nearest)
      {
        nearest = distance;
        nodes = {unsigned(node)};
      }
    const double best = dealii::Utilities::MPI::min(nearest, mesh->communicator);
    if (nearest > best)
      nodes.clear();
    if (best > 1e-6 * mesh->smallest_edge)
      throw InputError(
          fmt::format("{}: no node is here; the nearest is {:.3g} m away. A point force acts on a node: move the point or refine the mesh",
                      where, best));
  }

  void find_named()
  try
  {
    const NamedNodes<dim> finder(*mesh);
    require_complete_sets(finder);
    for (const std::string &name : names)
      for (const auto &node : finder.find(name))
        if (node.local < unsigned(mesh->n_owned_nodes()))
          nodes.push_back(node.local);
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }

  /// A single node that is named by its number is one place, whatever is around it.
  void require_complete_sets(const NamedNodes<dim> &finder) const
  {
    for (const std::string &name : names)
    {
      if (number_from<long>(name))
        continue;
      const std::uint64_t named = count_of_all_ranks(*mesh, finder.local({name})),
                          spanned = count_of_all_ranks(*mesh, spanned_nodes(*mesh, {name}));
      if (spanned > named)
        throw InputError(fmt::format(
            "the set '{}' has {} nodes; with those that Order and Refinements put between them there are {}. A force on each node of the set would leave out the "
            "others. Use a traction on a Boundary, Order = 1 and Refinements = 0, or numbers of nodes for forces at single places",
            name, named, spanned));
    }
  }

  void integrate(const double t, Vector &f) const override
  {
    for (const unsigned int node : nodes)
    {
      auto force = this->field.at(mesh->position[node], t);
      if (axes.given())
        force = force * axes.at(mesh->position[node]);
      for (int d = 0; d < dim; ++d)
        f.local_element(dim * node + d) += force[d];
    }
  }

  const Discretisation<dim> *mesh = nullptr;
  std::vector<double> point;
  std::vector<std::string> boundaries, names;
  LocalAxes axes;
  std::string where;
  std::vector<unsigned int> nodes;  // owned
};

SYMDYN_REGISTER_LOAD(NodalForce, "nodal-force");
}  // namespace symdyn
