#pragma once
#include <string>

#include "elements/term.h"
#include "solver/diagnosis.h"

// What few terms are, beside a Term.
namespace symdyn
{
/// A term whose V'' has jumps where neighbours change (Kicking).
class KickingTerm
{
public:
  virtual ~KickingTerm() = default;
};

/// A term that knows V'''': where it jumps, differences do not (KnowsFourthDerivative).
class FourthTerm
{
public:
  virtual ~FourthTerm() = default;
  /// r_i += V''''_ijkl a_j a_k b_l.
  virtual void add_third_product(const At &at, const Vector &a, const Vector &b, Vector &r) const = 0;
};

/// A contact, which stages about a state take as it is there.
class FrozenTerm
{
public:
  virtual ~FrozenTerm() = default;
  /// "drop, closed over 0.3 m^2", "hit, open by 0.01 m". Collective.
  virtual std::string frozen(const At &at) const = 0;
  /// As the deck calls it.
  virtual const std::string &called() const = 0;
  /// At a state where it begins to act. Collective.
  virtual BegunContact begun(const Vector &q) const = 0;
  /// What may slow Newton's method down where q is a state; "": nothing that is known. Of this rank.
  virtual std::string if_slow(const Vector &) const { return ""; }
};

/// What terms that search may say beside Term::largest_step. Of this rank.
class WaysTerm
{
public:
  virtual ~WaysTerm() = default;
  /// How far places may move from q within a convex set of states, for which the last search holds and on whose ways bodies do not meet
  /// [m]; at most 0: q is not known to be in it.
  virtual double slack(const Vector &) const { return 0.; }
  /// Why neighbours do not hold on the way from q to q + dq, or "".
  virtual std::string refusal(const Vector & /*q*/, const Vector & /*dq*/) const { return ""; }
};

/// A term whose V changes with the part s of a static stage, beside what loads and supports do (ComesByStages).
class ComingTerm
{
public:
  virtual ~ComingTerm() = default;
  /// dV/ds of this rank's share [J].
  virtual double coming(const At &at) const = 0;
};
}  // namespace symdyn
