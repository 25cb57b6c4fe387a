#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "elements/space/dense_block.h"
#include "elements/term.h"

namespace symdyn
{
/// V = ½ u·K u of the sites of a superelement, and R = ½ v·C v.
class SuperelementTerm : public Term
{
public:
  /// `K` [N/m] and `C` [N s/m], empty: none, of the sites: DenseBlock.
  SuperelementTerm(std::shared_ptr<const Space> of_sites, const std::vector<std::uint64_t> &sites, std::vector<double> K,
                   std::vector<double> C, const double scale)
      : space(std::move(of_sites)), stiffness(*space, sites, std::move(K)), scale(scale)
  {
    if (!C.empty())
      damping.emplace(*space, sites, std::move(C));
  }

  Traits traits() const override
  {
    Traits traits;
    traits.linear = traits.quadratic = true;
    traits.damps = traits.damping_couples = damping.has_value();
    return traits;
  }
  double energy(const At &at) const override { return 0.5 * stiffness.square(*at.q); }
  double add_force(const At &at, Vector &f) const override
  {
    stiffness.add_product(1., *at.q, f);
    return always_admissible;
  }
  double add_discrete_gradient(const At &at, Vector &f) const override
  {
    for (const Vector *q : {at.previous, at.q})
      stiffness.add_product(0.5, *q, f);
    return always_admissible;
  }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    stiffness.add_product(weights.k, u, r);
    if (damping)
      damping->add_product(weights.c, u, r);
  }
  void add_damping_force(const At &at, Vector &f) const override
  {
    if (damping)
      damping->add_product(1., *at.v, f);
  }
  void add_ground_damping(const Vector &r, Vector &f) const override
  {
    if (damping)
      damping->add_product(1., r, f);
  }
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override
  {
    if (at.part != Part::all)
      return;
    stiffness.add_to(at.previous ? 0.5 * weights.k : weights.k, sink.A);
    if (damping)
      damping->add_to(weights.c, sink.A);
  }
  void couple(const Couple &join) const override { stiffness.couple(join); }
  void couple_stiff(const Couple &) const override {}
  double energy_scale() const override { return scale; }

private:
  std::shared_ptr<const Space> space;
  DenseBlock stiffness;
  std::optional<DenseBlock> damping;
  double scale;  ///< on one rank [J]
};
}  // namespace symdyn
