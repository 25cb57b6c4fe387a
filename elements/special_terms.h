#pragma once
#include "elements/term.h"

// What few terms are, beside a Term.
namespace symdyn
{
/// A term whose V'' has jumps where neighbours change (Kicking).
class KickingTerm
{
public:
  virtual ~KickingTerm() = default;
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
