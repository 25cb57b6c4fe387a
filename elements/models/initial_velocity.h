#pragma once
#include <set>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/site_plan.h"
#include "solver/deck/formula/expression.h"
#include "solver/vector.h"

namespace symdyn
{
class Parameters;

/// A field of velocities v(X) at the start, for places and directors. With G = dv/dX, of the k directors D_i of a node:
///     k = 1: d' = (D·Gᵀ D) D - Gᵀ D, so that D stays normal to the surface
///     k = 2: d_i' = w x D_i, w = n x G n + (spin·n) n, n = D_1 x D_2: so that n stays along the line;   k = 3: d_i' = spin x D_i
/// with the axial vector `spin` of the skew part of G. A rotation v = w x X turns all of them by w x D_i.
class InitialVelocity
{
public:
  InitialVelocity() = default;
  explicit InitialVelocity(std::vector<Expression> components) : field(std::move(components)) {}
  /// Errors: InputError.
  void declare(Parameters &p);
  bool any() const { return !field.empty(); }
  const std::string &where() const { return of_deck; }
  GramVector at(const GramVector &X) const;
  /// d' of the directors of a node.
  std::vector<GramVector> of_directors(const GramVector &X, const std::vector<GramVector> &directors) const;

  /// Sets the velocities of all appended sites of a plan but those that have one of `their_own`: of places, and of directors.
  void set(const SitePlan &plan, const PlannedSites &sites, const std::set<SitePlan::Site> &their_own, Vector &v) const;

private:
  std::vector<Expression> field;
  std::string of_deck;  ///< its place there
};
}  // namespace symdyn
