#include "solver/deck/formula/expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/deck/formula/expression_evaluate.h"
#include "solver/error.h"

namespace symdyn::tests::in_expression
{
using testing::IsSubstring;

namespace
{
double at(const std::string &text, const double x = 0., const double y = 0., const double z = 0., const double t = 0.)
{
  const double position[] = {x, y, z};
  return Expression(text).at(position, 3, t);
}

Jet<double> in_time(const std::string &text, const double t, const double x = 0., const double y = 0.)
{
  const double position[] = {x, y};
  return Expression(text).in_time(position, 2, t);
}

std::string message(const std::string &text)
{
  try
  {
    Expression expression(text);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  ADD_FAILURE() << "no InputError for " << text;
  return "";
}

void expect_jet(const Jet<double> &jet, const double x, const double d, const double dd)
{
  EXPECT_NEAR(jet.x, x, 1e-14 * (1. + std::abs(x)));
  EXPECT_NEAR(jet.d, d, 1e-14 * (1. + std::abs(d)));
  EXPECT_NEAR(jet.dd, dd, 1e-14 * (1. + std::abs(dd)));
}
}  // namespace

TEST(Expression, Precedence)
{
  EXPECT_EQ(at("1 + 2*3 - 4/2"), 5.);
  EXPECT_EQ(at("-x^2", 3.), -9.);
  EXPECT_EQ(at("(-x)^2", 3.), 9.);
  EXPECT_EQ(at("2^3^2"), 512.);
  EXPECT_EQ(at("2^-1"), 0.5);
  EXPECT_EQ(at("2*-x", 3.), -6.);
  EXPECT_EQ(at("- -x - -+x", 3.), 6.);
  EXPECT_EQ(at("8/4/2"), 1.);
  EXPECT_EQ(at("8-4-2"), 2.);
  EXPECT_EQ(at("1 + 1 < 3"), 1.);
  EXPECT_EQ(at("x > 0 && y > 0 || z > 0", 1., 0., 1.), 1.);
  EXPECT_EQ(at("x > 0 || y > 0 && z > 0", 1., 0., 0.), 1.);
  EXPECT_EQ(at("x < 1 ? 10 : x < 2 ? 20 : 30", 1.5), 20.);
  EXPECT_EQ(at("(x > 0 ? 1 : 2) + 3", 1.), 4.);
  EXPECT_EQ(at("3 + (x > 0 ? 1 : 2)", -1.), 5.);
  EXPECT_EQ(at("x == 1", 1.) + at("x != 1", 1.) + at("x <= 1", 1.) + at("x >= 1", 1.), 3.);
}

TEST(Expression, FunctionsAndConstants)
{
  const double x = 0.3, y = 0.7;
  const std::pair<const char *, double> values[] = {{"sin(x)", std::sin(x)},
                                                    {"cos(x)", std::cos(x)},
                                                    {"tan(x)", std::tan(x)},
                                                    {"asin(x)", std::asin(x)},
                                                    {"acos(x)", std::acos(x)},
                                                    {"atan(x)", std::atan(x)},
                                                    {"atan2(x, y)", std::atan2(x, y)},
                                                    {"sinh(x)", std::sinh(x)},
                                                    {"cosh(x)", std::cosh(x)},
                                                    {"tanh(x)", std::tanh(x)},
                                                    {"exp(x)", std::exp(x)},
                                                    {"log(x)", std::log(x)},
                                                    {"sqrt(x)", std::sqrt(x)},
                                                    {"abs(-x)", x},
                                                    {"sign(-x)", -1.},
                                                    {"sign(0*x)", 0.},
                                                    {"min(x, y)", x},
                                                    {"max(x, y)", y},
                                                    {"min(y, 1, x)", x},
                                                    {"pow(x, y)", std::pow(x, y)},
                                                    {"x^y", std::pow(x, y)},
                                                    {"if(x < y, 1, 2)", 1.},
                                                    {"if(x > y, 1, 2)", 2.},
                                                    {"step(x)", 1.},
                                                    {"step(-x)", 0.},
                                                    {"step(0*x)", 1.},
                                                    {"pi + e", M_PI + M_E},
                                                    {"1e-3 + .5 + 2.", 2.501}};
  for (const auto &[text, value] : values)
    EXPECT_DOUBLE_EQ(at(text, x, y), value) << text;
}

TEST(Expression, KnowsConstantsAndVariables)
{
  for (const char *zero : {"0", "0.0", "2*0", "sin(0)", "1 - 1", "-0", "1 < 0", "1 > 0 ? 0 : x", "if(0, x, 0)"})
    EXPECT_TRUE(Expression(zero).is_zero()) << zero;
  for (const char *other : {"1", "x", "0*x", "x > 0 ? 0 : 0"})
    EXPECT_FALSE(Expression(other).is_zero()) << other;
  EXPECT_TRUE(Expression().is_zero());
  EXPECT_FALSE(Expression(2.).is_zero());
  EXPECT_EQ(Expression(0.1).text(), "0.1");
  EXPECT_EQ(Expression(" x + 1 ").text(), "x + 1");
  EXPECT_TRUE(Expression("sin(t)*x").uses("t"));
  EXPECT_FALSE(Expression("sin(t)*x").uses("y"));
  EXPECT_EQ(at("(1 > 0 ? x + 1 : y)*2", 3.), 8.);
  EXPECT_EQ(at("(1 < 0 ? x : (y > 0 ? y : x))*2 + 1", 3., 4.), 9.);
}

TEST(Expression, OwnVariables)
{
  const Expression potential("eps*((s/r)^12 - (s/r)^6)", {"r", "s", "eps"});
  const double variables[] = {2., 1., 4.};
  EXPECT_DOUBLE_EQ(potential(variables), 4. * (std::pow(0.5, 12) - std::pow(0.5, 6)));
  EXPECT_EQ(potential.variables().size(), 3u);
}

TEST(Expression, TimeDerivatives)
{
  const double t = 0.7;
  expect_jet(in_time("3", t), 3., 0., 0.);
  expect_jet(in_time("x*t^3", t, 2.), 2. * t * t * t, 6. * t * t, 12. * t);
  expect_jet(in_time("sin(2*t)", t), std::sin(1.4), 2. * std::cos(1.4), -4. * std::sin(1.4));
  expect_jet(in_time("2^t", t), std::pow(2., t), std::log(2.) * std::pow(2., t), std::pow(std::log(2.), 2) * std::pow(2., t));
  expect_jet(in_time("atan2(sin(t), cos(t))", t), t, 1., 0.);
  expect_jet(in_time("atan2(sin(t), cos(t))", 2.), 2., 1., 0.);
  expect_jet(in_time("atan2(sin(t), cos(t))", -3.), -3., 1., 0.);
}

TEST(Expression, DerivativesAtSingularPlaces)
{
  expect_jet(in_time("t^2", 0.), 0., 0., 2.);
  expect_jet(in_time("t^1", 0.), 0., 1., 0.);
  expect_jet(in_time("t^0", 0.), 1., 0., 0.);
  expect_jet(in_time("pow(t, 3)", 0.), 0., 0., 0.);
  expect_jet(in_time("(-2)^3*t", 1.), -8., -8., 0.);
  expect_jet(in_time("t^y", -2., 0., 3.), -8., 12., -12.);
  expect_jet(in_time("sqrt(x)*t", 2.), 0., 0., 0.);
  expect_jet(in_time("x^t", 2.), 0., 0., 0.);
  EXPECT_EQ(in_time("sqrt(t)", 0.).d, INFINITY);
}

TEST(Expression, DerivativesOfTheActiveBranch)
{
  expect_jet(in_time("abs(t)", -2.), 2., -1., 0.);
  expect_jet(in_time("min(t, t^2)", 0.5), 0.25, 1., 2.);
  expect_jet(in_time("max(t, t^2)", 0.5), 0.5, 1., 0.);
  expect_jet(in_time("step(t - 1)*t", 2.), 2., 1., 0.);
  expect_jet(in_time("sign(t)*t", -2.), 2., -1., 0.);
  expect_jet(in_time("if(t < 1, t^2, log(t))", 0.5), 0.25, 1., 2.);
  expect_jet(in_time("t > 0 ? log(t) : 0", -1.), 0., 0., 0.);  // the other branch is not evaluated
}

TEST(Expression, DerivativesAgreeWithDifferences)
{
  const char *const formulas[] = {"sin(t)",  "cos(t)",      "tan(t)",      "asin(t)",     "acos(t)",           "atan(t)", "sinh(t)",
                                  "cosh(t)", "tanh(t)",     "exp(t)",      "log(t)",      "sqrt(t)",           "t^2.5",   "t^-2",
                                  "t^t",     "1/(1 + t^2)", "atan2(t, 2)", "atan2(2, t)", "exp(-t)*sin(3*t)^2"};
  const double t = 0.4, h = 1e-3;
  for (const std::string text : formulas)
  {
    const Jet<double> jet = in_time(text, t);
    // Central differences of fourth order of the level below.
    const auto difference = [&](const auto &f) { return (8. * (f(t + h) - f(t - h)) - (f(t + 2. * h) - f(t - 2. * h))) / (12. * h); };
    EXPECT_DOUBLE_EQ(jet.x, at(text, 0, 0, 0, t)) << text;
    EXPECT_NEAR(jet.d, difference([&](double s) { return in_time(text, s).x; }), 1e-8 * (1. + std::abs(jet.d))) << text;
    EXPECT_NEAR(jet.dd, difference([&](double s) { return in_time(text, s).d; }), 1e-8 * (1. + std::abs(jet.dd))) << text;
  }
}

TEST(Expression, SeriesHaveThirdDerivatives)
{
  using formula::Code;
  const double x = 0.4, h = 1e-3;
  const auto difference = [&](const auto &f) { return (8. * (f(x + h) - f(x - h)) - (f(x + 2. * h) - f(x - 2. * h))) / (12. * h); };
  for (int code = static_cast<int>(Code::sin); code <= static_cast<int>(Code::sqrt); ++code)
  {
    const auto f = [&](double s) { return formula::series(static_cast<Code>(code), s)[2]; };
    EXPECT_NEAR(formula::series(static_cast<Code>(code), x)[3], difference(f), 1e-7) << code;
  }
  EXPECT_NEAR(formula::power_series(x, 3.5)[3], difference([](double s) { return formula::power_series(s, 3.5)[2]; }), 1e-8);
}

TEST(Expression, ErrorsNameTheTextAndThePlace)
{
  EXPECT_EQ(message("sin(x"), "formula 'sin(x', position 6: expected ')' at its end.");
  EXPECT_EQ(message(""), "formula '', position 1: expected a number, a name or '(' at its end.");
  EXPECT_EQ(message("x + * y"), "formula 'x + * y', position 5: expected a number, a name or '(' at '* y'.");
  EXPECT_EQ(message("2x"), "formula '2x', position 2: expected an operator or the end at 'x'.");
  EXPECT_EQ(message("x = 1"), "formula 'x = 1', position 3: a comparison is '==' at '= 1'.");
  EXPECT_EQ(message("0 < t < 1"), "formula '0 < t < 1', position 7: for a < b < c write a < b && b < c at '< 1'.");
  EXPECT_EQ(message("x ? 1"), "formula 'x ? 1', position 6: expected ':' at its end.");
  EXPECT_EQ(message("sin"), "formula 'sin', position 4: expected '(' after the function 'sin' at its end.");
  EXPECT_PRED_FORMAT2(IsSubstring, "position 6: sin takes 1 argument; expected ')' at ', y)'", message("sin(x, y)"));
  EXPECT_PRED_FORMAT2(IsSubstring, "position 6: expected ','", message("pow(x)"));
  EXPECT_PRED_FORMAT2(IsSubstring, "position 1: expected a number that a double can hold", message("1e999"));
  EXPECT_PRED_FORMAT2(IsSubstring, "position 4: the constant that ends here is not finite.", message("1/0"));
  EXPECT_PRED_FORMAT2(IsSubstring, "position 3: expected an operator", message("x $ y"));
}

TEST(Expression, RefusesConstantsThatAreNotFinite)
{
  EXPECT_PRED_FORMAT2(IsSubstring, "is not finite", message("x + 1/(2 - 2)"));
  EXPECT_PRED_FORMAT2(IsSubstring, "is not finite", message("t*sqrt(-1)"));
}

TEST(Expression, UnknownNamesListTheNearest)
{
  EXPECT_PRED_FORMAT2(IsSubstring, "formula 'x + sine(t)', position 5: 'sine' is not known.", message("x + sine(t)"));
  EXPECT_PRED_FORMAT2(IsSubstring, "functions: sin, sinh", message("x + sine(t)"));
  EXPECT_PRED_FORMAT2(IsSubstring, "'X' is not known. Variables and constants: x, ", message("X + 1"));
}

TEST(Expression, RefusesWhatTheStackCannotHold)
{
  std::string right = "x", powers = "x";
  for (int i = 0; i < formula::stack_size - 1; ++i)
    right = "x + (" + right + ")";
  EXPECT_EQ(at(right, 1.), formula::stack_size);
  EXPECT_PRED_FORMAT2(IsSubstring, "needs more than 32 intermediate values", message("x + (" + right + ")"));
  for (int i = 0; i < 100000; ++i)
    powers += "^x";
  EXPECT_PRED_FORMAT2(IsSubstring, "nested too deeply", message(std::string(100000, '(')));
  EXPECT_PRED_FORMAT2(IsSubstring, "nested too deeply", message(powers));
}
}  // namespace symdyn::tests::in_expression
