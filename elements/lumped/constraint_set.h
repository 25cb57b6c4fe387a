#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/lumped/formula_potential.h"
#include "solver/constraints.h"

namespace symdyn
{
/// One holonomic constraint g(x) = 0, of present coordinates x.
class Constraint
{
public:
  virtual ~Constraint() = default;
  std::string name, where;  ///< in the deck
  virtual double value(const double *x) const = 0;
  virtual void add_row(const double *x, ConstraintRows &G) const = 0;
  /// r += lambda g'' w
  virtual void add_curvature(const double *, double, const double *, double *) const {}
  virtual void add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const = 0;
  /// Whether the discrete row keeps the momenta that g keeps.
  virtual bool momentum_gradient() const { return true; }
  /// v·g'' w
  virtual double bend(const double *x, const double *v, const double *w) const = 0;
  /// What it spans [m]; 0: nothing of its own.
  virtual double size() const { return 0.; }
  /// A line to show. Its force is that of the multiplier, which stands in history.csv.
  virtual void draw(const DrawLine &) const {}
};

/// g = r - L, or r² - L², of the distance r between two points, or from a point to a fixed place.
class DistanceConstraint : public Constraint
{
public:
  int dimension = 3, from = 0, to = -1;  ///< points; to = -1: the anchor
  Place anchor{};
  double length = 0;  ///< L [m]
  bool squared = false;

  double value(const double *x) const override;
  void add_row(const double *x, ConstraintRows &G) const override;
  void add_curvature(const double *x, double lambda, const double *w, double *r) const override;
  /// (d0 + d1)/(r0 + r1), or d0 + d1: no quotient that could be 0/0.
  void add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const override;
  void draw(const DrawLine &line) const override { line({from, to, anchor}); }
  double bend(const double *x, const double *v, const double *w) const override;
  double size() const override { return length; }

private:
  Place relative(const double *w) const;
  Place difference(const double *x) const;
  void add_pair(const Place &d, double factor, ConstraintRows &G) const;
};

/// g = sum c_k x_k - b: a plane, a pin, a fixed place.
class LinearConstraint : public Constraint
{
public:
  std::vector<int> coordinates;
  std::vector<double> factors;
  double constant = 0;  ///< b [m]

  double value(const double *x) const override;
  void add_row(const double *x, ConstraintRows &G) const override;
  void add_discrete_row(const double *x0, const double *, ConstraintRows &G) const override { add_row(x0, G); }
  double bend(const double *, const double *, const double *) const override { return 0.; }
};

/// g is the user's formula.
class FormulaConstraint : public Constraint
{
public:
  Formula formula;
  std::vector<int> coordinates;

  double value(const double *x) const override;
  void add_row(const double *x, ConstraintRows &G) const override;
  void add_curvature(const double *x, double lambda, const double *w, double *r) const override;
  void add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const override;
  bool momentum_gradient() const override { return false; }
  double bend(const double *x, const double *v, const double *w) const override;

private:
  std::vector<double> gathered(const double *x) const;
};

/// Constraints of a system; of one rank, whose coordinates are all that it has, unless gather() and scatter_all() know better.
class ConstraintSet : public HolonomicConstraints
{
public:
  ConstraintSet() = default;
  /// Of a system with these positions of its coordinates [m], some of them prescribed.
  ConstraintSet(std::vector<std::shared_ptr<const Constraint>> constraints, std::vector<double> positions, std::vector<char> held);

  int size() const override { return constraints.size(); }
  std::string name(const int i) const override { return constraints[i]->name; }
  std::string where(const int i) const override { return constraints[i]->where; }
  int coordinates() const override { return X.size(); }
  double length() const override { return span; }
  double length(const int i) const override { return constraints[i]->size() > 0. ? constraints[i]->size() : span; }
  double farthest(const std::vector<double> &u) const override;
  void gather(const Vector &x, std::vector<double> &w) const override;
  void scatter(const std::vector<double> &w, Vector &x) const final;
  void scatter_all(const std::vector<double> &w, Vector &x) const override;
  void values(const std::vector<double> &u, std::vector<double> &g) const override;
  void jacobian(const std::vector<double> &u, ConstraintRows &G) const override;
  void discrete_jacobian(const std::vector<double> &u0, const std::vector<double> &u1, ConstraintRows &G) const override;
  void bending(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &w,
               std::vector<double> &c) const override;
  void curvature(const std::vector<double> &u, const std::vector<double> &lambda, const std::vector<double> &w,
                 std::vector<double> &r) const override;

protected:
  bool is_held(const int coordinate) const { return held[coordinate]; }

private:
  std::vector<double> present(const std::vector<double> &u) const;

  std::vector<std::shared_ptr<const Constraint>> constraints;
  std::vector<double> X;
  std::vector<char> held;
  double span = 1;
};
}  // namespace symdyn
