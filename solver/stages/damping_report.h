#pragma once

namespace symdyn
{
struct Analysis;
class Stage;

/// Logs the damping ratios zeta of the first modes, for Rayleigh damping in a run without modes. Once a run; not for large bodies, where
/// the search for modes would cost more than the run.
void log_damping_ratios(Analysis &analysis, const Stage &stage);
}  // namespace symdyn
