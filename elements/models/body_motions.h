#pragma once
#include <memory>
#include <string>

#include "elements/lumped/mesh_parts.h"
#include "elements/models/solid_points.h"
#include "elements/supports/motion_hold.h"
#include "elements/system/assembled_system.h"
#include "elements/system/free_motions.h"
#include "solver/base/units.h"

namespace symdyn
{
template <int dim>
class SolidBody;

/// Free motions of a solid and of the points beside it.
template <int dim>
class BodyMotions
{
public:
  /// `equations_hold`: empty: all. Collective.
  BodyMotions(const SolidBody<dim> &body, const SolidPoints &points, const MeshParts<dim> &parts, const std::vector<bool> &equations_hold,
              const AssembledSystem::Parts &system, const Vector &q);

  /// The number of the group of parts that are joined, of each part.
  const std::vector<int> &groups() const { return free->groups(); }
  /// Those that V''(q) does not resist either (stress does, about a loaded state), in words; "": none. Collective.
  std::string in_words(const MechanicalSystem &system, const Vector &q, const Units &units) const;
  /// For each of them a spring at a node, of the stiffness that V''(q) has there; empty: not all can be held so. Collective.
  std::vector<MotionHold::Spring> springs(const MechanicalSystem &system, const Vector &q) const;

private:
  std::vector<RigidPart> rigid_parts() const;
  std::vector<int> parts_of_points() const;
  std::vector<SharedPlace> shared_by_ties(const std::vector<SiteTie> &ties) const;
  /// The displacements of one of them, as long as those of the system.
  Vector field(const FreeMotions::Motion &motion) const;
  static bool is_held(const MechanicalSystem &system, Vector &u);
  std::vector<const FreeMotions::Motion *> unresisted(const MechanicalSystem &system, const Vector &q) const;
  /// Where this displacement is largest, the first such place; of other ranks without dof.
  MotionHold::Spring outermost(const Vector &u) const;
  double stiffness(const MechanicalSystem &system, const Vector &q, const MotionHold::Spring &spring) const;
  void turn_along(const FreeMotions::Motion &motion, Vector &u) const;

  const SolidBody<dim> &body;
  const Space &space;
  bool coupled;  ///< sites beside the body may hold it
  const SolidPoints &points;
  const MeshParts<dim> &parts;
  std::vector<dealii::Point<dim>> position;  ///< of owned nodes [m]
  std::unique_ptr<FreeMotions> free;
};

/// "part 2 of 3 (around (1.6, 0.5, 0.5) m)"; "the body", if there is one.
template <int dim>
std::string name_of_part(const MeshParts<dim> &parts, std::size_t part);
/// Lines of `symdyn check`: how many parts, where they are, and which are joined.
template <int dim>
std::string describe_parts(const MeshParts<dim> &parts, const std::vector<int> &groups, const Units &units);
}  // namespace symdyn
