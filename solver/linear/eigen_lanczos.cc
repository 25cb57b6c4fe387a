#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/linear/columns.h"
#include "solver/linear/dense_spectrum.h"
#include "solver/linear/eigen.h"

// Lanczos' method on blocks of vectors (Grimes, Lewis, Simon 1994), which a factorisation solves with together at a fraction of the cost of
// one after the other, with thick restarts (Wu and Simon 2000).
namespace symdyn
{
namespace
{
/// M-orthonormal vectors V and their images by A = (K - shift M)⁻¹ M: A V = V T + W R, W the last block, which has no images yet, R on the
/// block before it alone.
class BlockLanczos
{
public:
  BlockLanczos(const EigenProblem &problem, const std::function<Vector(int)> &start, const int block, const std::size_t most)
      : problem(problem),
        first(problem.known.size()),
        V(problem.start, first + most + block),
        MV(V),
        vector(problem.start),
        product(vector),
        T(most + block, most + block)
  {
    for (const Vector &x : problem.known)
    {
      problem.M(x, product);
      V.put(used, x);
      MV.put(used++, product);
    }
    std::vector<Vector> r(block, problem.start), x = r;
    for (int k = 0; k < block; ++k)
      problem.M(start(k), r[k]);
    problem.solve_all(r, x);  // without a part that has no mass
    append(x);
  }
  std::size_t size() const { return used - fresh - first; }
  std::size_t next() const { return fresh; }

  /// The images of the last block.
  void extend()
  {
    std::vector<Vector> r(fresh, problem.start), x = r;
    for (std::size_t k = 0; k < fresh; ++k)
      MV.get(used - fresh + k, r[k]);
    problem.solve_all(r, x);
    append(x);
  }

  /// Of the space so far; converged(), pairs() and restart() are of these.
  void find_pairs()
  {
    const std::size_t n = size();
    Dense square(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        square(i, j) = square(j, i) = T(i, j);
    auto [values, vectors] = spectrum_of(square);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&, &of = values](const std::size_t i, const std::size_t j) { return std::abs(of[i]) > std::abs(of[j]); });
    thetas.clear();
    shapes.clear();
    errors.clear();
    for (const std::size_t k : order)
    {
      thetas.push_back(values[k]);
      shapes.push_back(vectors[k]);
      double square_of_rest = 0.;
      for (const double one : out_of_space(vectors[k]))
        square_of_rest += one * one;
      errors.push_back(std::sqrt(square_of_rest));
    }
  }
  /// Of those so far, as of the largest |theta| on, theta = 1/(lambda - shift): how many of the first `number` have converged.
  int converged(const int number) const
  {
    int count = 0;
    for (std::size_t k = 0; k < std::min<std::size_t>(number, thetas.size()); ++k)
      count += errors[k] <= problem.tolerance * std::abs(thetas[k]);
    return count;
  }
  EigenPairs pairs(const int number)
  {
    EigenPairs found;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < std::min<std::size_t>(number, thetas.size()); ++k)
      if (errors[k] <= problem.tolerance * std::abs(thetas[k]))
        order.emplace_back(problem.shift + 1. / thetas[k], k);
    std::sort(order.begin(), order.end());
    // A x/theta instead of x, so that nothing without mass has grown in it (Nour-Omid, Parlett, Ericsson, Jensen 1987).
    Dense C(size() + fresh, order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      const auto &y = shapes[order[k].second];
      for (std::size_t i = 0; i < size(); ++i)
        C(i, k) = y(i);
      const std::vector<double> rest = out_of_space(y);
      for (std::size_t i = 0; i < fresh; ++i)
        C(size() + i, k) = rest[i] / thetas[order[k].second];
    }
    V.combine(first, C);
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      found.values.push_back(order[k].first);
      V.get(first + k, vector);
      problem.M(vector, product);
      vector *= 1. / std::sqrt(vector * product);
      vector.update_ghost_values();
      found.vectors.push_back(vector);
    }
    return found;
  }

  /// Goes on with those of the largest |theta|.
  void restart(const std::size_t kept)
  {
    const std::size_t before = size(), n = std::min(kept, before);
    Dense C(before, n);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < before; ++i)
        C(i, k) = shapes[k](i);
    for (Columns *columns : {&V, &MV})
    {
      columns->combine(first, C);
      columns->move(first + before, first + n, fresh);
    }
    used = first + n + fresh;
    T = 0.;
    for (std::size_t k = 0; k < n; ++k)
      T(k, k) = thetas[k];
  }

private:
  /// What of these is M-orthogonal to V becomes its last block.
  void append(const std::vector<Vector> &x)
  {
    const std::size_t end = used;
    for (std::size_t k = 0; k < x.size(); ++k)
      V.put(end + k, x[k]);
    const int n = int(x.size());
    Dense sizes(n, n);  // R of x = V T + W R
    for (int i = 0; i < n; ++i)
      sizes(i, i) = 1.;
    int left = n;
    for (int twice = 0; twice < 2; ++twice)
    {
      double whole = 0.;
      if (end > 0 && left > 0)
      {
        const Dense parts = Columns::products(MV, 0, int(end), V, end, left);
        V.subtract(end, parts);
        if (twice == 1)
          MV.subtract(end, parts);
        else
        {
          whole = parts.frobenius_norm();
          for (std::size_t i = first; i < end; ++i)
            for (int k = 0; k < n; ++k)
              T(i - first, end - first - fresh + k) = parts(i, k);
        }
      }
      if (twice == 0)
        multiply(end, left);
      normalise(end, left, whole, sizes);
    }
    R = left > 0 ? sizes : Dense();
    fresh = left;
    used = end + left;
  }
  void multiply(const std::size_t from, const int n)
  {
    for (int k = 0; k < n; ++k)
    {
      V.get(from + k, vector);
      problem.M(vector, product);
      MV.put(from + k, product);
    }
  }
  /// n columns become M-orthonormal; what depends on others, or is rounding of `whole`, is left out. `sizes` is multiplied by what they
  /// were made of.
  void normalise(const std::size_t from, int &n, const double whole, Dense &sizes)
  {
    constexpr double dependent = 1e-14, rounding = 1e-13;
    if (n == 0)
      return;
    const Dense G = Columns::products(V, from, n, MV, from, n);
    Dense scaled(n);
    std::vector<double> d(n);
    for (int i = 0; i < n; ++i)
      d[i] = G(i, i) > std::pow(rounding * whole, 2) ? 1. / std::sqrt(G(i, i)) : 0.;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        scaled(i, j) = d[i] * d[j] * G(i, j);
    const auto [squares, axes] = spectrum_of(scaled);
    const int out = int(std::count_if(squares.begin(), squares.end(), [](const double one) { return one <= dependent; })), left = n - out;
    if (left == 0)
    {
      n = 0;
      return;
    }
    Dense S(n, left), made(left, sizes.n());
    for (int k = 0; k < left; ++k)
      for (int i = 0; i < n; ++i)
        S(i, k) = d[i] * axes[out + k](i) / std::sqrt(squares[out + k]);
    Dense of(left, n);
    S.Tmmult(of, G);
    of.mmult(made, sizes);
    sizes = made;
    for (Columns *columns : {&V, &MV})
      columns->combine(from, S);
    n = left;
  }

  /// R y of the part of y on the block before the last.
  std::vector<double> out_of_space(const dealii::Vector<double> &y) const
  {
    std::vector<double> rest(R.m(), 0.);
    for (std::size_t i = 0; i < R.m(); ++i)
      for (std::size_t k = 0; k < R.n(); ++k)
        rest[i] += R(i, k) * y(size() - R.n() + k);
    return rest;
  }

  const EigenProblem &problem;
  const std::size_t first;  ///< columns of known ones, before V
  std::size_t used = 0, fresh = 0;
  Columns V, MV;
  Vector vector, product;
  Dense T, R;
  std::vector<double> thetas, errors;
  std::vector<dealii::Vector<double>> shapes;
};
}  // namespace

EigenPairs eigenvalues_near(const EigenProblem &problem, const std::function<Vector(int)> &start, const int block, const int number,
                            const int least)
{
  constexpr int beyond = 20, blocks = 8;
  const std::size_t most = std::max({2 * number, number + beyond, number + blocks * block});
  if (problem.stop && problem.stop())
    throw Interrupted("the search for modes was stopped before it began");
  BlockLanczos space(problem, start, block, most);
  int converged = 0;
  for (int cycle = 0; cycle < problem.cycles;)
  {
    if (problem.stop && problem.stop())
      throw Interrupted(fmt::format("the search for modes was stopped; {} were found", converged));
    if (space.next() > 0)
      space.extend();
    const bool is_full = space.size() + space.next() > most;
    if (space.size() < std::size_t(number) && space.next() > 0 && !is_full)
      continue;
    space.find_pairs();
    converged = space.converged(number);
    if (converged == number || space.next() == 0)
      break;
    if (problem.progress)
      problem.progress(converged, number);
    if (is_full && ++cycle < problem.cycles)
      space.restart(number + (most - number - space.next()) / 2);
  }
  if (converged < least)
    throw ComputationError(
        fmt::format("{} of {} modes were found (Lanczos' method did not converge). Ask for fewer, or tighten \"Linear solver/Tolerance\"",
                    converged, number));
  return space.pairs(number);
}
}  // namespace symdyn
