// Energies in principal stretches, also where two or three of them are equal.
#include <gtest/gtest.h>

#include "materials/algebra/spectral.h"
#include "tests/materials.h"

namespace symdyn::tests::in_spectral
{
namespace
{
/// Terms mu/alpha (J^(-alpha/3) tr(C^(alpha/2)) - 3) + kappa/2 (J - 1)² for alpha = 4, 8, -4: polynomials of C and C⁻¹,
/// to be differentiated without eigenvalues.
class EvenOgden : public MaterialOf<EvenOgden>
{
public:
  explicit EvenOgden(int alpha) : alpha(alpha) {}
  void declare(Parameters &) override {}
  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    using std::sqrt;
    const T III = determinant(C), r = rcbrt(III);
    const Symmetric<T> square = times_itself(C), cof = cofactor(C);
    const T J = sqrt(III), fourth = r * r * r * r;
    const T I = alpha == 4 ? T(r * r * trace(square)) : alpha == 8 ? T(fourth * contract(square, square)) : T(fourth * contract(cof, cof));
    return mu * 2. / (alpha * alpha) * (I - 3.) + 0.5 * kappa * (J - 1.) * (J - 1.);
  }
  template <class T>
  static Symmetric<T> times_itself(const Symmetric<T> &C)
  {
    Symmetric<T> r;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        r(i, j) = C(i, 0) * C(0, j) + C(i, 1) * C(1, j) + C(i, 2) * C(2, j);
    return r;
  }

private:
  int alpha;
};

/// Squared stretches of which two or three are equal or differ by `gap`, in a random basis.
Symmetric<double> nearly_equal(double gap, bool three)
{
  return with_squared_stretches(1.2, 1.2 * (1. + gap), three ? 1.2 * (1. - 0.7 * gap) : 0.8);
}

/// Points at which spectral formulas can fail: random, I, two or three stretches equal or nearly so.
void for_each_spectrum(const std::function<void(const Symmetric<Wide> &)> &test)
{
  for (int k = 0; k < 5; ++k)
    test(wide(random_C));
  test(identity<Wide>());
  for (const bool three : {false, true})
  {
    test(wide([&] { return nearly_equal(0., three); }));
    for (int digits = 1; digits <= 16; ++digits)
      for (const double part : {1., 0.3})
      {
        SCOPED_TRACE("gap 1e-" + std::to_string(digits));
        test(wide([&] { return nearly_equal(part * std::pow(10., -digits), three); }));
      }
  }
}

/// A B as a general 3×3 matrix.
template <class T>
std::array<std::array<T, 3>, 3> product(const std::array<std::array<T, 3>, 3> &A, const Symmetric<T> &B)
{
  std::array<std::array<T, 3>, 3> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r[i][j] = A[i][0] * B(0, j) + A[i][1] * B(1, j) + A[i][2] * B(2, j);
  return r;
}
}  // namespace

/// C^(1/2) C^(1/2) = C and C (C^(-1/3))³ = I with first and second derivatives, by the product rule alone.
TEST(Spectral, PowersMultiplyAlsoWhereEigenvaluesMeet)
{
  for_each_spectrum([](const Symmetric<Wide> &points) {
    const Symmetric<Jet<double>> C = lane(curve(points), 0);
    const Spectrum s = spectrum(lane(points, 0));
    const std::array<std::array<Jet<double>, 3>, 3> one{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
    const auto root = power(s, C, 0.5), inverse_root = power(s, C, -1. / 3.);
    const auto is_C = product(product(one, root), root);
    const auto is_one = product(product(product(product(one, C), inverse_root), inverse_root), inverse_root);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        const Jet<double> c = is_C[i][j] - C(i, j), o = is_one[i][j] - one[i][j];
        for (const double error : {c.x, c.d, c.dd, o.x, o.d, o.dd})
          ASSERT_NEAR(error, 0., 3e-14);
      }
  });
}

TEST(Ogden, IsNeoHookeAndMooneyRivlin)
{
  const auto neo_hooke = make("neo-hooke-quadratic", constants("")), mooney = make("mooney-rivlin", constants("mooney-rivlin"));
  const auto one = make("ogden", ogden(2.));
  char factors[64];
  std::snprintf(factors, sizeof factors, "%.17g, %.17g", 0.6 * mu, -0.4 * mu);
  const auto two = make("ogden", ogden(factors, "2, -2"));
  for_each_spectrum([&](const Symmetric<Wide> &C) {
    expect_same(*one, *neo_hooke, C, exact, E);
    expect_same(*two, *mooney, C, exact, E);
    EXPECT_NEAR(two->psi(C)[0], mooney->psi(C)[0], exact * E);
  });
}

TEST(Ogden, EvenExponentsAreInvariants)
{
  for (const int alpha : {4, 8, -4})
  {
    SCOPED_TRACE(alpha);
    const EvenOgden polynomial(alpha);
    const auto ogden_term = make("ogden", ogden(alpha));
    for_each_spectrum([&](const Symmetric<Wide> &C) {
      expect_same(*ogden_term, polynomial, C, exact, E);
      EXPECT_NEAR(ogden_term->psi(C)[0], polynomial.psi(C)[0], exact * E);
    });
  }
}

/// The vector functions of wide.h against the C library.
TEST(Wide, FunctionsAreThoseOfTheLibrary)
{
  for (int k = 0; k < 20000; ++k)
  {
    const double x = k % 2 ? std::exp(random_number(700.)) : 1. + random_number(0.5) * std::pow(10., -k % 16);
    const Wide a = map_lanes(Wide(x), [](double s) { return s; });
    ASSERT_NEAR(log(a)[0], std::log(x), 3e-16 * std::abs(std::log(x))) << x;
    ASSERT_NEAR(rcbrt(a)[lanes - 1] * std::cbrt(x), 1., 1e-15) << x;
    ASSERT_EQ(sqrt(a)[0], std::sqrt(x));
  }
  for (const double x : {0., -1., std::nan("")})
    EXPECT_TRUE(std::isnan(log(Wide(x))[0]) && std::isnan(rcbrt(Wide(x))[0]) && std::isnan(rcbrt(x))) << x;
}
}  // namespace symdyn::tests::in_spectral
