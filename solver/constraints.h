#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/constraint_springs.h"
#include "solver/vector.h"

namespace symdyn
{
/// Rows of a sparse matrix over the coordinates that the constraints see.
struct ConstraintRows
{
  std::vector<int> start{0}, column;
  std::vector<double> value;

  int size() const { return int(start.size()) - 1; }
  void clear();
  void finish_row() { start.push_back(int(column.size())); }
  void add(int coordinate, double entry);
  /// The product of row i with w.
  double times(int i, const std::vector<double> &w) const;
  /// w += Gᵀ lambda
  void add_transposed(const std::vector<double> &lambda, std::vector<double> &w) const;
};

/// Holonomic constraints g(q) = 0 of a mechanical system, which then moves by
///     M q'' + dV/dq = f + Gᵀ lambda,   G = dg/dq
/// lambda_i [N m/unit of g_i], this sign in the whole program; of a penalty ½ omega² gᵀg it is - omega² g (Tao and Owhadi 2015, eq. 1.8).
/// They see a few coordinates of the system only, which every rank holds in the same order: `u` below are their displacements.
class HolonomicConstraints
{
public:
  virtual ~HolonomicConstraints() = default;
  virtual int size() const = 0;
  /// "rods 3: bob2 - bob3"
  virtual std::string name(int i) const = 0;
  /// Where the deck has it: "deck.prm:21 [Constraints/rods]", or "".
  virtual std::string where(int) const { return ""; }
  virtual int coordinates() const = 0;
  /// What they span [m]: by this displacements are small.
  virtual double length() const = 0;
  /// Of one of them, a rod's own length.
  virtual double length(int) const { return length(); }
  /// The largest present coordinate [m]: by this places round.
  virtual double farthest(const std::vector<double> &) const { return length(); }
  /// The entries of x at the coordinates. Collective.
  virtual void gather(const Vector &x, std::vector<double> &w) const = 0;
  /// x += w at the coordinates that are free.
  virtual void scatter(const std::vector<double> &w, Vector &x) const = 0;
  /// The same at the prescribed ones too: for the forces on supports.
  virtual void scatter_all(const std::vector<double> &w, Vector &x) const { scatter(w, x); }

  virtual void values(const std::vector<double> &u, std::vector<double> &g) const = 0;
  /// G(u)
  virtual void jacobian(const std::vector<double> &u, ConstraintRows &G) const = 0;
  /// A discrete G between two places: G (u1 - u0) = g(u1) - g(u0) (Gonzalez 1999, eq. 34).
  virtual void discrete_jacobian(const std::vector<double> &u0, const std::vector<double> &u1, ConstraintRows &G) const = 0;
  /// c_i = v·g_i''(u) w
  virtual void bending(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &w,
                       std::vector<double> &c) const;
  /// r += sum_i lambda_i g_i''(u) w
  virtual void curvature(const std::vector<double> &u, const std::vector<double> &lambda, const std::vector<double> &w,
                         std::vector<double> &r) const = 0;

  /// What stands for them in stages without steps of a scheme.
  std::shared_ptr<ConstraintSprings> springs = std::make_shared<ConstraintSprings>();
};
}  // namespace symdyn
