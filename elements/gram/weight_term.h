#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "elements/applied_load.h"
#include "elements/term.h"

namespace symdyn
{
/// The weight of the parts of a structure: constant forces on sites, V = - sum_i w_i·q_i [J], w = M g of places and of directors that stand
/// off their line.
class WeightTerm : public Term
{
public:
  /// `weight`: w of owned sites, block numbers each [N].
  WeightTerm(const int block, std::vector<double> weight) : n(block), w(std::move(weight)) {}

  Traits traits() const override
  {
    Traits traits;
    traits.linear = traits.quadratic = true;
    traits.weighs = true;
    return traits;
  }
  double energy(const At &at) const override
  {
    double V = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      V -= w[i] * at.q->local_element(i);
    return V;
  }
  double add_force(const At &, Vector &f) const override
  {
    add_weight(1., f);
    return always_admissible;
  }
  double add_discrete_gradient(const At &, Vector &f) const override
  {
    add_weight(1., f);
    return always_admissible;
  }
  void add_weight(const double factor, Vector &f) const override
  {
    for (std::size_t i = 0; i < w.size(); ++i)
      f.local_element(i) -= factor * w[i];  // dV/dq
  }
  void add_matrix(const At &, const Weights &, const MatrixSink &) const override {}
  void couple(const Couple &join) const override
  {
    for (std::size_t site = 0; site * n < w.size(); ++site)
      join(int(site), int(site));
  }

private:
  int n;
  std::vector<double> w;
};

/// The gravity of a body, which acts on its parts, too.
class GravityOfParts : public AppliedLoad
{
public:
  /// `weight`: M g of owned sites [N].
  GravityOfParts(std::shared_ptr<const AppliedLoad> of_body, std::vector<double> weight) : of_body(std::move(of_body)), w(std::move(weight))
  {
  }
  bool is_potential() const override { return true; }
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    of_body->add_force(now, q, factor, f);
    for (std::size_t i = 0; i < w.size(); ++i)
      f.local_element(i) += factor * w[i];
  }

private:
  std::shared_ptr<const AppliedLoad> of_body;
  std::vector<double> w;
};
}  // namespace symdyn
