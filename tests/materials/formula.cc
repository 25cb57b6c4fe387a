// Materials/Type = formula: energies written in decks.
#include <gtest/gtest.h>

#include "tests/input.h"
#include "tests/materials.h"

namespace symdyn::tests::in_formula
{
namespace
{
std::unique_ptr<Material> formula(const std::string &psi, const std::string &constants = "")
{
  return make("formula", "set psi = " + psi + "\n" + (constants.empty() ? "" : "set Named constants = " + constants + "\n"));
}

std::string number(const double value)
{
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// C = FᵀF of random F about I, a curve of such.
Symmetric<Jet<Wide>> random_curve(const unsigned seed, const double size)
{
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> random(-size, size);
  Symmetric<Jet<Wide>> C;
  for (int i = 0; i < lanes; ++i)
  {
    double F[3][3];
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        F[k][l] = (k == l) + random(generator);
    for (int k = 0; k < 3; ++k)
      for (int l = k; l < 3; ++l)
        C(k, l).x.set(i, F[0][k] * F[0][l] + F[1][k] * F[1][l] + F[2][k] * F[2][l]);
    for (int m = 0; m < 6; ++m)
    {
      C[m].d.set(i, random(generator));
      C[m].dd.set(i, random(generator));
    }
  }
  return C;
}

Symmetric<Wide> values_of(const Symmetric<Jet<Wide>> &C) { return {{C[0].x, C[1].x, C[2].x, C[3].x, C[4].x, C[5].x}}; }

/// Largest difference of energy, stress, D, and of stress with two derivatives along curves, each relative to its largest value.
std::array<double, 4> differences(const Material &a, const Material &b, const double size = 0.25)
{
  std::array<double, 4> worst{}, largest{};
  const auto compare = [&](const int k, const Wide &x, const Wide &y) {
    for (int i = 0; i < lanes; ++i)
    {
      worst[k] = std::isfinite(x[i]) ? std::max(worst[k], std::abs(x[i] - y[i])) : INFINITY;
      largest[k] = std::max(largest[k], std::abs(y[i]));
    }
  };
  for (unsigned seed = 0; seed < 20; ++seed)
  {
    const Symmetric<Jet<Wide>> curve = random_curve(seed, size);
    const Symmetric<Wide> C = values_of(curve);
    compare(0, a.psi(C), b.psi(C));
    Symmetric<Wide> Sa, Sb;
    Tangent<Wide> Da, Db;
    a.tangent(C, Sa, Da);
    b.tangent(C, Sb, Db);
    const Symmetric<Wide> plain = a.stress(C);
    const auto along_a = a.stress(curve), along_b = b.stress(curve);
    for (int m = 0; m < 6; ++m)
    {
      compare(1, Sa[m], Sb[m]);
      compare(1, plain[m], Sb[m]);
      compare(3, along_a[m].d, along_b[m].d);
      compare(3, along_a[m].dd, along_b[m].dd);
      for (int n = 0; n < 6; ++n)
        compare(2, Da(m, n), Db(m, n));
    }
  }
  for (int k = 0; k < 4; ++k)
    worst[k] /= largest[k];
  return worst;
}

void expect_equal(const Material &a, const Material &b, const double tolerance = 1e-11)
{
  const std::array<double, 4> worst = differences(a, b);
  for (int k = 0; k < 4; ++k)
    EXPECT_LT(worst[k], tolerance) << (k == 0 ? "psi" : k == 1 ? "S" : k == 2 ? "D" : "dS/ds, d²S/ds²");
}

const std::string lame = "mu " + number(mu) + ", lambda " + number(lambda), neo_hooke = "mu/2*(I1 - 3 - 2*log(J)) + lambda/2*log(J)^2";

std::string refusal(const std::string &psi, const std::string &constants = "")
{
  return message([&] { formula(psi, constants); });
}
void expect_refused(const std::string &psi, const std::string &constants, const std::string &part)
{
  const std::string said = refusal(psi, constants);
  EXPECT_NE(said.find("test.prm:"), std::string::npos) << said;
  EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
}
}  // namespace

TEST(FormulaMaterial, IsTheLawOfTheSameEnergy)
{
  expect_equal(*formula(neo_hooke, lame), *make("neo-hooke-log", constants("neo-hooke-log")));
  expect_equal(*formula("mu/2*(I1/I3^(1/3) - 3) + kappa/2*(J - 1)^2", "mu " + number(mu) + ", kappa " + number(kappa)),
               *make("neo-hooke-quadratic", constants("neo-hooke-quadratic")));
  expect_equal(*formula("a*(J^(-2/3)*I1 - 3) + b*(J^(-4/3)*I2 - 3) + kappa/2*(J - 1)^2",
                        "a " + number(0.3 * mu) + ", b " + number(0.2 * mu) + ", kappa " + number(kappa)),
               *make("mooney-rivlin", constants("mooney-rivlin")));
  const std::string saint_venant = "lambda/8*(I1 - 3)^2 + mu/4*((C11 - 1)^2 + (C22 - 1)^2 + (C33 - 1)^2 + 2*(C12^2 + C13^2 + C23^2))";
  expect_equal(*formula(saint_venant, lame), *make("st-venant-kirchhoff", constants("st-venant-kirchhoff")));
  // The same by invariants: E : E = ((I1² - 2 I2) - 2 I1 + 3)/4.
  expect_equal(*formula("lambda/8*(I1 - 3)^2 + mu/4*(I1^2 - 2*I2 - 2*I1 + 3)", lame),
               *make("st-venant-kirchhoff", constants("st-venant-kirchhoff")));
  const std::array<double, 4> other = differences(*formula("mu/2*(I1 - 3 - 2*log(J)) + lambda/4*(J^2 - 1 - 2*log(J))", lame),
                                                  *make("neo-hooke-log", constants("neo-hooke-log")));
  for (const double difference : other)
    EXPECT_GT(difference, 1e-3) << "another energy is another law";
}

TEST(FormulaMaterial, DerivativesOfEachFunctionAreThoseOfItsEnergy)
{
  const std::string base = neo_hooke + " + mu*";
  for (const std::string part : {"(cosh(I1 - 3) - 1)",
                                 "(exp((I1 - 3)^2) - 1)",
                                 "sin(J - 1)^2",
                                 "(1 - cos(I2 - 3))",
                                 "tan(C12)^2",
                                 "asin(C12/9)^2",
                                 "(pi/2 - acos(C13/9))^2",
                                 "atan(C23)^2",
                                 "sinh(C12)*C12",
                                 "tanh(I1 - 3)^2",
                                 "(sqrt(I2/3) - 1)^2",
                                 "abs(J - 1)^3",
                                 "max(I1 - 3, 0)^3",
                                 "min(J - 1, 0)^4",
                                 "if(C11 > 1 && C22 > 0.5 || C33 < 0.5, (C11 - 1)^4, 2*(C11 - 1)^4)",
                                 "step(C11 - 1)*(C11 - 1)^4",
                                 "sign(C11 - 1)*(C11 - 1)^5",
                                 "(C11 >= 1 ? 3 : 2)*(C11 - 1)^4",
                                 "(C11 <= 1 ? 3 : 2)*(C11 - 1)^4",
                                 "(C11 == 1)*1e3",
                                 "(C11 != 1 ? 1 : 0)*(C11 - 1)^4",
                                 "pow(I1/3, J - 1)*(J - 1)^2"})
  {
    SCOPED_TRACE(part);
    const auto law = formula(base + part, lame);
    const std::array<double, 4> worst = differences(*law, *law->differentiated(), 0.2);
    for (const double difference : worst)
      EXPECT_LT(difference, 1e-10);
    EXPECT_NEAR(law->psi(identity<Wide>())[0], 0., 1e-12);
  }
}

TEST(FormulaMaterial, TakesTheFastWayWhereItsInvariantsAllow)
{
  EXPECT_TRUE(formula(neo_hooke, lame)->of_two_invariants());
  EXPECT_TRUE(formula(neo_hooke, lame)->response_ignores_trace());
  const auto isochoric = formula("mu/2*(I1/I3^(1/3) - 3) + kappa/2*(J - 1)^2", "mu 2, kappa 5");
  EXPECT_TRUE(isochoric->of_two_invariants());
  EXPECT_FALSE(isochoric->response_ignores_trace());
  EXPECT_FALSE(formula(neo_hooke + " + (I2 - 3)^2", lame)->of_two_invariants());
  EXPECT_FALSE(formula(neo_hooke + " + C12^2", lame)->of_two_invariants());
}

TEST(FormulaMaterial, EnergyCountsFromRest)
{
  const auto shifted = formula("7 + " + neo_hooke, lame);
  EXPECT_NEAR(shifted->psi(identity<Wide>())[0], 0., 1e-12);
  expect_equal(*shifted, *formula(neo_hooke, lame));
}

TEST(FormulaMaterial, ConstantsHaveUnits)
{
  const auto in = [](const std::string &system, const std::string &constants) {
    return make("formula", "set psi = " + neo_hooke + "\nset Named constants = " + constants +
                               "\nsubsection Units\n  set System = " + system + "\nend\n");
  };
  const auto expected = formula(neo_hooke, "mu 80000, lambda 120000");
  expect_equal(*in("SI", "mu 80 kPa, lambda 0.12 MPa"), *expected, 1e-14);
  expect_equal(*in("SI", "mu 80 kJ/m^3, lambda 120000 N/m^2"), *expected, 1e-14);
  expect_equal(*in("mm-t-s", "mu 80 kPa, lambda 120000 Pa"), *formula(neo_hooke, "mu 0.08, lambda 0.12"), 1e-13);
  EXPECT_GT(differences(*in("mm-t-s", "mu 80 kPa, lambda 120000 Pa"), *expected)[0], 0.1) << "Pa are not MPa";
  const std::string none = message([&] { in("none", "mu 80 kPa, lambda 1"); });
  EXPECT_NE(none.find("'mu 80 kPa': numbers have no units with Units/System = none"), std::string::npos) << none;
}

/// Each term is a stress. A constant without a unit may be a number or a stress.
TEST(FormulaMaterial, TermsAreStresses)
{
  for (const std::string constants : {"mu 80 kPa, lambda 0.12 MPa", "mu 80 kJ/m^3, lambda 120000", "mu 80 kPa, lambda 120 N/mm^2"})
    EXPECT_NO_THROW(formula(neo_hooke, constants)) << constants;
  // Chains with a limit (Gent 1996): no value where I1 - 3 >= 1.
  const std::string gent = "-mu/2*log(1 - (I1 - 3)) - mu*log(J) + k/2*log(J)^2";
  EXPECT_NO_THROW(formula(gent, "mu 80 kPa, k 2 MPa"));
  EXPECT_THROW(formula(gent, "mu 80 kPa, k 2 kg"), InputError);
  const std::string of_root = "sqrt(a*b)*(I1 - 3 - 2*log(J)) + c*a/2*log(J)^2";
  EXPECT_NO_THROW(formula(of_root, "a 80 kPa, b 0.12 MPa, c 0.3"));
  EXPECT_NO_THROW(formula(of_root, "a 80 N/m, b 0.12 Pa m^-1, c 0.3 1/m"));
  const std::string words = "is no J/m^3 (a stress, Pa) in each of its terms, by the units of Named constants";
  expect_refused(neo_hooke, "mu 80 kPa, lambda 2 kN", words + ". Mend the unit of 'lambda 2 kN'");
  expect_refused(neo_hooke, "mu 80 kg, lambda 2 kg", words + ". Mend their units");
  expect_refused(of_root, "a 80 kPa, b 0.12 m, c 0.3", words + ". Mend the unit of 'b 0.12 m'");
  expect_refused(neo_hooke, "mu 80 kN, lambda 120000", words);
}

TEST(FormulaMaterial, WhatIsWrongIsSaid)
{
  expect_refused("mu/2*(I1 - 3)", "mu 80", "has the stresses S11, S22, S33, S12, S13, S23 = 80, 80, 80, 0, 0, 0 Pa at rest");
  expect_refused("mu/2*(I1 - 3 - 2*log(J))", "mu -80", "is no minimum at rest");
  expect_refused("(J - 1)^2", "", "is no minimum at rest");
  expect_refused("mu/2*(I1 - 3 - 2*log(J)) + sqrt(I1 - 3)", "mu 80", "is not finite at rest");
  expect_refused("mu/2*(I1 - 3 - 2*log(K))", "mu 80", "formula 'mu/2*(I1 - 3 - 2*log(K))'");
  expect_refused("mu/2*(I1 - 3", "mu 80", "expected");
  expect_refused("sqrt(mu)*(I1 - 3)", "mu -80", "is not a finite number");
  expect_refused("(I1 - 3)/(mu - mu)", "mu 80", "is not a finite number");
  expect_refused("atan2(I1, 3)", "", "atan2 is not for energies");
  expect_refused(neo_hooke, lame + ", nu 0.3", "psi does not have the constant 'nu'");
  expect_refused(neo_hooke, "mu 80, lambda", "'lambda' is not a name and a number");
  expect_refused(neo_hooke, "mu 80, lambda x", "'lambda x' is not a name and a number");
  expect_refused(neo_hooke, "mu 80, mu 90", "the name 'mu' is taken");
  expect_refused(neo_hooke, "J 80", "the name 'J' is taken");
  expect_refused(neo_hooke, "mu 80 kPam, lambda 1", "'mu 80 kPam' is not a name and a number, with a unit that exists or without");
  for (const std::string name : {"2mu", "m-u", "m.u", "µ"})
    expect_refused(neo_hooke, name + " 80", "'" + name + "' is no name for formulas");
  for (const std::string name : {"log", "pi", "e", "max"})
    expect_refused(neo_hooke, name + " 80", "'" + name + "' is a function or a constant of all formulas");
  EXPECT_NE(message([] { make("formula", "set Named constants = mu 1\n"); }).find("psi is missing"), std::string::npos);
  std::string many = neo_hooke;
  for (int k = 0; k < 120; ++k)
    many += " + sin(" + std::to_string(k) + "*(J - 1))^2";
  expect_refused(many, lame, "operations; at most");
}
}  // namespace symdyn::tests::in_formula
