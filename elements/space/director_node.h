#pragma once
#include <array>
#include <optional>
#include <vector>

#include "elements/space.h"

namespace symdyn
{
/// A node whose one to three directors d_i stay unit vectors at right angles: g_ij = d_i·d_j (i < j), ½(d_i·d_i - 1) [-], of the rank that
/// owns it. Pairs are counted (1,1), (1,2), ..., (2,2), ...
struct DirectorNode
{
  /// A vector of each director.
  using Frame = std::array<Space::Place, 3>;
  /// Of each pair.
  using Multipliers = std::array<double, 6>;

  /// Of each pair: its gradient, or where a unit force along it leads.
  using Columns = std::array<Frame, 6>;

  std::vector<int> sites;                   ///< local
  std::vector<std::array<double, 9>> free;  ///< P of each by rows; empty: nothing is held
  Frame D{};

  int directors() const { return int(sites.size()); }
  int pairs() const { return directors() * (directors() + 1) / 2; }
  /// visit(a, i, j)
  template <class Visit>
  void for_pairs(const Visit &visit) const
  {
    for (int i = 0, a = 0; i < directors(); ++i)
      for (int j = i; j < directors(); ++j)
        visit(a++, i, j);
  }
  static double product(const Frame &u, const Frame &w);
  Frame of(const Vector &x) const;
  Frame present(const Vector &q) const;
  void add(const Frame &u, Vector &x) const;
  /// W, so that the largest is 1.
  Frame weights(const Vector &W) const;
  /// u <- P u
  void hold(Frame &u) const;

  Multipliers values(const Frame &d) const;
  /// (G w)_a, and v·g_a'' w.
  Multipliers slopes(const Frame &d, const Frame &w) const;
  /// Of G P (f - Gᵀ lambda) = 0.
  Multipliers across(const Frame &d, Frame f) const;
  /// sum lambda g'' u, or with u = d: Gᵀ lambda.
  Frame combine(const Multipliers &lambda, const Frame &u) const;
  /// Added to d it leads to g = 0, P Gᵀ by P Gᵀ (Newton's method). None: there is no such place near.
  std::optional<Frame> correction(Frame d) const;
  /// W P G(from)ᵀ lambda, which added to d leads to g = 0.
  std::optional<Frame> correction(Frame d, const Frame &from, const Frame &W) const;
  /// W P G(from)ᵀ lambda with G(d) of it = b.
  Frame moved(const Frame &d, const Frame &from, const Frame &W, const Multipliers &b) const;
  /// lambda with g(d + X lambda) = 0 (Newton's method), X nearly M^-1 G(d)ᵀ. None: there is no such place near.
  std::optional<Multipliers> impulse(Frame d, const Columns &X) const;
  /// lambda of G(d) X lambda = b.
  Multipliers impulse_of_rates(const Frame &d, const Columns &X, const Multipliers &b) const;
  /// Rotations theta that supports leave, (1 - P) (theta x d) = 0, and move directors.
  std::array<Frame, 3> tangents(const Frame &d) const;

private:
  /// lambda of G(d) X lambda = b, with entries of G(d) X of about 1.
  Multipliers solve(const Frame &d, const Columns &X, Multipliers b) const;
  /// lambda of (G(d) W P G(from)ᵀ) lambda = b.
  Multipliers solve(const Frame &d, const Frame &from, const Frame &W, const Multipliers &b) const;
};
}  // namespace symdyn
