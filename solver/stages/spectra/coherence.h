#pragma once
#include <string>
#include <vector>

#include "solver/parameters.h"
#include "solver/vibration/random_response.h"

namespace symdyn
{
/// What random motions of the base and random loads have in common: the density of two of them together is c sqrt(G_a G_b), -1 <= c <= 1,
/// in phase.
class Coherence
{
public:
  struct Pair
  {
    std::string a, b;
    double value;
  };
  void declare(Parameters &p);
  /// Once all entries of the stage are declared; `base`, `loads`: names of what is random. Errors: InputError for names that there are not,
  /// pairs of a motion with a load, and values that cannot be together.
  void read(const Parameters &p, const std::vector<std::string> &base, const std::vector<std::string> &loads);
  const std::vector<Pair> &pairs() const { return all; }

private:
  std::vector<std::string> given;
  std::vector<Pair> all;
};

/// sqrt(G_a G_b) where both are, straight between points that are close enough for 1e-6 of it.
std::vector<DensityPoint> density_of_both(const std::vector<DensityPoint> &a, const std::vector<DensityPoint> &b);
/// At one of its places, or between two; 0 outside.
double density_between(const std::vector<DensityPoint> &density, double omega);
}  // namespace symdyn
