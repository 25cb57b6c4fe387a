#pragma once
#include <map>
#include <string>
#include <vector>

#include "elements/gram/moment_load.h"
#include "elements/shells/surface_load.h"

namespace symdyn
{
/// One moment on the directors of nodes of a surface, with a weight at each (MomentLoad).
class NodalMoments
{
public:
  /// Reads `entry`, Follower and Geometry. `turns_with`: what a follower turns with, for the help. Errors: InputError for a moment that
  /// is given and has not three components, or is zero.
  void declare(Parameters &p, const std::string &entry, const std::string &help, const std::string &turns_with);
  bool given() const { return !moment.empty(); }

  /// `weights`: of nodes [-], or [m] of a moment per length. Warns of a part about the normal of the shell, which has no effect. Errors:
  /// InputError with the place in the deck for nodes without directors, and where all of it is about the normal.
  void act_on(const SurfaceInSystem &surface, const std::map<unsigned int, double> &weights);

  /// As of AppliedLoad, for all nodes.
  bool follows() const { return given() && mode != MomentMode::at_rest; }
  void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const;
  void add_matrix(const Moment &now, const Vector &q, double k, const MatrixSink &sink) const;
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, double factor, Vector &Ku) const;

private:
  /// Why the moment has no effect on a node; "": it has one.
  std::string refusal(const SurfaceInSystem &surface, unsigned int node) const;

  std::vector<Expression> moment;
  MomentMode mode = MomentMode::in_space;
  std::string where;
  std::vector<MomentLoad> at_nodes;
};
}  // namespace symdyn
