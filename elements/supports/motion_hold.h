#pragma once
#include <array>
#include <string>
#include <vector>

#include "elements/term.h"
#include "solver/actions.h"
#include "solver/base/units.h"

namespace symdyn
{
/// Springs V = ½ k (u - u_rest)² on single components of sites, while a stage holds what moves freely (Actions::holds_motions).
class MotionHold : public Term
{
public:
  struct Spring
  {
    int dof = -1;  ///< of this rank; -1: another rank owns it
    int component = 0;
    double k = 0, rest = 0;     ///< [N/m], [m]
    std::array<double, 3> X{};  ///< [m]
    std::string in_words(const Units &units) const { return "along " + std::string(1, "xyz"[component]) + " at " + units.at_place(X); }
  };

  explicit MotionHold(const Actions &actions) : actions(actions)
  {
    is_off = [this] { return !this->actions.holds_motions; };
  }

  /// Those with a dof are of this rank.
  void set(std::vector<Spring> these) { springs = std::move(these); }
  void rest(const Vector &q);
  /// Of this rank.
  const std::vector<Spring> &all() const { return springs; }
  static double force(const Spring &spring, const Vector &q) { return spring.k * (q.local_element(spring.dof) - spring.rest); }

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const override;
  void couple(const Couple &) const override {}
  /// Of stages: kept matrices have the springs, or have them not.
  std::uint64_t revision() const override { return 2 * actions.stage + (actions.holds_motions ? 1 : 0); }

private:
  const Actions &actions;
  std::vector<Spring> springs;
};
}  // namespace symdyn
