#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "elements/gram/gram_element.h"
#include "elements/site_plan.h"
#include "elements/term.h"

namespace symdyn
{
/// A nodal vector of an element: a sum of sites. A place is one site, the director of an element a combination of the directors of its
/// node.
using SiteSum = std::vector<std::pair<SitePlan::Site, double>>;

/// An element in the plan of a structure.
struct PlannedElement
{
  GramModel model;
  std::vector<SiteSum> vectors;  ///< as many as its shape has
};

/// Elements whose energies are quadratic in quadratic strains (GramElement): beams, shells, directors of unit length. A part of their
/// damping may be proportional to their stiffness: C = damping V''(0). Linear elements have the strains eps = B(Y)·(y - Y) instead:
/// V = ½ eps·D eps is quadratic in displacements, f = sum_i sigma_i B_i(Y), V'' = B(Y)ᵀ D B(Y), V''' = 0; rotations do not leave V as it
/// is.
class GramTerm : public Term
{
public:
  /// `rate`: of stiffness at rest that damps [s]. `linear`: strains are linear in displacements.
  GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, double rate = 0., bool linear = false);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  double stiffness_weight(const At &at, const Weights &weights) const override;
  double energy_scale() const override;

  /// What an element has here: its vectors by local sites.
  struct Local
  {
    GramElement element;
    GramElement::Vectors rest;
    std::vector<std::vector<std::pair<int, double>>> vectors;
    std::vector<unsigned int> sites;                 ///< all of them, once
    std::vector<std::vector<std::size_t>> in_sites;  ///< where those of the vectors stand in `sites`
  };
  /// Elements that this rank counts: it owns their first site.
  const std::vector<Local> &mine() const { return own; }
  /// Vectors of an element in a state, present ones or displacements alone.
  GramElement::Vectors present(const Local &local, const Vector &q) const;
  GramElement::Vectors values(const Local &local, const Vector &x) const;
  /// eps of an element with the displacements q, of either kind.
  std::vector<double> strains(const Local &local, const Vector &q) const { return strained(local, q).eps; }

protected:
  bool is_linear() const { return linear; }

private:
  /// An element at some q: eps, and the vectors about which B is taken: present ones, or, of linear elements, those at rest.
  struct Strained
  {
    GramElement::Vectors about;
    std::vector<double> eps;
  };
  Strained strained(const Local &local, const Vector &q) const;
  void add(const Local &local, const GramElement::Vectors &f, Vector &sum) const;
  /// Means of two states: of their strains, and of the vectors about which B is taken.
  static Strained middle(const Strained &one, const Strained &other);
  /// Strains of the geometric part of V'', which linear elements have not: those at q, or carried on from At::before.
  std::vector<double> strains_of_tangent(const Local &local, const At &at, const Strained &here) const;
  /// k += weight times V'', or of d/dq of the discrete gradient where at.previous is given.
  void add_stiffness(const Local &local, const At &at, double weight, std::vector<double> &k) const;
  void add_element_matrix(const Local &local, const std::vector<double> &k, const MatrixSink &sink) const;
  void add_damping_product(const Vector &v, double weight, Vector &f) const;

  std::shared_ptr<const Space> space;
  double rate;
  bool linear;
  std::vector<Local> own, others;  ///< others: of other ranks, with a site of this one
};
}  // namespace symdyn
