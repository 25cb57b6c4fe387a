#pragma once

namespace symdyn
{
struct Analysis;
class Stage;

/// Says in the log what Rayleigh's damping means for the first modes of a structure, where no stage looks for modes: their ratios zeta.
/// Once a run, and not where they cost more than a line is worth.
void log_damping_ratios(Analysis &analysis, const Stage &stage);
}  // namespace symdyn
