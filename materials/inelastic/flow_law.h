#pragma once
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "materials/elastic_constants.h"
#include "materials/inelastic.h"
#include "materials/inelastic/adiabatic.h"
#include "materials/inelastic/radial_return.h"

namespace symdyn
{
/// Isochoric flow by von Mises with hardening and the influence of rates (radial_return.h), in one of three measures:
///     small            eps = (C - I)/2 - eps_p, of the linearised C = I + 2 eps                          S = sigma
///     logarithmic      eps = ½ ln C - eps_p  (Miehe, Apel, Lambrecht 2002)                               S = 2 (d½ ln C/dC) : T
///     multiplicative   eps = ½ ln b, b = F G Fᵀ, G = C_p⁻¹  (Weber, Anand 1990; Simo 1992); after the return b_e = exp(2 eps_e),
///                      G = F⁻¹ b_e F⁻ᵀ                                                                   S = F⁻¹ tau F⁻ᵀ
/// with sigma, T, tau = kappa tr eps I + s. F is any with FᵀF = C: nothing here sees rotations. Stored energy
///     A = ½ kappa tr² eps + mu |dev eps|² + ∫ R dp + sum 3/(4 C_i) alpha_i : alpha_i      [J/m³]
/// dissipation sigma_y dp + overstress dp + sum (gamma_i/C_i) q(alpha_i)² dp, W_n = A + sigma_y dp + ∫ overstress dp where no backstress
/// recovers. Memory: eps_p or G (6), p, dp, what is dissipated [J/m³], backstresses (6 each) [Pa], or alpha_i/C_i where constants depend on
/// the temperature: then what is stored changes with C_i(T), as A(m, T) has it; the time of laws that age [s], the part
/// of p that has crept where creep is beside plastic flow, the rise of the temperature where plastic work heats, the temperature where
/// constants depend on it. In plane stress C_33 is such that S_33 = 0 at the end of the increment. Derived laws declare the rule.
class FlowLaw : public InelasticOf<FlowLaw>
{
public:
  bool small_strain() const override { return measure == Measure::small; }
  int variables() const override { return int(temperature()) + !known.empty(); }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    std::fill_n(m, 3, measure == Measure::multiplicative ? 1. : 0.);
    if (!known.empty())
      m[temperature()] = known.front().temperature;
  }
  bool depends_on_rates() const override
  {
    return curve.has_rate() || std::any_of(known.begin(), known.end(), [](const FlowAt &one) { return one.curve.has_rate(); });
  }
  double length_without_rates() const override { return std::numeric_limits<double>::infinity(); }  // slow: there is no overstress
  bool subtracts_logarithms() const override { return measure == Measure::logarithmic; }
  bool has_potential() const override { return !flow_rule.recovers(); }

  Wide dissipated(const Wide *m) const override { return m[loss]; }
  Wide stored(const Wide *m) const override
  {
    const FlowConstants here = at(m);
    return here.hardening(m[amount] - (both() ? m[crept()] : Wide(0.))).energy + flow_rule.stored(backstresses(m, here), here);
  }
  bool flows() const override { return true; }
  Wide flow(const Wide *m) const override { return m[amount]; }
  Wide last_flow(const Wide *m) const override { return m[growth]; }
  bool plane_stress() const override { return thins; }
  Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide *from, const double dt) const override
  {
    return thinned(C, from, dt)[2];
  }
  std::vector<Remembered> remembered() const override;
  void show(const Wide *m, Wide *values) const override;

  Wide energy(const Symmetric<Wide> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;

protected:
  enum class Measure
  {
    small,
    logarithmic,
    multiplicative
  };
  /// Entries of all laws of this kind. `usual`: the measure if the deck gives none.
  void declare_measure(Parameters &p);
  void take_measure(Measure usual);
  void set_plane_stress() { thins = true; }
  /// E and nu, or their kin, after what the derived law declares: it throws where they are missing.
  void declare_constants(Parameters &p) { constants.declare(p); }
  virtual std::string strain_name() const { return "plastic_strain"; }
  /// The length that the rule sees of an increment of dt that begins at the time t.
  virtual double effective(const double /*t*/, const double dt) const { return dt; }

  ElasticConstants constants;
  FlowCurve curve;
  Adiabatic softening;
  RadialReturn flow_rule;
  std::vector<FlowAt> known;  ///< constants over the temperature, ascending; empty: the above hold at all
  Measure measure = Measure::small;
  bool ages = false;  ///< the time is remembered

private:
  std::string kinematics, plane = "strain";
  bool thins = false;
  static constexpr int amount = 6, growth = 7, loss = 8, first_backstress = 9;
  std::size_t time() const { return first_backstress + 6 * flow_rule.C.size(); }
  std::size_t crept() const { return time() + ages; }
  bool both() const { return curve.creep_beside() != nullptr; }
  std::size_t risen() const { return crept() + both(); }
  std::size_t temperature() const { return risen() + softening.given(); }
  FlowConstants at(const Wide *m) const
  {
    FlowConstants here = known.empty() ? FlowConstants(constants.mu, constants.kappa, curve) : FlowConstants(known, m[temperature()]);
    if (softening.given())
      here.soften(softening.factor(m[risen()]));
    for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
    {
      if (known.empty())
      {
        here.C[i] = flow_rule.C[i];
        here.gamma[i] = flow_rule.gamma[i];
        continue;
      }
      for (std::size_t c = 6 * i; c < 6 * i + 6; ++c)
        here.alpha[c] = here.C[i] * m[first_backstress + c];
    }
    return here;
  }
  /// alpha_i [Pa]
  const Wide *backstresses(const Wide *m, const FlowConstants &here) const
  {
    return known.empty() ? m + first_backstress : here.alpha.data();
  }

  template <class T>
  struct Trial
  {
    Symmetric<T> e;  ///< deviator of the elastic trial strain
    T trace;
    TriangularStretch<T> U;  ///< of the multiplicative measure
  };
  template <class T>
  Trial<T> trial(const Symmetric<T> &C, const Wide *from) const;
  double length(const Wide *from, const double dt) const { return ages && dt > 0. ? effective(from[time()][0], dt) : dt; }
  RadialReturn::From start(const Wide *from, const double dt, const FlowConstants &here) const
  {
    return {from + amount, backstresses(from, here), length(from, dt), here, both() ? from + crept() : nullptr};
  }
  /// What has crept of the flow of an increment, beside plastic flow.
  static Wide creep(const RadialReturn::From &begin, const RadialReturn::To<Wide> &made)
  {
    const auto from = begin.of.creeping_from(*begin.p, *begin.crept, begin.dt);
    const Wide dp = select(made.flows, made.dp, Wide(1.));
    return any_lane(made.flows) ? select(made.flows, begin.of.creep_beside().creep(from, dp), Wide(0.)) : Wide(0.);
  }
  /// Potential of the flow of an increment, and what it dissipates [J/m³].
  static Wide potential(const RadialReturn::From &begin, const RadialReturn::To<Wide> &made);
  Wide loss_of(const RadialReturn::From &begin, const RadialReturn::To<Wide> &made) const;
  template <class T>
  Symmetric<T> stress_in_space(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;
  /// C with the C_33 of plane stress.
  template <class T>
  Symmetric<T> thinned(const Symmetric<T> &C, const Wide *from, double dt) const;
  Wide thickness(const Symmetric<Wide> &C, const Wide *from, double dt, Wide &slope) const;
  void heat(const RadialReturn::From &begin, const Wide *from, Wide *to) const;
  void remember(const RadialReturn::From &begin, const Wide *from, const Trial<Wide> &trial, const RadialReturn::To<Wide> &made, double dt,
                Wide *to) const;
};

inline std::vector<Remembered> FlowLaw::remembered() const
{
  std::vector<Remembered> all{{strain_name(), 6, ""}, {"p", 1, ""}, {"dissipation", 1, "J/m^3"}};
  if (!flow_rule.C.empty())
    all.push_back({"backstress", 6, "Pa"});
  if (both())
    all.push_back({"p_creep", 1, ""});
  if (softening.given())
    all.push_back({"heating", 1, ""});
  return all;
}

/// The plastic strain is that of its measure: eps_p; ½ ln C_p = -½ ln G. The backstress is the sum of all.
inline void FlowLaw::show(const Wide *m, Wide *values) const
{
  Symmetric<Wide> plastic;
  std::copy_n(m, 6, plastic.e.begin());
  if (measure == Measure::multiplicative)
    plastic = scaled_by(Wide(-0.5), logarithm(plastic));
  values = std::copy(plastic.e.begin(), plastic.e.end(), values);
  *values++ = m[amount];
  *values++ = m[loss];
  const FlowConstants here = at(m);
  const Wide *alpha = backstresses(m, here);
  for (int c = 0; c < 6 && !flow_rule.C.empty(); ++c)
  {
    values[c] = 0.;
    for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
      values[c] += alpha[6 * i + c];
  }
  values += flow_rule.C.empty() ? 0 : 6;
  if (both())
    *values++ = m[crept()];
  if (softening.given())
    *values = m[risen()];
}

/// ∫ R + sigma_y + overstress d(dp), R from 0 on.
inline Wide FlowLaw::potential(const RadialReturn::From &begin, const RadialReturn::To<Wide> &made)
{
  if (begin.crept)
  {
    const Wide part = creep(begin, made), plastic = made.dp - part;
    return begin.of.hardening(*begin.p - *begin.crept + plastic).energy + begin.of.yield_stress() * plastic +
           begin.of.creep_beside().energy(begin.of.creeping_from(*begin.p, *begin.crept, begin.dt), part);
  }
  const Wide dp = select(made.flows, made.dp, Wide(1.));
  return begin.of.hardening(*begin.p + made.dp).energy + begin.of.yield_stress() * made.dp +
         select(made.flows, begin.of.energy_of_rate(*begin.p, dp, begin.dt), Wide(0.));
}

inline Wide FlowLaw::loss_of(const RadialReturn::From &begin, const RadialReturn::To<Wide> &made) const
{
  if (begin.crept)
  {
    const Wide part = creep(begin, made);
    return begin.of.yield_stress() * (made.dp - part) +
           begin.of.creep_beside().loss(begin.of.creeping_from(*begin.p, *begin.crept, begin.dt), part);
  }
  const Wide dp = select(made.flows, made.dp, Wide(1.));
  Wide stress = begin.of.yield_stress() + begin.of.overstress(*begin.p, dp, begin.dt).stress;
  for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
    stress += (1.5 * begin.of.gamma[i] / begin.of.C[i]) * contract(made.alpha[i], made.alpha[i]);
  return select(made.flows, Wide(stress * made.dp), Wide(0.));
}

template <class T>
FlowLaw::Trial<T> FlowLaw::trial(const Symmetric<T> &C, const Wide *from) const
{
  Trial<T> r;
  Symmetric<T> before, eps;
  for (int m = 0; m < 6; ++m)
    before[m] = constant<T>(from[m]);
  if (measure == Measure::multiplicative)
  {
    r.U.take(C);
    eps = scaled_by(T(0.5), logarithm(r.U.push(before)));
  }
  else
  {
    eps = measure == Measure::small ? scaled_by(T(0.5), shifted(C, T(-1.))) : scaled_by(T(0.5), logarithm(C));
    for (int m = 0; m < 6; ++m)
      eps[m] -= before[m];
  }
  r.trace = trace(eps);
  const T mean = (-1. / 3.) * r.trace;
  for (int m = 0; m < 6; ++m)
    r.e[m] = m < 3 ? eps[m] + mean : eps[m];
  return r;
}

inline Wide FlowLaw::energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  const FlowConstants here = at(from);
  const RadialReturn::From begin = start(from, dt, here);
  const Trial<Wide> now = trial(thinned(C, from, dt), from);
  const auto made = flow_rule(now.e, begin);
  Wide W = 0.5 * here.kappa * now.trace * now.trace + (0.25 / here.mu) * contract(made.s, made.s) + potential(begin, made);
  for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
    W += (0.75 / here.C[i]) * contract(made.alpha[i], made.alpha[i]);
  return W;
}

template <class T>
Symmetric<T> FlowLaw::stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  Symmetric<T> S = stress_in_space(thinned(C, from, dt), from, dt, to);
  if (plane_stress())
    S[2] = T(0.);
  return S;
}

template <class T>
Symmetric<T> FlowLaw::stress_in_space(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  const Trial<T> now = trial(C, from);
  const FlowConstants here = at(from);
  const RadialReturn::From begin = start(from, dt, here);
  const auto made = flow_rule(now.e, begin);
  const Symmetric<T> tau = shifted(made.s, multiplied(here.kappa, now.trace));
  if constexpr (std::is_same_v<T, Wide>)
    if (to)
      remember(begin, from, now, made, dt, to);
  if (measure == Measure::small)
    return tau;
  if (measure == Measure::multiplicative)
    return now.U.pull(tau);
  // 2 (d½ ln C/dC) : T is the derivative of ln C along T, since that map is symmetric.
  Symmetric<Dual<T>> along;
  for (int m = 0; m < 6; ++m)
    along[m] = {C[m], tau[m]};
  along = logarithm(along);
  Symmetric<T> S;
  for (int m = 0; m < 6; ++m)
    S[m] = along[m].d;
  return S;
}

inline void FlowLaw::remember(const RadialReturn::From &begin, const Wide *from, const Trial<Wide> &trial,
                              const RadialReturn::To<Wide> &made, const double dt, Wide *to) const
{
  if (!any_lane(made.flows) && known.empty() && !softening.given())
  {
    std::copy_n(from, variables(), to);
    to[growth] = 0.;
    if (ages)
      to[time()] = from[time()] + dt;
    return;
  }
  if (measure == Measure::multiplicative)
  {
    Symmetric<Wide> G;
    std::copy_n(from, 6, G.e.begin());
    if (any_lane(made.flows))
    {
      const Symmetric<Wide> eps = shifted(scaled_by(Wide(0.5 / begin.of.mu), made.s), Wide((1. / 3.) * trial.trace));
      G = select(made.flows, trial.U.pull(exponential(scaled_by(Wide(2.), eps))), G);
    }
    std::copy_n(G.e.begin(), 6, to);
  }
  else
    for (int m = 0; m < 6; ++m)
      to[m] = from[m] + made.dp * made.direction[m];
  to[amount] = from[amount] + made.dp;
  to[growth] = made.dp;
  for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
    for (int c = 0; c < 6; ++c)
      to[first_backstress + 6 * i + c] = known.empty() ? made.alpha[i][c] : made.alpha[i][c] / begin.of.C[i];
  if (ages)
    to[time()] = from[time()] + dt;
  if (!known.empty())
    to[temperature()] = from[temperature()];
  if (both())
    to[crept()] = from[crept()] + creep(begin, made);
  to[loss] = from[loss] + loss_of(begin, made);
  if (softening.given())
    heat(begin, from, to);
}

/// By the plastic work, which is stored or lost; what softening takes of the stored energy is lost, too.
inline void FlowLaw::heat(const RadialReturn::From &begin, const Wide *from, Wide *to) const
{
  const Wide stored = begin.of.hardening(to[amount]).energy,
             of_backstress = flow_rule.stored(to + first_backstress, begin.of) - flow_rule.stored(from + first_backstress, begin.of),
             work = to[loss] - from[loss] + stored - begin.of.hardening(from[amount]).energy + of_backstress;
  to[risen()] = from[risen()] + softening.rise(work);
  to[loss] += stored * (1. - softening.factor(to[risen()]) / softening.factor(from[risen()]));
}

template <class T>
Symmetric<T> FlowLaw::thinned(const Symmetric<T> &C, const Wide *from, const double dt) const
{
  Symmetric<T> all = C;
  if (!plane_stress())
    return all;
  Symmetric<Wide> values;
  for (int m = 0; m < 6; ++m)
    values[m] = value_of(C[m]);
  Wide slope;
  all[2] = constant<T>(thickness(values, from, dt, slope));
  // With the slope at the root each step of Newton's method makes one more derivative exact.
  for (int k = 0; k < RadialReturn::derivatives<T>; ++k)
    all[2] = all[2] - constant<T>(1. / slope) * stress_in_space<T>(all, from, dt, nullptr)[2];
  return all;
}

/// C_33 with S_33 = 0 by Newton's method from an elastic guess; lanes that are done stay as they are. NaN where there is none.
inline Wide FlowLaw::thickness(const Symmetric<Wide> &C, const Wide *from, const double dt, Wide &slope) const
{
  constexpr int most_rounds = 40;
  constexpr double rounding = 1e-15, least = 1e-3;
  const double scale = constants.lambda + 2. * constants.mu;
  Symmetric<Dual<Wide>> along;
  for (int m = 0; m < 6; ++m)
    along[m] = {C[m], Wide(m == 2 ? 1. : 0.)};
  Wide x = 1. - constants.lambda / scale * (C[0] + C[1] - 2.), previous = 1e300;
  x = select(positive(Wide(x - least)), x, Wide(1.));
  slope = scale;
  Wide::Bits open = positive(Wide(1.));
  for (int round = 0; round < most_rounds && any_lane(open); ++round)
  {
    along[2].x = x;
    const Dual<Wide> S = stress_in_space<Dual<Wide>>(along, from, dt, nullptr)[2];
    slope = select(open, S.d, slope);
    const Wide step = -S.x / S.d, size = select(positive(step), step, Wide(-step)), next = x + step;
    const Wide::Bits solved = positive(Wide(rounding * x - size)) | (positive(Wide(1e-10 - size)) & positive(Wide(size - 0.5 * previous)));
    previous = select(open, size, previous);
    x = select(open, select(positive(Wide(next - least)), next, Wide(0.5 * x)), x);
    open &= ~solved;
  }
  return select(open, Wide(std::numeric_limits<double>::quiet_NaN()), x);
}
}  // namespace symdyn
