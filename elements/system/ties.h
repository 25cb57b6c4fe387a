#pragma once
#include <deal.II/lac/full_matrix.h>

#include <functional>
#include <vector>

#include "elements/lumped/equations.h"
#include "elements/system/joint_layout.h"
#include "solver/linear_solve.h"

namespace symdyn
{
/// Linear equations G w = b(t) between displacements w of points, as a part of what may move: with the supports they leave a linear space
/// of motions, on which schemes compute as they do between supports.
///     project     r <- (1 - Rᵀ(R Rᵀ)⁻¹R) P r,  P what supports leave, R independent rows of G P
///     impose      q <- q + Rᵀ(R Rᵀ)⁻¹(b - G q), the nearest place that obeys
///     solve       x = A⁻¹r - X (R X)⁻¹ R A⁻¹r,  X = A⁻¹Rᵀ: the multipliers eliminated; A may be A + s GᵀG, which leaves x as it is
/// R has points without mass first, each with a row of its own: u = - sum c w over others, so that the mass of what remains is positive
/// definite.
class Ties
{
public:
  /// All equations hold. Errors: InputError for a point without mass that no equation moves.
  Ties(const JointLayout &layout, const DiscreteSystem::Parts &parts);
  /// These hold from now on, beside what supports hold now. Errors: as before.
  void hold(const DiscreteSystem::Parts &parts, const std::vector<bool> &which);
  bool any() const { return !given.empty(); }
  bool move() const;
  void project(Vector &x) const;
  /// `factor`: of b. Errors: InputError where supports and equations contradict.
  void impose(double t, double factor, Vector &q, Vector &v, Vector &a) const;
  /// The rows G P, each divided by its length: s GᵀG for a matrix over points, as add(i, j, s G_ki G_kj).
  void add_squares(double s, const AddEntry &add) const;

  using Solver = std::function<void(const Vector &r, Vector &x)>;
  /// X and (R X)⁻¹ of a matrix, or of the mass.
  class Elimination
  {
  public:
    /// `of_mass`: of the rows without massless points alone.
    Elimination(const Ties &ties, const Vector &like, const Solver &solve, bool of_mass);
    /// A⁻¹r becomes x.
    void apply(Vector &x) const;
    /// Negative eigenvalues of R X, which a factorisation of A counts too much. Of symmetric A.
    long negative_eigenvalues() const;

  private:
    const Ties &ties;
    std::vector<std::size_t> rows;
    std::vector<Vector> columns;
    dealii::FullMatrix<double> product, inverse;
  };
  /// Massless points hand their p on to those that they move with.
  void collect_massless(Vector &p) const;
  /// v of massless points, from that of others.
  void follow_massless(Vector &v) const;

private:
  struct Row
  {
    std::vector<std::pair<int, double>> terms;
    int massless = -1;  ///< the coordinate that this row moves
  };
  void hold_by_supports();
  const Equation &equation(std::size_t i) const { return equations[number[i]]; }
  void find_independent(const DiscreteSystem::Parts &parts);
  void require_moved(const DiscreteSystem::Parts &parts, const std::vector<char> &moved) const;
  void invert_normal();
  static double times(const Row &row, const std::vector<double> &w);
  /// x += Rᵀ (R Rᵀ)⁻¹ c
  void add_correction(const std::vector<double> &c, Vector &x) const;
  void require_consistent(const std::vector<double> &missing, double size) const;

  const JointLayout &layout;
  std::vector<Equation> equations;
  std::vector<std::size_t> number;  ///< of the equations that hold
  std::vector<Row> given;           ///< G
  std::vector<Row> held;            ///< G P
  std::vector<Row> rows;            ///< R
  /// R = combination G P, 0 = left_over G P: of each row the weights of the equations.
  std::vector<std::vector<double>> combination, left_over;
  dealii::FullMatrix<double> normal;  ///< (R Rᵀ)⁻¹
};
}  // namespace symdyn
