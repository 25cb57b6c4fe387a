#include "elements/space/director_node.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/space/principal_axes.h"

namespace symdyn
{
namespace
{
double product_of(const Space::Place &a, const Space::Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// r_i += factor u_j, r_j += factor u_i: with u = d that of the gradient of g_ij, with u a motion that of g'' u.
void add_pair(const int i, const int j, const double factor, const DirectorNode::Frame &u, DirectorNode::Frame &r)
{
  for (int d = 0; d < 3; ++d)
  {
    r[i][d] += factor * u[j][d];
    if (i != j)
      r[j][d] += factor * u[i][d];
  }
}
/// The product of that with w.
double times_pair(const int i, const int j, const DirectorNode::Frame &u, const DirectorNode::Frame &w)
{
  return product_of(u[j], w[i]) + (i != j ? product_of(u[i], w[j]) : 0.);
}

void weigh(const DirectorNode::Frame &W, DirectorNode::Frame &u)
{
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      u[i][d] *= W[i][d];
}

const DirectorNode::Frame no_weights{Space::Place{1., 1., 1.}, Space::Place{1., 1., 1.}, Space::Place{1., 1., 1.}};

/// x of A x = b, A nearly symmetric and not negative, with entries of about 1: elimination with pivots from the diagonal. Where none is
/// left, x is 0: what supports keep needs no multiplier.
void solve_semidefinite(std::array<std::array<double, 6>, 6> &A, std::array<double, 6> &b, const int n)
{
  constexpr double nothing = 1e-10;
  std::array<int, 6> order{0, 1, 2, 3, 4, 5};  // pivots, then what is left
  int rank = 0;
  for (; rank < n; ++rank)
  {
    const auto begin = order.begin() + rank, end = order.begin() + n;
    const auto at = std::max_element(begin, end, [&](const int i, const int j) { return A[i][i] < A[j][j]; });
    const int p = *at;
    if (!(A[p][p] > nothing))
      break;
    std::rotate(begin, at, at + 1);
    for (int r = rank + 1; r < n; ++r)
    {
      const int i = order[r];
      const double factor = A[i][p] / A[p][p];
      for (int c = rank + 1; c < n; ++c)
        A[i][order[c]] -= factor * A[p][order[c]];
      b[i] -= factor * b[p];
    }
  }
  std::array<double, 6> x{};
  for (int r = rank; r-- > 0;)
  {
    const int p = order[r];
    double sum = b[p];
    for (int c = r + 1; c < rank; ++c)
      sum -= A[p][order[c]] * x[order[c]];
    x[p] = sum / A[p][p];
  }
  b = x;
}

/// d + sum of steps(d, g) until g is rounding; returns the sum.
template <class Step>
std::optional<DirectorNode::Frame> steps_to_zero(const DirectorNode &node, DirectorNode::Frame d, const Step &step)
{
  constexpr int most = 60;
  constexpr double enough = 4. * std::numeric_limits<double>::epsilon(), nearly = 1e-9;
  DirectorNode::Frame sum{};
  double before = std::numeric_limits<double>::max();
  for (int iteration = 0; iteration < most; ++iteration)
  {
    DirectorNode::Multipliers g = node.values(d);
    double largest = 0;
    for (double &value : g)
    {
      if (!std::isfinite(value))
        return {};
      largest = std::max(largest, std::abs(value));
      value = -value;
    }
    if (largest <= enough || (largest < nearly && largest >= before))
      return sum;
    before = largest;
    const DirectorNode::Frame change = step(d, g);
    for (int i = 0; i < node.directors(); ++i)
      for (int e = 0; e < 3; ++e)
      {
        d[i][e] += change[i][e];
        sum[i][e] += change[i][e];
      }
  }
  return {};
}

Space::Place turned(const Space::Place &theta, const Space::Place &d)
{
  return {theta[1] * d[2] - theta[2] * d[1], theta[2] * d[0] - theta[0] * d[2], theta[0] * d[1] - theta[1] * d[0]};
}

}  // namespace

double DirectorNode::product(const Frame &u, const Frame &w)
{
  return product_of(u[0], w[0]) + product_of(u[1], w[1]) + product_of(u[2], w[2]);
}

DirectorNode::Frame DirectorNode::of(const Vector &x) const
{
  Frame u{};
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      u[i][e] = x.local_element(3 * sites[i] + e);
  return u;
}

DirectorNode::Frame DirectorNode::present(const Vector &q) const
{
  Frame d = of(q);
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      d[i][e] += D[i][e];
  return d;
}

void DirectorNode::add(const Frame &u, Vector &x) const
{
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      x.local_element(3 * sites[i] + e) += u[i][e];
}

DirectorNode::Frame DirectorNode::weights(const Vector &W) const
{
  if (directors() == 1)
    return no_weights;
  Frame w = of(W);
  double largest = 0;
  for (const Space::Place &one : w)
    largest = std::max({largest, one[0], one[1], one[2]});
  for (Space::Place &one : w)
    for (double &value : one)
      value /= largest;
  return w;
}

void DirectorNode::hold(Frame &u) const
{
  for (std::size_t i = 0; i < free.size(); ++i)
  {
    const Space::Place given = u[i];
    for (int d = 0; d < 3; ++d)
      u[i][d] = free[i][3 * d] * given[0] + free[i][3 * d + 1] * given[1] + free[i][3 * d + 2] * given[2];
  }
}

DirectorNode::Multipliers DirectorNode::values(const Frame &d) const
{
  Multipliers g{};
  for_pairs([&](const int a, const int i, const int j) { g[a] = i == j ? 0.5 * (product_of(d[i], d[i]) - 1.) : product_of(d[i], d[j]); });
  return g;
}

DirectorNode::Multipliers DirectorNode::slopes(const Frame &d, const Frame &w) const
{
  Multipliers slope{};
  for_pairs([&](const int a, const int i, const int j) { slope[a] = times_pair(i, j, d, w); });
  return slope;
}

DirectorNode::Multipliers DirectorNode::solve(const Frame &d, const Columns &X, Multipliers b) const
{
  std::array<Multipliers, 6> A{};
  for (int a = 0; a < pairs(); ++a)
    for_pairs([&](const int c, const int k, const int l) { A[c][a] = times_pair(k, l, d, X[a]); });
  solve_semidefinite(A, b, pairs());
  return b;
}

DirectorNode::Multipliers DirectorNode::solve(const Frame &d, const Frame &from, const Frame &W, const Multipliers &b) const
{
  Columns X{};
  for_pairs([&](const int a, const int i, const int j) {
    add_pair(i, j, 1., from, X[a]);
    weigh(W, X[a]);
    hold(X[a]);
  });
  return solve(d, X, b);
}

namespace
{
/// The largest entry, which `X` is divided by; 0: there is none.
double normalise(DirectorNode::Columns &X)
{
  double largest = 0;
  const auto each = [&X](const auto &visit) {
    for (DirectorNode::Frame &column : X)
      for (Space::Place &one : column)
        std::for_each(one.begin(), one.end(), visit);
  };
  each([&largest](const double value) { largest = std::max(largest, std::abs(value)); });
  if (largest > 0.)
    each([largest](double &value) { value /= largest; });
  return largest;
}
}  // namespace

DirectorNode::Multipliers DirectorNode::impulse_of_rates(const Frame &d, const Columns &X, const Multipliers &b) const
{
  Columns unit = X;
  const double size = normalise(unit);
  Multipliers lambda = solve(d, unit, b);
  for (double &value : lambda)
    value = size > 0. ? value / size : 0.;
  return lambda;
}

std::optional<DirectorNode::Multipliers> DirectorNode::impulse(Frame d, const Columns &X) const
{
  Multipliers sum{};
  const auto step = [&](const Frame &now, const Multipliers &b) {
    const Multipliers lambda = impulse_of_rates(now, X, b);
    Frame change{};
    for (int a = 0; a < pairs(); ++a)
    {
      sum[a] += lambda[a];
      for (int i = 0; i < directors(); ++i)
        for (int e = 0; e < 3; ++e)
          change[i][e] += lambda[a] * X[a][i][e];
    }
    return change;
  };
  if (!steps_to_zero(*this, d, step))
    return {};
  return sum;
}

DirectorNode::Multipliers DirectorNode::across(const Frame &d, Frame f) const
{
  hold(f);
  return solve(d, d, no_weights, slopes(d, f));
}

DirectorNode::Frame DirectorNode::combine(const Multipliers &lambda, const Frame &u) const
{
  Frame r{};
  for_pairs([&](const int a, const int i, const int j) { add_pair(i, j, lambda[a], u, r); });
  return r;
}

DirectorNode::Frame DirectorNode::moved(const Frame &d, const Frame &from, const Frame &W, const Multipliers &b) const
{
  if (directors() == 1 && free.empty())
  {
    const double s = b[0] / product_of(d[0], from[0]);
    return {Space::Place{s * from[0][0], s * from[0][1], s * from[0][2]}};
  }
  Frame u = combine(solve(d, from, W, b), from);
  weigh(W, u);
  hold(u);
  return u;
}

std::optional<DirectorNode::Frame> DirectorNode::correction(Frame d) const
{
  return steps_to_zero(*this, d, [this](const Frame &now, const Multipliers &b) { return moved(now, now, no_weights, b); });
}

std::optional<DirectorNode::Frame> DirectorNode::correction(Frame d, const Frame &from, const Frame &W) const
{
  return steps_to_zero(*this, d, [&](const Frame &now, const Multipliers &b) { return moved(now, from, W, b); });
}

std::array<DirectorNode::Frame, 3> DirectorNode::tangents(const Frame &d) const
{
  constexpr double held = 1e-10, moves = 1e-8;
  dealii::SymmetricTensor<2, 3> of_held, of_motion;
  std::array<Frame, 3> turns{}, kept{};
  for (int a = 0; a < 3; ++a)
  {
    Space::Place axis{};
    axis[a] = 1.;
    for (int i = 0; i < directors(); ++i)
      turns[a][i] = turned(axis, d[i]);
    kept[a] = turns[a];
    hold(kept[a]);
  }
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
    {
      of_motion[a][b] = product(turns[a], turns[b]);
      of_held[a][b] = of_motion[a][b] - product(kept[a], kept[b]);
    }
  if (!free.empty())
  {
    dealii::Tensor<2, 3> leaves;
    for (const auto &[value, theta] : principal_axes(of_held))
      if (value < held)
        leaves += outer_product(theta, theta);
    of_motion = symmetrize(leaves * dealii::Tensor<2, 3>(of_motion) * leaves);
  }
  std::array<Frame, 3> N{};
  int column = 0;
  for (const auto &[value, theta] : principal_axes(of_motion))
    if (value > moves)
    {
      for (int i = 0; i < directors(); ++i)
        N[column][i] = turned({theta[0] / std::sqrt(value), theta[1] / std::sqrt(value), theta[2] / std::sqrt(value)}, d[i]);
      ++column;
    }
  return N;
}
}  // namespace symdyn
