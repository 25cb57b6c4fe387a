#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/linear/columns.h"
#include "solver/linear/dense_spectrum.h"
#include "solver/linear/eigen.h"

// Locally optimal block preconditioned conjugate gradients (Knyazev 2001).
namespace symdyn
{
namespace
{
/// The vectors found last, their last changes, and where to look next, each with its products by K and M: those of combinations are
/// combinations of these, so that a step makes products of the new directions alone.
class SearchSpace
{
public:
  SearchSpace(const EigenProblem &problem, const std::function<Vector(int)> &start, const std::size_t block)
      : problem(problem), x(problem.start, 3 * block), Kx(x), Mx(x), vector(problem.start), of_K(vector), of_M(vector), w(vector)
  {
    for (std::size_t k = 0; k < block; ++k)
    {
      problem.solve(start(int(k)), w);
      x.put(k, w);
    }
    used = block;
    multiply(0);
  }
  /// Ritz pairs of the lowest values take the place of what there is, and what they are made of beside the former ones follows them.
  void reduce(const std::size_t block)
  {
    const std::size_t before = values.size();
    orthonormalise(before);
    const auto [squares, parts] = spectrum_of(Columns::products(x, 0, int(used), Kx, 0, int(used)));
    values.assign(squares.begin(), squares.begin() + std::min<std::size_t>(block, used));
    const std::size_t n = values.size();
    constexpr double rounding = 1e-8, small = 1e-3;
    are_small = false;
    std::vector<std::pair<std::size_t, double>> changes;  // of which vector, over their length
    for (std::size_t k = 0; k < n && before > 0; ++k)
    {
      double square = 0;
      for (std::size_t i = before; i < used; ++i)
        square += std::pow(parts[k](i), 2);
      if (square > rounding * rounding)
        changes.emplace_back(k, 1. / std::sqrt(square));
      are_small = are_small || (square > rounding * rounding && square < small * small);
    }
    Dense C(used, n + changes.size());
    for (std::size_t i = 0; i < used; ++i)
    {
      for (std::size_t k = 0; k < n; ++k)
        C(i, k) = parts[k](i);
      for (std::size_t k = 0; k < changes.size() && i >= before; ++k)
        C(i, n + k) = changes[k].second * parts[changes[k].first](i);
    }
    for (Columns *columns : {&x, &Kx, &Mx})
      columns->combine(0, C);
    used = n + changes.size();
  }
  /// Products of the vectors found, made again: combinations of products carry their rounding on.
  void refresh()
  {
    const std::size_t all = used;
    used = values.size();
    multiply(0);
    restore_lengths();
    used = all;
  }
  /// M-orthonormal again, by the least change: G^(-1/2) of the products G of the vectors found (Loewdin 1950).
  void restore_lengths()
  {
    const int n = int(values.size());
    const auto [lengths, axes] = spectrum_of(Columns::products(x, 0, n, Mx, 0, n));
    Dense S(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          S(i, j) += axes[k](i) * axes[k](j) / std::sqrt(lengths[k]);
    for (Columns *columns : {&x, &Kx, &Mx})
      columns->combine(0, S);
  }
  /// |K x - lambda M x| over (lambda - shift) |M x| of one of them; the residual is in `w`.
  double residual(const std::size_t k)
  {
    Kx.get(k, w);
    Mx.get(k, of_M);
    w.add(-values[k], of_M);
    return w.l2_norm() / ((values[k] - problem.shift) * of_M.l2_norm());
  }
  std::vector<double> residuals()
  {
    std::vector<double> all;
    for (std::size_t k = 0; k < values.size(); ++k)
      all.push_back(residual(k));
    return all;
  }
  /// Along the preconditioned residuals of those that have not converged.
  void look_along(const std::vector<double> &residuals)
  {
    const std::size_t first = used;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (residuals[k] > problem.tolerance)
      {
        residual(k);
        problem.solve(w, vector);
        const double size = vector.l2_norm();
        vector *= size > 0. ? 1. / size : 0.;
        x.put(used++, vector);
      }
    const int found = int(values.size()), fresh = int(used - first);
    for (int twice = 0; twice < 2 && fresh > 0; ++twice)
      x.subtract(first, Columns::products(Mx, 0, found, x, first, fresh));
    leave_out_rounding(first);
    if (first > values.size())  // the last changes
    {
      const Dense G = Columns::products(Mx, 0, found, x, found, int(first) - found);
      for (Columns *columns : {&x, &Kx, &Mx})
        columns->subtract(found, G);
    }
    multiply(are_small ? found : first);
  }
  EigenPairs pairs(const std::size_t number)
  {
    EigenPairs found;
    for (std::size_t k = 0; k < std::min(number, values.size()); ++k)
    {
      x.get(k, vector);
      Mx.get(k, of_M);
      vector *= 1. / std::sqrt(vector * of_M);
      vector.update_ghost_values();
      found.values.push_back(values[k]);
      found.vectors.push_back(vector);
    }
    return found;
  }

private:
  /// Of columns that were of length 1, what has next to nothing left.
  void leave_out_rounding(const std::size_t first)
  {
    constexpr double nothing = 1e-10;
    const std::size_t end = std::exchange(used, first);
    for (std::size_t k = first; k < end; ++k)
    {
      x.get(k, vector);
      if (vector.l2_norm() > nothing)
        x.put(used++, vector);
    }
  }
  /// Of the columns from `first` on, which become as long as 1.
  void multiply(const std::size_t first)
  {
    for (std::size_t k = first; k < used; ++k)
    {
      x.get(k, vector);
      problem.M(vector, of_M);
      const double size = std::sqrt(std::max(0., vector * of_M)), factor = size > 0. ? 1. / size : 0.;
      vector *= factor;
      of_M *= factor;
      vector.update_ghost_values();
      problem.K(vector, of_K);
      x.put(k, vector);
      Kx.put(k, of_K);
      Mx.put(k, of_M);
    }
  }
  /// The columns from `first` on, which the others have no part in: what depends on the rest is left out (Stathopoulos and Wu 2002, sect.
  /// 3). Where it nearly does, small differences of products are mostly rounding: products are made again.
  void orthonormalise(const std::size_t first)
  {
    constexpr double well = 0.01;
    if (used > first && orthonormalise_once(first) < well)
    {
      multiply(first);
      orthonormalise_once(first);
    }
  }
  /// Returns the smallest eigenvalue of the products of the columns, of length 1, that is kept.
  double orthonormalise_once(const std::size_t first)
  {
    constexpr double dependent = 1e-12;
    const int n = int(used - first);
    Dense M = Columns::products(x, first, n, Mx, first, n), scaled(n);
    std::vector<double> d(n);
    for (int i = 0; i < n; ++i)
      d[i] = M(i, i) > 0. ? 1. / std::sqrt(M(i, i)) : 0.;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        scaled(i, j) = d[i] * d[j] * M(i, j);
    const auto [lengths, axes] = spectrum_of(scaled);
    const int left_out = int(std::count_if(lengths.begin(), lengths.end(), [](const double one) { return one <= dependent; }));
    Dense S(n, n - left_out);
    for (int k = left_out; k < n; ++k)
      for (int i = 0; i < n; ++i)
        S(i, k - left_out) = d[i] * axes[k](i) / std::sqrt(lengths[k]);
    for (Columns *columns : {&x, &Kx, &Mx})
      columns->combine(first, S);
    used = first + n - left_out;
    return left_out < n ? lengths[left_out] : 1.;
  }

  const EigenProblem &problem;
  Columns x, Kx, Mx;
  std::size_t used = 0;
  std::vector<double> values;
  bool are_small = false;  ///< some last changes, so that their products are mostly rounding
  Vector vector, of_K, of_M, w;
};
}  // namespace

EigenPairs lowest_eigenvalues(const EigenProblem &problem, const std::function<Vector(int)> &start, const int number)
{
  constexpr int most = 300, often = 5;
  const std::size_t block = number + std::max(3, number / 4);  // the last ones of a block converge slowly
  SearchSpace space(problem, start, block);
  int converged = 0;
  const auto count = [&](const std::vector<double> &residuals) {
    return int(std::count_if(residuals.begin(), residuals.begin() + std::min(residuals.size(), std::size_t(number)),
                             [&](const double one) { return one <= problem.tolerance; }));
  };
  for (int iteration = 0; iteration < most; ++iteration)
  {
    if (problem.stop && problem.stop())
      throw Interrupted(fmt::format("the search for modes was stopped; {} were found", converged));
    space.reduce(block);
    std::vector<double> residuals = space.residuals();
    if (count(residuals) == number || (iteration > 0 && iteration % often == 0))  // of rigid motions |K x| is all rounding
    {
      space.refresh();
      residuals = space.residuals();
    }
    if (!std::all_of(residuals.begin(), residuals.end(), [](const double one) { return std::isfinite(one); }))
      throw ComputationError(
          "modes by preconditioned gradients: a product with K, M or the preconditioner is not finite. Set Eigen solver = krylov-schur");
    converged = count(residuals);
    if (converged == number)
      return space.pairs(number);
    if (problem.progress)
      problem.progress(converged, number);
    space.look_along(residuals);
  }
  throw ComputationError(
      fmt::format("{} of {} modes were found by preconditioned gradients in {} steps. Ask for fewer, or set Eigen solver = krylov-schur",
                  converged, number, most));
}
}  // namespace symdyn
