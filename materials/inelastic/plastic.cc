#include <algorithm>
#include <memory>

#include "materials/elastic_constants.h"
#include "materials/inelastic.h"
#include "materials/inelastic/radial_return.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Plasticity of von Mises with isotropic and kinematic hardening and the influence of rates (radial_return.h), in one of three measures:
///     small            eps = (C - I)/2 - eps_p, of the linearised C = I + 2 eps                          S = sigma
///     logarithmic      eps = ½ ln C - eps_p  (Miehe, Apel, Lambrecht 2002)                               S = 2 (d½ ln C/dC) : T
///     multiplicative   eps = ½ ln b, b = F G Fᵀ, G = C_p⁻¹  (Weber, Anand 1990; Simo 1992); after the return b_e = exp(2 eps_e),
///                      G = F⁻¹ b_e F⁻ᵀ                                                                   S = F⁻¹ tau F⁻ᵀ
/// with sigma, T, tau = kappa tr eps I + s. F is any with FᵀF = C: nothing here sees rotations. Stored energy
///     A = ½ kappa tr² eps + mu |dev eps|² + ∫ R dp + sum 3/(4 C_i) alpha_i : alpha_i      [J/m³]
/// dissipation sigma_y dp + overstress dp + sum (gamma_i/C_i) q(alpha_i)² dp, W_n = A + sigma_y dp + ∫ overstress dp where no backstress
/// recovers. Memory: eps_p or G (6), p, dp, what is dissipated [J/m³], backstresses (6 each) [Pa].
class Plastic : public InelasticOf<Plastic>
{
public:
  void declare(Parameters &p) override;
  bool small_strain() const override { return kinematics == "small"; }
  int variables() const override { return first_backstress + 6 * int(flow_rule.C.size()); }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    std::fill_n(m, 3, kinematics == "multiplicative" ? 1. : 0.);
  }
  bool depends_on_rates() const override { return flow_rule.curve.has_rate(); }
  bool has_potential() const override { return !flow_rule.recovers(); }

  Wide dissipated(const Wide *m) const override { return m[loss]; }
  Wide stored(const Wide *m) const override { return flow_rule.curve.hardening(m[amount]).energy + flow_rule.stored(m + first_backstress); }
  Wide flow(const Wide *m) const override { return m[amount]; }
  Wide last_flow(const Wide *m) const override { return m[growth]; }
  std::vector<Remembered> remembered() const override;
  void show(const Wide *m, Wide *values) const override;

  template <class T>
  T energy(const Symmetric<T> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;

private:
  static constexpr int amount = 6, growth = 7, loss = 8, first_backstress = 9;

  template <class T>
  struct Trial
  {
    Symmetric<T> e;  ///< deviator of the elastic trial strain
    T trace;
  };
  template <class T>
  Trial<T> trial(const Symmetric<T> &C, const Wide *from) const;
  RadialReturn::From start(const Wide *from, const double dt) const { return {from + amount, from + first_backstress, dt}; }
  void remember(const Symmetric<Wide> &C, const Wide *from, const Trial<Wide> &trial, const RadialReturn::To<Wide> &made, double dt,
                Wide *to) const;

  ElasticConstants constants;
  RadialReturn flow_rule;
  std::string kinematics;
};

void Plastic::declare(Parameters &p)
{
  RadialReturn &rule = flow_rule;
  std::string chosen;
  p.add(
      "Kinematics", chosen,
      "strain that is split into an elastic and a plastic part: multiplicative (default without backstresses), logarithmic (with them), or small: "
      "geometrically linear",
      {"multiplicative", "logarithmic", "small"});
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
  kinematics = !chosen.empty() ? chosen : rule.C.empty() ? "multiplicative" : "logarithmic";
  if (kinematics == "multiplicative" && !rule.C.empty())
    p.fail("Kinematics", "backstresses turn with logarithmic or small strains only. Set Kinematics = logarithmic");
  constexpr double unknown = 1e300;  // no slope is checked before the constants are known
  std::exception_ptr missing;
  try
  {
    constants.declare(p);
  }
  catch (...)
  {
    missing = std::current_exception();  // all entries are declared before any is missed
  }
  rule.mu = constants.mu;
  rule.curve.declare(p, missing ? unknown : constants.mu);
  if (missing)
    std::rethrow_exception(missing);
}

std::vector<Remembered> Plastic::remembered() const
{
  std::vector<Remembered> all{{"plastic_strain", 6, ""}, {"p", 1, ""}, {"dissipation", 1, "J/m^3"}};
  if (!flow_rule.C.empty())
    all.push_back({"backstress", 6, "Pa"});
  return all;
}

/// The plastic strain is that of its measure: eps_p; ½ ln C_p = -½ ln G. The backstress is the sum of all.
void Plastic::show(const Wide *m, Wide *values) const
{
  Symmetric<Wide> plastic;
  std::copy_n(m, 6, plastic.e.begin());
  if (kinematics == "multiplicative")
    plastic = scaled_by(Wide(-0.5), logarithm(plastic));
  values = std::copy(plastic.e.begin(), plastic.e.end(), values);
  *values++ = m[amount];
  *values++ = m[loss];
  for (int c = 0; c < 6 && !flow_rule.C.empty(); ++c)
  {
    values[c] = 0.;
    for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
      values[c] += m[first_backstress + 6 * i + c];
  }
}

template <class T>
Plastic::Trial<T> Plastic::trial(const Symmetric<T> &C, const Wide *from) const
{
  Symmetric<T> before, eps;
  for (int m = 0; m < 6; ++m)
    before[m] = constant<T>(from[m]);
  if (kinematics == "multiplicative")
    eps = scaled_by(T(0.5), logarithm(TriangularStretch<T>(C).push(before)));
  else
  {
    eps = scaled_by(T(0.5), kinematics == "small" ? shifted(C, T(-1.)) : logarithm(C));
    for (int m = 0; m < 6; ++m)
      eps[m] -= before[m];
  }
  return {deviator(eps), trace(eps)};
}

template <class T>
T Plastic::energy(const Symmetric<T> &C, const Wide *from, const double dt) const
{
  const Trial<T> now = trial(C, from);
  const auto made = flow_rule(now.e, start(from, dt));
  T W = 0.5 * constants.kappa * now.trace * now.trace + contract(made.s, made.s) * T(0.25 / constants.mu);
  const Wide p = from[amount] + value_of(made.dp), dp = select(made.flows, value_of(made.dp), Wide(1.));
  const Rise R = flow_rule.curve.hardening(p), over = flow_rule.curve.overstress(from[amount], dp, dt);
  for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
    W += (0.75 / flow_rule.C[i]) * contract(made.alpha[i], made.alpha[i]);
  return W + constant<T>(R.energy + select(made.flows, over.energy, Wide(0.))) + flow_rule.curve.yield_stress() * made.dp;
}

template <class T>
Symmetric<T> Plastic::stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  const Trial<T> now = trial(C, from);
  const auto made = flow_rule(now.e, start(from, dt));
  const Symmetric<T> tau = shifted(made.s, T(constants.kappa * now.trace));
  if constexpr (std::is_same_v<T, Wide>)
    if (to)
      remember(C, from, now, made, dt, to);
  if (kinematics == "small")
    return tau;
  if (kinematics == "multiplicative")
    return TriangularStretch<T>(C).pull(tau);
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

void Plastic::remember(const Symmetric<Wide> &C, const Wide *from, const Trial<Wide> &trial, const RadialReturn::To<Wide> &made,
                       const double dt, Wide *to) const
{
  if (kinematics == "multiplicative")
  {
    Symmetric<Wide> G;
    std::copy_n(from, 6, G.e.begin());
    if (any_lane(made.flows))
    {
      const Symmetric<Wide> eps = shifted(scaled_by(Wide(0.5 / constants.mu), made.s), Wide((1. / 3.) * trial.trace));
      G = select(made.flows, TriangularStretch<Wide>(C).pull(exponential(scaled_by(Wide(2.), eps))), G);
    }
    std::copy_n(G.e.begin(), 6, to);
  }
  else
    for (int m = 0; m < 6; ++m)
      to[m] = from[m] + made.dp * made.direction[m];
  to[amount] = from[amount] + made.dp;
  to[growth] = made.dp;
  const Wide dp = select(made.flows, made.dp, Wide(1.));
  Wide stress = flow_rule.curve.yield_stress() + flow_rule.curve.overstress(from[amount], dp, dt).stress;
  for (std::size_t i = 0; i < flow_rule.C.size(); ++i)
  {
    std::copy_n(made.alpha[i].e.begin(), 6, to + first_backstress + 6 * i);
    stress += (1.5 * flow_rule.gamma[i] / flow_rule.C[i]) * contract(made.alpha[i], made.alpha[i]);
  }
  to[loss] = from[loss] + select(made.flows, Wide(stress * made.dp), Wide(0.));
}
}  // namespace
SYMDYN_REGISTER(Material, Plastic, "plastic");
}  // namespace symdyn
