#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/lumped/point_sections.h"
#include "elements/system/joint_system.h"

namespace symdyn
{
/// The points that a deck describes beside a solid, of which some are nodes of its mesh, and the system of both.
class SolidPoints
{
public:
  /// Reads nothing yet: where points may be is known when there is a mesh.
  void declare(Parameters &root);
  /// Reads the sections and makes the system. Collective. Errors: InputError.
  void build(NodalSystem &body, const MeshPoints &mesh, std::shared_ptr<LinearSolver> linear_solver, double linear_tolerance,
             std::shared_ptr<const BaseMotion> base);
  /// nullptr: the deck has no points.
  JointSystem *system() const { return joint.get(); }
  const PointSections &all_sections() const { return sections; }

  /// q, v, a of the body alone.
  State of_body(const State &state) const;
  /// A vector of the body as one of both, zero at the points.
  Vector joined(const Vector &of_body) const;
  /// The body's state with the points' own displacements and velocities as the deck gives them.
  void initialise(State &state) const;
  std::vector<double> report(const State &state) const;
  std::vector<double> momenta(const State &state, const Vector &Mv) const;
  /// On the body's nodes: what points add to f_int + C v + M a - f_applied - Gᵀ lambda [N]; without C v, M a and lambda in a static stage.
  Vector force_on_body(const State &state, bool statics) const;
  /// On all points: f_int + C v + M a of what is joined to them [N], all that acts on them from outside; f_int alone in a static stage.
  Vector force_on_points(const State &state, bool statics) const;
  /// V''(q) u of all points, about a state [N].
  Vector stiffness_on_points(const State &about, const Vector &u) const;
  void add_facts(ModelFacts &facts) const;
  /// Writes them on the first rank. Collective. Errors: ComputationError.
  void write(const State &state, const std::string &file) const;

private:
  std::optional<Parameters> deck;
  PointSections sections;
  std::unique_ptr<JointSystem> joint;
};
}  // namespace symdyn
