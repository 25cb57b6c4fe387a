#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
class Parameters;

/// What a deck asks of a search for buckling.
struct BucklingRequest
{
  int number = 4;
  std::string sign = "positive", stiffness = "stress";
  std::function<bool()> stop = nullptr;                            ///< whether a search that takes long is to end, asked on all ranks
  std::function<void(long found, long asked)> progress = nullptr;  ///< of the search
  void declare(Parameters &p);
  bool wants(const double factor) const { return factor > 0. ? sign != "negative" : sign != "positive"; }
};

/// (K + lambda Kσ) phi = 0 about a state at rest, K its tangent, positive definite. With mu = -1/lambda it is Kσ phi = mu K phi.
struct BucklingProblem
{
  const MechanicalSystem &system;
  double t;
  const Vector &q;
  std::function<void(const Vector &w, Vector &r)> stress;  ///< r = Kσ w [N] on the free degrees of freedom
  std::function<long(double factor)> negative;             ///< eigenvalues of K + lambda Kσ below 0; -1: not known
};

struct BucklingFactors
{
  std::vector<double> factors;                    ///< lambda, those nearest to zero first
  std::vector<Vector> shapes;                     ///< largest component 1
  long counted = -1;                              ///< between zero and the last of each sign, by factorisations; -1: there is no count
  std::vector<int> diameters;                     ///< nodal diameters of sectors; empty: there are no sectors
  std::vector<std::vector<Vector>> sectors = {};  ///< of these shapes, those that are shown
  double other = 0;                               ///< that nearest to zero of the other sign; 0: unknown
};

/// How many motions a state at rest does not resist; -1: not known. Collective.
long unstable_motions(const MechanicalSystem &system, double t, const Vector &q);

/// By LAPACK for a small system, else by a Lanczos method in the scalar product of K, which needs one factorisation. Equal factors are
/// searched for until a factorisation counts no more. None may be found. Errors: ComputationError, Interrupted. Collective.
BucklingFactors find_factors(const BucklingProblem &problem, const BucklingRequest &request);
}  // namespace symdyn
