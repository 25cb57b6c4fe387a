#pragma once
#include <memory>
#include <vector>

#include "solver/stages/periodic/monodromy.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// J = d residual/d unknowns at an orbit, bordered by d residual/d parameter and a row:
///     J x + column p = right.x,   row.x·x + row.p p = right.p
class OrbitJacobian
{
public:
  virtual ~OrbitJacobian() = default;
  /// Errors: ComputationError.
  virtual OrbitVector solve(const OrbitVector &column, const OrbitVector &row, const OrbitVector &right) const = 0;
  /// Of the determinant of the whole; 0: not known.
  virtual int sign(const OrbitVector &column, const OrbitVector &row) const = 0;
};

/// All columns, by the linearised steps, on all shapes, which must outlive it. The motion may go.
std::unique_ptr<OrbitJacobian> dense_jacobian(const OrbitProblem &problem, const OrbitMotion &motion, const Shapes &shapes);
/// Products alone, for GMRES; of orbits without a periodic load. Preconditioner: J of the linear body on its lowest modes, the first of
/// which, number `followed`, moves with the parameter; a multiple of 1 on the rest.
std::unique_ptr<OrbitJacobian> krylov_jacobian(const OrbitProblem &problem, std::shared_ptr<const OrbitMotion> motion, const Modes &modes,
                                               std::size_t followed);

/// The linear body in one step of length h: (q, v) of a mode, by rows; of all these modes with one factorisation.
using ModalStep = std::array<double, 4>;
std::vector<ModalStep> modal_steps(const OrbitProblem &problem, const Modes &modes, const std::vector<std::size_t> &numbers, double h);
/// h omega over the angle 2 pi/n that a step of the scheme turns a mode: frequencies of orbits times this are free of the dispersion of the
/// linear body. Average acceleration: tan(pi/n)/(pi/n). `i`: a mode that vibrates.
double dispersion(const OrbitProblem &problem, const Modes &modes, std::size_t i);
}  // namespace symdyn
