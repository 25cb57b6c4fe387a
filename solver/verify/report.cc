#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/base/names.h"
#include "solver/base/plot.h"
#include "solver/verify/verify.h"

// What `symdyn verify` prints and writes.
namespace symdyn
{
namespace
{
/// Columns of the wide table: property and its short title.
const std::vector<std::pair<std::string, std::string>> report_columns{{"order", "order"},
                                                                      {"one-step form", "ω, 1 step"},
                                                                      {"form", "ω, run"},
                                                                      {"form, neighbours", "ω, runs"},
                                                                      {"reversible", "reversible"},
                                                                      {"linear momentum", "P"},
                                                                      {"angular momentum", "J"},
                                                                      {"energy", "energy"},
                                                                      {"energy bounded", "E bounded"},
                                                                      {"tangent", "tangent"},
                                                                      {"damping order", "C order"},
                                                                      {"damping monotone", "C monotone"},
                                                                      {"damping rate", "C rate"},
                                                                      {"second law", "D >= 0"},
                                                                      {"dissipation balance", "E + D"},
                                                                      {"order with flow", "order, flow"},
                                                                      {"function", "f(q)"},
                                                                      {"accepted state", "f end"},
                                                                      {"rollback", "rollback"},
                                                                      {"same as elastic", "elastic"}};

bool is_order(const Finding &finding)
{
  return finding.property == "order" || finding.property == "damping order" || finding.property == "order with flow";
}

std::string report_number(const Finding &finding)
{
  if (std::isnan(finding.value))
    return "-";
  return is_order(finding) || finding.expected.rfind("h^", 0) == 0 ? fmt::format("{:.2f}", finding.value)
                                                                   : fmt::format("{:.1e}", finding.value);
}

/// The value a finding is held to, in the form of its value.
std::string limit_of(const Finding &finding) { return std::isnan(finding.limit) ? "-" : fmt::format("{:.3g}", finding.limit); }

/// One letter before the value: kept, broken, none.
std::string mark(const Finding &finding)
{
  switch (finding.verdict)
  {
    case Verdict::kept:
      return "✓";
    case Verdict::broken:
      return "✗";
    default:
      return " ";
  }
}

/// Characters on a terminal, of UTF-8.
std::size_t length(const std::string &text)
{
  return std::count_if(text.begin(), text.end(), [](const char c) { return (c & 0xC0) != 0x80; });
}

std::string padded_text(const std::string &text, const std::size_t width, const bool right = false)
{
  const std::string blanks(width > length(text) ? width - length(text) : 0, ' ');
  return right ? blanks + text : text + blanks;
}

using Cells = std::vector<std::vector<std::string>>;

std::string table(const Cells &rows, const std::size_t left_columns)
{
  std::vector<std::size_t> widths;
  for (const auto &row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
    {
      widths.resize(std::max(widths.size(), i + 1), 0);
      widths[i] = std::max(widths[i], length(row[i]));
    }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r)
  {
    std::string line = " ";
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      line += " " + padded_text(rows[r][i], i + 1 == rows[r].size() && i < left_columns ? 0 : widths[i], i >= left_columns) + " ";
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (r == 0)
    {
      std::string rule = "  ";
      for (const std::size_t width : widths)
        rule += std::string(std::min<std::size_t>(width, 60), '-') + "  ";
      text += rule + "\n";
    }
  }
  return text;
}

/// Findings of each scheme, in the order of their first.
std::vector<std::pair<std::string, std::map<std::string, const Finding *>>> by_scheme(const std::vector<Finding> &findings)
{
  std::vector<std::pair<std::string, std::map<std::string, const Finding *>>> list;
  for (const Finding &finding : findings)
  {
    if (list.empty() || list.back().first != finding.scheme)
      list.emplace_back(finding.scheme, std::map<std::string, const Finding *>());
    list.back().second[finding.property] = &finding;
  }
  return list;
}

std::string wide_table(const std::vector<Finding> &findings)
{
  Cells rows{{"scheme"}};
  std::vector<std::pair<std::string, std::string>> shown;
  for (const auto &column : report_columns)
    if (std::any_of(findings.begin(), findings.end(), [&](const Finding &finding) { return finding.property == column.first; }))
      shown.push_back(column);
  for (const auto &column : shown)
    rows[0].push_back(column.second);
  std::string notes;
  for (const auto &[scheme, of] : by_scheme(findings))
  {
    rows.push_back({scheme});
    for (const auto &column : shown)
    {
      const auto found = of.find(column.first);
      const Finding *finding = found == of.end() ? nullptr : found->second;
      const bool none = !finding || std::isnan(finding->value);
      rows.back().push_back(none ? (finding ? mark(*finding) : " ") + std::string("·") : mark(*finding) + report_number(*finding));
      if (finding && finding->verdict == Verdict::broken)
        notes += fmt::format("  ✗ {}, {}: {}{}\n", scheme, finding->property,
                             none ? ""
                             : std::isnan(finding->limit)
                                 ? report_number(*finding) + ": "
                                 : fmt::format("{} where {} is the limit: ", report_number(*finding), limit_of(*finding)),
                             finding->reason);
    }
    for (const auto &[property, finding] : of)
      if (property == "scheme")
        notes += fmt::format("  {}: {}\n", scheme, finding->reason);
      else if ((property.rfind("same as", 0) == 0 || property.rfind("adjoint of", 0) == 0) && !std::isnan(finding->value))
        notes += fmt::format("  {} {} is the {}: {} ({})\n", mark(*finding), scheme, property, report_number(*finding), finding->reason);
  }
  return table(rows, 1) + "\n  ✓ promised and kept   ✗ promised and broken   no mark: not promised   ·: not applicable\n" + notes;
}

std::string as_list(const std::vector<Finding> &findings)
{
  Cells rows{{"scheme", "property", "value", "limit", "verdict", "reason"}};
  for (const Finding &finding : findings)
    rows.push_back({finding.scheme, finding.property, report_number(finding), limit_of(finding),
                    mark(finding) + " " + name_of(finding.verdict), finding.reason});
  return table(rows, 6);
}

std::string control_list(const std::vector<Finding> &controls)
{
  Cells rows{{"scheme", "form", "value", "expected", "", "reason"}};
  for (const Finding &finding : controls)
    rows.push_back({finding.scheme, finding.property, report_number(finding), finding.expected,
                    mark(finding) + (finding.verdict == Verdict::kept     ? " as it must"
                                     : finding.verdict == Verdict::broken ? " WRONG"
                                                                          : " not run"),
                    finding.reason});
  return table(rows, 6);
}

/// At the times of a run, relative; of momenta the largest one of those that symmetry keeps.
struct ErrorsOfRun
{
  explicit ErrorsOfRun(const SchemeHistory &history)
      : energy(history.run.t.size()), size(energy.size()), linear(energy.size()), angular(energy.size())
  {
    const RunHistory &run = history.run;
    const auto &rows = history.canonical ? run.canonical : run.momenta;
    for (std::size_t k = 0; k < run.t.size(); ++k)
    {
      energy[k] = (run.energy[k] - run.energy[0]) / run.energy_scale;
      size[k] = std::abs(energy[k]);
      const std::size_t count = rows[k].size(), translations = count == 3 ? 2 : 3;
      for (std::size_t i = 0; i < count; ++i)
        if (history.symmetric[i])
        {
          (i < translations ? moves : turns) = true;
          double &largest = (i < translations ? linear : angular)[k];
          largest = std::max(largest, std::abs(rows[k][i] - rows[0][i]) / run.momentum_scale[i]);
        }
    }
  }

  std::vector<double> energy, size, linear, angular;
  bool moves = false, turns = false;  ///< whether it is free to
};
}  // namespace

std::string VerifyReport::terminal(const bool wide) const
{
  std::string text = fmt::format("\n{}: {} degrees of freedom, h = {:.3g} s, {} steps\n", deck, dofs, h, steps);
  for (const std::string &remark : remarks)
    text += "  " + remark + "\n";
  text += "\n" + (wide ? wide_table(findings) : as_list(findings));
  return text + "\nnegative controls on a built-in penalised double pendulum: expected violations detected\n" + control_list(controls);
}

std::string VerifyReport::json() const
{
  const auto numeric = [](const double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); };
  nlohmann::json all = nlohmann::json::array();
  for (const auto *part : {&findings, &controls})
    for (const Finding &finding : *part)
      all.push_back({{"scheme", finding.scheme},
                     {"property", (part == &controls ? "control: " : "") + finding.property},
                     {"promised", finding.promised},
                     {"verdict", name_of(finding.verdict)},
                     {"value", numeric(finding.value)},
                     {"limit", numeric(finding.limit)},
                     {"expected", finding.expected},
                     {"reason", finding.reason}});
  return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::vector<std::pair<std::string, std::string>> VerifyReport::plots() const
{
  Plot energy{"Energy error (E - E0) / scale", "t [s]", "", false, {}}, size{"Energy error, size", "t [s]", "", true, {}};
  Plot linear{"Linear momentum, largest relative error", "t [s]", "", true, {}},
      angular{"Angular momentum, largest relative error", "t [s]", "", true, {}};
  Plot form{"Drift of the symplectic form (values >= 1: structure fully lost)", "t [s]", "", true, {}};
  for (const SchemeHistory &history : histories)
  {
    const RunHistory &run = history.run;
    if (run.t.size() < 2)
      continue;
    const ErrorsOfRun errors(history);
    energy.lines.push_back({history.scheme, run.t, errors.energy});
    size.lines.push_back({history.scheme, run.t, errors.size});
    if (errors.moves)
      linear.lines.push_back({history.scheme, run.t, errors.linear});
    if (errors.turns)
      angular.lines.push_back({history.scheme, run.t, errors.angular});
    const auto first = run.t.begin() + 1;
    form.lines.push_back(
        {history.scheme, {first, first + run.drift.size()}, history.canonical ? run.drift : run.drift_qv});  // of the steps with tangents
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto &[name, plot] : std::initializer_list<std::pair<const char *, const Plot *>>{{"energy.svg", &energy},
                                                                                               {"energy-size.svg", &size},
                                                                                               {"linear-momentum.svg", &linear},
                                                                                               {"angular-momentum.svg", &angular},
                                                                                               {"form.svg", &form}})
    if (!plot->lines.empty())
      files.emplace_back(name, plot->svg());
  return files;
}

std::string VerifyReport::page() const
{
  const auto rows_of = [](const std::vector<Finding> &part) {
    std::string rows;
    std::string last;
    for (const Finding &finding : part)
    {
      rows += fmt::format("<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} {}</td><td>{}</td></tr>\n",
                          finding.verdict == Verdict::broken ? "broken"
                          : finding.verdict == Verdict::kept ? "kept"
                                                             : "none",
                          finding.scheme == last ? "" : "<b>" + as_markup(finding.scheme) + "</b>", as_markup(finding.property),
                          finding.promised ? "yes" : "no", report_number(finding), limit_of(finding), mark(finding),
                          name_of(finding.verdict), as_markup(finding.reason));
      last = finding.scheme;
    }
    return "<table><tr><th>scheme</th><th>property</th><th>promised</th><th>value</th><th>limit</th><th>verdict</th><th>reason</th></tr>\n" +
           rows + "</table>\n";
  };
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>symdyn verify</title><style>\n"
      "body{font:15px/1.45 sans-serif;max-width:1200px;margin:2em auto;padding:0 1em;color:#222}\n"
      "table{border-collapse:collapse;font-size:13px;margin:1em 0}td,th{padding:3px 9px;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}\n"
      ".broken{background:#fbdcdc}.kept td:nth-child(6){color:#17713c}.none{color:#777}pre{overflow-x:auto;font-size:13px}\n"
      "svg{max-width:100%;height:auto}</style></head><body>\n";
  html += fmt::format("<h1>What the schemes keep</h1>\n<p>Deck <code>{}</code>: {} degrees of freedom, h = {:.3g} s, {} steps.</p>\n<ul>\n",
                      as_markup(deck), dofs, h, steps);
  for (const std::string &remark : remarks)
    html += "<li>" + as_markup(remark) + "</li>\n";
  html += "</ul>\n<pre>" + as_markup(wide_table(findings)) + "</pre>\n<h2>Histories</h2>\n";
  for (const auto &file : plots())
    html += file.second;
  html += "<h2>Every property</h2>\n" + rows_of(findings) +
          "<h2>Controls</h2>\n<p>Negative controls on a built-in penalised double pendulum: the expected violations, detected at "
          "the rates that theory gives.</p>\n" +
          rows_of(controls);
  return html + "</body></html>\n";
}
}  // namespace symdyn
