// A formulation: one file, no edit elsewhere.
#include <deal.II/base/quadrature_lib.h>

#include "elements/cells/formulations/standard_tensor.h"
#include "elements/cells/reference_element.h"
#include "tests/cells.h"
#include "tests/input.h"
#include "tests/linear_decks.h"
#include "tests/materials.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_formulation
{
namespace
{
constexpr double full_part = 0.05;  ///< keeps the hourglasses of one point

/// V = (1 - s) V_1 + s V_2: quadrilaterals and hexahedra of degree 1 with one point, and a part s of the energy at 2 points a direction,
/// which stiffens the hourglass modes (weighted integration: Koh, Kikuchi 1987).
template <int dim>
class WeightedKernels : public CellKernels<dim>
{
public:
  explicit WeightedKernels(const ElementFamily<dim> &family)
  {
    ElementFamily<dim> one_point(family.fe->reference_cell(), family.fe->degree);
    one_point.stiffness_points = dealii::QGauss<dim>(1);
    one_point.stiffness = ReferenceElement<dim>(*one_point.fe, one_point.stiffness_points);
    few = make_kernels(one_point);
    full = make_kernels(family);
  }

  bool prepare(const Wide *X, std::vector<Wide> &prepared) const override
  {
    prepared.insert(prepared.end(), X, X + size);
    return false;
  }
  Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const override
  {
    return Wide(1. - full_part) * few->energy(vertices(X), u, material) + Wide(full_part) * full->energy(vertices(X), u, material);
  }
  Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const override
  {
    return sum(size, f, [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.force(vertices(X), u, material, part); });
  }
  void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const override
  {
    sum(size, f,
        [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.stiffness(vertices(X), u, w, material, part), Wide(1.); });
  }
  void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const override
  {
    sum(size, f,
        [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.third_derivative(vertices(X), u, a, material, part), Wide(1.); });
  }
  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    set(upper, K, [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.tangent(X, u, material, part), Wide(1.); });
  }
  void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    set(size * dim, K,
        [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.tangent_diagonal(X, u, material, part), Wide(1.); });
  }
  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    return sum(size, f, [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.discrete_force(X, u0, u1, material, part); });
  }
  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    set(size * size, K,
        [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.discrete_tangent(X, u0, u1, material, part), Wide(1.); });
  }
  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    sum(size, f, [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.viscous_force(X, u, v, material, part), Wide(1.); });
  }
  void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    set(upper, K, [&](const CellKernels<dim> &kernels, Wide *part) { return kernels.viscous_tangent(X, u, material, part), Wide(1.); });
  }
  void mass(const Wide *X, const double density, Wide *m) const override { full->mass(X, density, m); }
  void mass_product(const CellMap<dim> &X, const Wide *w, const double density, Wide *f) const override
  {
    full->mass_product(vertices(X), w, density, f);
  }
  void nodal_mass(const Wide *X, const double density, Wide *m) const override { full->nodal_mass(X, density, m); }
  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override { full->geometry(X, smallest_jacobian, volume); }

private:
  static constexpr int nodes = 1 << dim, size = nodes * dim, upper = nodes * (nodes + 1) / 2 * dim * dim;
  static const Wide *vertices(const CellMap<dim> &X) { return X.prepared ? X.prepared : X.vertices; }

  /// to += the weighted sum of what both add. Returns the smaller of what they return.
  template <class Part>
  Wide sum(const int count, Wide *to, const Part &part) const
  {
    Wide smallest = 1e300;
    for (const auto &[kernels, weight] : {std::pair{few.get(), 1. - full_part}, {full.get(), full_part}})
    {
      std::vector<Wide> own(count, Wide(0.));
      smallest = smaller(smallest, part(*kernels, own.data()));
      for (int i = 0; i < count; ++i)
        to[i] += Wide(weight) * own[i];
    }
    return smallest;
  }
  template <class Part>
  void set(const int count, Wide *to, const Part &part) const
  {
    std::fill(to, to + count, Wide(0.));
    sum(count, to, part);
  }

  std::unique_ptr<CellKernels<dim>> few, full;
};

template <int dim>
class Weighted : public StandardTensor<dim>
{
public:
  std::pair<int, int> degrees() const override { return {1, 1}; }
  std::string help() const override { return "one point and a part of full integration, Order = 1"; }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override
  {
    return std::make_unique<WeightedKernels<dim>>(family);
  }
};
SYMDYN_REGISTER(Formulation<2>, Weighted<2>, "newcomer-weighted");
SYMDYN_REGISTER(Formulation<3>, Weighted<3>, "newcomer-weighted");

template <class Test>
void for_both_dimensions(const Test &test)
{
  Cells<2> squares(dealii::ReferenceCells::Quadrilateral, 1, 0.1, "newcomer-weighted");
  test(squares);
  Cells<3> cubes(dealii::ReferenceCells::Hexahedron, 1, 0.1, "newcomer-weighted");
  test(cubes);
}
}  // namespace

TEST(NewcomerFormulation, DerivativesHaveSlopeTwo)
{
  for (const std::string law : {"neo-hooke-log", "linear-elasticity", "st-venant-kirchhoff"})
    for_both_dimensions([&](auto &cells) { expect_derivatives(cells, *make_material(law), law); });
}

/// A patch of distorted cells under a linear displacement has no forces inside.
TEST(NewcomerFormulation, PatchOfDistortedCells)
{
  const symdyn::DeckFolder folder;
  const std::string file = folder.file(
      "patch.inp",
      "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1.2,.9\n6,2,1\n7,0,2\n8,1,2\n9,2,2\n*ELEMENT, TYPE=CPE4, ELSET=B\n1,1,2,5,4\n2,2,3,6,5\n3,4,5,8,7\n4,5,6,9,8\n");
  Body<2> body(subsection("Mesh", "set Type = file\nset File = " + file + "\nset Element = newcomer-weighted") + made_of("neo-hooke-log"));
  const Vector u = body.nodal([](const dealii::Point<2> &X) { return dealii::Tensor<1, 2>({0.1 * X[0] + 0.2 * X[1], 0.3 * X[0]}); });
  Vector f(u);
  body.system().internal_force(u, f);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < 2 && body.mesh().position[node].distance(dealii::Point<2>(1.2, 0.9)) < 1e-12; ++d)
    {
      EXPECT_LT(std::abs(f.local_element(2 * node + d)), 1e-12 * f.linfty_norm());
    }
}

/// In bending it is softer than full integration, which locks; the last digits of the energy balance are kept.
TEST(NewcomerFormulation, RunsInADeckByItsName)
{
  const Folder folder, other;
  const Outcome run = run_well(folder, cantilever + dynamics, {"Mesh/Element=newcomer-weighted", "Mesh/Degree=1"});
  const Outcome standard = run_well(other, cantilever + dynamics, {"Mesh/Element=standard", "Mesh/Degree=1"});
  ASSERT_GT(run.history.rows(), 10u);
  double softer = 0, stiffer = 0;
  for (std::size_t i = 0; i < run.history.rows(); ++i)
  {
    softer = std::max(softer, run.history["E_potential"][i]);
    stiffer = std::max(stiffer, standard.history["E_potential"][i]);
  }
  EXPECT_NE(softer, stiffer);
  expect_refused(cantilever + dynamics, "newcomer-weighted elements are quadrilaterals and hexahedra of degree 1",
                 {"Mesh/Element=newcomer-weighted", "Mesh/Degree=2"});
  expect_refused(cantilever + dynamics, "newcomer-weighted", {"Mesh/Element=newcomer-weigthed"});
}
}  // namespace symdyn::tests::in_newcomer_formulation
