// The complex system of a direct sweep, where its preconditioner is singular.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "solver/error.h"
#include "solver/linear/harmonic.h"

namespace symdyn::tests::in_complex_system
{
namespace
{
using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

/// Systems of modes that do not couple: (a_i + i b_i) u_i = f_i.
struct Diagonal
{
  std::vector<double> a, b;
  Vector layout;
  std::vector<double> angles;  ///< [degrees], of the factorisations that were asked for

  explicit Diagonal(const std::vector<Complex> &z) : layout(z.size())
  {
    for (const Complex &entry : z)
    {
      a.push_back(entry.real());
      b.push_back(entry.imag());
    }
  }
  ComplexSystem system()
  {
    const auto times = [](const std::vector<double> &d) {
      return [&d](const Vector &x, Vector &y) {
        for (std::size_t i = 0; i < d.size(); ++i)
          y.local_element(i) = d[i] * x.local_element(i);
      };
    };
    return {times(a), times(b), [this](const double cosine, const double sine) -> ComplexSystem::Product {
              angles.push_back(std::atan2(sine, cosine) * 180. / pi);
              std::vector<double> s;
              for (std::size_t i = 0; i < a.size(); ++i)
                s.push_back(cosine * a[i] + sine * b[i]);
              return [s](const Vector &x, Vector &y) {
                for (std::size_t i = 0; i < s.size(); ++i)
                {
                  if (std::abs(s[i]) < 1e-13)
                    throw ComputationError("S is singular");
                  y.local_element(i) = x.local_element(i) / s[i];
                }
              };
            }};
  }
  /// Largest relative error of the solution with forces 1 and 2 i, by turns.
  double error()
  {
    Vector f = layout, g = layout, x = layout, y = layout;
    for (std::size_t i = 0; i < a.size(); ++i)
      (i % 2 == 0 ? f : g).local_element(i) = 1. + i % 2;
    solve_complex(system(), f, g, 1e-10, x, y);
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
      const Complex exact = Complex(f.local_element(i), g.local_element(i)) / Complex(a[i], b[i]);
      most = std::max(most, std::abs(Complex(x.local_element(i), y.local_element(i)) - exact) / std::abs(exact));
    }
    return most;
  }
};

/// z of a phase psi [degrees].
Complex at_phase(const double psi, const double size = 1.) { return std::polar(size, psi * pi / 180.); }
}  // namespace

TEST(ComplexSystem, AngleTurnsWhereThePreconditionerIsSingular)
{
  Diagonal ordinary({at_phase(1.), at_phase(90.), at_phase(179.)});
  EXPECT_LT(ordinary.error(), 1e-8);
  EXPECT_EQ(ordinary.angles.size(), 1u) << "the first angle will do";
  Diagonal one({at_phase(1.), at_phase(135., 0.1), at_phase(179.)});
  EXPECT_LT(one.error(), 1e-8);
  EXPECT_EQ(one.angles.size(), 2u);
  Diagonal two({at_phase(1.), at_phase(135., 0.1), at_phase(45., 3.), at_phase(179.)});
  EXPECT_LT(two.error(), 1e-8);
  EXPECT_EQ(two.angles.size(), 3u);
  Diagonal nearly({at_phase(1.), at_phase(135. + 1e-7, 0.1), at_phase(179.)});
  EXPECT_LT(nearly.error(), 1e-8);
}

TEST(ComplexSystem, SystemsWithoutASolutionAreErrors)
{
  Diagonal resonance({at_phase(1.), Complex(0., 0.), at_phase(179.)});
  try
  {
    resonance.error();
    FAIL() << "solved";
  }
  catch (const ComputationError &error)
  {
    EXPECT_NE(std::string(error.what()).find("was not solved"), std::string::npos) << error.what();
  }
  EXPECT_GE(resonance.angles.size(), 3u) << "all angles are tried";
}
}  // namespace symdyn::tests::in_complex_system
