#pragma once
#include <deal.II/base/symmetric_tensor.h>

#include "elements/files/node_files.h"
#include "solver/stress_points.h"

namespace symdyn
{
/// Symmetric tensors at nodes, without values: xx, yy, zz, xy, yz, zx.
inline NodeField tensor_field() { return {"", StressPoints::components, {}}; }

constexpr int tensor_components[StressPoints::components][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

inline void append(const dealii::SymmetricTensor<2, 3> &value, NodeField &field)
{
  for (const auto &[i, j] : tensor_components)
    field.values.push_back(value[i][j]);
}

/// visit(tensor) of each node.
template <class Visit>
void for_each_tensor(const NodeField &field, const Visit &visit)
{
  for (auto value = field.values.begin(); value != field.values.end();)
  {
    dealii::SymmetricTensor<2, 3> tensor;
    for (const auto &[i, j] : tensor_components)
      tensor[i][j] = *value++;
    visit(tensor);
  }
}
}  // namespace symdyn
