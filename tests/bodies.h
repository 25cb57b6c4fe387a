#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "elements/models/solid.h"
#include "solver/deck/deck.h"
#include "tests/law_constants.h"

/// Small solids and derivatives by differences, for the tests of elements/ and solver/.
namespace symdyn::tests
{
/// Lines of a deck that make the registered material soft rubber: E = 1000, nu = 0.3 at small strain.
inline std::string constants_of(const std::string &material)
{
  if (const std::string own = constants_of_its_own(material); !own.empty())
    return own;
  if (material == "mooney-rivlin")
    return "set c10 = 115\nset c01 = 77\nset kappa = 833\n";
  if (material == "ogden")
    return "set mu = 470, -80\nset alpha = 1.3, -2\nset kappa = 833\n";
  if (material.find("anisotropic") != std::string::npos)
    return "set E = 1400, 900, 1100\nset nu = 0.25, 0.3, 0.2\nset G = 400, 500, 300\nset Axes = 1, 0.5, 0.2, -0.3, 1, 0.4\n";
  return "set E = 1000\nset nu = 0.3\n";
}

inline std::string subsection(const std::string &name, const std::string &content)
{
  return "subsection " + name + "\n" + content + "\nend\n";
}

/// Section "Materials" of a body of one material.
inline std::string made_of(const std::string &material, const double density = 1000.)
{
  return subsection("Materials", subsection("body", "set Type = " + material + "\nset Density = " + std::to_string(density) + "\n" +
                                                        constants_of(material)));
}

/// A solid as a deck describes it, without time and scheme.
template <int dim>
struct Body
{
  explicit Body(const std::string &text) : deck(Deck::from_text(text, "test.prm"))
  {
    Parameters root = deck.root();
    solid.declare(root);
    deck.finish();
    solid.actions = &actions;
    solid.build();
  }
  const SolidBody<dim> &fem() const { return solid.solid_body(); }
  const Discretisation<dim> &mesh() const { return fem().mesh(); }
  const AssembledSystem &system() const { return solid.assembled_system(); }

  /// A vector with the nodal values field(X).
  Vector nodal(const std::function<dealii::Tensor<1, dim>(const dealii::Point<dim> &)> &field) const
  {
    Vector x = mesh().new_vector();
    for (int node = 0; node < mesh().n_owned_nodes(); ++node)
    {
      const auto value = field(mesh().position[node]);
      for (int d = 0; d < dim; ++d)
        x.local_element(dim * node + d) = value[d];
    }
    x.update_ghost_values();
    return x;
  }
  /// The sum of the nodal forces.
  dealii::Tensor<1, dim> resultant(const Vector &f) const
  {
    dealii::Tensor<1, dim> sum;
    for (int node = 0; node < mesh().n_owned_nodes(); ++node)
      for (int d = 0; d < dim; ++d)
        sum[d] += f.local_element(dim * node + d);
    return sum;
  }

  Deck deck;
  Actions actions;  ///< that a test may change
  Solid<dim> solid;
};

class Random
{
public:
  explicit Random(const unsigned int seed = 1) : generator(seed) {}
  double operator()(const double size) { return std::uniform_real_distribution<double>(-size, size)(generator); }
  Vector vector(const Vector &layout, const double size)
  {
    Vector x;
    x.reinit(layout);
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
      x.local_element(i) = (*this)(size);
    x.update_ghost_values();
    return x;
  }

private:
  std::mt19937 generator;
};

/// x + s y
inline Vector moved(const Vector &x, const double s, const Vector &y)
{
  Vector z(x);
  z.add(s, y);
  z.update_ghost_values();
  return z;
}

inline double distance(const Vector &x, const Vector &y) { return moved(x, -1., y).l2_norm(); }

/// The slope of an error in h between h and h/2.
inline double measured_slope(const std::function<double(double)> &error, const double h) { return std::log2(error(h) / error(0.5 * h)); }

/// `error(h)` of a central difference falls as h², or is rounding of size `rounding` where the difference is `exact`.
inline void expect_slope_two(const std::function<double(double)> &error, const double h, const bool exact, const double rounding)
{
  if (exact)
    EXPECT_LT(error(h), rounding);
  else
  {
    EXPECT_GT(error(0.5 * h), rounding) << "rounding has no slope";
    EXPECT_NEAR(measured_slope(error, h), 2., 0.15);
  }
}
}  // namespace symdyn::tests
