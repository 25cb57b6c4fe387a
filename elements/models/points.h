#pragma once
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "elements/couplings/off_plane.h"
#include "elements/lumped/lumped_term.h"
#include "elements/lumped/point_output.h"
#include "elements/lumped/point_supports.h"
#include "elements/system/assembled_system.h"
#include "solver/column.h"

namespace symdyn
{
/// The points of a structure in its system: what they add to it, and what they report. Arrays over points hold `dimension` numbers each, of
/// all points on every rank.
class Points
{
public:
  /// `number`: the site of each point.
  Points(const LumpedParts &parts, std::shared_ptr<const Space> space, std::vector<std::int64_t> number);

  /// Those at references off the plane of what moves them; `sites`: of each point. Before add_to(). Errors: InputError where more than
  /// forces and moments acts on one.
  void raise(SitePlan &plan, const std::vector<SitePlan::Site> &sites);
  /// Of velocities that the deck gives, three a point, and the state that they start. Collective. Errors: InputError where the nodes of a
  /// distributing coupling move their reference in another way.
  void check_start(const std::vector<double> &given, const State &state) const;
  /// Adds them, without their relations, to a system; supports and cells of the body stand there already. Errors: InputError for
  /// constraints on a node with an inclined support.
  void add_to(AssembledSystem::Parts &system);
  /// Errors: InputError for a point without mass that moves. Collective.
  void check_masses(const AssembledSystem::Parts &system) const;
  /// The equations that hold, and the couplings of the system, beside what its supports leave. Errors: InputError for a point without mass
  /// that no relation moves.
  AssembledSystem::Relations relations(const AssembledSystem::Parts &system, const std::vector<bool> &hold) const;
  AssembledSystem::Relations relations(const AssembledSystem::Parts &system) const
  {
    return relations(system, std::vector<bool>(all.equations.size(), true));
  }
  /// Supports have changed: these equations hold now. Errors: InputError beside exact constraints.
  void begin_supports(AssembledSystem &system, const std::vector<bool> &equations);

  const LumpedParts &parts() const { return all; }
  const PointSites &sites() const { return *of_points; }
  std::vector<double> gather(const Vector &x) const { return of_points->gather(x); }
  /// Whether the point stands off the plane of the nodes that move it.
  bool is_raised(const int point) const { return raised.count(point) > 0; }
  /// X + q
  std::vector<double> coordinates(const Vector &q) const;
  using Fields = std::array<std::vector<double>, 3>;
  /// Displacements, velocities and accelerations of the points, also off a plane. Collective.
  Fields moved(const State &state) const;
  /// The same of a displacement about a state; nullptr: about rest. Collective.
  std::vector<double> moved(const State *about, const Vector &field) const;
  PointMotion motion(const State &state) const
  {
    const auto [u, v, a] = moved(state);
    return {state.t, u, v, a, terms(state.history)};
  }

  /// All terms on every rank, frozen at a history (nullptr: virgin). Collective.
  std::vector<std::shared_ptr<const DiscreteTerm>> terms(const HistoryPointer &history) const;

  /// Of the elements with a memory whose sections ask for it: elongation, force, plastic elongation.
  std::vector<Column> columns(const Units &units) const;
  /// Collective.
  std::vector<double> values(const State &state) const;

  /// Of what is joined to them [N]: of the terms alone; with the weight; and with C v + M a, all that acts on them from outside.
  std::vector<double> term_force(const State &state) const;
  std::vector<double> internal_force(const State &state) const;
  std::vector<double> force(const State &state, bool statics) const;
  /// Applied forces [N].
  std::vector<double> applied_force(double t, const Actions &actions) const;
  /// V'' u of all points about a state [N].
  std::vector<double> stiffness(const State &state, const Vector &u) const;

private:
  /// The variables of all elements of a term, on every rank. Collective.
  std::vector<double> memory(std::size_t number, const HistoryPointer &history) const;
  std::shared_ptr<AppliedLoad> forces(std::size_t name) const;
  /// BearsStress of what is drawn with a force: bars, and springs along a line. Collective.
  std::shared_ptr<Term> stress(const State &about, const Vector &u, double factor) const;
  using Projectors = std::vector<double>;  ///< what supports leave of the motion of each point, by rows
  Projectors projectors(const AssembledSystem::Parts &system) const;
  std::shared_ptr<PointConstraints> constraints(const std::vector<std::shared_ptr<const Constraint>> &given,
                                                const AssembledSystem::Parts &system) const;
  std::vector<Rotation> rotations() const;

  const LumpedParts &all;
  std::shared_ptr<const Space> space;
  std::shared_ptr<const PointSites> of_points;
  std::shared_ptr<LumpedTerm> term;
  std::map<int, std::shared_ptr<const OffPlaneReference>> raised;  ///< by point
  std::vector<int> averaged;                                       ///< points that follow the nodes of a distributing coupling
  std::size_t place = 0;                                           ///< of the term in the system
  std::size_t first_load = 0;                                      ///< in the numbering of the system
  std::shared_ptr<PointConstraints> exact, soft;
};
}  // namespace symdyn
