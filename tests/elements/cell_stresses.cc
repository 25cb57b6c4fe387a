// Stresses at points of cells: of a turned body, and of formulations with a deformation gradient of their own.
#include "elements/cells/point_stress.h"
#include "tests/cells.h"
#include "tests/formulation_cases.h"

namespace symdyn::tests::in_formulations
{

/// sigma(R F) = R sigma(F) Rᵀ
TEST(PointStress, TurnsWithTheBody)
{
  const auto material = make_material("neo-hooke-log");
  dealii::Tensor<2, 3> F, R;
  const double about_x = 0.7, about_z = -1.1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F[i][j] = (i == j) + 0.1 * std::sin(1. + 3 * i + 5 * j);
  R[0][0] = 1.;
  R[1][1] = R[2][2] = std::cos(about_x);
  R[2][1] = std::sin(about_x);
  R[1][2] = -R[2][1];
  dealii::Tensor<2, 3> Z;
  Z[2][2] = 1.;
  Z[0][0] = Z[1][1] = std::cos(about_z);
  Z[1][0] = std::sin(about_z);
  Z[0][1] = -Z[1][0];
  R = Z * R;
  const PointStress still = stress_at(*material, F, false), turned = stress_at(*material, R * F, false);
  const dealii::Tensor<2, 3> expected = R * dealii::Tensor<2, 3>(still.stress) * transpose(R);
  EXPECT_LT((dealii::Tensor<2, 3>(turned.stress) - expected).norm(), 1e-12 * expected.norm());
  EXPECT_NEAR(von_mises(turned.stress), von_mises(still.stress), 1e-12 * expected.norm());
}

namespace
{
/// F at some points of the cells: of the displacements, or what the law sees.
std::vector<Matrix<3>> gradients(const Cells<3> &cells, const Values &u, const Material &material, const dealii::Quadrature<3> &places,
                                 const bool seen)
{
  const ReferenceElement<3> table(*cells.family.fe, places);
  std::vector<Matrix<3>> F(places.size());
  for (std::size_t q = 0; q < places.size(); ++q)
  {
    const Matrix<3> J = gradient_of<3, 8>(cells.X.data(), &table.vertex_gradient[q * 24]), b = inverse<3>(J, determinant<3>(J));
    F[q] = gradient_of<3, 8>(u.data(), &table.gradient[q * 24]) * b;
    for (int i = 0; i < 3; ++i)
      F[q][i][i] += Wide(1.);
  }
  if (seen)
    cells.kernels->assumed_deformation_gradient(cells.X.data(), u.data(), material, table, places, F.data());
  return F;
}

/// sum of psi(F) over the points of the stiffness.
Wide energy_of(const Cells<3> &cells, const std::vector<Matrix<3>> &F, const Material &material)
{
  const ReferenceElement<3> &table = cells.family.stiffness;
  Wide V = 0.;
  for (int q = 0; q < table.points; ++q)
    V += determinant<3>(gradient_of<3, 8>(cells.X.data(), &table.vertex_gradient[q * 24])) * Wide(table.weight[q]) *
         material.psi(strain_measure(F[q], material.small_strain()));
  return V;
}
}  // namespace

/// What frames make stresses of: its energy is that of the cell, which the displacements alone do not have; constant gradients stay what
/// they are.
TEST(Formulations, FramesShowWhatTheLawSees)
{
  for_each_case<3>(distortion, [](Cells<3> &cells, const Case &what) {
    if (!of_its_own(what))
      return;
    const dealii::Quadrature<3> at_corners(cells.family.fe->get_unit_support_points());
    Values linear = cells.zero();
    for (int a = 0; a < cells.nodes; ++a)
      for (int i = 0; i < 3; ++i)
        linear[a * 3 + i] = Wide(0.1 * (i + 1)) * cells.X[a * 3 + (i + 1) % 3];
    const Values bent = cells.field(0.1);
    for (const std::string name : {"linear-elasticity", "neo-hooke-log"})
    {
      const auto material = make_material(name);
      const auto plain = gradients(cells, linear, *material, at_corners, false),
                 same = gradients(cells, linear, *material, at_corners, true);
      for (int v = 0; v < 8; ++v)
        for (int m = 0; m < 9; ++m)
          EXPECT_NEAR(same[v][m / 3][m % 3][0], plain[v][m / 3][m % 3][0], 1e-12);
      const Wide V = cells.kernels->energy(cells.X.data(), bent.data(), *material);
      const auto at_points = [&](const bool seen) {
        return energy_of(cells, gradients(cells, bent, *material, cells.family.stiffness_points, seen), *material);
      };
      const Wide law = at_points(true), displacements = at_points(false);
      for (int lane = 0; lane < lanes; ++lane)
      {
        EXPECT_NEAR(law[lane], V[lane], 1e-11 * V[lane]) << name;
        EXPECT_GT(std::abs(displacements[lane] - V[lane]), 1e-4 * V[lane]) << name << ": negative control";
      }
      if (what.formulation == "mean-dilatation" && !material->small_strain())
      {
        for (const auto &F : gradients(cells, bent, *material, at_corners, true))
          EXPECT_NEAR(determinant<3>(F)[0], determinant<3>(gradients(cells, bent, *material, at_corners, true)[0])[0], 1e-12);
      }
    }
  });
}
}  // namespace symdyn::tests::in_formulations
