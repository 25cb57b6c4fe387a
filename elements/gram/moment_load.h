#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/applied_load.h"
#include "elements/gram/gram_vector.h"
#include "elements/gram/linear_geometry.h"
#include "elements/site_plan.h"
#include "materials/algebra/jet.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// Forces on the k directors of a node that do the work m·theta on a rotation of the node, for directors that are orthonormal:
///     k = 1: m x d;   k = 2, n = d1 x d2: (m - ½ (m·n) n) x d_i;   k = 3: ½ m x d_i      [N m]
template <class T>
std::vector<Triple<T>> forces_of_moment(const Triple<T> &m, const std::vector<Triple<T>> &d)
{
  Triple<T> turned = m;
  if (d.size() == 2)
  {
    const Triple<T> n = cross(d[0], d[1]);
    turned = combination(m, T(-0.5) * dot(m, n), n);
  }
  if (d.size() == 3)
    for (T &component : turned)
      component = 0.5 * component;
  std::vector<Triple<T>> f;
  for (const Triple<T> &one : d)
    f.push_back(cross(turned, one));
  return f;
}

/// The largest parts of a moment about the normal of a node with one director at rest, where it has no effect, and across it, over its
/// largest value, at several times [-]. Both are 0 where the node has more directors, or the moment is zero at these times.
struct MomentParts
{
  double lost = 0, across = 0;

  MomentParts(const std::vector<Expression> &moment, const GramVector &X, const std::vector<GramVector> &basis)
  {
    double largest = 0;
    for (const double t : {0., 1e-3, 0.01, 0.1, 0.37, 1., 2.7, 10.3})
    {
      GramVector m{};
      for (int d = 0; d < 3 && basis.size() == 1; ++d)
        m[d] = moment[d].at(X.data(), 3, t);
      lost = std::max(lost, basis.size() == 1 ? std::abs(dot(m, basis.front())) : 0.);
      across = std::max(across, basis.size() == 1 ? norm(cross(m, basis.front())) : 0.);
      largest = std::max(largest, norm(m));
    }
    if (largest > 0.)
    {
      lost /= largest;
      across /= largest;
    }
  }
};
inline double lost_part(const std::vector<Expression> &moment, const GramVector &X, const std::vector<GramVector> &basis)
{
  return MomentParts(moment, X, basis).lost;
}

/// Why a moment has no effect on a node at X with these directors at rest; "": it has one.
inline std::string refusal_of_moment(const std::vector<Expression> &moment, const GramVector &X, const std::vector<GramVector> &basis)
{
  constexpr double none = 1e-6;
  const MomentParts parts(moment, X, basis);
  if (parts.lost <= none || parts.across > none)
    return "";
  return "is about the normal of a shell, which resists no such moment where it has no fold. Give another, or a pair of forces";
}

/// A moment keeps its direction in space; or turns with the node: its components along the directors and their cross product stay, with
/// one director it turns by the smallest rotation; or acts on the directors as they are at rest, as in linear analyses: its forces do not
/// depend on q.
enum class MomentMode
{
  in_space,
  follower,
  at_rest
};

/// Reads the entries Follower and Geometry of a moment. Errors: InputError where it has both.
inline MomentMode declare_moment_mode(Parameters &p, const std::string &turns_with = "node")
{
  bool follower = false;
  p.add("Follower", follower, "the moment turns with the " + turns_with);
  const bool linear = declare_linear(p, "nonlinear, or linear: the moment acts on the directors at rest, for small rotations");
  if (linear && follower)
    p.fail("Follower", "with Geometry = linear a moment does not turn. Remove one of both");
  return linear ? MomentMode::at_rest : follower ? MomentMode::follower : MomentMode::in_space;
}

/// A moment on a node, which has no potential.
class MomentLoad : public AppliedLoad
{
public:
  /// `weight`: on its components [-], or [m] of those per length.
  /// `X`: place of the node, for formulas of x, y, z [m].
  MomentLoad(std::vector<Expression> moment, const MomentMode mode, const std::vector<SitePlan::Site> &directors, const PlannedSites &sites,
             const double weight = 1., const GramVector &X = {})
      : moment(std::move(moment)), mode(mode), weight(weight), X(X), space(sites.space()), owned(sites.owns(directors.front()))
  {
    for (const SitePlan::Site site : directors)
      local.push_back(sites.local(site));
  }
  bool follows() const override { return mode != MomentMode::at_rest; }

  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    if (!owned)
      return;
    std::vector<Triple<double>> d = rest();
    for (std::size_t i = 0; i < d.size(); ++i)
      for (int c = 0; c < 3 && follows(); ++c)
        d[i][c] += q.local_element(3 * local[i] + c);
    const auto forces = forces_of(now, d);
    for (std::size_t i = 0; i < d.size(); ++i)
      for (int c = 0; c < 3; ++c)
        f.local_element(3 * local[i] + c) += factor * forces[i][c];
  }
  void add_matrix(const Moment &now, const Vector &q, const double k, const MatrixSink &sink) const override
  {
    for_derivatives(now, q, [&](const int row, const int column, const double value) { sink.add(row, column, -k * value); });
  }
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    if (owned)
      for_derivatives(now, q, [&](const int row, const int column, const double value) {
        Ku.local_element(row) -= factor * value * u.local_element(column);
      });
  }

private:
  std::vector<Triple<double>> rest() const
  {
    std::vector<Triple<double>> D;
    for (const int site : local)
      D.push_back(space->position(site));
    return D;
  }
  template <class T>
  std::vector<Triple<T>> forces_of(const Moment &now, const std::vector<Triple<T>> &d) const
  {
    Triple<T> m;
    for (int c = 0; c < 3; ++c)
      m[c] = T(weight * moment[c].at(X.data(), 3, now.t));
    return forces_of_moment(mode == MomentMode::follower ? turned(m, d) : m, d);
  }
  /// sum_i (m·D_i) d_i, with the cross product where there are two.
  template <class T>
  Triple<T> turned(const Triple<T> &m, std::vector<Triple<T>> d) const
  {
    std::vector<Triple<double>> D = rest();
    if (d.size() == 2)
    {
      d.push_back(cross(d[0], d[1]));
      D.push_back(cross(D[0], D[1]));
    }
    if (d.size() == 1)
      return turned_as(m, D.front(), d.front());
    Triple<T> sum{T(0.), T(0.), T(0.)};
    for (std::size_t i = 0; i < d.size(); ++i)
      sum = combination(sum, D[i][0] * m[0] + D[i][1] * m[1] + D[i][2] * m[2], d[i]);
    return sum;
  }
  /// By the smallest rotation that takes D to d: m + w x m + w x (w x m)/(1 + D·d), w = D x d.
  template <class T>
  static Triple<T> turned_as(const Triple<T> &m, const Triple<double> &D, const Triple<T> &d)
  {
    const Triple<T> at_rest{T(D[0]), T(D[1]), T(D[2])}, w = cross(at_rest, d), once = cross(w, m), twice = cross(w, once);
    const T factor = T(1.) / (T(1.) + dot(at_rest, d));
    return combination(combination(m, T(1.), once), factor, twice);
  }
  template <class Act>
  void for_derivatives(const Moment &now, const Vector &q, const Act &act) const
  {
    if (!follows() || std::any_of(local.begin(), local.end(), [](const int site) { return site < 0; }))
      return;
    const std::vector<Triple<double>> D = rest();
    for (std::size_t j = 0; j < 3 * D.size(); ++j)
    {
      std::vector<Triple<Dual<double>>> d(D.size());
      for (std::size_t i = 0; i < 3 * D.size(); ++i)
      {
        d[i / 3][i % 3].x = D[i / 3][i % 3] + q.local_element(3 * local[i / 3] + i % 3);
        d[i / 3][i % 3].d = i == j ? 1. : 0.;
      }
      const auto f = forces_of(now, d);
      for (std::size_t i = 0; i < 3 * D.size(); ++i)
        act(3 * local[i / 3] + int(i % 3), 3 * local[j / 3] + int(j % 3), f[i / 3][i % 3].d);
    }
  }

  std::vector<Expression> moment;
  MomentMode mode;
  double weight;
  GramVector X;
  std::shared_ptr<const Space> space;
  bool owned;
  std::vector<int> local;  ///< sites of the directors
};
}  // namespace symdyn
