#include "materials/hyperelastic/formula_code.h"

#include <algorithm>
#include <cmath>

#include "solver/error.h"

namespace symdyn
{
int FormulaGraph::entered(const FormulaValue &value)
{
  const auto [found, is_new] = known.emplace(value.key(), int(values.size()));
  if (is_new)
    values.push_back(value);
  return found->second;
}

int FormulaGraph::constant(const double number)
{
  if (!std::isfinite(number))  // it would be equal to any key
    throw InputError(
        "a part of the formula that is constant is not a finite number: a root or logarithm of a negative one, or a division by 0");
  return entered({Code::constant, -1, -1, -1, number});
}

int FormulaGraph::add(const int a, const int b)
{
  if (at(a).code == Code::constant && at(b).code == Code::constant)
    return constant(at(a).number + at(b).number);
  return is_constant(a, 0.) ? b : is_constant(b, 0.) ? a : entered({Code::add, std::min(a, b), std::max(a, b)});
}

int FormulaGraph::subtract(const int a, const int b)
{
  if (a == b)
    return constant(0.);
  return is_constant(b, 0.) || at(b).code == Code::constant || is_constant(a, 0.) ? add(a, multiply(constant(-1.), b))
                                                                                  : entered({Code::subtract, a, b});
}

int FormulaGraph::multiply(const int a, const int b)
{
  if (at(b).code == Code::constant && at(a).code != Code::constant)
    return multiply(b, a);
  if (at(a).code != Code::constant)
    return entered({Code::multiply, std::min(a, b), std::max(a, b)});
  const double factor = at(a).number;
  if (at(b).code == Code::constant)
    return constant(factor * at(b).number);
  if (factor == 0. || factor == 1.)
    return factor == 0. ? a : b;
  const FormulaValue second = at(b);
  return second.code == Code::multiply && second.b < 0 ? multiply(constant(factor * second.number), second.a)
                                                       : entered({Code::multiply, b, -1, -1, factor});
}

int FormulaGraph::divide(const int a, const int b)
{
  if (at(b).code == Code::constant)
    return multiply(constant(1. / at(b).number), a);
  return is_constant(a, 0.) ? a : entered({Code::divide, a, b});
}

/// The first three variables are the invariants of C.
bool FormulaGraph::is_positive(const int a) const { return at(a).code == Code::variable && at(a).a < 3; }

int FormulaGraph::power(const int a, const double p)
{
  constexpr double most_products = 8.;
  const FormulaValue base = at(a);
  if (base.code == Code::constant)
    return constant(formula::power(base.number, p));
  if (p == 0. || p == 1.)
    return p == 0. ? constant(1.) : a;
  if (base.code == Code::sqrt)
    return power(base.a, 0.5 * p);
  const double whole = std::floor(p);
  if (std::abs(p) > most_products)
    return entered({Code::power_constant, a, -1, -1, p});
  if (p == whole && p > 0.)
  {
    const int half = power(a, std::floor(0.5 * p)), square = multiply(half, half);
    return std::fmod(p, 2.) == 0. ? square : multiply(square, a);
  }
  if (p == whole)
    return divide(constant(1.), power(a, -p));
  if (2. * p == std::floor(2. * p))
    return p == 0.5 ? entered({Code::sqrt, a}) : multiply(power(a, p - 0.5), power(a, 0.5));
  const double thirds = std::round(3. * p);
  if (is_positive(a) && std::abs(3. * p - thirds) < 1e-14)
  {
    const double up = std::ceil(std::max(p, 0.));  // a^p = a^up (a^(-1/3))^(3 (up - p))
    const int root = entered({Code::power_constant, a, -1, -1, -1. / 3.});
    return multiply(power(a, up), power(root, 3. * up - thirds));
  }
  return entered({Code::power_constant, a, -1, -1, p});
}

int FormulaGraph::function(const Code code, const int a)
{
  const FormulaValue v = at(a);
  if (v.code == Code::constant)
    return constant(formula::apply(code, v.number));
  const int zero = constant(0.);
  switch (code)
  {
    case Code::negate:
      return multiply(constant(-1.), a);
    case Code::abs:
      return choose(less(a, zero), multiply(constant(-1.), a), a);
    case Code::sign:
      return subtract(less(zero, a), less(a, zero));
    case Code::step:
      return opposite(less(a, zero));
    case Code::sqrt:
      return power(a, 0.5);
    case Code::log:
      if (v.code == Code::sqrt)
        return multiply(constant(0.5), function(Code::log, v.a));
      return entered({code, a});
    default:
      return entered({code, a});
  }
}

int FormulaGraph::less(const int a, const int b)
{
  if (at(a).code == Code::constant && at(b).code == Code::constant)
    return constant(at(a).number < at(b).number);
  return a == b ? constant(0.) : entered({Code::less, a, b});
}

int FormulaGraph::choose(const int condition, const int first, const int second)
{
  if (at(condition).code == Code::constant)
    return at(condition).number != 0. ? first : second;
  return first == second ? first : entered({Code::jump_if_zero, truth_of(condition), first, second});
}

/// 1 where a is not 0.
int FormulaGraph::truth_of(const int a) { return at(a).code == Code::less ? a : unequal(a, constant(0.)); }

int FormulaGraph::two(const Code code, const int a, const int b)
{
  switch (code)
  {
    case Code::add:
      return add(a, b);
    case Code::subtract:
      return subtract(a, b);
    case Code::multiply:
      return multiply(a, b);
    case Code::divide:
      return divide(a, b);
    case Code::power:
      return at(b).code == Code::constant ? power(a, at(b).number) : function(Code::exp, multiply(b, function(Code::log, a)));
    case Code::less:
      return less(a, b);
    case Code::greater:
      return less(b, a);
    case Code::less_equal:
      return opposite(less(b, a));
    case Code::greater_equal:
      return opposite(less(a, b));
    case Code::equal:
      return opposite(unequal(a, b));
    case Code::not_equal:
      return unequal(a, b);
    case Code::logical_and:
      return multiply(truth_of(a), truth_of(b));
    case Code::logical_or:
      return choose(a, constant(1.), truth_of(b));
    case Code::min:
      return choose(less(b, a), b, a);
    case Code::max:
      return choose(less(a, b), b, a);
    default:
      throw InputError("the function atan2 is not for energies");
  }
}

void FormulaGraph::run(const formula::Instruction *i, const formula::Instruction *const end, const std::vector<int> &of_names,
                       std::vector<int> &stack)
{
  const auto taken = [&] {
    const int top = stack.back();
    stack.pop_back();
    return top;
  };
  for (; i != end; ++i)
    if (i->code == Code::jump_if_zero)
    {
      const formula::Instruction *const over = i + i->index, *const after = over + over->index + 1;
      const int condition = taken();
      run(i + 1, over, of_names, stack);
      const int first = taken();
      run(over + 1, after, of_names, stack);
      const int second = taken();
      stack.push_back(choose(condition, first, second));
      i = after - 1;
    }
    else if (i->code == Code::constant || i->code == Code::variable)
      stack.push_back(i->code == Code::constant ? constant(i->constant) : of_names[i->index]);
    else if (i->code == Code::power_constant)
      stack.push_back(power(taken(), i->constant));
    else if (formula::takes_two(i->code))
    {
      const int b = taken(), a = taken();
      stack.push_back(two(i->code, a, b));
    }
    else
      stack.push_back(function(i->code, taken()));
}

int FormulaGraph::read(const std::string &text, const std::vector<std::string> &names, const std::vector<int> &of_names)
{
  const std::vector<formula::Instruction> program = formula::parse(text, names);
  std::vector<int> stack;
  run(program.data(), program.data() + program.size(), of_names, stack);
  return stack.front();
}

bool FormulaGraph::depends(const int value, const int variable) const
{
  std::vector<bool> yes(value + 1);
  for (int i = 0; i <= value; ++i)
  {
    const FormulaValue &v = at(i);
    yes[i] = i == variable;
    for (const int of : {v.a, v.b, v.c})
      yes[i] = yes[i] || (v.code != Code::variable && of >= 0 && yes[of]);
  }
  return yes[value];
}

int FormulaGraph::derivative(const int value, const int variable)
{
  if (value == variable)
    return constant(1.);
  if (!depends(value, variable))
    return constant(0.);
  const auto found = slopes.find({value, variable});
  if (found != slopes.end())
    return found->second;
  const int slope = slope_of(FormulaValue(at(value)), value, variable);
  return slopes[{value, variable}] = slope;
}

int FormulaGraph::slope_of(const FormulaValue &v, const int value, const int variable)
{
  const auto d = [&](const int of) { return derivative(of, variable); };
  switch (v.code)
  {
    case Code::add:
      return add(d(v.a), d(v.b));
    case Code::subtract:
      return subtract(d(v.a), d(v.b));
    case Code::multiply:
      return v.b < 0 ? multiply(constant(v.number), d(v.a)) : add(multiply(d(v.a), v.b), multiply(v.a, d(v.b)));
    case Code::divide:
      return divide(subtract(d(v.a), multiply(value, d(v.b))), v.b);
    case Code::less:
      return constant(0.);
    case Code::jump_if_zero:
      return choose(v.a, d(v.b), d(v.c));
    default:
      return multiply(slope_of_function(v, value), d(v.a));
  }
}

/// f'(a) of value = f(a).
int FormulaGraph::slope_of_function(const FormulaValue &v, const int value)
{
  const int one = constant(1.), square = multiply(v.a, v.a);
  switch (v.code)
  {
    case Code::power_constant:
      return multiply(constant(v.number), power(v.a, v.number - 1.));
    case Code::exp:
      return value;
    case Code::log:
      return divide(one, v.a);
    case Code::sqrt:
      return divide(constant(0.5), value);
    case Code::sin:
      return function(Code::cos, v.a);
    case Code::cos:
      return multiply(constant(-1.), function(Code::sin, v.a));
    case Code::tan:
      return add(one, multiply(value, value));
    case Code::asin:
      return power(subtract(one, square), -0.5);
    case Code::acos:
      return multiply(constant(-1.), power(subtract(one, square), -0.5));
    case Code::atan:
      return divide(one, add(one, square));
    case Code::sinh:
      return function(Code::cosh, v.a);
    case Code::cosh:
      return function(Code::sinh, v.a);
    default:
      return subtract(one, multiply(value, value));  // tanh
  }
}

FormulaCode FormulaGraph::code_of(const std::vector<int> &wanted) const
{
  std::vector<bool> needed(values.size());
  for (const int value : wanted)
    needed[value] = true;
  for (int i = int(values.size()) - 1; i >= 0; --i)
    if (needed[i] && at(i).code != Code::variable)
      for (const int of : {at(i).a, at(i).b, at(i).c})
        if (of >= 0)
          needed[of] = true;
  FormulaCode code;
  std::vector<int> place(values.size(), -1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (needed[i])
    {
      FormulaValue v = values[i];
      for (int *of : {&v.a, &v.b, &v.c})
        if (*of >= 0 && v.code != Code::variable)
          *of = place[*of];
      place[i] = int(code.values.size());
      code.values.push_back(v);
    }
  if (code.values.size() > FormulaCode::longest)
    throw InputError("the formula with its derivatives has " + std::to_string(code.values.size()) + " operations; at most " +
                     std::to_string(FormulaCode::longest) + " are possible. Write a material in C++ (CONTRIBUTING.md)");
  for (const int value : wanted)
    code.of_results.push_back(place[value]);
  return code;
}
}  // namespace symdyn
