#include "materials/section/heated_stiffness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
void HeatedStiffness::declare(Parameters &p, const std::string &entry, const std::string &help)
{
  std::vector<std::string> rows;
  p.add(entry, rows, help);
  for (std::size_t i = 0; i < rows.size(); ++i)
    add_row(p, entry, rows[i], i + 1);
  where = p.where(entry);
}

void HeatedStiffness::add_row(const Parameters &p, const std::string &entry, const std::string &text, const std::size_t number)
{
  std::istringstream row(text);
  double T = 0., value = 0.;
  std::string rest;
  const std::string place = fmt::format("point {}: \"{}\"", number, shortened(text));
  if (!(row >> T >> value) || row >> rest)
    p.fail(entry, place + " is not two numbers, T and the stiffness");
  if (!(value > 0. && std::isfinite(value)))
    p.fail(entry, place + ": a stiffness is > 0");
  if (given() && !(T > temperature.back()))
    p.fail(entry, place + ": T does not grow. Sort the points");
  temperature.push_back(T);
  k.push_back(value);
}

void HeatedStiffness::set(std::vector<double> T, std::vector<double> stiffness, const std::string &place)
{
  temperature = std::move(T);
  k = std::move(stiffness);
  where = place;
}

double HeatedStiffness::at(const double T, const bool constant_beyond) const
{
  if (!constant_beyond && !(T >= temperature.front() && T <= temperature.back()))
    throw InputError(
        fmt::format("{}: T = {:.12g} is outside of its temperatures, {:.12g} to {:.12g}. Add points, or set Extrapolate = constant", where,
                    T, temperature.front(), temperature.back()));
  const std::size_t above = std::upper_bound(temperature.begin(), temperature.end(), T) - temperature.begin();
  const std::size_t i = above == 0 ? 0 : above - 1, j = std::min(i + 1, k.size() - 1);
  const double part = i == j || above == 0 ? 0. : (T - temperature[i]) / (temperature[j] - temperature[i]);
  return (1. - part) * k[i] + part * k[j];
}
}  // namespace symdyn
