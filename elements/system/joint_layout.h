#pragma once
#include <array>
#include <memory>
#include <vector>

#include "elements/lumped/system.h"
#include "elements/system/nodal_system.h"

namespace symdyn
{
/// Vectors of a body and of points, some of which stand on nodes of the body. The points with a displacement of their own stand behind the
/// body's nodes on the first rank: in `nodes` they are nodes as the others. Arrays over points hold `components` numbers each, of all
/// points on every rank.
class JointLayout
{
public:
  using Projector = std::array<double, 9>;  ///< by rows of `components`

  /// `coupled`: the points whose rows of a matrix have columns of others.
  JointLayout(const NodalSystem &body, const DiscreteSystem::Parts &parts, const BlockPattern &coupled);

  /// Supports have changed.
  void find_projectors(const DiscreteSystem::Parts &parts);

  int components() const { return n; }
  /// The body's own vectors serve.
  bool plain() const { return is_plain; }
  bool first() const { return is_first; }
  Vector new_vector() const { return Vector(dofs); }
  const std::shared_ptr<const dealii::Utilities::MPI::Partitioner> &nodes() const { return joint_nodes; }
  /// Where the node of a point stands on this rank: owned nodes first; -1: not known here.
  int node(const int point) const { return at[point]; }
  bool owns(const int point) const { return at[point] >= 0 && at[point] < owned; }
  bool has_own(const int point) const { return own[point]; }
  /// Whether any point has a displacement of its own.
  bool any_own() const { return own_points > 0; }
  /// Of a node of the body, by its number on this rank.
  int joint_node(int node_of_body) const;
  /// What supports, and being fixed, leave of a displacement of the point.
  const Projector &projector(const int point) const { return projectors[point]; }

  void to_body(const Vector &x, Vector &body) const;
  /// The own displacements of points become zero.
  void from_body(const Vector &body, Vector &x) const;
  /// Of all points, on every rank. Collective.
  void gather(const Vector &x, double *w) const;
  std::vector<double> gather(const Vector &x) const;
  /// x += w, at points of this rank.
  void add(const double *w, Vector &x) const;
  /// x = w where points have a displacement of their own and `condition` holds of the point and the component.
  template <class Condition>
  void assign_own(const double *w, Vector &x, const Condition &condition) const
  {
    for (std::size_t k = 0; k < at.size(); ++k)
      for (int d = 0; d < n && own[k] && owns(k); ++d)
        if (condition(int(k), d))
          x.local_element(n * at[k] + d) = w[n * k + d];
  }

private:
  void make_partitioners(const BlockPattern &coupled);
  std::int64_t joint_number(std::int64_t node_of_body) const { return node_of_body < of_first ? node_of_body : node_of_body + own_points; }

  const NodalSystem &body;
  int n, owned = 0, own_points = 0;
  bool is_first = true, is_plain = false, parallel = false;
  std::int64_t of_first = 0;  ///< nodes of the body on the first rank
  MPI_Comm communicator;
  std::vector<char> own;
  std::vector<std::int64_t> number;  ///< joint node of each point
  std::vector<int> at;
  std::vector<Projector> projectors;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> joint_nodes, dofs;
};
}  // namespace symdyn
