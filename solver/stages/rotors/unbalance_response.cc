#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/plain_units.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/linear/complex_vector.h"
#include "solver/linear/harmonic.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/rotors/turning_body.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
/// Steady whirl of a rotor by its unbalances at each speed. In its frame K(Omega) u = m r Omega², and from the ground its nodes go round on
/// circles. In fixed axes (K - Omega² M + i Omega C) u = f - i a x f, f = m r Omega², and the orbits are ellipses.
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
    traits.perturbation = traits.linear = traits.unbalances = true;
    return traits;
  }
  void check(Analysis &analysis) override;
  Progress advance(Analysis &analysis) override;

private:
  /// z = forward e^(i Omega t) + backward e^(-i Omega t), x + i y from the directions of Angle.
  struct Orbit
  {
    std::complex<double> forward, backward;
    double major() const { return std::abs(forward) + std::abs(backward); }
    double minor() const { return std::abs(forward) - std::abs(backward); }
  };
  /// Of the stations at a speed.
  std::vector<Orbit> orbits(Analysis &analysis, TurningBody &body, double speed);
  std::vector<Orbit> seen(const TurningBody &body, const ComplexVector &u);
  /// What the unbalances add.
  Vector load(Analysis &analysis, const TurningBody::At &there) const;
  static ComplexVector whirl(const Analysis &analysis, const TurningBody::At &there, double speed, const ComplexVector &force);
  void report(Analysis &analysis, const std::vector<double> &speeds, const std::vector<std::vector<Orbit>> &found) const;

  RotorSpeeds range;
  std::vector<std::string> unbalances;  ///< names of loads
  std::vector<std::size_t> acting;      ///< numbers of loads
  std::vector<std::string> stations;    ///< names
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
      throw InputError(fmt::format("{}: '{}' is no unbalance. Name sections of Unbalance", at("Loads"), names[i]));
  }
  if (acting.empty() && !unbalances.empty())
    throw InputError(
        fmt::format("{}: no unbalance acts. Name sections of Unbalance, or leave the entry out: {}", at("Loads"), join(unbalances)));
  if (acting.empty())
    throw InputError(where + ": no unbalance acts. Add a section to Unbalance, with Mass times radius and At");
}

Vector UnbalanceResponseStage::load(Analysis &analysis, const TurningBody::At &there) const
{
  const State &state = analysis.state;
  Vector f = there->new_vector(), without = f;
  const Vector rest = f;
  there->applied_force(state.t, there.q(), rest, without);
  for (const std::size_t i : acting)
    analysis.actions.set_strength(i, 1.);
  there->applied_force(state.t, there.q(), rest, f);
  for (const std::size_t i : acting)
    analysis.actions.set_strength(i, 0.);
  f -= without;
  return f;
}

ComplexVector UnbalanceResponseStage::whirl(const Analysis &analysis, const TurningBody::At &there, const double speed,
                                            const ComplexVector &force)
{
  constexpr double tolerance = 1e-12;
  const State &state = analysis.state;
  const Vector rest = there->new_vector();
  ComplexSystem equations;
  equations.A = [&, Mx = rest](const Vector &x, Vector &y) mutable {
    tangent(*there, state.t, there.q(), x, y);
    there->mass(x, Mx);
    y.add(-speed * speed, Mx);
    there->project(y);
  };
  equations.B = [&](const Vector &x, Vector &y) {
    there->damping_force(there.q(), x, y);
    y *= speed;
    there->project(y);
  };
  std::shared_ptr<const LinearSolve> factored;
  equations.factor = [&](const double a, const double b) {
    factored = there->factor(-a * speed * speed * M + b * speed * C + a * K, state.t, there.q(), rest);
    return [&factored](const Vector &x, Vector &y) { factored->solve(x, y, factored->tolerance()); };
  };
  ComplexVector u{rest, rest};
  solve_complex(equations, force.real, force.imaginary, tolerance, u.real, u.imaginary);
  return u;
}

std::vector<UnbalanceResponseStage::Orbit> UnbalanceResponseStage::orbits(Analysis &analysis, TurningBody &body, const double speed)
{
  const TurningBody::At there = body.at(speed);
  const Vector rest = there->new_vector();
  ComplexVector f{load(analysis, there), rest}, u{rest, rest};
  if (body.at_rest())
  {
    f.imaginary = body.frame().quarter_turn(f.real);
    f.imaginary *= -1.;
    there->project(f.imaginary);
  }
  there->project(f.real);
  try
  {
    if (f.real.l2_norm() == 0.)
      ;  // the rotor rests
    else if (body.at_rest())
      u = whirl(analysis, there, speed, f);
    else
    {
      const auto factored = there->factor(K, analysis.state.t, there.q(), rest);
      factored->solve(f.real, u.real, factored->tolerance());
    }
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(
        fmt::format("{}: at {:g} rad/{} nothing resists the unbalance, as at a critical speed without damping ({}). Give Bearings "
                    "Damping, or take other Points",
                    where, speed, analysis.units.time, error.what()));
  }
  u.real.update_ghost_values();
  u.imaginary.update_ghost_values();
  return seen(body, u);
}

std::vector<UnbalanceResponseStage::Orbit> UnbalanceResponseStage::seen(const TurningBody &body, const ComplexVector &u)
{
  using Complex = std::complex<double>;
  const Complex i(0., 1.);
  const std::vector<Station> real = body.frame().stations(u.real), imaginary = body.frame().stations(u.imaginary);
  std::vector<Orbit> all;
  stations.clear();
  for (std::size_t k = 0; k < real.size(); ++k)
  {
    const Complex x(real[k].orbit[0], imaginary[k].orbit[0]), y(real[k].orbit[1], imaginary[k].orbit[1]);
    all.push_back(body.at_rest() ? Orbit{0.5 * (x + i * y), 0.5 * (std::conj(x) + i * std::conj(y))} : Orbit{x + i * y, 0.});
    stations.push_back(real[k].name);
  }
  return all;
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
  std::vector<std::vector<Orbit>> found;
  for (const double speed : speeds)
  {
    if (analysis.should_stop())
      break;
    found.push_back(orbits(analysis, body, speed));
    analysis.show_progress(*this, long(found.size()), long(speeds.size()), found.size() == speeds.size(), speed, "speeds");
  }
  if (!found.empty())
    report(analysis, speeds, found);
  if (found.size() < speeds.size())
    throw Interrupted(fmt::format(
        "stopped after {} of {} speeds{}", found.size(), speeds.size(),
        found.empty() ? "" : fmt::format("; they are in {}/{}.csv", analysis.recorder.folder(), Results::stem("unbalance", name))));
  return Progress::ended;
}

void UnbalanceResponseStage::report(Analysis &analysis, const std::vector<double> &speeds,
                                    const std::vector<std::vector<Orbit>> &found) const
{
  const double degrees = 180. / std::acos(-1.);
  const Units &units = analysis.units;
  const bool ellipses = !spinning(analysis.structure->system())->fixed_bearing().empty();
  const auto angle = [degrees](const std::complex<double> &z) { return z == 0. ? 0. : degrees * std::arg(z); };
  std::string text = with_plain_unit("speed [rad/" + units.time + "]");
  for (const std::string &station : stations)
    text += fmt::format(",{0}.orbit [{1}],{0}.angle [deg]", station, units.length) +
            (ellipses ? fmt::format(",{0}.minor [{1}],{0}.inclination [deg]", station, units.length) : "");
  const bool stopped = found.size() < speeds.size();
  text += stopped ? ",speeds done [-],speeds asked [-]\n" : "\n";
  std::vector<double> largest(stations.size(), 0.), at(largest);
  for (std::size_t k = 0; k < found.size(); ++k)
  {
    text += fmt::format("{}", speeds[k]);
    for (std::size_t i = 0; i < found[k].size(); ++i)
    {
      const Orbit &orbit = found[k][i];
      text += fmt::format(",{},{}", orbit.major(), angle(orbit.forward));
      if (ellipses)
        text += fmt::format(",{},{}", orbit.minor(), 0.5 * (angle(orbit.forward) + angle(orbit.backward)));
      if (orbit.major() > largest[i])
      {
        largest[i] = orbit.major();
        at[i] = speeds[k];
      }
    }
    text += stopped ? fmt::format(",{},{}\n", found.size(), speeds.size()) : "\n";
  }
  analysis.recorder.file(Results::stem("unbalance", name) + ".csv", text);
  nlohmann::json all = nlohmann::json::array();
  std::string lines = fmt::format("stage {}: orbits by unbalance at {} speeds; the largest of these", name, found.size());
  for (std::size_t i = 0; i < largest.size(); ++i)
  {
    lines +=
        fmt::format("\n  {}: radius {:.6g}{} at {:.6g} rad/{}", stations[i], largest[i], Units::after(units.length), at[i], units.time);
    all.push_back({{"at", stations[i]}, {"largest orbit", largest[i]}, {"speed", at[i]}});
  }
  log_line(lines);
  (*analysis.found)[name] = {{"orbits", all}, {"speeds", {{"done", found.size()}, {"asked", speeds.size()}}}};
}

SYMDYN_REGISTER(Stage, UnbalanceResponseStage, "unbalance");
}  // namespace symdyn
