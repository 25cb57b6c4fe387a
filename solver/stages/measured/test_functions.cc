#include "solver/stages/measured/test_functions.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/testdata/assurance.h"

namespace symdyn
{
namespace
{
constexpr int frequency_response = 4;

/// Of a displacement in time; nothing: the function is no motion under a force.
std::optional<int> derivatives_of(const UniversalFile::Function &test)
{
  if (test.type != frequency_response || test.below.type != 13)
    return std::nullopt;
  switch (test.above.type)
  {
    case 8:
      return 0;
    case 11:
      return 1;
    case 12:
      return 2;
    default:
      return std::nullopt;
  }
}

/// Between two of the frequencies that ascend.
std::complex<double> interpolated(const std::vector<double> &x, const std::vector<std::complex<double>> &y, const double at)
{
  const std::size_t right = std::clamp<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin(), 1, x.size() - 1);
  const double part = (at - x[right - 1]) / (x[right] - x[right - 1]);
  return (1. - part) * y[right - 1] + part * y[right];
}
}  // namespace

void TestFunctions::declare(Parameters p)
{
  file.declare(p, "frequency response functions that were measured (dataset 58), and the places of their nodes (15 or 2411)");
  file.check_entries(p);
}

void TestFunctions::check(const Analysis &analysis)
{
  if (!given())
    return;
  content = file.read();
  factor = file.factor_of(analysis, content);
  if (std::none_of(content.functions.begin(), content.functions.end(), derivatives_of))
    throw InputError(
        fmt::format("{}: {} functions, and none is a motion (displacement, velocity, acceleration) under a force. Give a file with "
                    "frequency response functions",
                    file.where(), content.functions.size()));
}

int TestFunctions::same(const End &end, const UniversalFile::Freedom &freedom, const double tolerance) const
{
  if (std::abs(freedom.direction) != end.axis + 1)
    return 0;
  const int sign = freedom.direction > 0 ? 1 : -1;
  const auto node = content.nodes.find(freedom.node);
  if (node == content.nodes.end())
    return freedom.name == end.name.substr(0, 10) ? sign : 0;
  double square = 0;
  for (int d = 0; d < 3; ++d)
    square += std::pow(factor * node->second[d] - end.position[d], 2);
  return std::sqrt(square) <= tolerance ? sign : 0;
}

std::optional<double> TestFunctions::frac_of(const Function &function, const double tolerance, std::size_t &points) const
{
  for (const UniversalFile::Function &test : content.functions)
  {
    const std::optional<int> derivatives = derivatives_of(test);
    const int sign = same(function.response, test.response, tolerance) * same(function.reference, test.reference, tolerance);
    if (!derivatives || sign == 0)
      continue;
    SensorShape measured, computed;
    for (std::size_t k = 0; k < test.abscissa.size(); ++k)
      if (const double f = test.abscissa[k]; f > 0. && f >= function.frequency.front() && f <= function.frequency.back())
      {
        const std::complex<double> rate(0., 2. * dealii::numbers::PI * f);
        measured.push_back(double(sign) * test.values[k]);
        computed.push_back(interpolated(function.frequency, function.values, f) * std::pow(rate, *derivatives - function.derivatives));
      }
    points = measured.size();
    if (points > 0)
      return frac(measured, computed);
  }
  return std::nullopt;
}

void TestFunctions::compare(Analysis &analysis, const Stage &stage, const std::vector<Function> &functions) const
{
  const double tolerance = file.tolerance_of(analysis);
  std::string table = "response,reference,frequencies,FRAC\n", lines;
  nlohmann::json found = nlohmann::json::array();
  const auto moves = [](const Function &function) {
    return std::any_of(function.values.begin(), function.values.end(), [](const auto &value) { return value != 0.; });
  };
  for (const Function &function : functions)
    if (std::size_t points = 0; const std::optional<double> value =
                                    function.frequency.size() > 1 && moves(function) ? frac_of(function, tolerance, points) : std::nullopt)
    {
      table += fmt::format("{},{},{},{}\n", function.response.label, function.reference.label, points, *value);
      lines += fmt::format("  {}/{}: FRAC {:.4f} at {} frequencies\n", function.response.label, function.reference.label, *value, points);
      found.push_back({{"response", function.response.label}, {"reference", function.reference.label}, {"FRAC", *value}});
    }
  if (found.empty())
    return log_warning(
        fmt::format("stage {}: none of the {} functions of {} begins and ends where one of the stage does, at its frequencies", stage.name,
                    content.functions.size(), file.name()));
  log_line(fmt::format("stage {}: functions of {}\n{}", stage.name, file.name(), lines));
  analysis.recorder.file(Results::stem("frac", stage.name) + ".csv", table);
  (*analysis.found)[stage.name]["test"] = found;
}
}  // namespace symdyn
