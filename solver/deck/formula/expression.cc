#include "solver/deck/formula/expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/names.h"
#include "solver/deck/formula/expression_evaluate.h"

namespace symdyn
{
using formula::Code;
using formula::Instruction;

Expression::Expression(const double constant)
    : source(fmt::format("{}", constant)), names({"x", "y", "z", "t"}), program({{Code::constant, 0, constant}})
{
}

Expression::Expression(const std::string &text, const std::vector<std::string> &variables)
    : source(trim(text)), names(variables), program(formula::parse(source, names))
{
}

Jet<double> Expression::in_time(const double *position, const int dim, const double t) const
{
  Jet<double> variables[4] = {0., 0., 0., Jet<double>(t, 1., 0.)};
  std::copy(position, position + dim, variables);
  return (*this)(variables);
}

double Expression::at(const double *position, const int dim, const double t) const
{
  double variables[4] = {0., 0., 0., t};
  std::copy(position, position + dim, variables);
  return (*this)(variables);
}

bool Expression::uses(const std::string &variable) const
{
  return std::any_of(program.begin(), program.end(),
                     [&](const Instruction &i) { return i.code == Code::variable && names[i.index] == variable; });
}

bool Expression::is_zero() const { return program.size() == 1 && program[0].code == Code::constant && program[0].constant == 0.; }

template double Expression::operator()(const double *) const;
template Jet<double> Expression::operator()(const Jet<double> *) const;
}  // namespace symdyn
