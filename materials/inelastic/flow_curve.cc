#include "materials/inelastic/flow_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
bool FlowCurve::declare_hardening(Parameters &p)
{
  p.add("Yield stress", virgin, "uniaxial, of the virgin material [Pa]", positive());
  for (const std::string &name : Registry<Hardening>::instance().names())
  {
    std::shared_ptr<Hardening> part = Registry<Hardening>::instance().make(name);
    part->declare(p);
    if (!part->given())
      continue;
    parts.push_back(part);
    if (part->yield_stress() > 0. && p.given("Yield stress"))
      p.fail("Yield stress", "the hardening table gives it, at p = 0. Remove one of the two");
    virgin = std::max(virgin, part->yield_stress());
  }
  return virgin > 0. || !parts.empty();
}

void FlowCurve::require_yield_stress(const Parameters &p, const double mu) const
{
  if (!(virgin > 0.))
    p.fail("", "Yield stress is missing: a plastic law needs the stress at which it begins to flow [Pa]. Give it, or a Hardening table");
  check_slope(p, mu);
}

void FlowCurve::declare_creep(Parameters &p, const double mu, std::shared_ptr<const RateLaw> law, const double exponent)
{
  if (!declare_hardening(p))
  {
    rate = std::move(law);
    return;
  }
  require_yield_stress(p, mu);
  if (const auto [least, at] = steepest(); least < 0.)
    p.fail("", fmt::format(
                   "the yield stress falls, by {:.4g} Pa per unit of p at p = {:.3g}: beside creep a step has several answers then. Give a "
                   "hardening that does not fall, or leave creep out",
                   -least, at));
  beside = std::make_shared<CreepBeside>(std::move(law), exponent);
}

void FlowCurve::declare(Parameters &p, const double mu)
{
  declare_hardening(p);
  const std::vector<std::string> rates = Registry<RateLaw>::instance().names();
  p.add("Rate", rate_name, "law of the stress above the yield stress that a rate of flow needs; not given: none", rates);
  for (const std::string &name : rates)
  {
    std::shared_ptr<RateLaw> law = Registry<RateLaw>::instance().make(name);
    const bool chosen = name == rate_name;
    Parameters own = chosen ? p.section(name) : p.inactive_section(name);
    law->declare(own);
    if (chosen && !own.exists())
      p.fail("Rate", "needs the numbers of its law, in subsection " + name + ". Add the subsection");
    if (chosen)
      rate = law;
  }
  require_yield_stress(p, mu);
}

FlowCurve::Fall FlowCurve::steepest() const
{
  Fall most{0., 0.};
  constexpr int samples = 400;
  for (int k = 0; k < samples; ++k)
  {
    const double strain = 1e-6 * std::pow(2e6, double(k) / samples);  // to p = 2
    const double slope = hardening(strain).slope[0];
    if (slope < most.slope)
      most = {slope, strain};
  }
  return most;
}

void FlowCurve::check_slope(const Parameters &p, const double mu) const
{
  const auto [least, at] = steepest();
  const std::string where =
      "the yield stress falls, by " + fmt::format("{:.4g}", -least) + " Pa per unit of p at p = " + fmt::format("{:.3g}", at);
  if (least <= -3. * mu)
    p.fail("", where + ", faster than 3 mu: no state of the body follows a growing strain then. Give a hardening that falls less");
  if (least < 0.)
    log_warning(p.where() + ": " + where + ". Strain localises, and results depend on the size of cells");
}

void RateLaw::require_given(const Parameters &p, const std::initializer_list<const char *> entries, const std::string &law)
{
  for (const char *entry : entries)
    if (p.exists() && !p.given(entry))
      p.fail("", std::string(entry) + " is missing: " + law + ". Give " + join({entries.begin(), entries.end()}, " and "));
}

Rise FlowCurve::hardening(const Wide &p) const
{
  if (parts.size() == 1)
    return parts.front()->at(p);
  Rise sum;
  for (const auto &part : parts)
    sum += part->at(p);
  return sum;
}

Rise FlowCurve::overstress(const Wide &p_n, const Wide &dp, const double dt) const
{
  return rate_acts(dt) ? rate->overstress(*this, p_n, dp, dt) : Rise();
}

Wide FlowCurve::energy_of_rate(const Wide &p_n, const Wide &dp, const double dt) const
{
  return rate_acts(dt) ? rate->energy(*this, p_n, dp, dt) : Wide(0.);
}
}  // namespace symdyn
