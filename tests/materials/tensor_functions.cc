// Logarithm, exponential and root of tensors as polynomials: against eigenvalues, each other, and through their derivatives.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/algebra/spectral.h"
#include "materials/algebra/tensor_functions.h"
#include "tests/materials.h"

namespace symdyn::tests::in_tensor_functions
{
namespace
{
/// Of another size in each lane, so that lanes take other numbers of roots.
Symmetric<Wide> symmetric(const double size)
{
  Symmetric<Wide> r;
  for (int i = 0; i < lanes; ++i)
    set_lane(r, i, random_symmetric(size * (1. + i) / lanes));
  return r;
}

double distance(const Symmetric<Wide> &a, const Symmetric<Wide> &b)
{
  double largest = 0.;
  for (int m = 0; m < 6; ++m)
    for (int i = 0; i < lanes; ++i)
      largest = std::max(largest, std::abs(a[m][i] - b[m][i]));
  return largest;
}

constexpr std::pair<double, double> sizes[] = {{1e-4, 1e-15}, {0.02, 1e-15}, {0.1, 1e-15}, {0.5, 5e-14}, {1.5, 5e-13}};
}  // namespace

TEST(TensorFunctions, AreThoseOfTheEigenvalues)
{
  for (const auto &[size, tolerance] : sizes)
    for (int k = 0; k < 20; ++k)
    {
      const Symmetric<Wide> a = symmetric(size), e = exponential(a), root = square_root(e);
      for (int i = 0; i < lanes; ++i)
      {
        const Spectrum s = spectrum(lane(a, i));
        double largest = 1.;
        for (const double x : s.x)
          largest = std::max(largest, std::exp(x));
        for (int r = 0; r < 3; ++r)
          for (int c = r; c < 3; ++c)
          {
            double of_exp = 0, of_root = 0;
            for (int n = 0; n < 3; ++n)
            {
              of_exp += std::exp(s.x[n]) * s.n[n][r] * s.n[n][c];
              of_root += std::exp(0.5 * s.x[n]) * s.n[n][r] * s.n[n][c];
            }
            EXPECT_NEAR(e(r, c)[i], of_exp, 1e-14 * largest * (1. + size));
            EXPECT_NEAR(root(r, c)[i], of_root, 1e-13 * largest);
          }
      }
      EXPECT_LT(distance(logarithm(e), a), tolerance);
    }
}

/// d/ds ln exp a(s) = a', first and second, and where all eigenvalues are equal.
TEST(TensorFunctions, DerivativesOfOneUndoTheOther)
{
  for (const auto &[size, tolerance] : sizes)
    for (const bool equal : {false, true})
    {
      Symmetric<Jet<Wide>> curve;
      const Symmetric<Wide> a = equal ? scaled_by(Wide(size), identity<Wide>()) : symmetric(size), d = symmetric(1.), dd = symmetric(1.);
      for (int m = 0; m < 6; ++m)
        curve[m] = {a[m], d[m], dd[m]};
      const Symmetric<Jet<Wide>> back = logarithm(exponential(curve));
      Symmetric<Wide> first, second;
      for (int m = 0; m < 6; ++m)
      {
        first[m] = back[m].d;
        second[m] = back[m].dd;
      }
      EXPECT_LT(distance(first, d), 20. * tolerance);
      EXPECT_LT(distance(second, dd), 100. * tolerance);
    }
}

/// What a lane holds does not depend on its neighbours.
TEST(TensorFunctions, ALaneStandsForItself)
{
  const Symmetric<Wide> a = exponential(symmetric(1.2)), all = logarithm(a);
  for (int i = 0; i < lanes; ++i)
  {
    Symmetric<Wide> alone;
    for (int m = 0; m < 6; ++m)
      alone[m] = Wide(a[m][i]);
    const Symmetric<Wide> b = logarithm(alone);
    for (int m = 0; m < 6; ++m)
      EXPECT_EQ(b[m][0], all[m][i]);
  }
}

TEST(TensorFunctions, ATriangularStretchIsAGradientOfC)
{
  const Symmetric<Wide> C = exponential(symmetric(0.7)), G = symmetric(1.);
  const TriangularStretch<Wide> U(C);
  EXPECT_LT(distance(U.pull(U.push(G)), G), 1e-13);
  EXPECT_LT(distance(U.pull(identity<Wide>()), inverse_of(C)), 1e-13) << "C⁻¹ = U⁻¹ U⁻ᵀ";
}
}  // namespace symdyn::tests::in_tensor_functions
