#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "solver/base/names.h"
#include "solver/deck/formula/expression_program.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
using formula::Code;
using formula::Instruction;

struct Function
{
  Code code;
  int arguments;
};

const std::map<std::string, Function> &functions()
{
  static const std::map<std::string, Function> all = {
      {"sin", {Code::sin, 1}},   {"cos", {Code::cos, 1}},   {"tan", {Code::tan, 1}},   {"asin", {Code::asin, 1}},
      {"acos", {Code::acos, 1}}, {"atan", {Code::atan, 1}}, {"sinh", {Code::sinh, 1}}, {"cosh", {Code::cosh, 1}},
      {"tanh", {Code::tanh, 1}}, {"exp", {Code::exp, 1}},   {"log", {Code::log, 1}},   {"sqrt", {Code::sqrt, 1}},
      {"abs", {Code::abs, 1}},   {"sign", {Code::sign, 1}}, {"step", {Code::step, 1}}, {"atan2", {Code::atan2, 2}},
      {"min", {Code::min, 2}},   {"max", {Code::max, 2}},   {"pow", {Code::power, 2}}, {"if", {Code::jump_if_zero, 3}}};
  return all;
}

const std::map<std::string, double> &constants()
{
  static const std::map<std::string, double> all = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};
  return all;
}

// Deeper than any formula that a person writes; the recursion must end before the stack of the machine does.
constexpr int deepest_bracket = 200;
constexpr std::size_t most_named = 12;  ///< variables in a message

/// Recursive descent, one function a level of precedence; each appends the postfix code of what it read.
class Parser
{
public:
  Parser(const std::string &text, const std::vector<std::string> &variables) : text(text), variables(variables) {}

  std::vector<Instruction> read()
  {
    choice();
    if (next() != '\0')
      fail("expected an operator or the end");
    if (program.depth() > formula::stack_size)
      throw InputError(fmt::format("formula '{}': needs more than {} intermediate values; split it.", text, formula::stack_size));
    return std::move(program).instructions();
  }

private:
  [[noreturn]] void fail(const std::string &expected) const { fail(expected, position); }
  [[noreturn]] void fail(const std::string &expected, const std::size_t at) const
  {
    const std::string rest = at < text.size() ? "at '" + text.substr(at) + "'" : "at its end";
    throw InputError(fmt::format("formula '{}', position {}: {} {}.", text, at + 1, expected, rest));
  }

  char next()
  {
    while (position < text.size() && std::isspace(static_cast<unsigned char>(text[position])))
      ++position;
    return position < text.size() ? text[position] : '\0';
  }

  bool accept(const std::string &symbol)
  {
    next();
    if (text.compare(position, symbol.size(), symbol) != 0)
      return false;
    position += symbol.size();
    return true;
  }

  void expect(const std::string &symbol)
  {
    if (!accept(symbol))
      fail("expected '" + symbol + "'");
  }

  void unary(const Code operation, const std::size_t begin)
  {
    program.unary(operation, begin);
    check_finite();
  }

  void binary(const Code operation, const std::size_t begin, const std::size_t middle)
  {
    program.binary(operation, begin, middle);
    check_finite();
  }

  void check_finite() const
  {
    if (!program.finite())
      throw InputError(fmt::format("formula '{}', position {}: the constant that ends here is not finite.", text, position + 1));
  }

  /// After a condition: reads "a `separator` b".
  void branches(const std::size_t begin, const std::string &separator)
  {
    const std::size_t condition = program.jump(Code::jump_if_zero);
    choice();
    expect(separator);
    const std::size_t over = program.jump(Code::jump);
    choice();
    program.choose(begin, condition, over);
  }

  void choice()
  {
    if (++nesting > deepest_bracket)
      fail("nested too deeply");
    const std::size_t begin = program.size();
    disjunction();
    if (accept("?"))
      branches(begin, ":");
    --nesting;
  }

  void disjunction()
  {
    const std::size_t begin = program.size();
    conjunction();
    while (accept("||"))
    {
      const std::size_t middle = program.size();
      conjunction();
      binary(Code::logical_or, begin, middle);
    }
  }

  void conjunction()
  {
    const std::size_t begin = program.size();
    comparison();
    while (accept("&&"))
    {
      const std::size_t middle = program.size();
      comparison();
      binary(Code::logical_and, begin, middle);
    }
  }

  bool accept_comparison(Code &operation)
  {
    static const std::vector<std::pair<std::string, Code>> symbols = {{"<=", Code::less_equal}, {">=", Code::greater_equal},
                                                                      {"==", Code::equal},      {"!=", Code::not_equal},
                                                                      {"<", Code::less},        {">", Code::greater}};
    for (const auto &symbol : symbols)
      if (accept(symbol.first))
      {
        operation = symbol.second;
        return true;
      }
    if (next() == '=')
      fail("a comparison is '=='");
    return false;
  }

  void comparison()
  {
    const std::size_t begin = program.size();
    sum();
    Code operation;
    if (!accept_comparison(operation))
      return;
    const std::size_t middle = program.size();
    sum();
    binary(operation, begin, middle);
    const std::size_t second = position;
    if (accept_comparison(operation))
      fail("for a < b < c write a < b && b < c", second);
  }

  void sum()
  {
    const std::size_t begin = program.size();
    product();
    for (next(); next() == '+' || next() == '-';)
    {
      const Code operation = text[position++] == '+' ? Code::add : Code::subtract;
      const std::size_t middle = program.size();
      product();
      binary(operation, begin, middle);
    }
  }

  void product()
  {
    const std::size_t begin = program.size();
    sign();
    while (next() == '*' || next() == '/')
    {
      const Code operation = text[position++] == '*' ? Code::multiply : Code::divide;
      const std::size_t middle = program.size();
      sign();
      binary(operation, begin, middle);
    }
  }

  void sign()
  {
    bool minus = false;
    for (; next() == '-' || next() == '+'; ++position)
      minus ^= text[position] == '-';
    const std::size_t begin = program.size();
    power();
    if (minus)
      unary(Code::negate, begin);
  }

  void power()
  {
    const std::size_t begin = program.size();
    primary();
    if (!accept("^"))
      return;
    if (++nesting > deepest_bracket)
      fail("nested too deeply");
    const std::size_t middle = program.size();
    sign();
    --nesting;
    binary(Code::power, begin, middle);
  }

  void primary()
  {
    const char c = next();
    if (accept("("))
    {
      choice();
      expect(")");
    }
    else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.')
      number();
    else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_')
      name();
    else
      fail("expected a number, a name or '('");
  }

  void number()
  {
    double value = 0.;
    const auto result = std::from_chars(text.data() + position, text.data() + text.size(), value);
    if (result.ec != std::errc())
      fail("expected a number that a double can hold");
    program.constant(value);
    position = result.ptr - text.data();
  }

  void name()
  {
    const std::size_t begin = position;
    const auto letter = [this](const std::size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    // A dot stands between a point and its coordinate: bob.x
    while (letter(position) || (text[position] == '.' && letter(position + 1)))
      ++position;
    const std::string word = text.substr(begin, position - begin);
    const auto variable = std::find(variables.begin(), variables.end(), word);
    if (variable != variables.end())
      program.variable(static_cast<int>(variable - variables.begin()));
    else if (constants().count(word))
      program.constant(constants().at(word));
    else if (functions().count(word))
      call(word);
    else
      unknown(word, begin);
  }

  [[noreturn]] void unknown(const std::string &word, const std::size_t at) const
  {
    std::vector<std::string> values = variables, calls;
    for (const auto &constant : constants())
      values.push_back(constant.first);
    for (const auto &function : functions())
      calls.push_back(function.first);
    values = nearest_first(word, values);
    if (values.size() > most_named)
    {
      values.resize(most_named);
      values.push_back("...");
    }
    throw InputError(fmt::format("formula '{}', position {}: '{}' is not known. Variables and constants: {}; functions: {}.", text, at + 1,
                                 word, join(values), join(nearest_first(word, calls))));
  }

  void call(const std::string &word)
  {
    const Function function = functions().at(word);
    const std::size_t begin = program.size();
    if (!accept("("))
      fail("expected '(' after the function '" + word + "'");
    choice();
    if (function.arguments == 3)
    {
      expect(",");
      branches(begin, ",");
    }
    else if (function.arguments == 2)
      for (bool first = true; first || ((word == "min" || word == "max") && next() == ','); first = false)
      {
        expect(",");
        const std::size_t middle = program.size();
        choice();
        binary(function.code, begin, middle);
      }
    else
      unary(function.code, begin);
    if (next() == ',')
      fail(fmt::format("{} takes {} argument{}; expected ')'", word, function.arguments, function.arguments > 1 ? "s" : ""));
    expect(")");
  }

  const std::string &text;
  const std::vector<std::string> &variables;
  std::size_t position = 0;
  int nesting = 0;
  formula::Program program;
};
}  // namespace

bool formula::is_known(const std::string &word) { return functions().count(word) + constants().count(word) > 0; }

std::vector<Instruction> formula::parse(const std::string &text, const std::vector<std::string> &variables)
{
  return Parser(text, variables).read();
}
}  // namespace symdyn
