#pragma once
#include <array>

#include "elements/amplitude.h"
#include "elements/term.h"

namespace symdyn
{
/// A load on the sites of a Space: f_applied [N].
class AppliedLoad
{
public:
  virtual ~AppliedLoad() = default;
  /// f += factor * load(now, q) [N], owned and ghost entries; the caller compresses.
  virtual void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const = 0;
  /// The same of a load that depends on v, which may need its ghost values; the derivative by v is not known to schemes: Newton's method
  /// takes more iterations. Collective.
  virtual void add_force_in_motion(const Moment &now, const Vector &q, const Vector & /*v*/, double factor, Vector &f) const
  {
    add_force(now, q, factor, f);
  }
  /// A += k d(-load)/dq; only followers have one.
  virtual void add_matrix(const Moment & /*now*/, const Vector & /*q*/, double /*k*/, const MatrixSink &) const {}
  /// Ku += factor d(-load)/dq u, owned and ghost entries; the caller compresses. Only followers have one.
  virtual void add_stiffness(const Moment & /*now*/, const Vector & /*q*/, const Vector & /*u*/, double /*factor*/, Vector & /*Ku*/) const
  {
  }
  /// Its factor of time; nullptr if it has none.
  virtual const Amplitude *in_time() const { return nullptr; }
  /// Whether the load depends on q.
  virtual bool follows() const { return false; }
  /// Of those: whether d(load)/dq is symmetric, at every q.
  virtual bool has_symmetric_tangent() const { return false; }
  /// Constant fields with a potential belong to V: V -= load · q, and f_int has -load. Not scaled by amplitudes.
  virtual bool is_potential() const { return false; }
  /// Of those, where it is one acceleration of all masses, of parts beside cells too [m/s²].
  virtual std::array<double, 3> acceleration() const { return {}; }
};

/// A load of the deck.
struct LoadInUse
{
  std::string name, where;
  std::shared_ptr<AppliedLoad> load;
};
}  // namespace symdyn
