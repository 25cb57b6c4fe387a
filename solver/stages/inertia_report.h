#pragma once

namespace symdyn
{
struct Analysis;
class Stage;

/// Logs how far scaled rotary inertia lowers the first six frequencies. With the modes phi of the scaled mass, phi·M phi = 1, the physical
/// ones follow from Rayleigh's quotient, whose error is of second order in the change of shape:
///     omega_0² = omega²/(1 - phi·dM phi),   dM: the inertia that was added
/// Once a run; not for large models, where the search for modes would cost more than the run.
void log_scaled_inertia(Analysis &analysis, const Stage &stage);
}  // namespace symdyn
