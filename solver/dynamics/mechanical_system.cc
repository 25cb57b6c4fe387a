#include "solver/mechanical_system.h"

#include <deal.II/base/mpi.h>

#include "solver/actions.h"
#include "solver/diagnosis.h"

namespace symdyn
{
bool ForceReport::admissible() const { return dealii::Utilities::MPI::min(smallest, communicator) > 0.; }

const KinematicConstraints &MechanicalSystem::kinematic_constraints() const
{
  static const KinematicConstraints none;
  return none;
}

std::string diagnose(const MechanicalSystem &system, const Vector &q) { return system.diagnosis().diagnose(q); }

double potential_rounding(const MechanicalSystem &system) { return system.diagnosis().potential_rounding(); }

void Actions::begin(const std::vector<bool> &act)
{
  std::vector<double> before(act.size(), 0.);
  for (std::size_t i = 0; i < act.size() && begun; ++i)
    before[i] = strength(i);
  from = before;
  to.assign(act.begin(), act.end());
  motion_from = begun ? motion() : 0.;
  begun = true;
  reached = 0.;
  holds_motions = false;
}

void Actions::set_strength(const std::size_t load, const double strength)
{
  if (load >= from.size())
    from.resize(load + 1, 0.);
  if (load >= to.size())
    to.resize(load + 1, 1.);
  from[load] = to[load] = strength;
}

const Actions &Actions::all()
{
  static const Actions everything;
  return everything;
}
}  // namespace symdyn
