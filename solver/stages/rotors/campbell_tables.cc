#include "solver/stages/rotors/campbell_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/base/plain_units.h"
#include "solver/vibration/modes_table.h"

namespace symdyn
{
namespace
{
const double two_pi = 2. * std::acos(-1.);

std::string speed_title(const Units &units) { return with_plain_unit("speed [rad/" + units.time + "]"); }
std::string diameters_of(const SpeedBranches::Branch &branch) { return branch.waves ? std::to_string(std::abs(*branch.waves)) : "nan"; }
const char *in_words(const int direction) { return direction > 0 ? "forward" : direction < 0 ? "backward" : "-"; }
/// -Re lambda/|lambda| with the frequency of the frame.
double damping_ratio(const SpeedBranches::Branch &branch, const SpeedBranches::Point &point, const bool fixed)
{
  const double decay = -point.lambda.real();
  return decay == 0. ? 0. : decay / std::hypot(decay, branch.frequency(point, fixed));
}
}  // namespace

std::string campbell_csv(const SpeedBranches &found, const bool fixed, const bool at_rest, const Units &units, const std::size_t asked)
{
  const bool stopped = found.speeds < asked;
  const auto in = [](const bool ground) { return ground ? "in fixed axes" : "in the frame of the rotor"; };
  std::string text = fmt::format(
      "{},branch,frequency {} [{}],damping ratio [-],logarithmic decrement [-],direction of travel [-],nodal diameters [-],{},{},assurance "
      "[-],kind{}\n",
      speed_title(units), in(fixed || at_rest), hertz(units), with_plain_unit("Re lambda [1/" + units.time + "]"),
      with_plain_unit(fmt::format("Im lambda {} [rad/{}]", in(at_rest), units.time)), stopped ? ",speeds done [-],speeds asked [-]" : "");
  for (std::size_t i = 0; i < found.branches.size(); ++i)
    for (const SpeedBranches::Point &point : found.branches[i].points)
    {
      const SpeedBranches::Branch &branch = found.branches[i];
      const double omega = branch.frequency(point, fixed), decay = -point.lambda.real();
      text += fmt::format("{},{},{},{},{},{},{},{},{},{:.6g},{}{}\n", point.speed, i + 1, omega / two_pi,
                          damping_ratio(branch, point, fixed), decay == 0. ? 0. : two_pi * decay / omega, branch.direction(point, fixed),
                          diameters_of(branch), point.lambda.real(), point.lambda.imag(), point.assurance,
                          in_words(branch.kind(point, fixed)), stopped ? fmt::format(",{},{}", found.speeds, asked) : "");
    }
  return text;
}

std::string campbell_plot_csv(const SpeedBranches &found, const std::vector<double> &speeds, const std::vector<double> &orders,
                              const bool fixed, const Units &units)
{
  std::string text = speed_title(units);
  std::vector<std::map<double, double>> of_branches;
  for (std::size_t i = 0; i < found.branches.size(); ++i)
  {
    const SpeedBranches::Branch &branch = found.branches[i];
    if (branch.is_aside(fixed))
      continue;
    text += fmt::format(",branch {} [{}]", i + 1, hertz(units));
    of_branches.emplace_back();
    for (const SpeedBranches::Point &point : branch.points)
      if (!branch.is_aside(point, fixed))
        of_branches.back()[point.speed] = branch.frequency(point, fixed) / two_pi;
  }
  for (const double order : orders)
    text += fmt::format(",order {:g} [{}]", order, hertz(units));
  text += "\n";
  double last = speeds.front();  // of the finished ones
  for (const auto &branch : of_branches)
    last = branch.empty() ? last : std::max(last, branch.rbegin()->first);
  for (const double speed : speeds)
  {
    if (found.speeds % speeds.size() != 0 && speed > last)
      break;
    text += fmt::format("{}", speed);
    for (const auto &branch : of_branches)
      text += branch.count(speed) ? fmt::format(",{}", branch.at(speed)) : ",nan";
    for (const double order : orders)
      text += fmt::format(",{}", order * speed / two_pi);
    text += "\n";
  }
  return text;
}

std::string crossings_csv(const SpeedBranches &found, const Units &units)
{
  std::string text = fmt::format("order [-],branch,{},frequency [{}],nodal diameters [-]\n", speed_title(units), hertz(units));
  for (const SpeedBranches::Crossing &one : found.crossings)
    text += fmt::format("{:g},{},{},{},{}\n", one.order, one.branch + 1, one.speed, one.omega / two_pi,
                        diameters_of(found.branches[one.branch]));
  return text;
}

std::string meetings_csv(const SpeedBranches &found, const Units &units)
{
  std::string text =
      fmt::format("kind,branch,other branch,{},frequency in the frame [{}],gap [{}]\n", speed_title(units), hertz(units), hertz(units));
  for (const SpeedBranches::Meeting &one : found.meetings)
    text += fmt::format("{},{},{},{},{},{:.6g}\n", one.crosses ? "crossing" : "veering", one.one + 1, one.other + 1, one.speed,
                        one.omega / two_pi, one.crosses ? 0. : one.gap / two_pi);
  return text;
}

std::string critical_csv(const CriticalSpeeds &critical, const Units &units)
{
  std::string text = critical.diameters.empty() ? "number," : "number,nodal diameters [-],";
  text += fmt::format("{},frequency [{}]\n", speed_title(units), hertz(units));
  for (std::size_t i = 0; i < critical.speeds.size(); ++i)
    text += fmt::format("{},{}{},{}\n", i + 1, critical.diameters.empty() ? "" : fmt::format("{},", critical.diameters[i]),
                        critical.speeds[i], critical.speeds[i] / two_pi);
  return text;
}

std::string campbell_lines(const SpeedBranches &found, const bool fixed, const Units &units)
{
  const auto ratio = [fixed](const SpeedBranches::Branch &branch, const SpeedBranches::Point &point) {
    return ratio_in_log(damping_ratio(branch, point, fixed));
  };
  const auto is_damped = [&](const SpeedBranches::Branch &branch) {
    return ratio(branch, branch.points.front()) != 0. || ratio(branch, branch.points.back()) != 0.;
  };
  const bool damped = std::any_of(found.branches.begin(), found.branches.end(), is_damped);
  std::string text =
      fmt::format("  branch  {:>16}  {:>14}  {:>16}  {:>14}  {}waves", "from " + speed_title(units), "[" + hertz(units) + "]",
                  "to " + speed_title(units), "[" + hertz(units) + "]", damped ? "zeta [-]: from, to      " : "");
  for (std::size_t i = 0; i < found.branches.size(); ++i)
  {
    const SpeedBranches::Branch &branch = found.branches[i];
    if (branch.is_aside(fixed))
      continue;
    const SpeedBranches::Point &from = branch.points.front(), &to = branch.points.back();
    text += fmt::format("\n  {:>6}  {:>16.8g}  {:>14.8g}  {:>16.8g}  {:>14.8g}  {}{}", i + 1, from.speed,
                        branch.frequency(from, fixed) / two_pi, to.speed, branch.frequency(to, fixed) / two_pi,
                        damped ? fmt::format("{:>10.4g}  {:>10.4g}  ", ratio(branch, from), ratio(branch, to)) : "",
                        branch.waves ? fmt::format("k = {}, {}", std::abs(*branch.waves), in_words(branch.direction(to, fixed))) : "none");
  }
  for (const SpeedBranches::Meeting &one : found.meetings)
    text += fmt::format("\n  branches {} and {} {} at {:.8g} rad/{}{}", one.one + 1, one.other + 1,
                        one.crosses ? "cross" : fmt::format("veer, {:.6g} {} apart,", one.gap / two_pi, hertz(units)), one.speed,
                        units.time, fixed ? " in the frame of the rotor" : "");
  if (found.rigid > 0)
    text += fmt::format("\n  rigid motions, which are no branch and count for Modes: {}", found.rigid);
  for (const SpeedBranches::Crossing &one : found.crossings)
    text += fmt::format("\n  branch {} crosses order {:g} at {:.8g} rad/{}, {:.8g} {}", one.branch + 1, one.order, one.speed, units.time,
                        one.omega / two_pi, hertz(units));
  return text;
}

nlohmann::json campbell_summary(const SpeedBranches &found, const CriticalSpeeds &critical, const bool fixed)
{
  nlohmann::json branches = nlohmann::json::array(), crossings = nlohmann::json::array(), meetings = nlohmann::json::array();
  for (std::size_t i = 0; i < found.branches.size(); ++i)
  {
    const SpeedBranches::Branch &branch = found.branches[i];
    const SpeedBranches::Point &last = branch.points.back();
    const double omega = branch.frequency(last, fixed);
    branches.push_back({{"branch", i + 1},
                        {"first speed", branch.points.front().speed},
                        {"last speed", last.speed},
                        {"frequency", std::isfinite(omega) ? nlohmann::json(omega / two_pi) : nlohmann::json()},
                        {"overdamped", branch.is_aside(fixed) && branch.kind(last, fixed) == ComplexModes::overdamped},
                        {"kind", in_words(branch.kind(last, fixed))},
                        {"direction", in_words(branch.direction(last, fixed))},
                        {"nodal diameters", branch.waves ? nlohmann::json(std::abs(*branch.waves)) : nlohmann::json()}});
  }
  for (const SpeedBranches::Crossing &one : found.crossings)
    crossings.push_back({{"order", one.order}, {"branch", one.branch + 1}, {"speed", one.speed}, {"frequency", one.omega / two_pi}});
  for (const SpeedBranches::Meeting &one : found.meetings)
    meetings.push_back({{"kind", one.crosses ? "crossing" : "veering"},
                        {"branches", {one.one + 1, one.other + 1}},
                        {"speed", one.speed},
                        {"gap", one.crosses ? 0. : one.gap / two_pi}});
  nlohmann::json all = {{"branches", branches}, {"crossings", crossings}, {"meetings", meetings}, {"critical speeds", critical.speeds}};
  if (!critical.speeds.empty())
    all["critical speeds counted"] = critical.counted;
  all["onset speed"] = std::isfinite(found.onset) ? nlohmann::json(found.onset) : nlohmann::json();
  all["onset frequency"] = std::isfinite(found.onset) ? nlohmann::json(std::abs(found.growing.imag()) / two_pi) : nlohmann::json();
  return all;
}
}  // namespace symdyn
