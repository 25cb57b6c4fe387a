#include "elements/space/director_frames.h"

#include <deal.II/base/symmetric_tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
/// An owned one. Pairs of directors are counted (1,1), (1,2), ..., (2,2), ...
struct DirectorFrames::Node
{
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
  /// u <- P u
  void hold(Frame &u) const;
  Frame of(const Vector &x) const;
  Frame present(const Vector &q) const;
  void add(const Frame &u, Vector &x) const;
  Multipliers solve(const Frame &d, Multipliers b) const;
  Multipliers across(const Frame &d, Frame f) const;
  Frame combine(const Multipliers &lambda, const Frame &u) const;
  std::optional<Frame> correction(Frame d) const;
  std::array<Frame, 3> tangents(const Frame &d) const;
};

namespace
{
double product_of(const Space::Place &a, const Space::Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

template <class Frame>
double product_of_frames(const Frame &u, const Frame &w)
{
  return product_of(u[0], w[0]) + product_of(u[1], w[1]) + product_of(u[2], w[2]);
}

/// r_i += factor u_j, r_j += factor u_i: with u = d that of the gradient of g_ij, with u a motion that of g'' u.
template <class Frame>
void add_pair(const int i, const int j, const double factor, const Frame &u, Frame &r)
{
  for (int d = 0; d < 3; ++d)
  {
    r[i][d] += factor * u[j][d];
    if (i != j)
      r[j][d] += factor * u[i][d];
  }
}
/// The product of that with w.
template <class Frame>
double times_pair(const int i, const int j, const Frame &u, const Frame &w)
{
  return product_of(u[j], w[i]) + (i != j ? product_of(u[i], w[j]) : 0.);
}

/// x of A x = b, A symmetric and not negative, with entries of about 1: elimination with pivots from the diagonal. Where none is left, x
/// is 0: what supports keep needs no multiplier.
void solve_semidefinite(std::array<std::array<double, 6>, 6> &A, std::array<double, 6> &b, const int n)
{
  constexpr double nothing = 1e-10;
  std::vector<int> order, left;
  for (int i = 0; i < n; ++i)
    left.push_back(i);
  while (!left.empty())
  {
    const auto at = std::max_element(left.begin(), left.end(), [&](const int i, const int j) { return A[i][i] < A[j][j]; });
    const int p = *at;
    if (!(A[p][p] > nothing))
      break;
    left.erase(at);
    order.push_back(p);
    for (const int i : left)
    {
      const double factor = A[i][p] / A[p][p];
      for (const int j : left)
        A[i][j] -= factor * A[p][j];
      b[i] -= factor * b[p];
    }
  }
  std::array<double, 6> x{};
  for (std::size_t r = order.size(); r-- > 0;)
  {
    const int p = order[r];
    double sum = b[p];
    for (std::size_t c = r + 1; c < order.size(); ++c)
      sum -= A[p][order[c]] * x[order[c]];
    x[p] = sum / A[p][p];
  }
  b = x;
}

Space::Place turned(const Space::Place &theta, const Space::Place &d)
{
  return {theta[1] * d[2] - theta[2] * d[1], theta[2] * d[0] - theta[0] * d[2], theta[0] * d[1] - theta[1] * d[0]};
}

using SmallSymmetric = dealii::SymmetricTensor<2, 3>;
/// Eigenvalues, falling, and vectors.
auto eigen_of(const SmallSymmetric &A) { return dealii::eigenvectors(A, dealii::SymmetricTensorEigenvectorMethod::jacobi); }
}  // namespace

DirectorFrames::~DirectorFrames() = default;

void DirectorFrames::Node::hold(Frame &u) const
{
  for (std::size_t i = 0; i < free.size(); ++i)
  {
    const Space::Place given = u[i];
    for (int d = 0; d < 3; ++d)
      u[i][d] = free[i][3 * d] * given[0] + free[i][3 * d + 1] * given[1] + free[i][3 * d + 2] * given[2];
  }
}

DirectorFrames::DirectorFrames(std::shared_ptr<const Space> of_space, const std::vector<std::vector<Site>> &nodes,
                               const Projector &projector)
    : space(std::move(of_space))
{
  for (const std::vector<Site> &sites : nodes)
  {
    for (const Site site : sites)
      leaders.emplace_back(site, sites[0]);
    if (!space->sites()->in_local_range(sites[0]))
      continue;
    Node node;
    for (const Site site : sites)
    {
      const int local = space->sites()->global_to_local(site);
      node.D[node.sites.size()] = space->position(local);
      node.sites.push_back(local);
    }
    const auto is_held = [&](const int site) { return projector(site) != nullptr; };
    if (std::any_of(node.sites.begin(), node.sites.end(), is_held))
      for (const int site : node.sites)
      {
        node.free.push_back({1., 0., 0., 0., 1., 0., 0., 0., 1.});
        if (const double *P = projector(site))
          std::copy_n(P, 9, node.free.back().begin());
      }
    owned.push_back(std::move(node));
  }
  std::sort(leaders.begin(), leaders.end());
}

DirectorFrames::Site DirectorFrames::leader(const Site site) const
{
  const auto at = std::lower_bound(leaders.begin(), leaders.end(), std::pair(site, Site(0)));
  return at != leaders.end() && at->first == site ? at->second : site;
}

bool DirectorFrames::turns(const Site site) const
{
  return std::binary_search(leaders.begin(), leaders.end(), std::pair(site, leader(site)));
}

DirectorFrames::Frame DirectorFrames::Node::of(const Vector &x) const
{
  Frame u{};
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      u[i][e] = x.local_element(3 * sites[i] + e);
  return u;
}

DirectorFrames::Frame DirectorFrames::Node::present(const Vector &q) const
{
  Frame d = of(q);
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      d[i][e] += D[i][e];
  return d;
}

void DirectorFrames::Node::add(const Frame &u, Vector &x) const
{
  for (int i = 0; i < directors(); ++i)
    for (int e = 0; e < 3; ++e)
      x.local_element(3 * sites[i] + e) += u[i][e];
}

/// lambda of (G P Gᵀ) lambda = b.
DirectorFrames::Multipliers DirectorFrames::Node::solve(const Frame &d, Multipliers b) const
{
  std::array<Multipliers, 6> A{};
  for_pairs([&](const int a, const int i, const int j) {
    Frame row{};
    add_pair(i, j, 1., d, row);
    hold(row);
    for_pairs([&](const int c, const int k, const int l) { A[a][c] = times_pair(k, l, d, row); });
  });
  solve_semidefinite(A, b, pairs());
  return b;
}

/// Of G P (f - Gᵀ lambda) = 0.
DirectorFrames::Multipliers DirectorFrames::Node::across(const Frame &d, Frame f) const
{
  Multipliers b{};
  hold(f);
  for_pairs([&](const int a, const int i, const int j) { b[a] = times_pair(i, j, d, f); });
  return solve(d, b);
}

/// sum lambda g'' u, or with u = d: Gᵀ lambda.
DirectorFrames::Frame DirectorFrames::Node::combine(const Multipliers &lambda, const Frame &u) const
{
  Frame r{};
  for_pairs([&](const int a, const int i, const int j) { add_pair(i, j, lambda[a], u, r); });
  return r;
}

/// d <- d - P Gᵀ (G P Gᵀ)⁻¹ g until g is rounding: Newton's method, of one director d <- ½ (d + d/|d|²). Returns d - its start.
std::optional<DirectorFrames::Frame> DirectorFrames::Node::correction(Frame d) const
{
  constexpr int most = 60;
  constexpr double enough = 4. * std::numeric_limits<double>::epsilon(), nearly = 1e-9;
  Frame sum{};
  double before = std::numeric_limits<double>::max();
  for (int iteration = 0; iteration < most; ++iteration)
  {
    Multipliers g{};
    double largest = 0;
    for_pairs([&](const int a, const int i, const int j) {
      g[a] = i == j ? 0.5 * (product_of(d[i], d[i]) - 1.) : product_of(d[i], d[j]);
      largest = std::max(largest, std::abs(g[a]));
    });
    if (largest <= enough || (largest < nearly && largest >= before))
      return sum;
    before = largest;
    Frame step = combine(solve(d, g), d);
    hold(step);
    for (int i = 0; i < directors(); ++i)
      for (int e = 0; e < 3; ++e)
      {
        d[i][e] -= step[i][e];
        sum[i][e] -= step[i][e];
      }
  }
  return {};
}

/// Rotations theta that supports leave, (1 - P) (theta x d) = 0, and move directors.
std::array<DirectorFrames::Frame, 3> DirectorFrames::Node::tangents(const Frame &d) const
{
  constexpr double held = 1e-10, moves = 1e-8;
  SmallSymmetric of_held, of_motion;
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
      of_motion[a][b] = product_of_frames(turns[a], turns[b]);
      of_held[a][b] = of_motion[a][b] - product_of_frames(kept[a], kept[b]);
    }
  if (!free.empty())
  {
    dealii::Tensor<2, 3> leaves;
    for (const auto &[value, theta] : eigen_of(of_held))
      if (value < held)
        leaves += outer_product(theta, theta);
    of_motion = symmetrize(leaves * dealii::Tensor<2, 3>(of_motion) * leaves);
  }
  std::array<Frame, 3> N{};
  int column = 0;
  for (const auto &[value, theta] : eigen_of(of_motion))
    if (value > moves)
    {
      for (int i = 0; i < directors(); ++i)
        N[column][i] = turned({theta[0] / std::sqrt(value), theta[1] / std::sqrt(value), theta[2] / std::sqrt(value)}, d[i]);
      ++column;
    }
  return N;
}

void DirectorFrames::retract(Vector &q) const
{
  std::string fault;
  for (const Node &node : owned)
    if (const auto change = node.correction(node.present(q)))
      node.add(*change, q);
    else
      fault = fmt::format(
          "directors of the node of site {} cannot be made unit vectors at right angles again: supports contradict that, or the step was too "
          "long",
          space->sites()->local_to_global(node.sites[0]) + 1);
  throw_collectively<ComputationError>(fault, space->communicator());
  q.update_ghost_values();
}

void DirectorFrames::subtract_forces(const Vector &q, Vector &f) const
{
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    Multipliers lambda = node.across(d, node.of(f));
    for (double &value : lambda)
      value = -value;
    node.add(node.combine(lambda, d), f);
  }
}

void DirectorFrames::subtract_curvature(const Vector &q, const Vector &f, const Vector &u, Vector &r) const
{
  for (const Node &node : owned)
  {
    Multipliers lambda = node.across(node.present(q), node.of(f));
    for (double &value : lambda)
      value = -value;
    node.add(node.combine(lambda, node.of(u)), r);
  }
}

void DirectorFrames::tangents(const Vector &q, Columns &N) const
{
  for (Vector &column : N)
    column = 0.;
  for (const Node &node : owned)
  {
    const std::array<Frame, 3> columns = node.tangents(node.present(q));
    for (int c = 0; c < 3; ++c)
      node.add(columns[c], N[c]);
  }
}

void DirectorFrames::visit_curvature(const Vector &q, const Vector &f, const Columns &N, const Visit &visit) const
{
  for (const Node &node : owned)
  {
    const Multipliers lambda = node.across(node.present(q), node.of(f));
    std::array<double, 9> B{};
    for (int c = 0; c < 3; ++c)
    {
      const Frame bent = node.combine(lambda, node.of(N[c]));
      for (int a = 0; a < 3; ++a)
      {
        const Frame u = node.of(N[a]);
        for (int i = 0; i < node.directors(); ++i)
          B[3 * a + c] += product_of(u[i], bent[i]);
      }
    }
    visit(node.sites, B);
  }
}
}  // namespace symdyn
