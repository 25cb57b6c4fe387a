#pragma once
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
class Parameters;

/// Of each material in the section `Materials` of a deck the speed of longitudinal waves at C = I, sqrt(D_1111/rho) [m/s], in the units of
/// the deck. Laws without a stiffness there have none.
std::vector<std::pair<std::string, double>> wave_speeds(const Parameters &root);
}  // namespace symdyn
