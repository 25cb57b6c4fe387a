#include "solver/base/run_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solver/base/progress_line.h"
#include "solver/base/units.h"

namespace symdyn
{
namespace
{
constexpr const char *speeds = "speeds", *between = "speeds, narrowing";
bool are_speeds(const std::string &kind) { return kind == speeds || kind == between; }
}  // namespace

std::string RunProgress::line(const std::size_t columns) const
{
  if (kind == "modes")
    return ProgressLine::line({{fmt::format("modes: {} of {} found", done, of), 0}, {"[" + stage + "]", 4}}, columns);
  std::vector<ProgressLine::Field> fields{{fmt::format("{:3.0f} %", 100. * part), 0}};
  if (f)
    fields.insert(fields.end(),
                  {{are_speeds(kind) ? fmt::format("Omega = {:.5g} rad/{}{}", *f, time_unit, kind == between ? ", narrowing" : "")
                                     : fmt::format("f = {:.5g}{}", *f, Units::after(frequency_unit)),
                    0},
                   {fmt::format("{} of {}", done, of), 1}});
  else
  {
    fields.insert(fields.end(),
                  {{fmt::format("t = {:.5g}{}", t.value_or(0.), Units::after(time_unit)), 0}, {fmt::format("step {}", steps), 1}});
    if (newton)
      fields.push_back({fmt::format("newton {}", *newton), 3});
    if (energy_error)
      fields.push_back({fmt::format("energy error {:.1e}{}", *energy_error, Units::after(energy_unit)), 2});
  }
  if (left >= 0.)
    fields.push_back({"ETA " + duration_text(left), 1});
  fields.push_back({"[" + stage + "]", 4});
  return ProgressLine::line(fields, columns);
}

nlohmann::json RunProgress::json() const
{
  nlohmann::json content = {{"status", status},
                            {"stage", stage},
                            {"stage number", number},
                            {"stages", stages},
                            {"kind", kind == between ? speeds : kind},
                            {"done", done},
                            {"of", of},
                            {"part", part},
                            {"steps", steps},
                            {"wall seconds", wall},
                            {"units", {{"time", time_unit}, {"frequency", frequency_unit}, {"energy", energy_unit}}}};
  if (t)
    content["t"] = *t;
  if (f)
    content[are_speeds(kind) ? "Omega" : "f"] = *f;
  if (kind == between)
    content["narrowing"] = true;
  if (left >= 0.)
    content["ETA"] = left;
  if (newton)
    content["newton"] = *newton;
  if (energy_error)
    content["energy error"] = *energy_error;
  if (!last_warning.empty())
    content["last warning"] = last_warning;
  if (!verdict.empty())
    content["verdict"] = verdict;
  return content;
}

RunProgress RunProgress::of_json(const nlohmann::json &content)
{
  RunProgress progress;
  const auto read = [&](const char *name, auto &value) { content.at(name).get_to(value); };
  const auto read_if = [&](const char *name, auto &value) {
    if (const auto found = content.find(name); found != content.end() && !found->is_null())  // null: not a number
      value = found->template get<std::decay_t<decltype(*value)>>();
  };
  read("status", progress.status);
  read("stage", progress.stage);
  read("stage number", progress.number);
  read("stages", progress.stages);
  read("kind", progress.kind);
  read("done", progress.done);
  read("of", progress.of);
  read("part", progress.part);
  read("steps", progress.steps);
  read("wall seconds", progress.wall);
  progress.last_warning = content.value("last warning", "");
  progress.verdict = content.value("verdict", "");
  progress.left = content.value("ETA", -1.);
  content.at("units").at("time").get_to(progress.time_unit);
  content.at("units").at("frequency").get_to(progress.frequency_unit);
  content.at("units").at("energy").get_to(progress.energy_unit);
  read_if("t", progress.t);
  if (content.value("narrowing", false))
    progress.kind = between;
  read_if(are_speeds(progress.kind) ? "Omega" : "f", progress.f);
  read_if("newton", progress.newton);
  read_if("energy error", progress.energy_error);
  return progress;
}

Paint paint_of_verdict(const std::string &word)
{
  return word == "balanced" ? Paint::green : word == "coarse" ? Paint::yellow : Paint::red;
}

bool ProgressFile::is_due(const double now) const
{
  constexpr double interval = 1.;  // [s]
  return !path.empty() && now - last >= interval;
}

void ProgressFile::write(const RunProgress &progress, const double now)
{
  if (path.empty())
    return;
  last = now;
  const std::string next = path + ".new";
  std::error_code error;
  std::ofstream file(next);
  file << progress.json().dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  file.close();
  if (file)
    std::filesystem::rename(next, path, error);
  if (!file || error)
    std::filesystem::remove(next, error);
}
}  // namespace symdyn
