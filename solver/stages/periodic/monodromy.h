#pragma once
#include <complex>
#include <vector>

#include "solver/stages/periodic/orbit.h"

namespace symdyn
{
struct Modes;

/// Shapes phi of the body at rest, M-orthonormal, with s = sqrt(omega² + w²): in (s phi·M q, phi·M v) its linear motions turn, and no
/// digits are lost between soft and stiff ones.
struct Shapes
{
  std::vector<Vector> shapes, momenta;  ///< phi and M phi
  std::vector<double> stiff;            ///< s [1/s]
  double stiffest = 0;                  ///< the largest s of all motions, nearly
  bool all = false;                     ///< of the free motions

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

  std::size_t size() const { return q.size(); }
  /// On the space, by columns.
  const std::vector<double> &matrix() const { return columns; }
  /// |P x - m x|/|x| of x in coordinates of the space; what is left is kept for extend() if this is more than `sharp`. Collective.
  double residual(const std::complex<double> &m, const std::vector<std::complex<double>> &x, double sharp);
  std::size_t left() const { return kept.size(); }
  /// Adds what is kept; returns whether anything of it is new. Collective.
  bool extend();

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
  void append(Direction x);
  std::vector<double> coordinates(const Vector &of_q, const Vector &of_v) const;

  const OrbitProblem &problem;
  OrbitMotion motion;
  std::vector<Vector> q, v, to_q, to_v, image_q, image_v;  ///< of the directions
  std::vector<Direction> kept;
  std::vector<double> columns;
};
}  // namespace symdyn
