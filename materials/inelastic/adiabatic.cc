#include "materials/inelastic/adiabatic.h"

#include "solver/parameters.h"

namespace symdyn
{
void Adiabatic::declare(Parameters &p)
{
  p.add(
      "Heat fraction", beta,
      "beta: part of the plastic work that heats each point, from which no heat flows away, while the yield stress falls by Johnson's and "
      "Cook's 1 - ((T - T_r)/(T_m - T_r))^m [-]; not given: none",
      Range{0., 1., true, false});
  p.add("Specific heat", heat, "c: the temperature rises by beta w/(rho c) of the plastic work w [J/(kg K)]", positive());
  p.add("Room temperature", room, "T_r, at and below which nothing softens, in the degrees of the deck");
  p.add("Melting temperature", melting, "T_m, at which a thousandth of the yield stress is left, in the degrees of the deck");
  p.add("Softening exponent", exponent, "m of the softening [-]", positive());
  start = room;
  p.add("Start temperature", start, "of the body, in the degrees of the deck; default: Room temperature");
  int entries = 0;
  for (const char *entry : {"Heat fraction", "Specific heat", "Room temperature", "Melting temperature", "Softening exponent"})
    entries += p.given(entry);
  if (entries == 0 && !p.given("Start temperature"))
    return;
  if (entries < 5)
    p.fail("",
           "heating by plastic work needs Heat fraction, Specific heat, Room temperature, Melting temperature and Softening exponent. "
           "Give all five, or none");
  if (!(melting > room))
    p.fail("Melting temperature", "is not above Room temperature. Give a higher one");
  if (!(start < melting))
    p.fail("Start temperature", "the body is molten at the start. Give a temperature below Melting temperature");
  p.add("Density", density, "in the undeformed body [kg/m^3]", positive());
  if (!p.given("Density"))
    p.fail("Heat fraction", "needs the Density of the material. Give it");
}

Wide Adiabatic::factor(const Wide &rise) const
{
  const Wide T = (1. / (melting - room)) * (rise + (start - room));
  const Wide::Bits warm = positive(T);
  const Wide theta = 1. - select(warm, pow(select(warm, T, Wide(1.)), exponent), Wide(0.));
  return select(positive(Wide(theta - least)), theta, Wide(least));
}
}  // namespace symdyn
