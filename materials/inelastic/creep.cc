#include <algorithm>
#include <cmath>

#include "materials/first_fault.h"
#include "materials/inelastic/flow_law.h"
#include "materials/inelastic/norton.h"
#include "materials/over_temperature.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Creep by a power of the stress (Norton 1929; Bailey 1935):
///     time:     p' = A q^n t^m
///     strain:   p' = A^(1/(m+1)) q^(n/(m+1)) ((m+1) p)^(m/(m+1)), which is the same under a constant stress
/// as the stress q that a rate p' needs. Of `time` the increment is ∫ t^m dt in length.
class CreepRate : public RateLaw
{
public:
  void declare(Parameters &p) override
  {
    p.add("Creep coefficient", A, "A of the creep rate A q^n t^m [1/(Pa^n s^(m+1))]", positive());
    p.add("Creep exponent", n, "n, of the von Mises stress q [-]", Range{1., std::numeric_limits<double>::infinity(), false, false});
    p.add("Time exponent", m, "m, of the time since the start, or, with Hardens by = strain, of what follows for the strain [-]",
          Range{-1., 0., true, false});
    p.add("Hardens by", hardens_by, "what a creep rate with m < 0 falls with, where the stress changes: time or strain",
          {"time", "strain"});
    if (!p.given("Creep coefficient") || !p.given("Creep exponent"))
      p.fail("", "creep needs its law p' = A q^n t^m. Give Creep coefficient and Creep exponent");
  }
  bool ages() const { return m != 0. && !by_strain(); }
  /// Whether it hardens as another one does.
  bool hardens_as(const CreepRate &other) const { return m == other.m && (m == 0. || hardens_by == other.hardens_by); }
  double exponent() const { return n; }
  double effective(const double t, const double dt) const
  {
    return !ages() ? dt : (std::pow(t + dt, m + 1.) - std::pow(t, m + 1.)) / (m + 1.);
  }
  Rise overstress(const FlowCurve &, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    if (!by_strain())
      return power_of_rate(std::pow(A, -1. / n), n, dp, dt);
    return by_strain_at(p_n, dp, dt);
  }
  /// By strain: by Gauss points in s, x = dp s^n, where the integrand is smooth from p_n = 0 on.
  Wide energy(const FlowCurve &, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    if (!by_strain())
      return energy_of_power(std::pow(A, -1. / n), n, dp, dt);
    Wide sum = 0.;
    for (int k = 0; k < gauss_points; ++k)
      sum += (gauss_weight_of[k] * n * std::pow(gauss_abscissa[k], n - 1.)) * dp *
             by_strain_at(p_n, std::pow(gauss_abscissa[k], n) * dp, dt).stress;
    return sum;
  }

private:
  bool by_strain() const { return hardens_by == "strain" && m != 0.; }
  Rise by_strain_at(const Wide &p_n, const Wide &dp, const double dt) const
  {
    const double k = m / (m + 1.), c = (m + 1.) / n;
    const Wide p = p_n + dp, r = 1. / dp, s = 1. / p;
    const Wide rate = (std::pow(A, -1. / (m + 1.)) / dt) * dp * pow(Wide((m + 1.) * p), -k), stress = pow(rate, c);
    const Wide g = c * (r - k * s);
    return {0., stress, stress * g, stress * (g * g - c * (r * r - k * s * s))};
  }

  double A = 0., n = 1., m = 0.;
  std::string hardens_by = "time";
};

/// A body that creeps under any stress, and flows above a yield stress, if it has one.
class Creep : public FlowLaw, public OverTemperature
{
public:
  void declare(Parameters &p) override
  {
    declare_measure(p);
    take_measure(Measure::logarithmic);
    rate = std::make_shared<CreepRate>();
    constexpr double unknown = 1e300;  // no slope is checked before the constants are known
    FirstFault faults;
    faults.guard([&] { rate->declare(p); });
    const double mu = faults.guard([&] { declare_constants(p); }) ? constants.mu : unknown;
    faults.guard([&] { curve.declare_creep(p, mu, rate, rate->exponent()); });
    faults.rethrow();
    refuse_entries_of_plastic(p);
    ages = rate->ages();
  }

  /// Between two temperatures the stress that a rate needs is linear in T, as that of other laws that flow (FlowConstants).
  std::shared_ptr<const InelasticMaterial> over(const std::vector<ConstantsAt> &all, const Parameters &deck) const override
  {
    auto law = std::make_shared<Creep>(*this);
    for (const ConstantsAt &one : all)
    {
      const auto &there = dynamic_cast<const Creep &>(*one.law);
      if (there.measure != measure)
        deck.fail("Kinematics", "is another in At temperatures. Set the same in each of its sections");
      if ((there.curve.creep_beside() != nullptr) != (curve.creep_beside() != nullptr))
        deck.fail("Yield stress",
                  "is given at one temperature, and not at another. Give it in each section of At temperatures, or in none");
      if (!there.rate->hardens_as(*rate))
        deck.fail("Time exponent", "is the same at all temperatures, and Hardens by, too. Repeat both in each section of At temperatures");
      law->known.push_back({one.temperature, there.constants.mu, there.constants.kappa, there.curve, {}, {}});
    }
    return law;
  }

  double length_without_rates() const override { return curve.creep_beside() ? no_time : 0.; }

protected:
  std::string strain_name() const override { return curve.creep_beside() ? "inelastic_strain" : "creep_strain"; }
  double effective(const double t, const double dt) const override { return dt > no_time ? std::max(rate->effective(t, dt), no_time) : dt; }

private:
  static void refuse_entries_of_plastic(const Parameters &p)
  {
    for (const char *entry : {"Backstress moduli", "Backstress recovery", "Rate", "Heat fraction", "Specific heat", "Room temperature",
                              "Melting temperature", "Softening exponent", "Start temperature"})
      if (p.given(entry))
        p.fail(entry,
               "is an entry of Type = plastic only: beside creep there is isotropic hardening alone. Remove the entry, or set "
               "Type = plastic");
  }

  static constexpr double no_time = 1e-100;  ///< so short that nothing creeps, while plastic flow needs no time [s]

  std::shared_ptr<CreepRate> rate;
};
}  // namespace
SYMDYN_REGISTER(Material, Creep, "creep");
}  // namespace symdyn
