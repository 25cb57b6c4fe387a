#include "materials/section/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "materials/hyperelastic/material_axes.h"
#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
void Expansion::declare(Parameters &p)
{
  std::vector<double> constant;
  std::vector<std::string> rows;
  std::string file, beyond = "no";
  p.add("Expansion", constant,
        "alpha of the free thermal strain alpha (T - Reference temperature) [1/K], or three numbers along the Axes of the material");
  p.add("Expansion table", rows,
        "alpha over the temperature, points \"T alpha\" or \"T alpha_1 alpha_2 alpha_3\", separated by commas; between them linear");
  p.add("Expansion file", file, "the same, a file of such lines; lines that begin with # are skipped");
  p.add("Reference temperature", T_ref, "of the free thermal strain alpha (T - Reference temperature), in the degrees of the deck");
  p.add("Extrapolate", beyond, "constants beyond the temperatures that are given: no, an error; constant, those of the last temperature",
        {"no", "constant"});
  extrapolates = beyond == "constant";
  if (!constant.empty() + !rows.empty() + !file.empty() > 1)
    p.fail(file.empty() ? "Expansion table" : "Expansion file", "alpha is given by another entry, too. Keep one of the two");
  if (!file.empty())
    read(p, p.file_path(file));
  else if (!rows.empty())
    for (std::size_t k = 0; k < rows.size(); ++k)
      add_row(p, "Expansion table", rows[k], fmt::format("point {}", k + 1));
  else if (!constant.empty())
  {
    if (constant.size() != 1 && constant.size() != 3)
      p.fail("Expansion", fmt::format("has {} numbers. Give 1, or 3 along the Axes of the material", constant.size()));
    temperature = {T_ref};
    alpha = {constant};
  }
  where = p.where(!file.empty() ? "Expansion file" : !rows.empty() ? "Expansion table" : "Expansion");
  if (!isotropic())
    directions = declare_material_axes(p);
}

const char *Expansion::entry(const Parameters &p)
{
  for (const char *entry : {"Expansion", "Expansion table", "Expansion file"})
    if (p.given(entry))
      return entry;
  return nullptr;
}

namespace
{
void refuse_without_expansion(const Parameters &p, const std::vector<const char *> &entries)
{
  for (const char *rest : entries)
    if (p.given(rest))
      p.fail(rest, "has no effect without Expansion. Remove the entry, or give Expansion");
}
}  // namespace

void Expansion::refuse_rest(const Parameters &p) { refuse_without_expansion(p, {"Reference temperature", "Extrapolate"}); }
void Expansion::refuse_reference(const Parameters &p) { refuse_without_expansion(p, {"Reference temperature"}); }

void Expansion::add_row(const Parameters &p, const char *entry, const std::string &text, const std::string &at)
{
  std::istringstream row(text);
  std::vector<double> values;
  for (double x; row >> x;)
    values.push_back(x);
  const std::string place = fmt::format("{}: \"{}\"", at, shortened(text));
  if (!row.eof() || (values.size() != 2 && values.size() != 4))
    p.fail(entry, place + " is not two numbers T alpha, nor four");
  if (!alpha.empty() && values.size() != alpha.front().size() + 1)
    p.fail(entry, place + " has another number of coefficients than the rows before");
  if (!temperature.empty() && !(values.front() > temperature.back()))
    p.fail(entry, place + ": T does not grow. Sort the rows");
  temperature.push_back(values.front());
  alpha.emplace_back(values.begin() + 1, values.end());
}

void Expansion::read(const Parameters &p, const std::string &path)
{
  const TextFile file = TextFile::read(path);
  if (!file.fault.empty())
    p.fail("Expansion file", file.place(path) + " " + file.fault);
  for (const auto &[number, line] : file.rows())
    add_row(p, "Expansion file", line, fmt::format("{}:{}", path, number));
  if (alpha.empty())
    p.fail("Expansion file", path + " has no rows. Write lines T alpha");
}

Expansion::Between Expansion::between(const double T) const
{
  const std::size_t last = temperature.size() - 1;
  if (last > 0 && !extrapolates && !(T >= temperature.front() && T <= temperature.back()))
    throw InputError(
        fmt::format("{}: T = {:.12g} is outside of its temperatures, {:.12g} to {:.12g}. Add rows, or set Extrapolate = constant", where, T,
                    temperature.front(), temperature.back()));
  const std::size_t above = std::upper_bound(temperature.begin(), temperature.end(), T) - temperature.begin();
  const std::size_t i = above == 0 ? 0 : std::min(above - 1, last), j = above == 0 ? 0 : std::min(i + 1, last);
  return {i, j, i == j ? 0. : 1. / (temperature[j] - temperature[i])};
}

std::array<double, 3> Expansion::strain(const double T) const
{
  std::array<double, 3> eps{};
  if (alpha.empty())
    return eps;
  const auto [i, j, slope] = between(T);
  const double part = i == j ? 0. : (T - temperature[i]) * slope;
  for (std::size_t d = 0; d < 3; ++d)
  {
    const std::size_t k = isotropic() ? 0 : d;
    eps[d] = ((1. - part) * alpha[i][k] + part * alpha[j][k]) * (T - T_ref);
  }
  return eps;
}

double Expansion::rate(const double T) const
{
  if (alpha.empty())
    return 0.;
  const auto [i, j, slope] = between(T);
  const double change = (alpha[j][0] - alpha[i][0]) * slope;
  return alpha[i][0] + (i == j ? 0. : change * (T - temperature[i])) + change * (T - T_ref);
}
}  // namespace symdyn
