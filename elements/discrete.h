#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/discrete_model.h"
#include "solver/structure.h"

namespace symdyn
{
class Parameters;

/// Points, bars, dashpots, forces and potentials as a deck describes them. One rank only.
class Discrete : public Structure
{
public:
  void declare(Parameters &root) override;
  void document(Parameters &root) override;
  void build() override;

  MechanicalSystem &system() override { return *points_and_bars; }
  DiscreteSystem &discrete_system() { return *points_and_bars; }
  ModelFacts facts() const override;
  std::string linear_solver_name() const override { return points_and_bars->linear_solver_name(); }
  void initialise(State &state) const override;
  bool projects_start() const override { return model.parts.project; }
  std::string unheld_direction() const override;
  std::vector<std::string> momentum_columns(const Units &units) const override;
  /// Of the points of Points/Report: present coordinates and velocities.
  std::vector<std::string> report_columns(const Units &units) const override;
  std::vector<double> momenta(const State &state, const Vector &Mv) const override;
  std::vector<double> report(const State &state, bool statics) const override;
  /// VTU: a vertex for each point, a line for each bar; displacement [m], velocity [m/s], acceleration [m/s²], mass [kg]. Errors:
  /// ComputationError if it cannot be written.
  std::string write_frame(const State &state, const std::string &folder, unsigned int number) const override;

private:
  struct PointEntries;

  void declare_space(Parameters &p);
  void declare_points(Parameters &root);
  void declare_point(const std::string &name, Parameters p);
  void read_rows(PointEntries &entries, const Parameters &p) const;
  void add_point(const std::string &name, int i, const PointEntries &entries, const Parameters &p);
  void declare_report(const Parameters &p);

  DiscreteModel model;
  std::vector<std::string> report_names;
  std::vector<int> reported;
  std::vector<double> gravity;

  std::unique_ptr<DiscreteSystem> points_and_bars;
};
}  // namespace symdyn
