#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/plain_units.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/rotors/turning_body.h"
#include "solver/stages/state_at_rest.h"

namespace symdyn
{
/// Steady whirl of a rotor by its unbalances, K(Omega) u = m r Omega² in its frame, at each speed: from the ground its nodes go round on
/// circles.
class UnbalanceResponseStage : public Stage
{
public:
  std::string meaning() const override { return "orbits of a rotor by its unbalances, over its speed"; }
  void declare(Parameters &p) override
  {
    constexpr int points = 101;
    range.declare(p, points);
    range.check(p);
    unbalances = p.root().section("Unbalance").named_sections();
    for (const std::string &bearing : p.root().section("Bearings").named_sections())
      if (std::count(unbalances.begin(), unbalances.end(), bearing))
        p.fail("",
               fmt::format("a bearing and an unbalance have the name '{}', and the table of orbits needs one for each. Rename one of both",
                           bearing));
  }
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = traits.linear = true;
    return traits;
  }
  void check(Analysis &analysis) override;
  Progress advance(Analysis &analysis) override;

private:
  /// Where the stations are at a speed.
  std::vector<Station> orbits(Analysis &analysis, TurningBody &body, double speed) const;
  void report(Analysis &analysis, const std::vector<double> &speeds, const std::vector<std::vector<Station>> &found) const;

  RotorSpeeds range;
  std::vector<std::string> unbalances;  ///< names of loads
  std::vector<std::size_t> acting;      ///< numbers of loads
};

void UnbalanceResponseStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  if (!spinning(analysis.structure->system()))
    throw InputError(where + ": the deck has no section Rotation. Add it, with the Axis of the rotor and a Speed");
  const std::vector<std::string> names = analysis.system().diagnosis().load_names();
  const std::vector<bool> wanted = chosen(loads, names);
  acting.clear();
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    const bool is_one = std::count(unbalances.begin(), unbalances.end(), names[i]) > 0;
    if (wanted[i] && is_one)
      acting.push_back(i);
    else if (std::count(loads.begin(), loads.end(), names[i]) > 0)
      throw InputError(fmt::format("{}: Loads = {}: it is no unbalance. Name sections of Unbalance", where, names[i]));
  }
  if (acting.empty() && !unbalances.empty())
    throw InputError(
        fmt::format("{}: Loads: no unbalance acts. Name sections of Unbalance, or leave the entry out: {}", where, join(unbalances)));
  if (acting.empty())
    throw InputError(where + ": no unbalance acts. Add a section to Unbalance, with Mass times radius and At");
}

std::vector<Station> UnbalanceResponseStage::orbits(Analysis &analysis, TurningBody &body, const double speed) const
{
  const State &state = analysis.state;
  const TurningBody::At there = body.at(speed);
  Vector f = there->new_vector(), without = f, u = f;
  const Vector rest = f;
  there->applied_force(state.t, there.q(), rest, without);
  for (const std::size_t i : acting)
    analysis.actions.set_strength(i, 1.);
  there->applied_force(state.t, there.q(), rest, f);
  for (const std::size_t i : acting)
    analysis.actions.set_strength(i, 0.);
  f -= without;
  there->project(f);
  if (f.l2_norm() == 0.)
    return body.frame().stations(u);
  try
  {
    const auto factored = there->factor(K, state.t, there.q(), rest);
    factored->solve(f, u, factored->tolerance());
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(
        fmt::format("{}: at {:g} rad/{} nothing resists the unbalance, as at a critical speed without damping ({}). Give Bearings "
                    "Damping, or take other Points",
                    where, speed, analysis.units.time, error.what()));
  }
  u.update_ghost_values();
  return body.frame().stations(u);
}

Progress UnbalanceResponseStage::advance(Analysis &analysis)
{
  const ScopedTimer timer("unbalance response");
  check_rest(analysis, *this, true);
  for (const std::size_t i : acting)
    if (analysis.actions.strength(i) != 0.)
      throw InputError(fmt::format("{}: the state bears the unbalance '{}' already. Leave it out of the Loads of the static stage before",
                                   where, analysis.system().diagnosis().load_names()[i]));
  TurningBody body(analysis, *this, range);
  const std::vector<double> speeds = range.speeds();
  std::vector<std::vector<Station>> found;
  for (const double speed : speeds)
  {
    if (analysis.should_stop())
      throw Interrupted(fmt::format("stage {} was stopped after {} of {} speeds", name, found.size(), speeds.size()));
    found.push_back(orbits(analysis, body, speed));
    analysis.show_progress(*this, long(found.size()), long(speeds.size()), found.size() == speeds.size());
  }
  report(analysis, speeds, found);
  return Progress::ended;
}

void UnbalanceResponseStage::report(Analysis &analysis, const std::vector<double> &speeds,
                                    const std::vector<std::vector<Station>> &found) const
{
  const double degrees = 180. / std::acos(-1.);
  const Units &units = analysis.units;
  std::string text = with_plain_unit("speed [rad/" + units.time + "]");
  for (const Station &station : found.front())
    text += fmt::format(",{0}.orbit [{1}],{0}.angle [deg]", station.name, units.length);
  text += "\n";
  std::vector<double> largest(found.front().size(), 0.), at(largest);
  for (std::size_t k = 0; k < speeds.size(); ++k)
  {
    text += fmt::format("{:.17g}", speeds[k]);
    for (std::size_t i = 0; i < found[k].size(); ++i)
    {
      const auto &[x, y] = found[k][i].orbit;
      const double radius = std::hypot(x, y);
      text += fmt::format(",{:.17g},{:.17g}", radius, radius > 0. ? degrees * std::atan2(y, x) : 0.);
      if (radius > largest[i])
      {
        largest[i] = radius;
        at[i] = speeds[k];
      }
    }
    text += "\n";
  }
  analysis.recorder.file(Results::stem("unbalance", name) + ".csv", text);
  nlohmann::json all = nlohmann::json::array();
  std::string lines = fmt::format("stage {}: orbits by unbalance at {} speeds; the largest of these", name, speeds.size());
  for (std::size_t i = 0; i < largest.size(); ++i)
  {
    lines += fmt::format("\n  {}: radius {:.6g}{} at {:.6g} rad/{}", found.front()[i].name, largest[i], Units::after(units.length), at[i],
                         units.time);
    all.push_back({{"at", found.front()[i].name}, {"largest orbit", largest[i]}, {"speed", at[i]}});
  }
  log_line(lines);
  (*analysis.found)[name] = {{"orbits", all}};
}

SYMDYN_REGISTER(Stage, UnbalanceResponseStage, "unbalance");
}  // namespace symdyn
