#pragma once
#include <memory>

#include "elements/applied_load.h"
#include "elements/loads/turning_frame.h"
#include "elements/system/assembled_mass.h"

namespace symdyn
{
/// What a turning frame puts on all masses. With y the present places from a point of the axis, and present directors, P = 1 - a aᵀ and
/// S = a x, site by site:
///     f = Omega² P M P y, of the potential -½ Omega² y·P M P y,   -df/dq = -Omega² P M P   (spin softening)
///     C v = Omega (S M + M S) v = 2 Omega ∫ rho a x v   (Coriolis; skew)
/// (Geradin, Rixen, Mechanical Vibrations, 2.7; masses of incompatible modes are not the same for each component, hence the products on
/// both sides.)
class SpinLoad : public AppliedLoad
{
public:
  /// `space` and `mass` must outlive it.
  SpinLoad(const Space &space, const AssembledMass &mass, std::shared_ptr<const TurningFrame> rotation)
      : space(space), mass(mass), rotation(std::move(rotation))
  {
  }
  void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const override;
  void add_matrix(const Moment &now, const Vector &q, double k, const MatrixSink &sink) const override;
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, double factor, Vector &Ku) const override;
  bool follows() const override { return true; }
  bool has_symmetric_tangent() const override { return true; }

  /// f += C v, owned entries. Collective.
  void add_coriolis(const Vector &v, Vector &f) const;
  /// A += c C
  void add_coriolis_matrix(double c, const MatrixSink &sink) const;

private:
  using Entry = double (TurningFrame::*)(int, int) const;
  /// B x, site by site.
  Vector times(Entry B, const Vector &x) const;
  /// r += factor A M B x; an empty one: 1.
  void add(double factor, Entry A, Entry B, const Vector &x, Vector &r) const;
  /// A += factor (L M R), summed over the pairs (L, R).
  void add_blocks(double factor, const std::vector<std::pair<Entry, Entry>> &pairs, const MatrixSink &sink) const;

  const Space &space;
  const AssembledMass &mass;
  std::shared_ptr<const TurningFrame> rotation;
};
}  // namespace symdyn
