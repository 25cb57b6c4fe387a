#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elements/files/shared_points.h"
#include "elements/space/discretisation.h"
#include "solver/stress_points.h"

namespace symdyn
{
/// How the frames of a body are written.
struct FrameStyle
{
  bool is_double = false;  ///< Float64, not compressed; else Float32
  bool shared = true;      ///< cells of a material share the points of their nodes, where fields are means over these cells
};

/// Frames of the owned cells of a mesh. Fields have their values at the nodes of these cells, cell after cell in the order of the mesh.
template <int dim>
class CellFrames
{
public:
  CellFrames(const Discretisation<dim> &mesh, FrameStyle style);

  /// value(cell, node of the cell, local node, c) is component c.
  using Value = std::function<double(const typename Discretisation<dim>::Cell &, unsigned int, unsigned int, int)>;
  NodeField at_nodes(const std::string &name, unsigned int width, const Value &value) const;
  /// A vector of the mesh with three components, as VTK wants it.
  NodeField motion(const std::string &name, const Vector &u) const;
  /// Where points are shared, the mean over the cells of a material around a node (all count the same). Collective.
  void average(NodeField &field) const;

  bool are_shared() const { return nodes != nullptr; }

  NodeFrame frame(const std::vector<NodeField> &fields, double time) const;
  /// Files of a frame. Names, errors and collectivity as write_node_frame().
  std::string write(const std::vector<NodeField> &fields, double time, const std::string &folder, const std::string &base) const;
  /// The displacement u, and those of the values of `fields` that are at nodes of the cells, which stand first: how many points these are
  /// is returned in `points`.
  std::string write(const Vector &u, const std::vector<PointValues> &fields, double time, const std::string &folder,
                    const std::string &base, std::size_t &points) const;

private:
  class Points;
  const Discretisation<dim> &mesh;
  FrameStyle style;
  std::unique_ptr<SharedPoints> nodes, points;  ///< of cells: as the mesh has them, as VTK does
};
}  // namespace symdyn
