#include "solver/pictures/badge.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "solver/base/plot.h"
#include "solver/error.h"
#include "solver/pictures/results_state.h"

namespace symdyn
{
namespace
{
struct Label
{
  std::string text, colour;
};

Label label_of(const ResultsState &state)
{
  const nlohmann::json certificate = state.summary.value("certificate", nlohmann::json::object());
  const std::string verdict = certificate.value("verdict", "");
  if (verdict.empty())
    return {state.status, state.status == "done" ? "#2e7d32" : "#6b7280"};  // statics, modes: nothing to judge
  double error = 0;
  for (const auto &motion : certificate.value("motions", nlohmann::json::array()))
    if (const auto found = motion.find("error over largest energy"); found != motion.end() && found->is_number())
      error = std::max(error, found->get<double>());
  const std::string size = error > 0. ? fmt::format(" {:.2g} %", 100. * error) : "";
  return {verdict + size, verdict == "balanced" ? "#2e7d32" : verdict == "coarse" ? "#b26a00" : "#b3261e"};
}
}  // namespace

std::string write_badge(const std::string &folder, const std::string &output)
{
  const ResultsState state = ResultsState::of(folder);
  if (!state.summary.is_object())
    throw InputError(fmt::format("{}: the run ({}) has no whole summary.json, so there is no certificate. {}", folder, state.status,
                                 state.ended() ? "Go on with symdyn run --restart, or run it once more" : "Wait until it ends"));
  const Label label = label_of(state);
  const std::string head = "symdyn energy";
  constexpr double letter = 6.6, margin = 8, height = 20, baseline = 14;  // pixels
  const double left = letter * double(head.size()) + 2 * margin, right = letter * double(label.text.size()) + 2 * margin;
  const std::string text = as_markup(label.text);
  const std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" role="img" aria-label="{2}: {3}"><title>{2}: {3}</title>
<rect width="{0:.0f}" height="{1:.0f}" rx="3" fill="#3a4350"/><path d="M{4:.0f} 0h{5:.0f}a3 3 0 0 1 3 3v{6:.0f}a3 3 0 0 1-3 3h-{5:.0f}z" fill="{7}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="{8:.0f}" y="{10:.0f}" textLength="{11:.0f}">{2}</text><text x="{9:.0f}" y="{10:.0f}" textLength="{12:.0f}">{3}</text></g></svg>
)",
      left + right, height, head, text, left, right - 3, height - 6, label.colour, left / 2, left + right / 2, baseline, left - 2 * margin,
      right - 2 * margin);
  const std::string file = output.empty() ? folder + "/badge.svg" : output;
  if (!(std::ofstream(file) << svg << std::flush))
    throw InputError(file + ": cannot be written. Choose another name with --output");
  return file;
}
}  // namespace symdyn
