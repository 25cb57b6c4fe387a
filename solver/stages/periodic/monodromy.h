#pragma once
#include <complex>
#include <vector>

#include "solver/stages/periodic/orbit.h"

namespace symdyn
{
struct Modes;

/// Shapes of the body at rest, M-orthonormal, with omega² + w² [1/s²]: in (sqrt(omega² + w²) phi·M q, phi·M v) its linear motions turn, and
/// no digits are lost between soft and stiff ones.
struct Shapes
{
  std::vector<Vector> shapes;
  std::vector<double> squares;
  bool all = false;  ///< of the free motions

  /// `basis`: orthonormal, of the free motions. Collective.
  static Shapes of_all(const OrbitProblem &problem, const std::vector<Vector> &basis);
  static Shapes of(const OrbitProblem &problem, const Modes &modes);
};

/// The product of the linearised steps of a period on a space of directions (q, v), orthonormal in q·(K + w² M) q' + v·M v' with K at rest.
class Monodromy
{
public:
  /// Begins with q and v of shapes. `problem` must outlive it. Errors: ComputationError. Collective.
  Monodromy(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes);

  std::size_t size() const { return directions.size(); }
  /// On the space, by columns.
  const std::vector<double> &matrix() const { return columns; }
  /// |P x - m x|/|x| of x in coordinates of the space; what is left is kept for extend(). Collective.
  double residual(const std::complex<double> &m, const std::vector<std::complex<double>> &x);
  /// Adds what residual() has kept: the method of Arnoldi for blocks. Collective.
  void extend();

private:
  struct Direction
  {
    Vector q, v, to_q, to_v;  ///< with (K + w² M) q and M v
  };
  void add_images();  ///< of directions that have none, all with one factorisation a step
  /// What is new of it, of length 1; returns whether there is any.
  bool make_orthonormal(Direction &x) const;
  /// Sets to_q and to_v, and returns the length.
  double measure(Direction &x) const;
  std::vector<double> coordinates(const Vector &q, const Vector &v) const;

  const OrbitProblem &problem;
  OrbitMotion motion;
  std::vector<Direction> directions, left;
  std::vector<State> images;
  std::vector<double> columns;
};
}  // namespace symdyn
