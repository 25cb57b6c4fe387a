#pragma once
#include <cmath>
#include <vector>

#include "elements/discrete_term.h"

namespace symdyn
{
/// Springs of small displacements: V = sum of k/2 e², e = n·(x_to - x_from) - L, n and L of the undeformed positions: they do not turn, and force is linear in the displacement.
class StraightSprings : public DiscreteTerm
{
public:
  struct Spring
  {
    int from, to;  ///< to = -1: a place at rest
    double k, length;
    Place n, at;
  };
  int dimension = 3;
  std::vector<Spring> springs;

  /// From a place to another [m], of points or (to = -1) a point and the ground.
  void join(const int from, const int to, const Place &start, const Place &end, const double k)
  {
    Spring spring{from, to, k, 0., {}, end};
    for (int d = 0; d < dimension; ++d)
      spring.length += (end[d] - start[d]) * (end[d] - start[d]);
    spring.length = std::sqrt(spring.length);
    for (int d = 0; d < dimension; ++d)
      spring.n[d] = (end[d] - start[d]) / spring.length;
    springs.push_back(spring);
  }

  double potential(const double *x) const override
  {
    double V = 0;
    for (const Spring &spring : springs)
      V += 0.5 * spring.k * elongation(spring, x) * elongation(spring, x);
    return V;
  }
  void add_force(const double *x, double *f) const override
  {
    for (const Spring &spring : springs)
      pull(spring, spring.k * elongation(spring, x), f);
  }
  void add_stiffness(const double *, const double *u, double *Ku) const override
  {
    for (const Spring &spring : springs)
      pull(spring, spring.k * rate(spring, u), Ku);
  }
  void add_third(const double *, const double *, double *) const override {}
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override
  {
    for (const Spring &spring : springs)
      pull(spring, 0.5 * spring.k * (elongation(spring, x0) + elongation(spring, x1)), f);
  }
  void add_tangent(const double *, const double weight, const AddEntry &add) const override
  {
    for (const Spring &spring : springs)
      for (const int row : {spring.from, spring.to})
        for (const int column : {spring.from, spring.to})
          for (int i = 0; i < dimension && row >= 0 && column >= 0; ++i)
            for (int j = 0; j < dimension; ++j)
              add(dimension * row + i, dimension * column + j, (row == column ? weight : -weight) * spring.k * spring.n[i] * spring.n[j]);
  }
  void add_discrete_tangent(const double *, const double *x1, const double weight, const AddEntry &add) const override { add_tangent(x1, 0.5 * weight, add); }
  void couple(const std::function<void(int, int)> &join) const override
  {
    for (const Spring &spring : springs)
      if (spring.to >= 0)
        join(spring.from, spring.to);
  }
  void draw(const double *x, const DrawLine &line) const override
  {
    for (const Spring &spring : springs)
      line({spring.from, spring.to, spring.at, spring.k * elongation(spring, x)});
  }
  bool linear() const override { return true; }
  bool quadratic() const override { return true; }
  bool holds() const override
  {
    for (const Spring &spring : springs)
      if (spring.to < 0)
        return true;
    return false;
  }
  double scale() const override
  {
    double sum = 0;
    for (const Spring &spring : springs)
      sum += spring.k * spring.length * spring.length;
    return sum;
  }

private:
  double rate(const Spring &spring, const double *u) const
  {
    double e = 0;
    for (int d = 0; d < dimension; ++d)
      e += spring.n[d] * ((spring.to >= 0 ? u[dimension * spring.to + d] : 0.) - u[dimension * spring.from + d]);
    return e;
  }
  double elongation(const Spring &spring, const double *x) const
  {
    double e = rate(spring, x) - spring.length;
    for (int d = 0; d < dimension && spring.to < 0; ++d)
      e += spring.n[d] * spring.at[d];
    return e;
  }
  void pull(const Spring &spring, const double force, double *f) const
  {
    for (int d = 0; d < dimension; ++d)
    {
      f[dimension * spring.from + d] -= force * spring.n[d];
      if (spring.to >= 0)
        f[dimension * spring.to + d] += force * spring.n[d];
    }
  }
};
}  // namespace symdyn
