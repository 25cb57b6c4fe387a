#pragma once
#include <array>
#include <vector>

#include "materials/algebra/tensor_functions.h"
#include "materials/inelastic/flow_constants.h"

namespace symdyn
{
/// The flow of von Mises in an increment: from an elastic trial strain, isotropic and kinematic hardening and a rate to the stress (Wilkins
/// 1964; Simo, Hughes 1998, 3.3). With s_tr = 2 mu dev e_tr, q(s) = sqrt(3/2 s : s), backstresses of Armstrong and Frederick (1966)
///     alpha_i = (alpha_i,n + (2/3) C_i dp N)/(1 + gamma_i dp),   N = (3/2) xi/q(xi),   xi = s_tr - sum_i alpha_i,n/(1 + gamma_i dp)
/// dp >= 0 is the root of
///     f(dp) = q(xi) - 3 mu dp - sum_i C_i dp/(1 + gamma_i dp) - sigma_y - R(p_n + dp) - overstress(dp/dt)
/// (where creep is beside plastic flow, the last three are the stress q of both: creep_beside.h),
/// and s = s_tr - 2 mu dp N.
class RadialReturn
{
public:
  static constexpr int most_backstresses = FlowConstants::most_backstresses;
  /// Of a scalar T: how many it carries.
  template <class T>
  static constexpr int derivatives = 0;
  std::vector<double> C, gamma;  ///< of the backstresses [Pa], [-]; in an increment those of FlowConstants hold

  bool recovers() const
  {
    for (const double g : gamma)
      if (g > 0.)
        return true;
    return false;
  }

  /// What an increment starts from, and the constants that hold in it. alpha: six components each.
  struct From
  {
    const Wide *p, *alpha;
    double dt;
    const FlowConstants &of;
    const Wide *crept = nullptr;  ///< the part of p that has crept, where creep is beside plastic flow
  };
  template <class T>
  struct To
  {
    Wide::Bits flows;
    T dp;
    Symmetric<T> direction;  ///< N; 0 where nothing flows
    Symmetric<T> s;          ///< deviatoric stress [Pa]
    std::array<Symmetric<T>, most_backstresses> alpha;
  };

  /// e: elastic trial strain, a deviator. With dt = 0 nothing flows. NaN where no dp is found.
  template <class T>
  To<T> operator()(const Symmetric<T> &e, const From &from) const
  {
    const Wide twice_mu = 2. * from.of.mu;
    Symmetric<Wide> trial;
    for (int m = 0; m < 6; ++m)
      trial[m] = twice_mu * value_of(e[m]);
    const Root root = solve(trial, from);
    To<T> to;
    to.flows = root.flows;
    to.dp = constant<T>(root.dp);
    // With f' at the root each step of Newton's method makes one more derivative exact.
    if constexpr (derivatives < T >> 0)
      for (int k = 0; k < derivatives<T>; ++k)
        to.dp = select(root.flows, T(to.dp - residual(e, to.dp, root, from) * constant<T>(1. / root.slope)), T(0.));
    if (!any_lane(root.flows))
    {
      to.direction = {};
      for (int m = 0; m < 6; ++m)
        to.s[m] = multiplied(twice_mu, e[m]);
      for (std::size_t i = 0; i < C.size(); ++i)
        for (int m = 0; m < 6; ++m)
          to.alpha[i][m] = constant<T>(from.alpha[6 * i + m]);
      return to;
    }
    const Symmetric<T> xi = relative_stress(e, to.dp, from);
    const T q = mises(select(root.flows, xi, unit<T>())), over_q = T(1.5) / q;
    for (int m = 0; m < 6; ++m)
    {
      to.direction[m] = select(root.flows, T(over_q * xi[m]), T(0.));
      to.s[m] = multiplied(twice_mu, T(e[m] - to.dp * to.direction[m]));
    }
    for (std::size_t i = 0; i < C.size(); ++i)
    {
      const T fading = T(1.) / (T(1.) + multiplied(from.of.gamma[i], to.dp));
      for (int m = 0; m < 6; ++m)
        to.alpha[i][m] = fading * (constant<T>(from.alpha[6 * i + m]) + multiplied((2. / 3.) * from.of.C[i], to.dp) * to.direction[m]);
    }
    return to;
  }

  /// sqrt(3/2 s : s)
  template <class T>
  static T mises(const Symmetric<T> &s)
  {
    return sqrt(T(1.5 * contract(s, s)));
  }
  /// Sum of 3/(4 C_i) alpha_i : alpha_i: what backstresses store [J/m³].
  Wide stored(const Wide *alpha, const FlowConstants &of) const;

private:
  struct Root
  {
    Wide::Bits flows;
    Wide dp, slope;  ///< dp and df/d(dp) there, 1 where nothing flows
  };
  Root solve(const Symmetric<Wide> &trial, const From &from) const;
  /// f and df/d(dp)
  void evaluate(const Symmetric<Wide> &trial, const Wide &dp, const From &from, Wide &f, Wide &slope) const;

  template <class T>
  static Symmetric<T> unit()
  {
    return {{T(1.), T(0.), T(0.), T(0.), T(0.), T(0.)}};
  }
  template <class T>
  Symmetric<T> relative_stress(const Symmetric<T> &e, const T &dp, const From &from) const
  {
    const Wide twice_mu = 2. * from.of.mu;
    Symmetric<T> xi = e;
    for (T &component : xi.e)
      component = multiplied(twice_mu, component);
    for (std::size_t i = 0; i < C.size(); ++i)
    {
      const T fading = T(1.) / (T(1.) + multiplied(from.of.gamma[i], dp));
      for (int m = 0; m < 6; ++m)
        xi[m] -= fading * constant<T>(from.alpha[6 * i + m]);
    }
    return xi;
  }
  template <class T>
  T residual(const Symmetric<T> &e, const T &dp, const Root &root, const From &from) const
  {
    const Wide value = select(root.flows, root.dp, Wide(1.));
    const FlowConstants::Resistance needed = from.of.resistance(*from.p, from.crept, value, from.dt);
    T f = mises(select(root.flows, relative_stress(e, dp, from), unit<T>())) - multiplied(3. * from.of.mu, dp) -
          constant<T>(needed.yield_stress);
    for (std::size_t i = 0; i < C.size(); ++i)
      f -= multiplied(from.of.C[i], dp) / (T(1.) + multiplied(from.of.gamma[i], dp));
    return f - dp.chain(needed.growth.stress, needed.growth.slope, needed.growth.curvature) -
           dp.chain(needed.overstress.stress, needed.overstress.slope, needed.overstress.curvature);
  }
};

template <>
inline constexpr int RadialReturn::derivatives<Dual<Wide>> = 1;
template <>
inline constexpr int RadialReturn::derivatives<Jet<Wide>> = 2;
}  // namespace symdyn
