// A material with a memory: one file, no edit elsewhere. materials/inelastic.h. Tests: j2_increments.cc, j2_histories.cc and, of decks,
// j2_decks.cc, j2_schemes.cc.
#include <algorithm>

#include "materials/elastic_constants.h"
#include "materials/inelastic.h"
#include "solver/registry.h"

namespace symdyn::tests::in_newcomer_j2
{

/// Plasticity of von Mises with linear isotropic hardening, of small strains. Variables: plastic strain eps_p (six components, trace 0) and
/// accumulated plastic strain p [-], dissipated energy [J/m³].
///     A = ½ kappa tr² eps + mu |dev eps - eps_p|² + ½ H p²,   h psi = sigma_y dp + ½ (eta/h) dp²,   W_n = min over dp >= 0 of A + h psi
///     [J/m³]
/// along the direction of the trial stress s_tr = 2 mu (dev eps - eps_p,n), q_tr = sqrt(3/2) |s_tr| (Wilkins 1964; Simo, Hughes 1998,
/// box 3.1):
///     dp = max(0, q_tr - sigma_y - H p_n) / (3 mu + H + eta/h),   sigma = kappa tr eps I + (1 - 3 mu dp / q_tr) s_tr
class J2 : public InelasticOf<J2>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Yield stress", yield_stress, "uniaxial, of the virgin material [Pa]", positive());
    p.add("Hardening", hardening, "increase of the yield stress per plastic strain [Pa]", not_negative());
    p.add("Viscosity", viscosity, "of plastic flow: overstress per rate of p [Pa s]", not_negative());
    constants.declare(p);
  }
  bool small_strain() const override { return true; }
  int variables() const override { return 8; }
  void begin(double *m) const override { std::fill_n(m, variables(), 0.); }
  bool depends_on_rates() const override { return viscosity > 0.; }
  Wide dissipated(const Wide *m) const override { return m[7]; }
  Wide stored(const Wide *m) const override { return 0.5 * hardening * m[6] * m[6]; }
  Wide flow(const Wide *m) const override { return m[6]; }

  template <class T>
  T energy(const Symmetric<T> &C, const Wide *from, const double dt) const
  {
    const Increment<T> step(*this, C, from, dt);
    const T q = step.q_trial - 3. * constants.mu * step.dp, p = constant<T>(from[6]) + step.dp;
    const T shear = select(step.yields, q * q / T(6. * constants.mu), constants.mu * contract(step.e, step.e));
    return 0.5 * constants.kappa * step.trace * step.trace + shear + 0.5 * hardening * p * p + yield_stress * step.dp +
           0.5 * step.drag * step.dp * step.dp;
  }

  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    const Increment<T> step(*this, C, from, dt);
    const double mu = constants.mu;
    const T returned = step.dp / step.q_trial;
    Symmetric<T> S;
    for (int m = 0; m < 6; ++m)
      S[m] = 2. * mu * (T(1.) - 3. * mu * returned) * step.e[m] + (m < 3 ? constants.kappa * step.trace : T(0.));
    for (int m = 0; m < 6 && to; ++m)
      to[m] = constant<T>(from[m]) + 3. * mu * returned * step.e[m];
    if (to)
    {
      to[6] = constant<T>(from[6]) + step.dp;
      to[7] = constant<T>(from[7]) + (T(yield_stress) + step.drag * step.dp) * step.dp;
    }
    return S;
  }

private:
  template <class T>
  struct Increment
  {
    Increment(const J2 &law, const Symmetric<T> &C, const Wide *from, const double dt)
    {
      for (int m = 0; m < 6; ++m)
        e[m] = 0.5 * (m < 3 ? T(C[m] - T(1.)) : C[m]);
      trace = e[0] + e[1] + e[2];
      for (int m = 0; m < 6; ++m)
        e[m] -= (m < 3 ? T((1. / 3.) * trace) : T(0.)) + constant<T>(from[m]);
      const T limit = T(law.yield_stress) + law.hardening * constant<T>(from[6]);
      const T square = 6. * law.constants.mu * law.constants.mu * contract(e, e);
      yields = positive(dt > 0. ? T(square - limit * limit) : T(0.));
      q_trial = sqrt(select(yields, square, T(1.)));  // where nothing yields q_tr may be 0, and nothing needs it
      drag = dt > 0. ? law.viscosity / dt : 0.;
      dp = select(yields, T(1. / (3. * law.constants.mu + law.hardening + drag)) * (q_trial - limit), T(0.));
    }
    Symmetric<T> e;  ///< elastic trial strain, deviator
    T trace, q_trial, dp;
    double drag;  ///< eta / h [Pa]
    Wide::Bits yields;
  };

  ElasticConstants constants;
  double yield_stress = 0, hardening = 0, viscosity = 0;
};
SYMDYN_REGISTER(Material, J2, "newcomer-j2");
}  // namespace symdyn::tests::in_newcomer_j2
