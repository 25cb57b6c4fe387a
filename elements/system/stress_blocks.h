#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "elements/space.h"
#include "elements/term.h"

namespace symdyn
{
class Space;

/// Kσ of elements whose stresses do not change, about a state: V'' is that at any q, forces are none (they act on places alone, which no
/// nodal constraint keeps). See BearsStress.
class StressBlocks : public Term
{
public:
  struct Element
  {
    std::vector<unsigned int> sites;  ///< local ones
    std::vector<double> k;            ///< [a][b], times the unit matrix, or [a][b][d][e]; [N/m]
  };
  /// Those that this rank counts come first, `counted` of them; others are needed for its matrices. `block`: components of a site.
  StressBlocks(std::vector<Element> elements, const std::size_t counted, const int block, const double factor)
      : elements(std::move(elements)), counted(counted), n(block), factor(factor)
  {
  }
  Traits traits() const override
  {
    Traits traits;
    traits.matrix_free = true;
    return traits;
  }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const override;
  void couple(const Couple &) const override {}  // the elements themselves have coupled them

private:
  /// act(a, b, d, e, entry) of all that is not zero.
  template <class Act>
  void for_entries(const Element &one, const Act &act) const;

  std::vector<Element> elements;
  std::size_t counted;
  int n;
  double factor;
};

/// The same of a term that carries stresses (Traits::carries): sigma_1 = D B(q) u.
class CarriedStress : public Term
{
public:
  /// `from`: history of the term about the state; `q`: the state, with ghost values.
  CarriedStress(const Term &term, const Space &space, Vector q, const Vector &u, const double *from, double factor);
  Traits traits() const override;
  /// factor sum sigma_1i B_i(y), y the vectors of the state.
  double add_force(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &) const override {}

private:
  /// With stresses carried on to q + u, and without.
  std::pair<At, At> places() const;

  const Term &term;
  Vector q, led, present;
  const double *from;
  double factor;
};
}  // namespace symdyn
