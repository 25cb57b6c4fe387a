// What one piece of a step costs in another: ratios of least times, which bear a machine that is busy.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "materials/algebra/wide.h"
#include "solver/deck/deck.h"
#include "solver/run/run.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_cost
{
namespace
{
/// Seconds of one call.
template <class Do>
double seconds(const Do &action)
{
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds to read a deck of so many static stages and to check the order of its entries.
double reading(const int stages)
{
  std::string text =
      "subsection Mesh\nset Subdivisions = 1, 1, 1\nend\nsubsection Materials\nsubsection m\nset Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1\nend\nend\n"
      "subsection Supports\nsubsection s\nset Boundary = x-\nend\nend\nsubsection Loads\nsubsection l\nset Type = traction\nset Boundary = x+\nset Traction = 1, 0, 0\nend\nend\n"
      "subsection Stages\n";
  for (int k = 0; k < stages; ++k)
    text += "subsection s" + std::to_string(k) + "\nset Type = static\nset Loads = l\nend\n";
  text += "end\n";
  return seconds([&] {
    Deck deck = Deck::from_text(text, "stages.prm");
    Run run(deck);
    run.build();
    run.description();
    deck.as_prm();
  });
}

/// Least time of V'''[a, a] over the least time of dV/dq, on the tumbling block; they take turns, in several places of the memory.
double cost_of_third_derivative(const std::string &material, const int degree)
{
  constexpr int bodies = 5, repeats = 200;
  double force = std::numeric_limits<double>::infinity(), third = force;
  std::vector<std::unique_ptr<Body<3>>> all;  // each elsewhere
  for (int number = 0; number < bodies; ++number)
  {
    all.push_back(
        std::make_unique<Body<3>>(subsection("Mesh", "set Type = l-block\nset Subdivisions = " + std::string(degree == 1 ? "2" : "1") +
                                                         "\nset Order = " + std::to_string(degree)) +
                                  made_of(material)));
    const MechanicalSystem &system = all.back()->system();
    Random random;
    const Vector q = random.vector(system.new_vector(), 0.02), a = random.vector(q, 1.);
    Vector r = system.new_vector();
    for (int k = 0; k < repeats; ++k)
    {
      force = std::min(force, seconds([&] { system.internal_force(q, r); }));
      third = std::min(third, seconds([&] { system.third_derivative(q, a, r); }));
    }
  }
  return third / force;
}
}  // namespace

TEST(Cost, StagesAreReadInLinearTime)
{
  constexpr int few = 1000, factor = 8;
  double less = std::numeric_limits<double>::infinity(), more = less;
  for (int k = 0; k < 3; ++k)
  {
    less = std::min(less, reading(few));
    more = std::min(more, reading(factor * few));
  }
  std::printf("%d stages: %.3f s, %d stages: %.3f s\n", few, less, factor * few, more);
  EXPECT_LT(more / less, 2. * factor) << "a quadratic part makes it " << factor * factor;
}

TEST(Cost, ThirdDerivativeIsAtMostTwoForces)
{
#ifndef NDEBUG
  GTEST_SKIP() << "without optimisation the ratio says nothing about the program that is used";
#endif
  // AVX-512 has 32 registers. With the 16 of AVX2 neo-hooke-log needs 1.97 to 2.01 forces: the terms of the second jet do not fit.
  const double most = lanes == 8 ? 2. : 2.2;
  for (const std::string material : {"st-venant-kirchhoff", "neo-hooke-log"})
    for (const int degree : {1, 2})
    {
      const double ratio = cost_of_third_derivative(material, degree);
      std::printf("third derivative, %s, Q%d: %.2f force evaluations\n", material.c_str(), degree, ratio);
      EXPECT_LE(ratio, most) << material << ", degree " << degree;
    }
}
}  // namespace symdyn::tests::in_cost
