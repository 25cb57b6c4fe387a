#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "materials/inelastic.h"
#include "materials/inelastic/prony.h"
#include "materials/isotropic.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Isochoric part of C and its volume: Cbar = J^(-2/3) C, r = J^(-2/3), theta = J, G = 2 dJ/dC = J C⁻¹. Of small strains, C = I + 2 eps:
/// Cbar = I + 2 dev eps, r = 1, theta = tr eps, G = 2 dtheta/dC = I. A function f(Cbar) has 2 df/dC = r DEV[2 df/dCbar], with
/// DEV[X] = X - 1/3 (X : C) C⁻¹, small: dev X.
template <class T>
struct VolumeSplit
{
  VolumeSplit(const Symmetric<T> &C, const bool small) : C(small ? identity<T>() : C)
  {
    using std::sqrt;
    const T III = small ? T(1.) : determinant(C);
    r = small ? T(1.) : rcbrt(III);
    B = small ? identity<T>() : inverse(C, III);
    const T J = sqrt(III), growth = (1. / 3.) * (trace(C) - 3.);
    theta = small ? T(1.5 * growth) : J;
    volume = small ? T(1. + growth) : T(T(1.) / r);
    for (int m = 0; m < 6; ++m)
    {
      isochoric[m] = small ? C[m] - (m < 3 ? growth : T(0.)) : r * C[m];
      gradient[m] = J * B[m];
    }
    factor = small ? T(1. / 3.) : T((1. / 3.) / (r * J));
  }

  Symmetric<T> deviator(Symmetric<T> X) const
  {
    const T mean = (1. / 3.) * contract(X, C);
    for (int m = 0; m < 6; ++m)
      X[m] -= mean * B[m];
    return X;
  }
  Symmetric<T> volumetric() const { return {{volume, volume, volume, T(0.), T(0.), T(0.)}}; }  ///< J^(2/3) I
  /// dpsi(J^(2/3) I)/dtheta, from S(J^(2/3) I).
  T pressure(const Symmetric<T> &S) const { return factor * trace(S); }

  Symmetric<T> isochoric, gradient;
  T r, theta;

private:
  Symmetric<T> C, B;
  T volume, factor;
};

/// Any hyperelastic law psi whose isochoric and volumetric parts psi(Cbar), psi(J^(2/3) I) relax by Prony terms g_i, k_i, tau_i (Simo 1987;
/// Simo, Hughes 1998, 10.3). Variables: C_n; for each term the stress H_i = ∫ exp(-(t - s)/tau_i) dS~/ds ds, S~ = g_i DEV[2 dpsi/dCbar]
/// [Pa], the scalar h_i likewise of k_i dpsi/dtheta [Pa], and the energy b_i [J/m³]; the dissipated energy [J/m³]. With e = exp(-h/tau),
/// f = (1 - e)/(h/tau) (Taylor, Pister, Goudreau 1970; order 2)
///     H_i = e H_i,n + f (S~_i - S~_i,n),   S = S_psi - Σ r S~_i + r DEV[Σ H_i]                                    (bulk terms likewise)
///     W_n = psi(C) - Σ g_i (1 - f) psi(Cbar) + ½ Cbar : Σ (e H_i,n - f S~_i,n) + constant                                       [J/m³]
/// S = 2 dW_n/dC exactly: 2 d(½ Cbar : Z)/dC = r DEV[Z] for a constant Z, and DEV DEV = DEV.
///
/// Energies: b_i' = P_i - 2 b_i/tau_i, P_i = ½ H_i : dCbar/dt, dissipates 2 b_i/tau_i and is integrated exactly for P_i of the increment.
/// Of small strains this is the generalised Maxwell solid, to rounding. Of finite strains the work, A and the dissipation balance to order
/// 2 in h; S~ then has no free energy of its own (Reese, Govindjee 1998, section 1), and b_i is the one that relaxes as the stress does.
class Viscoelastic : public InelasticOf<Viscoelastic>
{
public:
  Viscoelastic() { kinks = false; }
  void declare(Parameters &p) override
  {
    std::string name = "neo-hooke-simo";
    p.add("Elastic", name, "hyperelastic law at t = 0, whose constants stand in this section");
    prony.declare(p);
    if (!Registry<Material>::instance().has(name))
      p.fail("Elastic", "no such material. Available: " + join(Registry<Material>::instance().names()));
    elastic = Registry<Material>::instance().make(name);
    if (inelastic(*elastic))
      p.fail("Elastic", "this law has a memory of its own, but viscoelastic needs a hyperelastic one. Take e.g. neo-hooke-log");
    elastic->declare(p);
    if (elastic->plane_stress())
      p.fail(p.given("Plane") ? "Plane" : "Elastic", "plane stress is not supported by viscoelastic. Set Plane = strain, or use a solid");
    terms = prony.times.size();
    bulk = !prony.bulk.empty();
  }
  bool small_strain() const override { return elastic->small_strain(); }
  int variables() const override { return energies() + terms + 1; }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    std::fill_n(m, 3, 1.);
  }
  double length_without_rates() const override { return shortest_increment; }
  std::vector<double> relaxation_times() const override { return prony.times; }
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *, const double *weights) const override
  {
    return change_of_terms(C, weights);
  }
  std::vector<Remembered> remembered() const override { return {{"dissipation", 1, "J/m^3"}}; }
  void show(const Wide *m, Wide *values) const override { *values = dissipated(m); }
  Wide dissipated(const Wide *m) const override { return m[variables() - 1]; }
  Wide stored(const Wide *m) const override
  {
    Wide sum = 0.;
    for (int i = 0; i < terms; ++i)
      sum += m[energies() + i];
    return sum;
  }

  Wide energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
  {
    const Start start(*this, from);
    const VolumeSplit<Wide> now(C, small_strain());
    const Changes change = changes(now, start);
    Wide W = elastic->psi(C);
    for (int i = 0; i < terms; ++i)
    {
      const RelaxationStep step(dt / prony.times[i]);
      W += step.decay * work(from, i, change) + step.mean * work_of_growth(i, change) +
           0.5 * (1. + step.decay * step.decay) * from[energies() + i] - prony.shear[i] * change.isochoric;
      if (bulk)
        W -= prony.bulk[i] * change.volumetric;
    }
    return W;
  }

  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    const Start start(*this, from);
    const VolumeSplit<T> now(C, small_strain());
    Symmetric<T> S = elastic->stress(C), X = elastic->stress(now.isochoric);
    if constexpr (std::is_same_v<T, Wide>)
      if (to)
        accept(C, from, dt, start, now, now.deviator(X), to);
    Wide Z[6] = {}, z = 0.;
    double lost = 0., lost_bulk = 0.;
    for (int i = 0; i < terms; ++i)
    {
      const RelaxationStep step(dt / prony.times[i]);
      lost += prony.shear[i] * (1. - step.mean);
      for (int m = 0; m < 6; ++m)
        Z[m] += step.decay * from[6 * (i + 1) + m] - (step.mean * prony.shear[i]) * start.stress[m];
      if (bulk)
      {
        lost_bulk += prony.bulk[i] * (1. - step.mean);
        z += step.decay * from[bulk_stresses() + i] - (step.mean * prony.bulk[i]) * start.pressure;
      }
    }
    for (int m = 0; m < 6; ++m)
      X[m] = constant<T>(Z[m]) - lost * X[m];
    X = now.deviator(X);
    for (int m = 0; m < 6; ++m)
      S[m] += now.r * X[m];
    if (bulk)
    {
      const T p = constant<T>(z) - lost_bulk * now.pressure(elastic->stress(now.volumetric()));
      for (int m = 0; m < 6; ++m)
        S[m] += p * now.gradient[m];
    }
    return S;
  }

private:
  /// r DEV[sum w_i g_i dS~] + sum w_i k_i dp G: r, DEV, G stay, because the memory is that of S~ and p.
  Symmetric<Wide> change_of_terms(const Symmetric<Dual<Wide>> &C, const double *weights) const
  {
    const VolumeSplit<Dual<Wide>> along(C, small_strain());
    Symmetric<Wide> at, change;
    for (int m = 0; m < 6; ++m)
      at[m] = C[m].x;
    const VolumeSplit<Wide> now(at, small_strain());
    double shear = 0., volume = 0.;
    for (int i = 0; i < terms; ++i)
    {
      shear += weights[i] * prony.shear[i];
      volume += bulk ? weights[i] * prony.bulk[i] : 0.;
    }
    const Symmetric<Dual<Wide>> stress = along.deviator(elastic->stress(along.isochoric));
    for (int m = 0; m < 6; ++m)
      change[m] = shear * stress[m].d;
    change = now.deviator(change);
    const Wide pressure = bulk ? volume * along.pressure(elastic->stress(along.volumetric())).d : Wide(0.);
    for (int m = 0; m < 6; ++m)
      change[m] = now.r * change[m] + pressure * now.gradient[m];
    return change;
  }

  /// At the begin of the increment: stresses DEV[2 dpsi/dCbar] and dpsi/dtheta [Pa].
  struct Start
  {
    Start(const Viscoelastic &law, const Wide *from)
        : at({{from[0], from[1], from[2], from[3], from[4], from[5]}}, law.small_strain()),
          stress(at.deviator(law.elastic->stress(at.isochoric))),
          pressure(law.bulk ? at.pressure(law.elastic->stress(at.volumetric())) : 0.)
    {
    }
    VolumeSplit<Wide> at;
    Symmetric<Wide> stress;
    Wide pressure;
  };

  struct Changes
  {
    Symmetric<Wide> C;                         ///< of Cbar during the increment
    Wide theta;                                ///< of theta
    Wide isochoric, volumetric;                ///< psi(Cbar), psi(J^(2/3) I) at the end [J/m³]
    Wide isochoric_growth, volumetric_growth;  ///< of them, less what is linear in Cbar, theta [J/m³]
  };
  Changes changes(const VolumeSplit<Wide> &now, const Start &start) const
  {
    Changes change{};
    for (int m = 0; m < 6; ++m)
      change.C[m] = now.isochoric[m] - start.at.isochoric[m];
    change.isochoric = elastic->psi(now.isochoric);
    change.isochoric_growth = change.isochoric - elastic->psi(start.at.isochoric) - 0.5 * contract(start.stress, change.C);
    if (bulk)
    {
      change.theta = now.theta - start.at.theta;
      change.volumetric = elastic->psi(now.volumetric());
      change.volumetric_growth = change.volumetric - elastic->psi(start.at.volumetric()) - start.pressure * change.theta;
    }
    return change;
  }
  /// Work of the stresses H_i,n, h_i,n during the increment [J/m³].
  Wide work(const Wide *from, const int i, const Changes &change) const
  {
    Symmetric<Wide> H;
    for (int m = 0; m < 6; ++m)
      H[m] = from[6 * (i + 1) + m];
    const Wide shear = 0.5 * contract(H, change.C);
    return bulk ? Wide(shear + from[bulk_stresses() + i] * change.theta) : shear;
  }
  /// Work of the growth of the elastic stresses during the increment [J/m³].
  Wide work_of_growth(const int i, const Changes &change) const
  {
    const Wide shear = prony.shear[i] * change.isochoric_growth;
    return bulk ? Wide(shear + prony.bulk[i] * change.volumetric_growth) : shear;
  }

  /// The variables at the end; X = DEV[2 dpsi/dCbar] there.
  void accept(const Symmetric<Wide> &C, const Wide *from, const double dt, const Start &start, const VolumeSplit<Wide> &now,
              const Symmetric<Wide> &X, Wide *to) const
  {
    const Changes change = changes(now, start);
    const Wide growth = bulk ? Wide(now.pressure(elastic->stress(now.volumetric())) - start.pressure) : Wide(0.);
    Wide dissipation = from[variables() - 1];
    for (int i = 0; i < terms; ++i)
    {
      const RelaxationStep step(dt / prony.times[i]);
      const Wide before = from[energies() + i], y = work(from, i, change), w = work_of_growth(i, change);
      const Wide lost = step.lost() * before + step.crossed() * y + 2. * step.gained() * w, least = select(positive(lost), lost, Wide(0.));
      to[energies() + i] = step.decay * step.decay * before + step.decay * step.mean * y + step.mean * step.mean * w + (lost - least);
      dissipation += least;
      for (int m = 0; m < 6; ++m)
        to[6 * (i + 1) + m] = step.decay * from[6 * (i + 1) + m] + (step.mean * prony.shear[i]) * (X[m] - start.stress[m]);
      if (bulk)
        to[bulk_stresses() + i] = step.decay * from[bulk_stresses() + i] + (step.mean * prony.bulk[i]) * growth;
    }
    to[variables() - 1] = dissipation;
    std::copy(C.e.begin(), C.e.end(), to);
  }

  // C_n; H of the terms; h of the terms; b of the terms; dissipated
  int bulk_stresses() const { return 6 * (terms + 1); }
  int energies() const { return bulk_stresses() + (bulk ? terms : 0); }

  static constexpr double shortest_increment = 1e-300;  ///< exp(-h/tau) = 1 to rounding, for any tau [s]
  std::unique_ptr<Material> elastic;
  PronySeries prony;
  int terms = 0;
  bool bulk = false;
};
}  // namespace

SYMDYN_REGISTER(Material, Viscoelastic, "viscoelastic");
}  // namespace symdyn
