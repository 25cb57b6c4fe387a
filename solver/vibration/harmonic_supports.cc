#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/unknowns.h"
#include "solver/vibration/harmonic.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/support_damping.h"

// Bases and supports that oscillate, and what they add to the forces.
namespace symdyn
{
void HarmonicResponse::prepare_base()
{
  const std::vector<double> &size = request.displacement.empty() ? request.acceleration : request.displacement;
  const std::vector<std::string> momenta = system.unknowns().momenta();
  const std::size_t translations = std::count_if(momenta.begin(), momenta.end(), [](const std::string &name) { return name[0] == 'P'; });
  if (size.size() != translations)
    throw InputError(fmt::format("the motion of the base has {} components; it needs {}", size.size(), translations));
  base = system.new_vector();
  Vector r = system.new_vector();
  for (std::size_t d = 0; d < size.size(); ++d)
  {
    system.unknowns().generator(d, q, r);
    base.add(size[d], r);
  }
  base.update_ghost_values();
  r = base;
  system.project_prescribed(r);
  if (r.l2_norm() == 0.)
    throw InputError(
        "the base moves along a direction in which no support holds the structure to it: that has no effect. Add a "
        "support, or leave this component out");
}

void HarmonicResponse::drive(Complex force, const Complex &prescribed)
{
  forces = {std::move(force)};
  if (prescribed.real.size() == 0)
    return;
  if (!supports)
    supports = std::make_unique<SupportResponse>(system, t, q);
  carried = {supports->of(prescribed.real), supports->of(prescribed.imaginary)};
}

HarmonicResponse::Complex HarmonicResponse::applied(const double omega, const Complex &force) const
{
  Complex F = force;
  if (base.size() == 0 || request.absolute())
    return F;
  Vector momentum = system.new_vector();
  system.mass(base, momentum);
  F.real.add(omega * omega * base_at(omega), momentum);
  return F;
}

HarmonicResponse::Complex HarmonicResponse::driving(const double omega, const Complex &force) const
{
  Complex F = applied(omega, force);
  if (base.size() > 0 && request.absolute())
  {
    const Complex of_base = dynamic(omega, {base, system.new_vector()});
    F.real.add(-base_at(omega), of_base.real);
    F.imaginary.add(-base_at(omega), of_base.imaginary);
  }
  if (carried.real.size() > 0 && (omega > 0. || relaxing))  // at rest K s = 0, of the frozen K
  {
    const Complex of_supports = dynamic(omega, carried);
    F.real -= of_supports.real;
    F.imaginary -= of_supports.imaginary;
  }
  if (request.modal() && omega > 0.)
    resist_supports(omega, F);
  system.project(F.real);
  system.project(F.imaginary);
  return F;
}

/// The damping that is given for modes, which `dynamic` does not know, on the motion of base and supports.
void HarmonicResponse::resist_supports(const double omega, Complex &F) const
{
  const bool with_base = base.size() > 0 && (request.absolute() || request.damping.on_absolute_motion());
  if (!with_base && carried.real.size() == 0)
    return;
  Complex motion = carried.real.size() > 0 ? carried : zero();
  if (with_base)
    motion.real.add(base_at(omega), base);
  F.imaginary.add(-omega, modal_damping_force(system, modes, request.damping, motion.real));
  F.real.add(omega, modal_damping_force(system, modes, request.damping, motion.imaginary));
}
}  // namespace symdyn
