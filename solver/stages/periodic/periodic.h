#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "solver/stage.h"
#include "solver/stages/periodic/floquet.h"
#include "solver/stages/periodic/path.h"
#include "solver/stages/periodic/probed.h"

namespace symdyn
{
/// Periodic motions about a state at rest, a family of them, with their stability.
class PeriodicStage : public Stage
{
public:
  std::string meaning() const override
  {
    return "periodic motions about the state: backbone curves, response to periodic loads, stability";
  }
  void declare(Parameters &p) override;
  double declare_time(TimeSections &deck, double start) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the path asks
  Progress advance(Analysis &analysis) override;
  std::string headline(const Units &units) const override;

private:
  bool driven() const { return !loads.empty() && loads.front() != "none"; }
  void declare_values(Parameters &p);
  void check_entries(const Parameters &p) const;
  void check_system(const MechanicalSystem &system) const;
  void find_force(const Analysis &analysis);
  /// Errors: InputError for a scheme whose steps need more of the one before than q and v.
  void check_memory(const OrbitProblem &problem, Orbit orbit) const;
  /// The mode that motions begin with, and those of the preconditioner. Errors: InputError for one that does not vibrate.
  void find_mode(const OrbitProblem &problem, bool dense);
  OrbitMeasure measure(const OrbitProblem &problem) const;
  /// Where the path begins, along which motion, with which value.
  struct Start
  {
    Orbit orbit;
    OrbitVector along;
    double value;
  };
  Start start(const OrbitProblem &problem) const;
  /// Writes what was found, also of a path that fails or is stopped.
  void follow(Analysis &analysis, const OrbitProblem &problem, const Start &begin);
  double amplitude_of_mode() const;
  std::vector<double> asked(double first) const;
  OrbitPath::MakeJacobian jacobians(const OrbitProblem &problem) const;

  /// An orbit with what is reported of it.
  struct Row
  {
    FoundOrbit found;
    double highest = 0, lowest = 0, energy = 0;  ///< of the probe [m], [J]
    std::optional<Floquet> floquet;
    double amplitude() const { return 0.5 * (highest - lowest); }
  };
  Row row(const OrbitProblem &problem, const FoundOrbit &found) const;
  double energy(const OrbitProblem &problem, const Orbit &orbit) const;
  double frequency_ratio(const Orbit &orbit) const;
  std::string line(const Analysis &analysis, const Row &row) const;
  nlohmann::json summary(const Row &row) const;
  void report(Analysis &analysis, const std::vector<Row> &rows, bool complete) const;
  void warn(const std::vector<Row> &rows) const;
  std::string table(const Analysis &analysis, const std::vector<Row> &rows) const;
  std::string multipliers_table(const std::vector<Row> &rows) const;
  void write_motion(Analysis &analysis, const OrbitProblem &problem, const Orbit &orbit) const;

  TimeStepping time;
  int mode = 1, steps = 60, points = 10, dense_unknowns = 600;
  std::string by = "amplitude", probe;
  std::optional<double> from, up_to;
  std::vector<double> values;
  double frequency = 0;  ///< [Hz]
  PathRequest request;
  bool wants_multipliers = true;

  Vector force;
  std::optional<Probed> place;
  Modes modes;
  Shapes shapes;        ///< all of them where matrices are dense
  double corrects = 1;  ///< dispersion()
};
}  // namespace symdyn
