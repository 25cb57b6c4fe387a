#pragma once
#include <functional>
#include <vector>

#include "solver/stages/rotors/turning_body.h"

namespace symdyn
{
/// Speeds at which a motion stands in the frame of the rotor, K_0 phi = Omega² (M_p - K_1) phi: the forward synchronous ones, and of k
/// waves those in resonance with a load at rest of k waves. Without damping, and with bearings that are the same at all speeds.
struct CriticalSpeeds
{
  std::vector<double> speeds;  ///< ascending [rad/s]
  std::vector<int> diameters;  ///< nodal diameters of sectors; empty: there are no sectors
  long counted = 0;            ///< up to the last of each number of nodal diameters, by factorisations; -1: there is no count
};

/// The lowest `number` of each of `diameters`, of a body that is none of a sector -1. Errors: InputError where K_0 is not positive
/// definite; those of find_factors(). Collective.
CriticalSpeeds find_critical_speeds(Analysis &analysis, const Stage &stage, TurningBody &body, const std::vector<int> &diameters,
                                    int number);
}  // namespace symdyn
