#include "elements/cells/curved_kernels.h"

#include "elements/cells/fast_kernels.h"

namespace symdyn
{
namespace
{
/// What is prepared: 1, and what the fast kernels prepare; or 0, and the nodes of the geometry.
template <int dim>
class CurvedKernels : public FastKernels<dim>
{
public:
  CurvedKernels(const ElementFamily<dim> &family, std::unique_ptr<CellKernels<dim>> straight)
      : FastKernels<dim>(family),
        fast(std::move(straight)),
        geometry_nodes(family.stiffness.vertices),
        corners(family.fe->reference_cell().n_vertices()),
        at_nodes(*family.fe, dealii::Quadrature<dim>(family.fe->get_unit_support_points()))
  {
  }

  bool prepare(const Wide *X, std::vector<Wide> &prepared) const override
  {
    const bool straight = fast && is_straight(X);
    prepared.push_back(straight ? 1. : 0.);
    if (straight)
      return fast->prepare(X, prepared);
    prepared.insert(prepared.end(), X, X + geometry_nodes * dim);
    return false;
  }

  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    Wide V;
    choose(X, [&](const auto &kernels, const CellMap<dim> &map) { V = kernels.energy(map, u, material); });
    return V;
  }
  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    Wide smallest;
    choose(X, [&](const auto &kernels, const CellMap<dim> &map) { smallest = kernels.force(map, u, material, f); });
    return smallest;
  }
  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    choose(X, [&](const auto &kernels, const CellMap<dim> &map) { kernels.stiffness(map, u, w, material, f); });
  }
  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    choose(X, [&](const auto &kernels, const CellMap<dim> &map) { kernels.third_derivative(map, u, a, material, f); });
  }
  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    choose(X, [&](const auto &kernels, const CellMap<dim> &map) { kernels.mass_product(map, w, density, f); });
  }

private:
  template <class Action>
  void choose(const CellMap<dim> &X, const Action &action) const
  {
    if (X.prepared && X.prepared[0][0] != 0.)
      action(*fast, CellMap<dim>(X.prepared + 1, X.affine));
    else
      action(*this->plain, CellMap<dim>(X.prepared ? X.prepared + 1 : X.vertices));
  }

  /// Whether all nodes are where straight edges have them, but for rounding.
  bool is_straight(const Wide *X) const
  {
    constexpr double rounding = 1e-12;
    for (int lane = 0; lane < lanes; ++lane)
      for (int a = corners; a < geometry_nodes; ++a)
        for (int d = 0; d < dim; ++d)
        {
          double expected = 0, size = 0;
          for (int v = 0; v < corners; ++v)
          {
            expected += at_nodes.vertex_shape[a * corners + v] * X[v * dim + d][lane];
            size = std::max(size, std::abs(X[v * dim + d][lane]));
          }
          if (std::abs(X[a * dim + d][lane] - expected) > rounding * size)
            return false;
        }
    return true;
  }

  std::unique_ptr<CellKernels<dim>> fast;
  int geometry_nodes, corners;
  ReferenceElement<dim> at_nodes;
};
}  // namespace

template <int dim>
std::unique_ptr<CellKernels<dim>> make_curved_kernels(const ElementFamily<dim> &family, std::unique_ptr<CellKernels<dim>> straight)
{
  return std::make_unique<CurvedKernels<dim>>(family, std::move(straight));
}

template std::unique_ptr<CellKernels<2>> make_curved_kernels<2>(const ElementFamily<2> &, std::unique_ptr<CellKernels<2>>);
template std::unique_ptr<CellKernels<3>> make_curved_kernels<3>(const ElementFamily<3> &, std::unique_ptr<CellKernels<3>>);
}  // namespace symdyn
