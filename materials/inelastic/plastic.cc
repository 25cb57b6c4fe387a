#include <fmt/format.h>

#include "materials/first_fault.h"
#include "materials/inelastic/flow_law.h"
#include "materials/over_temperature.h"
#include "materials/own_heat.h"
#include "materials/thin_laws.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Metals: flow above a yield stress (von Mises 1913), isotropic and kinematic hardening, rates.
class Plastic : public FlowLaw, public ThinLaws, public OverTemperature, public OwnHeat
{
public:
  void declare(Parameters &p) override;
  std::shared_ptr<const InelasticMaterial> uniaxial(const Parameters &deck) const override;
  std::shared_ptr<const InelasticMaterial> plane_stress(const Parameters &deck) const override;
  std::shared_ptr<const InelasticMaterial> over(const std::vector<ConstantsAt> &all, const Parameters &deck) const override;
  bool heats_itself() const override { return softening.given(); }

private:
  std::shared_ptr<Plastic> with_small_strains(const Parameters &deck) const;
};

void Plastic::declare(Parameters &p)
{
  RadialReturn &rule = flow_rule;
  declare_measure(p);
  p.add("Backstress moduli", rule.C, "C_i of the backstresses alpha_i, whose growth is 2/3 C_i eps_p' - gamma_i alpha_i p' [Pa], a list",
        positive());
  p.add("Backstress recovery", rule.gamma, "gamma_i of the backstresses, as many as moduli [-]; default: 0, linear (Prager)",
        not_negative());
  if (rule.gamma.empty())
    rule.gamma.assign(rule.C.size(), 0.);
  if (rule.gamma.size() != rule.C.size())
    p.fail("Backstress recovery", "has " + std::to_string(rule.gamma.size()) + " numbers for " + std::to_string(rule.C.size()) +
                                      " backstresses. Give one for each of Backstress moduli");
  if (rule.C.size() > RadialReturn::most_backstresses)
    p.fail("Backstress moduli", "at most " + std::to_string(RadialReturn::most_backstresses) + " backstresses are possible. Give fewer");
  take_measure(rule.C.empty() ? Measure::multiplicative : Measure::logarithmic);
  if (measure == Measure::multiplicative && !rule.C.empty())
    p.fail("Kinematics", "backstresses turn with logarithmic or small strains only. Set Kinematics = logarithmic");
  constexpr double unknown = 1e300;  // no slope is checked before the constants are known
  FirstFault faults;
  const double mu = faults.guard([&] { declare_constants(p); }) ? constants.mu : unknown;
  faults.guard([&] { softening.declare(p); });
  faults.guard([&] { curve.declare(p, mu); });
  faults.rethrow();
}

std::shared_ptr<Plastic> Plastic::with_small_strains(const Parameters &deck) const
{
  if (deck.given("Kinematics") && measure != Measure::small)
    deck.fail("Kinematics", "beams and shells have small strains, at any rotation. Set Kinematics = small, or remove the entry");
  if (softening.given())
    deck.fail("Heat fraction", "beams and shells are not heated by plastic work yet. Remove the entry, or take solids");
  auto law = std::make_shared<Plastic>(*this);
  law->measure = Measure::small;
  return law;
}

/// With mu = E/3 the return of von Mises in isochoric strains is that of uniaxial stress: q(s_tr) = E |e - e_p|, f(dp) = q - E dp - ...
std::shared_ptr<const InelasticMaterial> Plastic::uniaxial(const Parameters &deck) const
{
  const std::shared_ptr<Plastic> law = with_small_strains(deck);
  if (const double fall = -curve.steepest().slope; fall >= constants.E)
    deck.fail("", fmt::format("the yield stress falls by {:.4g} Pa per unit of p, faster than E: no state of uniaxial stress follows a "
                              "growing strain then. Give a hardening that falls less",
                              fall));
  law->constants.mu = constants.E / 3.;
  law->constants.kappa = 0.;
  return law;
}

std::shared_ptr<const InelasticMaterial> Plastic::plane_stress(const Parameters &deck) const
{
  const std::shared_ptr<Plastic> law = with_small_strains(deck);
  law->set_plane_stress();
  return law;
}

std::shared_ptr<const InelasticMaterial> Plastic::over(const std::vector<ConstantsAt> &all, const Parameters &deck) const
{
  auto law = std::make_shared<Plastic>(*this);
  for (const ConstantsAt &one : all)
  {
    const auto &there = dynamic_cast<const Plastic &>(*one.law);
    if (there.softening.given())
      deck.fail("Heat fraction",
                "constants over the temperature are those of Temperature, not of heating by plastic work. Keep one of both");
    if (there.measure != measure)
      deck.fail("Kinematics", "is another in At temperatures. Set the same in each of its sections");
    if (there.flow_rule.C.size() != flow_rule.C.size())
      deck.fail("Backstress moduli", fmt::format("there are {} backstresses at one temperature, and {} at {:g}. Give as many in each "
                                                 "section of At temperatures",
                                                 flow_rule.C.size(), there.flow_rule.C.size(), one.temperature));
    if (there.flow_rule.recovers() && !flow_rule.recovers())  // which decides whether there is a W_n
      law->flow_rule.gamma = there.flow_rule.gamma;
    law->known.push_back(
        {one.temperature, there.constants.mu, there.constants.kappa, there.curve, there.flow_rule.C, there.flow_rule.gamma});
  }
  return law;
}
}  // namespace
SYMDYN_REGISTER(Material, Plastic, "plastic");
}  // namespace symdyn
