#include "elements/supports/nodes_of_mesh.h"

#include <deal.II/base/mpi.h>

#include "elements/load.h"
#include "elements/space/node_span.h"

namespace symdyn
{
namespace
{
template <int dim>
class NodesOfMesh : public SupportedNodes<dim>
{
public:
  explicit NodesOfMesh(const Discretisation<dim> &mesh) : mesh(mesh) {}
  MPI_Comm communicator() const override { return mesh.communicator; }
  unsigned int local() const override { return mesh.n_local_nodes(); }
  unsigned int owned() const override { return mesh.n_owned_nodes(); }
  const std::vector<dealii::Point<dim>> &positions() const override { return mesh.position; }
  std::vector<unsigned int> on_boundary(const std::string &name) const override { return mesh.boundary_nodes(name); }
  dealii::Tensor<1, dim> plane_normal(const std::string &boundary) const override
  {
    dealii::Tensor<1, dim> sum;
    double area = 0;
    for (const auto &face : SurfaceIntegral<dim>(mesh, {boundary}).faces)
      for (std::size_t q = 0; q < face.dA.size(); ++q)
      {
        sum += face.dA[q] * face.normal[q];
        area += face.dA[q];
      }
    sum = dealii::Utilities::MPI::sum(sum, mesh.communicator);
    area = dealii::Utilities::MPI::sum(area, mesh.communicator);
    if (std::abs(sum.norm() - area) > 1e-8 * area)
      return {};
    return sum / sum.norm();
  }
  std::vector<unsigned int> named(const std::vector<std::string> &names) const override
  {
    if (!span)
      span = std::make_unique<const NodeSpan<dim>>(mesh);
    return (*span)(names);
  }
  double smallest_edge() const override { return mesh.smallest_edge; }
  bool is_complete() const override { return mesh.has_all_file_nodes; }

private:
  const Discretisation<dim> &mesh;
  mutable std::unique_ptr<const NodeSpan<dim>> span;  ///< of decks with thousands of supports
};
}  // namespace

template <int dim>
std::shared_ptr<const SupportedNodes<dim>> supported_nodes(const Discretisation<dim> &mesh)
{
  return std::make_shared<NodesOfMesh<dim>>(mesh);
}

template std::shared_ptr<const SupportedNodes<2>> supported_nodes(const Discretisation<2> &);
template std::shared_ptr<const SupportedNodes<3>> supported_nodes(const Discretisation<3> &);
}  // namespace symdyn
