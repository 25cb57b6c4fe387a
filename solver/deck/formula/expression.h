#pragma once
#include <string>
#include <vector>

#include "materials/algebra/jet.h"

namespace symdyn
{
/// The machine that evaluates formulas.
namespace formula
{
enum class Code : int
{
  constant,
  variable,
  jump,
  jump_if_zero,  // jumps are relative to the next instruction
  add,
  subtract,
  multiply,
  divide,
  power,
  power_constant,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  step,
  atan2,
  min,
  max
};
struct Instruction
{
  Code code;
  int index;        // of the variable; the length of a jump
  double constant;  // also the exponent of power_constant
};
constexpr int stack_size = 32;

/// Whether it is a function or a constant (pi, e) of all formulas.
bool is_known(const std::string &word);

/// InputError with the text, the position and what was expected there.
std::vector<Instruction> parse(const std::string &text, const std::vector<std::string> &variables);
}  // namespace formula

/// A formula of named variables, written by the user: + - * / ^, comparisons (1 or 0), && ||, c ? a : b,
/// sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max pow if(c, a, b) step(x), the constants
/// pi and e. step(x) is 1 from x = 0 on, sign(0) is 0; -x^2 is -(x^2), 2^3^2 is 2^(3^2). Only the chosen branch of a
/// choice is evaluated; derivatives of abs, min, max, sign, step are those of the active branch. One syntax for the
/// whole deck. Our own parser, because it is evaluated with differentiating scalars: the value is exact and so are the
/// derivatives (muParser knows doubles only). Errors: InputError with the text and a mark at the place.
class Expression
{
public:
  Expression(double constant = 0.);
  explicit Expression(const std::string &text, const std::vector<std::string> &variables = {"x", "y", "z", "t"});

  /// Value at the variables (in the order given to the constructor). `T`: double, Jet<double>.
  /// Other scalars: include solver/deck/formula/expression_evaluate.h.
  template <class T>
  T operator()(const T *variables) const;

  /// For a formula of x, y, z, t. Value, d/dt and d²/dt² at x, y, z (0 for components beyond dim) and t.
  Jet<double> in_time(const double *position, int dim, double t) const;
  double at(const double *position, int dim, double t) const;

  bool uses(const std::string &variable) const;
  bool is_zero() const;  ///< the constant 0
  const std::string &text() const { return source; }
  const std::vector<std::string> &variables() const { return names; }

private:
  std::string source;
  std::vector<std::string> names;
  std::vector<formula::Instruction> program;  // postfix, for a stack machine
};
}  // namespace symdyn
