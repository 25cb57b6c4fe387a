#pragma once
#include <string>

namespace symdyn
{
struct Analysis;
class Stage;

/// Warns of terms of laws that relax whose time is below h/10, with h the increment of the stage, and in the last stage that takes time of
/// those above 1e6 times its end [s]. h = 0: not known yet.
void warn_of_relaxation_times(const Analysis &analysis, const Stage &stage, double h, double end);

/// Lines with the moduli of laws that relax at t = 0, after the step and at the end of each stage in time, and at infinity; "" without.
std::string relaxation_in_words(const Analysis &analysis);
}  // namespace symdyn
