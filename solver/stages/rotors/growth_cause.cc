#include "solver/stages/rotors/growth_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "solver/base/names.h"

namespace symdyn
{
namespace
{
/// x*y
std::complex<double> form(const ComplexVector &x, const ComplexVector &y)
{
  return {x.real * y.real + x.imaginary * y.imaginary, x.real * y.imaginary - x.imaginary * y.real};
}

std::string of_bearings(const std::string &what, const std::vector<std::string> &names)
{
  return fmt::format("{} of Bearings {}", what, join(names));
}

/// The parts of the balance.
class Works
{
public:
  Works(const TurningBody::At &there, const RotorMode &mode, const bool at_rest)
      : forms(there.motion() ? std::vector<BearingForms>() : there.frame().bearing_forms(mode.shape.real, mode.shape.imaginary))
  {
    const double omega = mode.lambda.imag();
    const std::complex<double> damping = form(mode.shape, mode.damping);
    const double turning = 2. * omega * form(mode.shape, mode.mass).real() + damping.imag();
    sign = turning < 0. ? -1. : 1.;
    rotor = -mode.lambda.real() * turning;
    double dissipation = damping.real();
    for (const BearingForms &one : forms)
    {
      damping_of.push_back(sign * (omega * one.damping + (at_rest ? 0. : one.turning)));
      cross_of.push_back(sign * one.cross);
      rotor -= sign * (damping_of.back() + cross_of.back());
      dissipation -= one.damping;
      all += std::abs(damping_of.back()) + std::abs(cross_of.back());
    }
    rotor *= sign;
    all += std::abs(rotor);
    rotor_damps = std::abs(omega * dissipation) > negligible * all;
    inertia = std::norm(mode.lambda) * form(mode.shape, mode.mass).real();
  }
  std::vector<std::string> pushing() const
  {
    std::vector<std::string> names;
    for (const BearingForms &one : forms)
      if (one.stiffness < 0.)
        names.push_back(one.name);
    return names;
  }
  GrowthCause cause() const
  {
    GrowthCause found;
    std::vector<std::pair<double, std::string>> feeding;
    double damped = 0.;
    const auto add = [&](const std::vector<double> &work, const std::string &what) {
      std::vector<std::string> names;
      double sum = 0.;
      for (std::size_t i = 0; i < forms.size(); ++i)
        if (feeds(work[i]))
        {
          names.push_back(forms[i].name);
          sum += work[i];
        }
      if (!names.empty())
        feeding.emplace_back(sum, of_bearings(what, names));
    };
    add(cross_of, "cross-coupled stiffness (k_xy - k_yx)");
    add(damping_of, "damping");
    if (feeds(rotor))
      feeding.emplace_back(rotor, rotor_damps ? "damping that turns with the rotor" : "loads that follow the body");
    std::sort(feeding.begin(), feeding.end());
    for (auto &[work, what] : feeding)
      found.feeding.push_back(std::move(what));
    for (const double work : damping_of)
      damped += work;
    found.damped_by_bearings = !found.feeding.empty() && damped > negligible * all;
    return found;
  }

private:
  static constexpr double negligible = 1e-3, rounding = 1e-6;
  /// `work`: with the sign of J.
  bool feeds(const double work) const { return work < -negligible * std::max(all, rounding * inertia); }
  std::vector<BearingForms> forms;
  std::vector<double> damping_of, cross_of;
  double sign = 1, rotor = 0, all = 0, inertia = 0;
  bool rotor_damps = false;
};
}  // namespace

std::string GrowthCause::sentence() const
{
  std::string text;
  for (std::size_t i = 0; i < feeding.size(); ++i)
    text += (i == 0 ? "" : i + 1 == feeding.size() ? " and " : ", ") + feeding[i];
  text[0] = char(std::toupper(text[0]));
  return text + (feeding.size() > 1 ? " feed it" : " feeds it") + (damped_by_bearings ? "; damping of Bearings takes from it" : "");
}

GrowthCause growth_cause(const TurningBody::At &there, const RotorMode &mode, const bool at_rest,
                         const std::function<double(const ComplexVector &)> &resting)
{
  const Works works(there, mode, at_rest);
  GrowthCause found = works.cause();
  if (!found.feeding.empty())
    return found;
  // No work is done on a motion that does not turn: a stiffness is negative.
  if (const std::vector<std::string> names = works.pushing(); !names.empty())
    found.feeding.push_back(of_bearings("negative stiffness", names));
  else if (!resting)
    found.feeding.emplace_back("negative stiffness along this motion, with the centrifugal force in it,");
  else if (!at_rest && resting(mode.shape) > 0.)
    found.feeding.emplace_back("the centrifugal force beyond the stiffness along this motion");
  else
    found.feeding.emplace_back("negative stiffness of the rotor, or of loads that follow it,");
  return found;
}
}  // namespace symdyn
