#pragma once
#include <deal.II/base/mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "elements/gram/director_rotation.h"
#include "elements/site_plan.h"
#include "solver/column.h"

namespace symdyn
{
/// Rotation vectors of named nodes with directors, for history.csv: NAME.rot_x, rot_y, rot_z [rad] (director_rotation.h).
class NodeRotations
{
public:
  /// A node with these directors at rest. `linear`: its elements have small displacements.
  struct Node
  {
    std::string name;
    GramVectors rest;
    std::vector<SitePlan::Site> directors;
    bool linear;
  };
  void add(Node node) { nodes.push_back(std::move(node)); }

  void add_columns(std::vector<Column> &columns) const
  {
    for (const Node &node : nodes)
      for (const char axis : {'x', 'y', 'z'})
        columns.push_back({node.name + ".rot_" + axis, "rad", node.linear ? Kind::motion : Kind::rotation});
  }

  /// Each at most pi long. Collective.
  void add_values(const PlannedSites &sites, const Vector &q, std::vector<double> &values) const
  {
    std::vector<double> u;
    for (const Node &node : nodes)
      for (const SitePlan::Site director : node.directors)
        for (int d = 0; d < 3; ++d)
          u.push_back(sites.owns(director) ? q.local_element(3 * sites.local(director) + d) : 0.);
    dealii::Utilities::MPI::sum(u, sites.space()->communicator(), u);
    auto next = u.begin();
    for (const Node &node : nodes)
    {
      GramVectors moved, now;
      for (const GramVector &D : node.rest)
      {
        moved.push_back({next[0], next[1], next[2]});
        now.push_back(combination(D, 1., moved.back()));
        next += 3;
      }
      const GramVector rotation = node.linear ? small_rotation_of_directors(node.rest, moved) : rotation_of_directors(node.rest, now);
      values.insert(values.end(), rotation.begin(), rotation.end());
    }
  }

private:
  std::vector<Node> nodes;
};
}  // namespace symdyn
