#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "materials/algebra/tensor_functions.h"
#include "materials/inelastic.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// The strain of a branch at the end of an increment: of the deviatoric trial strain e_tr it solves
///     e + k dev exp(2 e) = e_tr,   k = h/(2 tau),
/// by Newton's method among the tensors that commute with e_tr: de = M (c I - R), M = (I + 2 k exp 2e)⁻¹, c = tr(M R)/tr M, which needs
/// no eigenvalues. R is the gradient of a strictly convex function of e, which has one minimum. NaN in lanes that do not converge.
template <class T>
Symmetric<T> relaxed_strain(const Symmetric<T> &trial, const double k)
{
  constexpr int most_rounds = 30, after = std::is_same_v<T, Wide> ? 1 : 3;  // derivatives follow the value
  constexpr double enough = 1e-15;
  Symmetric<T> e = scaled_by(T(1. / (1. + 2. * k)), trial);
  Wide rounds_left = after;  // of each lane by itself
  for (int round = 0; round < most_rounds && any_lane(positive(rounds_left)); ++round)
  {
    const Symmetric<T> b = exponential(scaled_by(T(2.), e));
    const Symmetric<T> R = sum(e, sum(scaled_by(T(k), deviator(b)), scaled_by(T(-1.), trial)));
    const Symmetric<T> M = inverse_of(shifted(scaled_by(T(2. * k), b), T(1.)));
    const T c = contract(M, R) / trace(M);
    const Symmetric<T> change = commuting_product(M, shifted(scaled_by(T(-1.), R), c));
    e = select(positive(rounds_left), deviator(sum(e, change)), e);
    Symmetric<Wide> size, of;
    for (int m = 0; m < 6; ++m)
    {
      size[m] = value_of(change[m]);
      of[m] = value_of(e[m]);
    }
    const Wide::Bits far = positive(Wide(contract(size, size) - enough * (contract(of, of) + enough)));
    rounds_left = select(far, rounds_left, Wide(rounds_left - 1.));
  }
  return select(positive(rounds_left), scaled_by(T(std::numeric_limits<double>::quiet_NaN()), e), e);
}

/// Finite viscoelasticity (Reese, Govindjee 1998): an elastic law for t = ∞ and branches of a neo-Hookean spring and a linear dashpot,
/// F = F_e F_v, b_e = F C_v⁻¹ Fᵀ, det C_v = 1:
///     A = psi_∞(C) + Σ ½ mu_i (J^(-2/3) tr b_e,i - 3),   tau_i = mu_i dev(J^(-2/3) b_e,i),   d(C_v,i⁻¹)/dt = -F⁻¹ tau_i b_e,i F⁻ᵀ/eta_i,
/// eta_i = mu_i tau_i' with the relaxation time tau_i' [s] of small strains. The exponential map (Weber, Anand 1990) in e = ½ ln(J^(-2/3)
/// b_e), e = e_tr - h/(2 eta) tau(e), is the minimum over e of (Ortiz, Stainier 1999)
///     W_n = psi_∞(C) + Σ min ½ mu (tr exp(2 e) - 3) + (eta/h) |e_tr - e|²   [J/m³],
/// of order 1 in h; it dissipates 2 (eta/h) |e_tr - e|². Any frame serves for b_e: here C = Uᵀ U, U triangular.
/// Variables: C_v⁻¹ of each branch, energy of the branches, dissipated energy [J/m³].
class ViscoelasticMultiplicative : public InelasticOf<ViscoelasticMultiplicative>
{
public:
  ViscoelasticMultiplicative() { kinks = false; }
  void declare(Parameters &p) override
  {
    std::string name = "neo-hooke-log";
    p.add("Elastic", name, "hyperelastic law at t = infinity, of finite strains, whose constants stand in this section");
    p.add("Branch moduli", moduli, "shear modulus mu_i of the spring of each branch [Pa], > 0; adds to that of the elastic law at t = 0",
          positive());
    p.add("Times", times, "relaxation time eta_i/mu_i of each branch at small strain [s], > 0", positive());
    if (moduli.empty() || moduli.size() != times.size())
      p.fail(p.given("Times") ? "Times" : "", "there are " + std::to_string(times.size()) + " Times for " + std::to_string(moduli.size()) +
                                                  " Branch moduli, but every branch has one of each. Give lists of the same length");
    if (!Registry<Material>::instance().has(name))
      p.fail("Elastic", "no such material. Available: " + join(Registry<Material>::instance().names()));
    elastic = Registry<Material>::instance().make(name);
    if (inelastic(*elastic))
      p.fail("Elastic", "this law has a memory of its own, but a hyperelastic one is needed. Take e.g. neo-hooke-log");
    elastic->declare(p);
    if (elastic->small_strain())
      p.fail("Elastic", "this law is of small strains, the branches are not. Take neo-hooke-log, or Type = viscoelastic");
    if (elastic->plane_stress())
      p.fail(p.given("Plane") ? "Plane" : "Elastic", "plane stress is not supported by viscoelastic-multiplicative. Set Plane = strain");
  }
  int variables() const override { return 6 * branches() + 2; }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    for (int i = 0; i < branches(); ++i)
      std::fill_n(m + 6 * i, 3, 1.);
  }
  /// 1e-12 of a stress relaxes in it; in shorter ones rounding of strains would count as flow.
  double length_without_rates() const override { return 1e-12 * *std::min_element(times.begin(), times.end()); }
  std::vector<double> relaxation_times() const override { return times; }
  /// Of branches that have relaxed, b_e = I, which small motions load and relax in the time tau_i.
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override
  {
    const Frame<Dual<Wide>> frame(C);
    Symmetric<Dual<Wide>> tau{};
    for (int i = 0; i < branches(); ++i)
      tau = sum(tau, scaled_by(Dual<Wide>(weights[i] * moduli[i]), deviator(Branch<Dual<Wide>>(*this, i, frame, from + 6 * i, 0.).b)));
    const Symmetric<Dual<Wide>> S = frame.stretch.pull(tau);
    Symmetric<Wide> change;
    for (int m = 0; m < 6; ++m)
      change[m] = S[m].d;
    return change;
  }
  std::vector<Remembered> remembered() const override { return {{"dissipation", 1, "J/m^3"}}; }
  void show(const Wide *m, Wide *values) const override { *values = dissipated(m); }
  Wide dissipated(const Wide *m) const override { return m[6 * branches() + 1]; }
  Wide stored(const Wide *m) const override { return m[6 * branches()]; }

  Wide energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
  {
    const Frame<Wide> frame(C);
    Wide W = elastic->psi(C);
    for (int i = 0; i < branches(); ++i)
    {
      const Branch<Wide> branch(*this, i, frame, from + 6 * i, dt);
      W += branch.energy + 0.5 * branch.dissipated;
    }
    return W;
  }
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    const Frame<T> frame(C);
    Symmetric<T> tau{};
    T stored = 0., dissipated = 0.;
    for (int i = 0; i < branches(); ++i)
    {
      const Branch<T> branch(*this, i, frame, from + 6 * i, dt);
      tau = sum(tau, scaled_by(T(moduli[i]), deviator(branch.b)));
      stored += branch.energy;
      dissipated += branch.dissipated;
      if (to)
      {
        const Symmetric<T> G = frame.stretch.pull(branch.b), unimodular = scaled_by(rcbrt(determinant(G)), G);
        std::copy(unimodular.e.begin(), unimodular.e.end(), to + 6 * i);
      }
    }
    if (to)
    {
      to[6 * branches()] = stored;
      to[6 * branches() + 1] = constant<T>(from[6 * branches() + 1]) + dissipated;
    }
    return sum(elastic->stress(C), frame.stretch.pull(tau));
  }

private:
  template <class T>
  struct Frame
  {
    explicit Frame(const Symmetric<T> &C) : stretch(C), isochoric(rcbrt(determinant(C))) {}
    TriangularStretch<T> stretch;
    T isochoric;  ///< J^(-2/3)
  };

  /// Of one branch at the end of the increment.
  template <class T>
  struct Branch
  {
    Branch(const ViscoelasticMultiplicative &law, const int i, const Frame<T> &frame, const Wide *from, const double dt)
    {
      Symmetric<T> G;
      for (int m = 0; m < 6; ++m)
        G[m] = constant<T>(from[m]);
      b = scaled_by(frame.isochoric, frame.stretch.push(G));
      dissipated = T(0.);
      if (dt > 0.)
      {
        const double k = 0.5 * dt / law.times[i], mu = law.moduli[i];
        const Symmetric<T> trial = deviator(scaled_by(T(0.5), logarithm(b))), e = relaxed_strain(trial, k);
        b = exponential(scaled_by(T(2.), e));
        const Symmetric<T> flow = sum(trial, scaled_by(T(-1.), e));
        dissipated = (mu / k) * contract(flow, flow);
      }
      energy = (0.5 * law.moduli[i]) * (trace(b) - 3.);
    }
    Symmetric<T> b;        ///< J^(-2/3) b_e
    T energy, dissipated;  ///< [J/m³]
  };

  int branches() const { return static_cast<int>(moduli.size()); }

  std::unique_ptr<Material> elastic;
  std::vector<double> moduli, times;
};
}  // namespace

SYMDYN_REGISTER(Material, ViscoelasticMultiplicative, "viscoelastic-multiplicative");
}  // namespace symdyn
