#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/lumped/lumped_history.h"
#include "elements/lumped/point_sites.h"
#include "elements/term.h"

namespace symdyn
{
/// What acts on points: potentials between them, dashpots, and their weight V = - sum m g·x. Each element belongs to the rank of its first
/// point; for matrices a rank computes every element that touches a site of its own. Elements that remember (ElementMemory) are asked in
/// the step of At.
class LumpedTerm : public Term
{
public:
  LumpedTerm(const LumpedParts &parts, std::shared_ptr<const PointSites> sites);

  Traits traits() const override { return of_all; }
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_ground_damping(const Vector &r, Vector &f) const override;
  void add_weight(double factor, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  void couple_stiff(const Couple &join) const override;
  double energy_scale() const override;
  std::string diagnose(const Vector &q) const override;

  std::size_t history_size() const override { return past.history_size(); }
  void begin_history(double *history) const override;
  void heat(double t, const double *as, double *history) const override;
  HistoryBlocks history_blocks() const override { return past.history_blocks(); }
  void pack_history(const double *history, std::vector<double> &blocks) const override { past.pack_history(history, blocks); }
  void unpack_history(const std::vector<double> &blocks, double *history) const override { past.unpack_history(blocks, history); }
  const LumpedHistory &layout() const { return past; }

  /// A bound of the rounding of the forces at q [N]. `stiffness`: the diagonal of V'' where that is known; empty: computed. Collective.
  double force_rounding(const Vector &q, const std::vector<double> &stiffness) const;

private:
  Spent spent(const double *history) const override { return past.spent(history); }
  using Terms = std::vector<std::shared_ptr<const DiscreteTerm>>;
  using Dashpots = std::vector<std::shared_ptr<const DampingTerm>>;

  static Traits traits_of(const LumpedParts &parts);
  void localise(const LumpedParts &parts);
  /// Of known points [K or °C, as the deck].
  template <class Field>
  ElementMemory::Temperatures temperatures(const Field &field) const
  {
    return [this, field](const int point) { return field(&X[n * point]); };
  }
  std::vector<double> known(const Vector &x) const;
  /// X + q of known points.
  std::vector<double> coordinates(const Vector &q) const;
  /// f += what act(array over known points) adds.
  template <class Act>
  void scatter(Vector &f, const Act &act) const;
  template <class Visit>
  void for_terms(const Terms &terms, const Part part, const At &at, const Visit &visit) const
  {
    for (const auto &term : terms)
      if (part == Part::stiff && !term->stiff)
        continue;
      else if (past.any())
        visit(*past.in_step(term, at));
      else
        visit(*term);
  }
  /// The memory of elements of other ranks, which matrices of this one need.
  void remember_ghosts(const At &at, const std::vector<double> &x) const;
  void couple(Part part, const Couple &join) const;
  int dof(const int coordinate) const { return n * site[coordinate / n] + coordinate % n; }

  std::shared_ptr<const PointSites> sites;
  int n;
  bool in_place = false;             ///< known points are the sites of this rank, in their order
  std::vector<int> site;             ///< of known points
  std::vector<std::string> names;    ///< of known points
  std::vector<double> X;             ///< of known points
  std::vector<double> weight, drag;  ///< - m g and c of the ground, of coordinates of owned points; 0 of others
  Traits of_all;                     ///< the same on every rank
  Terms terms, terms_of_matrices;
  LumpedHistory past;
  std::shared_ptr<const TemperatureField> temperature;  ///< nullptr: no element expands
  const Actions *actions = nullptr;
  Dashpots dashpots, dashpots_of_matrices;
};
}  // namespace symdyn
