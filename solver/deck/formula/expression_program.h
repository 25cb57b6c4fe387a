#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "solver/deck/formula/expression_evaluate.h"

namespace symdyn
{
namespace formula
{
/// The postfix code of a formula while the parser reads it. Operands are named by where their code begins. An operation
/// on constants is carried out at once, so that a code is one instruction if and only if the formula is constant.
class Program
{
public:
  std::size_t size() const { return code.size(); }
  void constant(const double value) { code.push_back({Code::constant, 0, value}); }
  void variable(const int index) { code.push_back({Code::variable, index, 0.}); }

  /// Of the operand that begins at `begin` and ends here.
  void unary(const Code operation, const std::size_t begin)
  {
    if (is_constant(begin, code.size()))
      code[begin].constant = apply(operation, code[begin].constant);
    else
      code.push_back({operation, 0, 0.});
  }

  /// Of the operands [begin, middle) and [middle, here).
  void binary(const Code operation, const std::size_t begin, const std::size_t middle)
  {
    const bool second = is_constant(middle, code.size());
    if (second && is_constant(begin, middle))
    {
      code[begin].constant = apply(operation, code[begin].constant, code[middle].constant);
      code.pop_back();
    }
    else if (second && operation == Code::power)
      code[middle].code = Code::power_constant;
    else
      code.push_back({operation, 0, 0.});
  }

  /// A jump whose length is set by `choose`; returns its position.
  std::size_t jump(const Code kind)
  {
    code.push_back({kind, 0, 0.});
    return code.size() - 1;
  }

  /// [begin, condition) decides between the codes (condition, over) and (over, here); `condition` and `over` are jumps.
  void choose(const std::size_t begin, const std::size_t condition, const std::size_t over)
  {
    code[condition].index = static_cast<int>(over - condition);
    code[over].index = static_cast<int>(code.size() - over - 1);
    if (!is_constant(begin, condition))
      return;
    const bool first = code[begin].constant != 0.;
    const std::vector<Instruction> chosen(code.begin() + (first ? condition : over) + 1, first ? code.begin() + over : code.end());
    code.resize(begin);
    code.insert(code.end(), chosen.begin(), chosen.end());
  }

  /// Whether the last thing written is no infinite constant.
  bool finite() const { return code.back().code != Code::constant || std::isfinite(code.back().constant); }

  /// The most values that the stack holds. Both branches of a choice start from the same depth and leave one value, so
  /// that a jump takes away what the first has left.
  int depth() const
  {
    int now = 0, most = 0;
    for (const Instruction &i : code)
    {
      const bool pushes = i.code == Code::constant || i.code == Code::variable;
      const bool pops = takes_two(i.code) || i.code == Code::jump || i.code == Code::jump_if_zero;
      now += pushes ? 1 : pops ? -1 : 0;
      most = now > most ? now : most;
    }
    return most;
  }

  std::vector<Instruction> instructions() && { return std::move(code); }

private:
  bool is_constant(const std::size_t begin, const std::size_t end) const { return end == begin + 1 && code[begin].code == Code::constant; }

  std::vector<Instruction> code;
};
}  // namespace formula
}  // namespace symdyn
