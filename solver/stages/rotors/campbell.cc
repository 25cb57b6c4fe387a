#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/nodal_diameters.h"
#include "solver/stages/rotors/campbell_tables.h"
#include "solver/stages/rotors/rotor_modes.h"
#include "solver/stages/state_at_rest.h"

namespace symdyn
{
/// Frequencies of a rotor over its speed, and its critical speeds.
class CampbellStage : public Stage
{
public:
  std::string meaning() const override { return "frequencies and damping of a rotor over its speed, and critical speeds"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = traits.linear = traits.of_sectors = true;
    traits.modes = 2 * number;
    return traits;
  }
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  bool fixed() const { return frame == "fixed"; }
  /// Whether omega is in the frame, and frequencies from the ground are omega + k Omega.
  bool converted() const { return fixed() && !at_rest; }
  std::size_t asked() const { return numbers.size() * range.speeds().size(); }  ///< speeds, of each number of nodal diameters
  /// `done`: speeds of the numbers of nodal diameters before.
  SpeedBranches follow(Analysis &analysis, TurningBody &body, int diameters, std::size_t done);
  int most_modes(const Analysis &analysis, int wanted) const;
  void check_waves(const SpeedBranches &found) const;
  void report(Analysis &analysis, const SpeedBranches &found, const CriticalSpeeds &critical);
  void report_onset(const Analysis &analysis, const SpeedBranches &found) const;
  void write(Analysis &analysis, const SpeedBranches &found, const CriticalSpeeds &critical) const;

  RotorSpeeds range;
  int number = 8, critical_speeds = 0;
  std::string frame = "rotating";
  bool at_rest = false;  ///< the equations are in fixed axes
  std::vector<double> orders;
  NodalDiameters diameters;
  std::vector<int> numbers;  ///< of nodal diameters; {-1}: there are no sectors
  std::vector<std::string> completeness;
  bool complete = true;
  double residual = 0, over_limit = 0;
};

void CampbellStage::declare(Parameters &p)
{
  constexpr int points = 21;
  range.declare(p, points);
  p.add("Modes", number,
        "number of modes of lowest |lambda| at each speed that are on branches; of sectors for each number of nodal diameters",
        between(1, 1000));
  p.add(
      "Frame", frame,
      "of the frequencies: rotating: as seen from the rotor, omega; fixed: from the ground, omega + k Omega of a wave of k nodal diameters "
      "(k > 0: forward)",
      {"rotating", "fixed"});
  p.add("Engine orders", orders,
        "e: the speeds at which a branch crosses the line omega = e Omega, in the Frame: with Frame = fixed, 1 is unbalance", positive());
  p.add(
      "Critical speeds", critical_speeds,
      "number of critical speeds from one eigenproblem, without a sweep: motions that stand in the frame of the rotor (forward synchronous whirl). "
      "A body of revolution has each twice. For bearings without damping that are the same at all speeds; 0: none",
      between(0, 1000));
  diameters.declare(p);
  range.check(p);
  for (std::size_t i = 0; i < orders.size(); ++i)
    if (std::count(orders.begin(), orders.begin() + long(i), orders[i]) > 0)
      p.fail("Engine orders", fmt::format("has {:g} twice. Give each order once", orders[i]));
  if (!loads.empty() && loads != std::vector<std::string>{"none"})
    p.fail("Loads", "have no effect in a campbell stage; those of the stages before it stay. Remove the entry");
  if (critical_speeds > 0 && range.nonlinear())
    p.fail("Critical speeds", "need Prestress = linear, where K grows with Omega^2. Take Engine orders, which are found on the branches");
}

void CampbellStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  if (!spinning(analysis.structure->system()))
    throw InputError(where + ": the deck has no section Rotation. Add it, with the Axis of the rotor and a Speed");
  if (critical_speeds > 0)
    if (const auto bearing = spinning(analysis.structure->system())->uneven_bearing())
      throw InputError(
          fmt::format("{}: a bearing has {} ({}), and the eigenproblem has none of it. Set Frame = fixed and Engine orders = 1",
                      at("Critical speeds"), bearing->why, bearing->where));
  const std::string bearing = spinning(analysis.structure->system())->fixed_bearing();
  at_rest = !bearing.empty();
  if (at_rest && !fixed())
    throw InputError(
        fmt::format("{}: a bearing has Frame = fixed ({}), and the frame of the rotor sees its motions with two "
                    "frequencies. Set Frame = fixed",
                    at("Frame"), bearing));
  const CyclicSector *sector = cyclic_sector(analysis.structure->system());
  numbers = diameters.of(sector);
  if (!sector)
    numbers = {-1};
}

/// All of a small body; of others a quarter of the degrees of freedom, and no search for hundreds of modes that decay.
int CampbellStage::most_modes(const Analysis &analysis, const int wanted) const
{
  constexpr int small = 300, of_wanted = 16;
  const int n = int(analysis.system().new_vector().size());
  return n <= small ? 4 * n : std::max(wanted, std::min(of_wanted * wanted, n / 4 - 2));
}

SpeedBranches CampbellStage::follow(Analysis &analysis, TurningBody &body, const int n, const std::size_t done)
{
  RotorModes modes(analysis, *this, body, n);
  SpeedBranchesRequest request;
  request.speeds = range.speeds();
  request.number = number + (n > 0 ? number % 2 : 0);
  request.most = most_modes(analysis, request.number);
  request.orders = orders;
  request.fixed = converted();
  const std::vector<double> &speeds = request.speeds;
  const auto show = [&](const double speed, const std::size_t of_these) {
    const std::size_t so_far = done + of_these;
    const bool narrows = !std::binary_search(speeds.begin(), speeds.end(), speed);  // crossings, and forms that change much
    analysis.show_progress(*this, long(so_far), long(asked()), so_far == asked(), speed, narrows ? "speeds, narrowing" : "speeds");
  };
  int searched = request.number;
  request.modes = [&](const double speed, const int asked) {
    searched = std::max(searched, asked);
    if (analysis.should_stop())
      throw Interrupted("stopped between two speeds");
    show(speed, std::min<std::size_t>(std::lower_bound(speeds.begin(), speeds.end(), speed) - speeds.begin(), speeds.size() - 1));
    return modes.at(speed, asked);
  };
  SpeedBranches found = follow_branches(request);
  if (found.speeds == speeds.size())
    show(speeds.back(), speeds.size());
  if (found.speeds == speeds.size() && std::isfinite(found.onset))
    found.cause = modes.cause_of_growth(found.onset, found.growing, searched);
  if (!found.lacking)
    completeness.push_back(modes.completeness());
  complete = complete && modes.complete() && !found.lacking;
  residual = std::max(residual, modes.largest_residual());
  over_limit = std::max(over_limit, modes.over_limit());
  return found;
}

Progress CampbellStage::advance(Analysis &analysis)
{
  const ScopedTimer timer("campbell");
  check_rest(analysis, *this, true);
  TurningBody body(analysis, *this, range);
  CriticalSpeeds critical;
  if (critical_speeds > 0)
    critical = find_critical_speeds(analysis, *this, body, numbers, critical_speeds);
  SpeedBranches all;
  for (std::size_t k = 0; k < numbers.size() && all.speeds == k * range.speeds().size(); ++k)
    all.append(follow(analysis, body, numbers[k], all.speeds));
  if (all.speeds == 0)
    throw Interrupted(fmt::format("stopped before the first of {} speeds was done", asked()));
  check_waves(all);
  std::stable_sort(all.crossings.begin(), all.crossings.end(), [](const auto &a, const auto &b) { return a.speed < b.speed; });
  report(analysis, all, critical);
  write(analysis, all, critical);
  if (all.speeds < asked())
    throw Interrupted(fmt::format("stopped after {} of {} speeds; they are in {}/{}.csv", all.speeds, asked(), analysis.recorder.folder(),
                                  Results::stem("campbell", name)));
  return Progress::ended;
}

void CampbellStage::check_waves(const SpeedBranches &found) const
{
  if (!converted())
    return;
  std::string others;
  std::size_t without = 0;
  for (std::size_t i = 0; i < found.branches.size(); ++i)
    if (!found.branches[i].waves)
    {
      others += (others.empty() ? "" : ", ") + std::to_string(i + 1);
      ++without;
    }
  if (without == found.branches.size())
    throw InputError(
        fmt::format("{}: no mode is a wave around the axis: the body is not one of revolution, or no node is on the axis or on a ring "
                    "of equal distances. From the ground it has no frequencies. Set Frame = rotating",
                    at("Frame")));
  if (without > 0)
    log_warning(fmt::format("stage {}: Frame = fixed: branches {} are no waves around the axis, and have no frequency seen from the ground",
                            name, others));
}

void CampbellStage::report(Analysis &analysis, const SpeedBranches &found, const CriticalSpeeds &critical)
{
  const std::size_t overdamped = found.aside(ComplexModes::overdamped, converted()),
                    decaying = found.aside(ComplexModes::divergence, converted());
  std::string text = fmt::format("stage {}: {} branches, frequencies in {}\n{}", name, found.branches.size() - overdamped - decaying,
                                 fixed() ? "fixed axes" : "the frame of the rotor", campbell_lines(found, converted(), analysis.units));
  if (overdamped > 0)
    text += fmt::format("\n  overdamped branches, in the table alone: {}", overdamped);
  if (decaying > 0)
    text += fmt::format("\n  branches of the decaying root of a divergence, in the table alone: {}", decaying);
  for (std::size_t i = 0; i < critical.speeds.size(); ++i)
    text += fmt::format("\n  critical speed {:.8g} rad/{}{}", critical.speeds[i], analysis.units.time,
                        critical.diameters.empty() ? "" : fmt::format(" ({} nodal diameters)", critical.diameters[i]));
  if (!critical.speeds.empty())
    text += critical.counted >= 0 ? fmt::format("\n  {} critical speeds; Sturm count {}", critical.speeds.size(), critical.counted)
                                  : "\n  no Sturm check: critical speeds may be missed";
  for (const std::string &line : completeness)
    text += "\n  " + line;
  text += fmt::format("\n  largest residual {:.2g}", residual);
  log_line(text);
  if (over_limit > 1.)
    log_warning(fmt::format(
        "stage {}: a residual of {:.2g} is {:.2g} times the limit: a mode is not exact. Look for a stiffness that is far above the others, and hold its point instead",
        name, residual, over_limit));
  for (const SpeedBranches::Crossing &one : found.unsure)
    log_warning(fmt::format(
        "stage {}: branch {} changes its side of order {:g} near {:.6g} rad/{}, and no mode continues it there: it may cross, and "
        "is not in the table of orders. Take more Points, or more Modes",
        name, one.branch + 1, one.order, one.speed, analysis.units.time));
  if (found.lacking)
    log_warning(fmt::format(
        "{}: {} modes are asked for, and at {:.6g} rad/{} only {} of the {} of lowest |lambda| oscillate: the others decay without "
        "oscillating, and branches are missing. Raise Modes",
        at("Modes"), number, found.lacking->speed, analysis.units.time, found.lacking->found, found.lacking->asked));
  report_onset(analysis, found);
  (*analysis.found)[name] = campbell_summary(found, critical, converted());
  (*analysis.found)[name]["onset cause"] = found.cause;
  (*analysis.found)[name]["speeds"] = {{"done", found.speeds}, {"asked", asked()}};
  (*analysis.found)[name]["none is missing"] = complete;
  (*analysis.found)[name]["largest residual"] = residual;
}

void CampbellStage::report_onset(const Analysis &analysis, const SpeedBranches &found) const
{
  if (!std::isfinite(found.onset))
    return log_line(fmt::format("stage {}: no motion grows at {} speeds", name, found.speeds < asked() ? "the finished" : "these"));
  log_line(fmt::format("stage {}: onset speed {:.8g} rad/{}: from there on a motion grows, of {:.6g} {} in {}{}", name, found.onset,
                       analysis.units.time, std::abs(found.growing.imag()) / (2. * std::acos(-1.)), hertz(analysis.units),
                       at_rest ? "fixed axes" : "the frame of the rotor",
                       found.cause.empty() ? (found.speeds < asked() ? ". Its cause is not known: the run was stopped"
                                                                     : ". Its cause is not known: just above, no such motion is found")
                                           : ". " + found.cause));
}

void CampbellStage::write(Analysis &analysis, const SpeedBranches &found, const CriticalSpeeds &critical) const
{
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("campbell", name);
  recorder.file(stem + ".csv", campbell_csv(found, converted(), at_rest, analysis.units, asked()));
  recorder.file(stem + "-plot.csv", campbell_plot_csv(found, range.speeds(), orders, converted(), analysis.units));
  recorder.file(stem + "-meetings.csv", meetings_csv(found, analysis.units));
  if (!orders.empty())
    recorder.file(stem + "-orders.csv", crossings_csv(found, analysis.units));
  if (critical_speeds > 0)
    recorder.file(stem + "-critical.csv", critical_csv(critical, analysis.units));
}

SYMDYN_REGISTER(Stage, CampbellStage, "campbell");
}  // namespace symdyn
