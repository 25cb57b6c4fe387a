#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/body_surface.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// The surface of a mesh whose nodes have places and numbers, and nothing else yet.
template <int dim>
class MovedSurface : public BodySurface
{
public:
  explicit MovedSurface(Discretisation<dim> &mesh);
  ~MovedSurface() override;
  int dimension() const override { return dim; }
  MPI_Comm communicator() const override { return mesh.communicator; }
  std::vector<SurfaceFace> faces(const std::vector<std::string> &boundaries) const override;
  std::vector<std::int64_t> named(const std::string &set) const override;
  void move(const std::vector<std::pair<std::int64_t, Place>> &nodes) override;

private:
  using Moves = std::map<unsigned int, dealii::Tensor<1, dim>>;  ///< of local nodes
  Moves with_followers(const Moves &given) const;
  const FaceShape *shape_of(unsigned int region, unsigned int face) const;

  Discretisation<dim> &mesh;
  mutable std::map<std::pair<unsigned int, unsigned int>, std::unique_ptr<FaceShape>> shapes;
};
}  // namespace symdyn
