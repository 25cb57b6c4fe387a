// Damping of solids: R and its derivative, what rigid motions and momenta make of it, ratios, bad input.
#include <gtest/gtest.h>

#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/input.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_damping
{
namespace
{
const std::string initial = "set Stiffness proportional = 0.03\n", current = initial + "set Stiffness = current\n",
                  viscous = "set Kelvin-Voigt = 0.05\n", massive = "set Mass proportional = 0.7\n";

template <int dim>
std::string box(const std::string &cells, const int degree, const std::string &material)
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = " + std::string(dim == 2 ? "2, 2" : "1, 2, 1") + "\nset Cell shape = " + cells +
                        "\nset Order = " + std::to_string(degree) + "\n" +
                        subsection("box", "set Size = " + std::string(dim == 2 ? "1, 1.5" : "1, 1.5, 1.2") + "\nset Distortion = 0.2")) +
         made_of(material);
}

template <int dim>
using Test = std::function<void(Body<dim> &)>;

template <int dim>
void for_each_body(const std::string &damping, const Test<dim> &test)
{
  for (const auto &[cells, degree, material] : {std::tuple{"hexahedra", 1, "neo-hooke-quadratic"},
                                                {"hexahedra", 2, "ogden"},
                                                {"tetrahedra", 1, "st-venant-kirchhoff"},
                                                {"tetrahedra", 2, "mooney-rivlin"},
                                                {"hexahedra", 1, "linear-elasticity"}})
  {
    SCOPED_TRACE(std::to_string(dim) + "-D " + cells + " " + std::to_string(degree) + " " + material + "\n" + damping);
    Body<dim> body(box<dim>(cells, degree, material) + subsection("Damping", damping));
    test(body);
  }
}

template <int dim>
Vector deformed(const Body<dim> &body, const double size, const unsigned int seed)
{
  const Vector q = body.nodal([size](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u;
    u[0] = size * (X[0] + X[1] * X[1]);
    u[1] = size * (X[0] - 0.5 * X[dim - 1] * X[0]);
    return u;
  });
  return moved(q, 1., Random(seed).vector(q, 0.02 * size));
}

template <int dim>
void test_derivatives(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector q = deformed(body, 0.1, 1), v = Random(2).vector(q, 1.), w = Random(3).vector(q, 1.);
  Vector f = system.new_vector(), Cw = f, other = f;
  system.damping_force(q, v, f);
  const double R = system.dissipation(q, v), scale = f.l2_norm() * w.l2_norm();
  EXPECT_NEAR(R, 0.5 * (f * v), 1e-13 * R);
  // R is quadratic in v, so that any difference is exact.
  const double slope = 0.5 * (system.dissipation(q, moved(v, 1., w)) - system.dissipation(q, moved(v, -1., w)));
  EXPECT_NEAR(slope, f * w, 1e-12 * scale);
  // The matrix of factor().
  system.damping_force(q, w, Cw);
  system.factor(0.3 * C, 0., q, v)->multiply(w, other);
  other *= 1. / 0.3;
  EXPECT_LT(distance(Cw, other), 1e-12 * Cw.l2_norm());
  EXPECT_NEAR(Cw * v, f * w, 1e-12 * scale) << "C is not symmetric";
}

/// v = omega × (X + u): the same spin in any configuration.
template <int dim>
Vector spin(const Body<dim> &body, const Vector &q)
{
  Vector xi = body.system().new_vector(), sum = xi;
  for (std::size_t i = dim; i < body.system().unknowns().momenta().size(); ++i)
  {
    body.system().unknowns().generator(i, q, xi);
    sum.add(1. + 0.3 * i, xi);
  }
  sum.update_ghost_values();
  return sum;
}

/// R of a rigid spin over R of a deformation of the same size.
template <int dim>
double spin_damping(Body<dim> &body)
{
  const Vector q = body.nodal([](const dealii::Point<dim> &X) {  // turned by a right angle
    dealii::Tensor<1, dim> u;
    u[0] = -X[1] - X[0] + 3.;
    u[1] = X[0] - X[1];
    return u;
  });
  const MechanicalSystem &system = body.system();
  return system.dissipation(q, spin(body, q)) / system.dissipation(q, deformed(body, 1., 4));
}

/// Largest |f·xi| / (|f| |xi|) over translations and rotations, of a deformed body.
template <int dim>
double momentum_damping(Body<dim> &body, const bool rotations)
{
  const MechanicalSystem &system = body.system();
  const Vector q = deformed(body, 0.2, 5), v = Random(6).vector(q, 1.);
  Vector f = system.new_vector(), xi = f;
  system.damping_force(q, v, f);
  double largest = 0;
  for (std::size_t i = rotations ? dim : 0; i < (rotations ? system.unknowns().momenta().size() : dim); ++i)
  {
    system.unknowns().generator(i, q, xi);
    largest = std::max(largest, std::abs(f * xi) / (f.l2_norm() * xi.l2_norm()));
  }
  return largest;
}

/// A bar of 20 cells that vibrates along its axis, held at the left.
struct Bar
{
  explicit Bar(const std::string &damping)
      : body(subsection("Mesh", "set Type = box\nset Subdivisions = 20, 1\n" + subsection("box", "set Size = 2, 0.1")) +
             subsection("Materials", subsection("body", "set Type = linear-elasticity\nset Density = 1000\nset E = 4e6\nset nu = 0")) +
             subsection("Supports", subsection("wall", "set Boundary = x-")) + subsection("Damping", damping))
  {
  }
  /// sin((k - ½) pi x/L), an eigenvector of the uniform mesh too.
  Vector mode(const int k) const
  {
    return body.nodal([k](const dealii::Point<2> &X) {
      return dealii::Tensor<1, 2>({std::sin((k - 0.5) * std::acos(-1.) * X[0] / 2.), 0.});
    });
  }
  double frequency(const int k) const
  {
    const Vector u = mode(k);
    Vector Ku = u, Mu = u;
    body.system().stiffness(u, u, Ku);
    body.system().mass(u, Mu);
    return std::sqrt((u * Ku) / (u * Mu));
  }
  /// Of the decay over 5.3 periods: (v + zeta w x)² + (1 - zeta²) w² x² falls like exp(-2 zeta w t).
  double ratio(const int k, const double expected) const
  {
    const double w = frequency(k), h = 0.01 / w;
    const int n = int(5.3 * 2. * std::acos(-1.) / (w * h));
    State state;
    state.q = mode(k);
    state.v = state.a = body.system().new_vector();
    const Scheme scheme("newmark");
    const State after = scheme.run(body.system(), state, h, n);
    Vector Mu = state.v;
    body.system().mass(state.q, Mu);
    const double x = (after.q * Mu) / (state.q * Mu), v = (after.v * Mu) / (state.q * Mu);
    const auto size = [&](const double x, const double v) {
      return std::pow(v + expected * w * x, 2) + (1. - expected * expected) * w * w * x * x;
    };
    return -std::log(size(x, v) / size(1., 0.)) / (2. * w * h * n);
  }
  Body<2> body;
};

std::string number(const double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

std::string refusal(const std::string &entries)
{
  return message([&] { Body<2> body(box<2>("hexahedra", 1, "neo-hooke-log") + subsection("Damping", entries)); });
}

void expect_words(const std::string &text, const std::vector<std::string> &words)
{
  for (const std::string &word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
}
}  // namespace

TEST(Damping, ForceIsDerivativeOfDissipation)
{
  for (const std::string &damping : {initial, current, viscous, massive, massive + current + viscous})
  {
    for_each_body<2>(damping, test_derivatives<2>);
    for_each_body<3>(damping, test_derivatives<3>);
  }
}

TEST(Damping, RigidSpinIsFreeOfKelvinVoigtOnly)
{
  Body<3> kelvin_voigt(box<3>("hexahedra", 2, "neo-hooke-log") + subsection("Damping", viscous));
  Body<3> rayleigh(box<3>("hexahedra", 2, "neo-hooke-log") + subsection("Damping", initial));
  Body<3> mass(box<3>("hexahedra", 2, "neo-hooke-log") + subsection("Damping", massive));
  EXPECT_LT(std::abs(spin_damping(kelvin_voigt)), 1e-25);
  EXPECT_GT(spin_damping(rayleigh), 0.1);
  EXPECT_GT(spin_damping(mass), 0.1);
}

TEST(Damping, KelvinVoigtKeepsMomenta)
{
  for (const std::string material : {"neo-hooke-log", "st-venant-kirchhoff", "ogden"})
  {
    SCOPED_TRACE(material);
    const auto torque = [&](const std::string &damping, const bool rotations) {
      Body<3> body(box<3>("tetrahedra", 2, material) + subsection("Damping", damping));
      return momentum_damping(body, rotations);
    };
    EXPECT_LT(torque(viscous, true), 1e-15);
    EXPECT_LT(torque(viscous, false), 1e-15);
    EXPECT_GT(torque(initial, true), 1e-4);
    EXPECT_GT(torque(current, true), 1e-4);
    EXPECT_LT(torque(initial, false), 1e-15);
    EXPECT_GT(torque(massive, false), 1e-4);
  }
}

TEST(Damping, TakesEnergyOnly)
{
  Body<3> body(box<3>("hexahedra", 1, "st-venant-kirchhoff") + subsection("Damping", viscous));
  Body<3> softening(box<3>("hexahedra", 1, "st-venant-kirchhoff") + subsection("Damping", current));
  double lowest = 1., lowest_current = 1.;
  for (int seed = 1; seed < 50; ++seed)
  {
    // Pressed to less than half, where Saint-Venant's law softens.
    const Vector q = body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({-0.55 * X[0], 0., 0.}); });
    const Vector v = Random(seed).vector(q, 1.);
    lowest = std::min(lowest, body.system().dissipation(q, v));
    lowest_current = std::min(lowest_current, softening.system().dissipation(q, v));
  }
  EXPECT_GT(lowest, 0.);
  EXPECT_LT(lowest_current, 0.) << "the negative control";
}

TEST(Damping, ABarDecaysWithItsRatios)
{
  const double two_pi = 2. * std::acos(-1.);
  const Bar undamped("set Mass proportional = 1e-9");
  const double w1 = undamped.frequency(1), w2 = undamped.frequency(2);
  const Bar bar("set Ratios = 0.02, " + number(w1 / two_pi) + ", 0.05, " + number(w2 / two_pi));
  EXPECT_NEAR(bar.ratio(1, 0.02), 0.02, 2e-5);
  EXPECT_NEAR(bar.ratio(2, 0.05), 0.05, 5e-5);
  const double tau = 0.06 / w1;
  const Bar kelvin_voigt("set Kelvin-Voigt = " + number(tau));
  EXPECT_NEAR(kelvin_voigt.ratio(1, 0.03), 0.03, 3e-5);
  EXPECT_NEAR(undamped.ratio(1, 0.), 0., 1e-7);
}

TEST(Damping, RatiosGiveTheCoefficients)
{
  const auto fitted = [](const std::string &entries) {
    Deck deck = Deck::from_text(subsection("Damping", entries), "test.prm");
    Damping damping;
    damping.declare(deck.root().section("Damping"));
    deck.finish();
    return damping;
  };
  const Damping damping = fitted("set Ratios = 0.02, 5, 0.02, 50");
  EXPECT_NEAR(damping.ratio(5), 0.02, 1e-15);
  EXPECT_NEAR(damping.ratio(50), 0.02, 1e-15);
  EXPECT_NEAR(damping.mass, 1.1423973, 1e-7);  // Chopra, eq. 11.4.10: zeta 2 w1 w2/(w1 + w2)
  EXPECT_NEAR(damping.stiffness, 1.1574905e-4, 1e-11);
  expect_words(damping.report(),
               {"alpha_M = 1.1424 1/s", "alpha_K = 0.000115749 s", "0.02 at 5 Hz", "0.02 at 50 Hz", "smallest between 0.0115 at 15.81 Hz"});
  EXPECT_EQ(fitted("set Ratios = 0.01, 10, 0.02, 20").mass, 0.);
  EXPECT_EQ(fitted("set Ratios = 0.02, 10, 0.01, 20").stiffness, 0.);
  EXPECT_EQ(fitted("set Mass proportional = 1").report(), "");
}

TEST(Damping, RefusesWhatCannotBe)
{
  expect_words(refusal("set Ratios = 0.02, 5, 0.02, 50\nset Mass proportional = 1"), {"Ratios", "\"Mass proportional\" is given too"});
  expect_words(refusal("set Ratios = 0.02, 5, 0.02"), {"four numbers"});
  expect_words(refusal("set Ratios = 0.02, 5, 0.02, 5"), {"two different frequencies"});
  expect_words(refusal("set Ratios = 0.01, 5, 0.2, 50"), {"alpha_M = -", "low modes", "zeta2 must be in [0.001, 0.1]"});
  expect_words(refusal("set Ratios = 0.1, 5, 0.005, 50"), {"alpha_K = -", "high modes"});
  expect_words(refusal("set Ratios = -0.1, 5, 0.005, 50"), {"Ratios"});
  expect_words(refusal("set Stiffness = current"), {"[Damping] Stiffness", "has no effect without a coefficient"});
  expect_words(refusal("set Kelvin-Voigt = -1"), {"Kelvin-Voigt"});
  expect_words(refusal("set Kelvin-Voigt = 0"), {"the damping has no effect"});
}

TEST(Damping, FeaturesTell)
{
  const auto has = [](const std::string &damping, const std::string &material) {
    Body<2> body(box<2>("hexahedra", 1, material) + subsection("Damping", damping));
    return std::array{body.system().has(Feature::damping), body.system().has(Feature::stiffness_damping),
                      body.system().has(Feature::nonlinear_damping)};
  };
  EXPECT_EQ(has(massive, "neo-hooke-log"), (std::array{true, false, false}));
  EXPECT_EQ(has(initial, "neo-hooke-log"), (std::array{true, true, false}));
  EXPECT_EQ(has(current, "neo-hooke-log"), (std::array{true, true, true}));
  EXPECT_EQ(has(viscous, "neo-hooke-log"), (std::array{true, true, true}));
  EXPECT_EQ(has(viscous, "linear-elasticity"), (std::array{true, true, false}));
}

/// M + gamma h C of a lumped, mass-proportionally damped body is a diagonal: a dense matrix of its size would be refused.
TEST(Damping, ExplicitStepMakesNoMatrix)
{
  const std::string mesh = subsection("Mesh", "set Type = box\nset Subdivisions = 13, 13, 13") + made_of("neo-hooke-log") +
                           subsection("Elements", "set Mass = lumped") + subsection("Linear solver", "set Type = dense") +
                           subsection("Supports", subsection("wall", "set Boundary = x-"));
  Body<3> body(mesh + subsection("Damping", massive));
  const MechanicalSystem &system = body.system();
  const Vector zero = system.new_vector(), r = Random(1).vector(zero, 1.);
  Vector x = zero, Mx = zero, Ax = zero;
  const double h = 0.1;
  const auto A = system.factor(M + 0.5 * h * C, 0., zero, zero);
  EXPECT_EQ(A->solve(r, x, 1e-14), 0);
  system.mass(x, Mx);
  Mx *= 1. + 0.5 * h * 0.7;
  A->multiply(x, Ax);
  Vector expected = r;
  system.project(expected);
  EXPECT_LT(distance(Mx, expected), 1e-14 * r.l2_norm());
  EXPECT_LT(distance(Ax, expected), 1e-14 * r.l2_norm());
  EXPECT_THROW(system.factor(M + 0.1 * K, 0., zero, zero)->iterative(), InputError);
}

/// The dependence of C on q is left out of the tangent: convergence is linear with a rate of about h |Edot|.
TEST(Damping, NewtonConvergesWithDampingThatDependsOnTheState)
{
  for (const std::string &damping : {initial, current, viscous})
  {
    SCOPED_TRACE(damping);
    Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2") + made_of("neo-hooke-log") +
                 subsection("Damping", damping) + subsection("Supports", subsection("wall", "set Boundary = x-")));
    State state;
    state.q = state.a = body.system().new_vector();
    state.v = body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({2. * X[0], X[0] * X[1], -X[0]}); });
    Scheme scheme("newmark");
    scheme.newton.tolerance = 1e-10;
    scheme.integrator->start(body.system(), state, 0.02);
    int iterations = 0;
    for (int n = 0; n < 10; ++n)
      iterations += scheme.integrator->step(body.system(), state, 0.02).newton;
    std::printf("%s10 steps, h |Edot| = 0.04: %d iterations\n", damping.c_str(), iterations);
    EXPECT_LE(iterations, 80);
  }
}
}  // namespace symdyn::tests::in_damping
