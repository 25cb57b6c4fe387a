#pragma once
#include <memory>
#include <vector>

#include "elements/space/pattern.h"

namespace symdyn
{
/// The pattern of matrices of terms: made when first needed, and again after couplings have changed.
class Couplings
{
public:
  /// `given`: the pattern, if it is known; nullptr: not yet. Space and terms must outlive this.
  Couplings(const Space &space, const std::vector<std::shared_ptr<Term>> &terms, const Part part, std::shared_ptr<const BlockPattern> given)
      : space(space), terms(terms), part(part), made(std::move(given)), made_for(revision())
  {
  }
  /// The number of changes so far, the same on every rank.
  std::uint64_t revision() const
  {
    std::uint64_t sum = 0;
    for (const auto &term : terms)
      sum += term->revision();
    return sum;
  }
  const BlockPattern &pattern() const
  {
    if (const std::uint64_t now = revision(); !made || made_for != now)
    {
      made = std::make_shared<BlockPattern>(make_pattern(space, terms, part));
      made_for = now;
    }
    return *made;
  }

private:
  const Space &space;
  const std::vector<std::shared_ptr<Term>> &terms;
  Part part;
  mutable std::shared_ptr<const BlockPattern> made;
  mutable std::uint64_t made_for;
};
}  // namespace symdyn
