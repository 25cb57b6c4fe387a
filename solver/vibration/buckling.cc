#include "solver/vibration/buckling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace
{
constexpr std::size_t dense_buckling = 600;  ///< degrees of freedom up to which LAPACK computes all

class BucklingSearch
{
public:
  BucklingSearch(const BucklingProblem &given, const BucklingRequest &request)
      : given(given), request(request), pencil(given.system, given.t, given.q), factored(pencil.shifted(0.))
  {
  }

  BucklingFactors run()
  {
    if (pencil.rest.size() <= dense_buckling)
    {
      take(all_eigenvalues(problem(), free_motions(given.system)));
      return result(true);
    }
    take(outer_eigenvalues(problem(), End::both, 1, 1));  // by this the others round
    for (std::size_t before = 0; before < factors.size() && wanted() < request.number;)
    {
      before = factors.size();
      try
      {
        take(outer_eigenvalues(problem(), end(), request.number - int(wanted()), 1));
      }
      catch (const ComputationError &)  // there are no more of this sign
      {
        break;
      }
    }
    return complete();
  }

private:
  static constexpr double nothing = 1e-9, rounding = 1e-11;  ///< of the largest |mu|, and at all: rounding of Kσ
  static constexpr int few_cycles = 100;
  static constexpr double beyond = 1e-5;  ///< of a factor: where those below it are counted

  End end() const { return request.sign == "positive" ? End::lowest : request.sign == "negative" ? End::highest : End::both; }
  EigenProblem problem()
  {
    constexpr double tight = 1e-12;
    EigenProblem problem = pencil.problem(attempt++);
    problem.K = given.stress;
    problem.M = [this](const Vector &x, Vector &y) { pencil.stiffness(x, y); };
    const double tolerance = std::min(factored->tolerance(), tight);
    problem.solve = [this, tolerance](const Vector &x, Vector &y) { current()->solve(x, y, tolerance); };
    problem.known = shapes;
    problem.cycles = few_cycles;
    problem.stop = request.stop;
    problem.progress = request.progress;
    return problem;
  }
  const LinearSolve *current()
  {
    if (!factored->current())
      factored = pencil.shifted(0.);
    return factored.get();
  }
  void take(EigenPairs pairs)
  {
    for (const double mu : pairs.values)
      largest = std::max(largest, std::abs(mu));
    for (std::size_t i = 0; i < pairs.values.size(); ++i)
      if (const double mu = pairs.values[i]; std::abs(mu) > std::max(nothing * largest, rounding))
      {
        factors.push_back(-1. / mu);
        shapes.push_back(std::move(pairs.vectors[i]));
      }
  }
  long found_between(const double factor) const
  {
    return std::count_if(factors.begin(), factors.end(),
                         [factor](const double one) { return factor > 0. ? one > 0. && one < factor : one < 0. && one > factor; });
  }
  long wanted() const
  {
    return std::count_if(factors.begin(), factors.end(), [this](const double one) { return request.wants(one); });
  }
  /// A place a little beyond those that are wanted of a sign; 0: there are none.
  double last(const double sign) const
  {
    std::vector<double> sizes;
    for (const double one : factors)
      if (one * sign > 0. && request.wants(one))
        sizes.push_back(std::abs(one));
    std::sort(sizes.begin(), sizes.end());
    return sizes.empty() ? 0. : sign * (1. + beyond) * sizes[std::min(sizes.size(), std::size_t(request.number)) - 1];
  }
  /// Until a factorisation counts no more than are known; equal factors look like one to a Krylov space.
  BucklingFactors complete()
  {
    constexpr int most = 100;
    long counted = 0;
    for (const double sign : {1., -1.})
      for (int k = 0; last(sign) != 0. && counted >= 0; ++k)
      {
        const double place = last(sign);
        const long count = given.negative(place), known = found_between(place);
        if (count < 0 || known > count)  // the count is of a matrix with rows that are held, whose signs may differ
          counted = -1;
        else if (known == count)
          counted += count;
        if (counted < 0 || known == count)
          break;
        if (k == most)
          throw ComputationError(fmt::format("buckling: not all of {} nearly equal factors were found. Ask for fewer Modes", count));
        take(outer_eigenvalues(problem(), sign > 0. ? End::lowest : End::highest, int(count - known), 1));
      }
    BucklingFactors found = result(false);
    found.counted = found.factors.empty() ? -1 : counted;
    return found;
  }
  BucklingFactors result(const bool all)
  {
    BucklingFactors found;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (request.wants(factors[i]))
        order.push_back(i);
      else if (found.other == 0. || std::abs(factors[i]) < std::abs(found.other))
        found.other = factors[i];
    std::stable_sort(order.begin(), order.end(),
                     [this](const std::size_t i, const std::size_t j) { return std::abs(factors[i]) < std::abs(factors[j]); });
    order.resize(std::min(order.size(), std::size_t(request.number)));
    for (const std::size_t i : order)
    {
      turn_shape(given.system, shapes[i]);
      shapes[i] *= 1. / shapes[i].linfty_norm();
      shapes[i].update_ghost_values();
      found.factors.push_back(factors[i]);
      found.shapes.push_back(std::move(shapes[i]));
    }
    if (all)
      found.counted = long(found.factors.size());
    return found;
  }

  const BucklingProblem &given;
  const BucklingRequest &request;
  Pencil pencil;
  std::shared_ptr<const LinearSolve> factored;
  std::vector<double> factors;
  std::vector<Vector> shapes;
  double largest = 0;  ///< |mu|
  int attempt = 0;
};
}  // namespace

long unstable_motions(const MechanicalSystem &system, const double t, const Vector &q)
{
  const Pencil pencil(system, t, q);
  if (const long count = pencil.shifted(0.)->negative_eigenvalues(); count >= 0 || pencil.rest.size() > dense_buckling)
    return count;
  EigenProblem problem = pencil.problem();
  problem.M = [](const Vector &x, Vector &y) { y = x; };
  const std::vector<double> values = all_eigenvalues(problem, free_motions(system)).values;
  return std::count_if(values.begin(), values.end(), [](const double one) { return one < 0.; });
}

void BucklingRequest::declare(Parameters &p)
{
  p.add("Modes", number, "how many factors, those nearest to zero", between(1, 1000));
  p.add("Sign", sign,
        "of the factors: positive, as the loads act; negative, against them; both, those nearest to zero, whatever their sign",
        {"positive", "negative", "both"});
  p.add("Geometric stiffness", stiffness,
        "stress: the stress that the loads add, linear, on the shape of the state; consistent: the derivative of the stiffness along the "
        "displacement that they give, of elastic laws",
        {"stress", "consistent"});
}

BucklingFactors find_factors(const BucklingProblem &problem, const BucklingRequest &request)
{
  return BucklingSearch(problem, request).run();
}
}  // namespace symdyn
