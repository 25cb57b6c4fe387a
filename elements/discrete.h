#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/discrete_system.h"
#include "solver/structure.h"

namespace symdyn
{
class Parameters;

/// The first dozen, for messages.
std::string join_some(std::vector<std::string> names);

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
  /// Two lists of points that a bar or potential joins one by one.
  struct Ends
  {
    static constexpr const char *ground = "ground";
    std::string from, to;
    std::vector<int> offset{0};
    bool cyclic = false;
    void declare(Parameters &p);
    bool given(const Parameters &p) const;
  };
  struct PointEntries;
  struct BarEntries;
  struct PotentialEntries;

  void declare_space(Parameters &p);
  void declare_points(Parameters p);
  void declare_point(const std::string &name, Parameters p);
  void read_rows(PointEntries &entries, const Parameters &p) const;
  void add_point(const std::string &name, int i, const PointEntries &entries, const Parameters &p);
  void declare_report(const Parameters &p);
  void declare_terms(Parameters &root);
  static void document_terms(Parameters &root);
  void declare_bar(Parameters p);
  void declare_dashpot(Parameters p);
  void declare_force(const std::string &name, Parameters p);
  void declare_potential(const std::string &name, Parameters p);
  /// Numbers of the points of these names and groups. Errors: InputError for a name that is no point.
  std::vector<int> find(const std::vector<std::string> &names, const Parameters &p, const std::string &entry) const;
  std::vector<std::pair<int, int>> pairs(const Ends &ends, const Parameters &p) const;
  std::vector<double> components(const std::vector<Expression> &formulas, const std::vector<double> &variables, const std::string &entry,
                                 const Parameters &p) const;
  void complete(FormulaPotential &potential, const std::vector<std::string> &names, const std::vector<std::vector<int>> &sets,
                const std::string &text, const Parameters &p) const;

  DiscreteSystem::Parts parts;
  std::map<std::string, std::vector<int>> places;  ///< points of a name or a group
  std::vector<std::string> report_names, force_names;
  std::vector<int> reported;
  std::vector<double> gravity, displacement, velocity;

  std::unique_ptr<DiscreteSystem> points_and_bars;
};
}  // namespace symdyn
