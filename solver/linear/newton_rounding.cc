#include <fmt/format.h>

#include <limits>

#include "solver/base/log.h"
#include "solver/linear/newton_snes.h"

// When a residual is rounding, and when it tells that an iteration is lost.
namespace symdyn
{
/// Whether two iterations have not halved |r|, and it is rounding of its terms: as small as eps times what the tangent makes of x, or near
/// the level that the system estimates.
PetscErrorCode Newton::Implementation::stagnates(Vec x, bool &answer)
{
  constexpr std::size_t idle = 2;
  constexpr double few = 32., near = 8.;
  const auto &r = report.residuals;
  answer = false;
  if (r.size() < idle + 2 || r.back() < 0.5 * r[r.size() - 1 - idle])
    return 0;
  return guarded([&] {
    place(x, in);
    linear->multiply(in, out);
    const double level = is_rounding(r.back() / near) ? near * std::max(rounding, rounding_at_start) : 0.;
    const double of_terms = few * std::numeric_limits<double>::epsilon() * (problem->norm ? problem->norm(out) : out.l2_norm()) + level;
    answer = r.back() <= of_terms;
    if (answer)
      log_detail(fmt::format("newton: {}: |r| = {:.3e} N no longer falls and is rounding of its terms (up to {:.1e} N): converged",
                             problem->name, r.back(), of_terms));
  });
}

/// Slender bodies raise |r| a thousandfold on their way, and plastic ones invert cells; beyond, what is inverted does not come back.
PetscErrorCode Newton::Implementation::look_whether_lost(Vec x)
{
  constexpr double much = 1e6;
  if (!(report.residuals.back() > much * first_residual()))
    return 0;
  return guarded([&] {
    place(x, in);
    force = problem->residual(in, out);  // what is diagnosed is the state that was evaluated last
    lost = !force.admissible() && !problem->diagnose(in).empty();
  });
}

/// The level at x grows with |x|, which is without meaning where the tangent is singular: then a residual as large as the load would be
/// rounding. So it counts only where the residual has become small beside the first; the level at the start of the step counts always.
bool Newton::Implementation::is_rounding(const double norm) const
{
  constexpr double small = 1e-3;
  return norm <= rounding_at_start || (norm <= rounding && norm <= small * reference);
}

PetscErrorCode Newton::Implementation::renew_rounding(Vec x)
{
  return guarded([&] {
    place(x, in);
    rounding_at_start = problem->rounding(*linear, start);
    rounding = problem->rounding(*linear, in);
    rounding_is_old = false;
  });
}
}  // namespace symdyn
