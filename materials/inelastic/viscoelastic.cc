#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "materials/feels_temperature.h"
#include "materials/first_fault.h"
#include "materials/inelastic.h"
#include "materials/inelastic/lane_step.h"
#include "materials/inelastic/prony.h"
#include "materials/inelastic/time_shift.h"
#include "materials/inelastic/volume_split.h"
#include "materials/isotropic.h"
#include "materials/over_temperature.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
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
///
/// Constants over the temperature: psi = sum w_k(T) psi_k, g_i, k_i and tau_i the same. The memory is then H_i/mu(T), h_i/kappa(T), and the
/// energies of shape and volume over mu(T) and kappa(T), moduli of psi at C = I: what a dashpot has gone does not change with T at rest, so
/// that the step dissipates what that of the law of T does, and A changes with T as its moduli do. `Shift`: h/(a_T tau_i) in place of
/// h/tau_i (time_shift.h).
class Viscoelastic : public InelasticOf<Viscoelastic>, public OverTemperature, public FeelsTemperature
{
public:
  Viscoelastic() { kinks = false; }
  void declare(Parameters &p) override
  {
    std::string name = "neo-hooke-simo";
    p.add("Elastic", name, "hyperelastic law at t = 0, whose constants stand in this section");
    elastic_name = name;
    FirstFault faults;
    faults.guard([&] { prony.declare(p); });
    faults.guard([&] { shift.declare(p); });
    if (!Registry<Material>::instance().has(name))
      p.fail("Elastic", "no such material. Available: " + join(Registry<Material>::instance().names()));
    elastic = Registry<Material>::instance().make(name);
    if (inelastic(*elastic))
      p.fail("Elastic", "this law has a memory of its own, but viscoelastic needs a hyperelastic one. Take e.g. neo-hooke-log");
    faults.guard([&] { elastic->declare(p); });
    faults.rethrow();
    if (elastic->plane_stress())
      p.fail(p.given("Plane") ? "Plane" : "Elastic", "plane stress is not supported by viscoelastic. Set Plane = strain, or use a solid");
    terms = prony.times.size();
    bulk = !prony.bulk.empty();
  }
  bool small_strain() const override { return elastic->small_strain(); }
  int variables() const override { return lost_place() + 1 + uses_temperature(); }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    std::fill_n(m, 3, 1.);
    if (uses_temperature())
      m[temperature()] = shift.given() ? shift.reference() : known.front().temperature;
  }
  bool feels() const override { return shift.given(); }
  bool has_one_set() const override { return false; }
  void start_at(const Wide &, Wide *) const override {}
  std::shared_ptr<const InelasticMaterial> over(const std::vector<ConstantsAt> &all, const Parameters &deck) const override
  {
    auto law = std::make_shared<Viscoelastic>(*this);
    for (const ConstantsAt &one : all)
    {
      const auto &there = dynamic_cast<const Viscoelastic &>(*one.law);
      if (there.elastic_name != elastic_name)
        deck.fail("Elastic", "is another in At temperatures. Set the same in each of its sections");
      if (there.prony.shear != prony.shear || there.prony.bulk != prony.bulk || there.prony.times != prony.times)
        deck.fail("Times",
                  "and the ratios are the same at all temperatures: a Shift makes times shorter. Repeat them in each section of "
                  "At temperatures");
      if (!there.shift.same_as(shift))
        deck.fail("Shift", "belongs to the section of the material alone. Remove it from At temperatures");
      Symmetric<Wide> S;
      Tangent<Wide> D;
      there.elastic->tangent(identity<Wide>(), S, D);
      law->known.push_back({one.temperature, there.elastic, D(3, 3)[0], (D(0, 0)[0] + 2. * D(0, 1)[0]) / 3.});
      if (!(law->known.back().shear > 0. && law->known.back().bulk > 0.))
        deck.fail("Elastic", "over temperatures needs a law with a shear and a bulk modulus > 0 at C = I. Take e.g. neo-hooke-simo");
    }
    return law;
  }
  double length_without_rates() const override { return shortest_increment; }
  std::vector<double> relaxation_times() const override { return prony.times; }
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override
  {
    const Here here(*this, from);
    for (int lane = 0; lane < lanes; ++lane)
      if (here.speed[lane] != 1.)  // weights are those of Times
        throw InputError(
            fmt::format("viscoelastic: a harmonic stage at T = {:.6g}, and Times are those of {:.6g}: complex moduli of times "
                        "that shift are not supported. Remove Shift and give the Times of this temperature",
                        here.T[lane], shift.reference()));
    return change_of_terms(here, C, weights);
  }
  std::vector<Remembered> remembered() const override { return {{"dissipation", 1, "J/m^3"}}; }
  void show(const Wide *m, Wide *values) const override { *values = dissipated(m); }
  Wide dissipated(const Wide *m) const override { return m[lost_place()]; }
  Wide stored(const Wide *m) const override
  {
    Wide sum = 0.;
    const Here here(*this, m);
    for (int i = 0; i < terms; ++i)
      sum += here.stored(m, i);
    return sum;
  }

  Wide energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
  {
    const Here here(*this, from);
    const Start start(here, from);
    const VolumeSplit<Wide> now(C, small_strain());
    const Changes change = changes(here, now, start);
    Wide W = here.psi(C);
    for (int i = 0; i < terms; ++i)
    {
      const LaneStep step = here.step(i, dt);
      const Work work = work_in(here, from, i, change);
      W += step.decay * work.total(bulk) + step.mean * work.total_growth(bulk) +
           0.5 * (1. + step.decay * step.decay) * here.stored(from, i) - prony.shear[i] * change.isochoric;
      if (bulk)
        W -= prony.bulk[i] * change.volumetric;
    }
    return W;
  }

  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    const Here here(*this, from);
    const Start start(here, from);
    const VolumeSplit<T> now(C, small_strain());
    Symmetric<T> S = here.stress(C), X = here.stress(now.isochoric);
    if constexpr (std::is_same_v<T, Wide>)
      if (to)
        accept(here, C, from, dt, start, now, now.deviator(X), to);
    Wide Z[6] = {}, z = 0., lost = 0., lost_bulk = 0.;
    for (int i = 0; i < terms; ++i)
    {
      const LaneStep step = here.step(i, dt);
      lost += prony.shear[i] * (1. - step.mean);
      for (int m = 0; m < 6; ++m)
        Z[m] += step.decay * (here.shear * from[6 * (i + 1) + m]) - (step.mean * prony.shear[i]) * start.stress[m];
      if (bulk)
      {
        lost_bulk += prony.bulk[i] * (1. - step.mean);
        z += step.decay * (here.bulk * from[bulk_stresses() + i]) - (step.mean * prony.bulk[i]) * start.pressure;
      }
    }
    for (int m = 0; m < 6; ++m)
      X[m] = constant<T>(Z[m]) - constant<T>(lost) * X[m];
    X = now.deviator(X);
    for (int m = 0; m < 6; ++m)
      S[m] += now.r * X[m];
    if (bulk)
    {
      const T p = constant<T>(z) - constant<T>(lost_bulk) * now.pressure(here.stress(now.volumetric()));
      for (int m = 0; m < 6; ++m)
        S[m] += p * now.gradient[m];
    }
    return S;
  }

private:
  struct Known
  {
    double temperature;
    std::shared_ptr<const Material> elastic;
    double shear, bulk;  ///< at C = I [Pa]
  };
  /// The law at the temperature of a point.
  struct Here
  {
    Here(const Viscoelastic &law, const Wide *from) : law(law), T(law.uses_temperature() ? from[law.temperature()] : Wide(0.))
    {
      if (!law.known.empty())
        shear = bulk = 0.;
      blend([&](const Known &known, const Wide &part) {
        shear += part * known.shear;
        bulk += part * known.bulk;
      });
      for (int lane = 0; law.shift.given() && lane < lanes; ++lane)
        speed.set(lane, law.shift.speed(T[lane]));
    }
    Wide psi(const Symmetric<Wide> &C) const
    {
      if (law.known.empty())
        return law.elastic->psi(C);
      Wide sum = 0.;
      blend([&](const Known &known, const Wide &part) { sum += part * known.elastic->psi(C); });
      return sum;
    }
    template <class Scalar>
    Symmetric<Scalar> stress(const Symmetric<Scalar> &C) const
    {
      if (law.known.empty())
        return law.elastic->stress(C);
      Symmetric<Scalar> S{};
      blend([&](const Known &known, const Wide &part) {
        const Symmetric<Scalar> one = known.elastic->stress(C);
        for (int m = 0; m < 6; ++m)
          S[m] = S[m] + constant<Scalar>(part) * one[m];
      });
      return S;
    }
    LaneStep step(const int i, const double dt) const { return {dt / law.prony.times[i], law.shift.given() ? &speed : nullptr}; }
    /// b_i [J/m³]
    Wide stored(const Wide *m, const int i) const
    {
      const Wide one = shear * m[law.energies() + i];
      return law.splits() ? Wide(one + bulk * m[law.energies() + law.terms + i]) : one;
    }

    const Viscoelastic &law;
    Wide T, shear = 1., bulk = 1., speed = 1.;  ///< moduli that the memory is divided by; 1/a_T

  private:
    template <class Visit>
    void blend(const Visit &visit) const
    {
      each_part(
          law.known.size(), [this](const std::size_t k) { return law.known[k].temperature; }, T,
          [&](const std::size_t k, const Wide &part) { visit(law.known[k], part); });
    }
  };

  /// r DEV[sum w_i g_i dS~] + sum w_i k_i dp G: r, DEV, G stay, because the memory is that of S~ and p.
  Symmetric<Wide> change_of_terms(const Here &here, const Symmetric<Dual<Wide>> &C, const double *weights) const
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
    const Symmetric<Dual<Wide>> stress = along.deviator(here.stress(along.isochoric));
    for (int m = 0; m < 6; ++m)
      change[m] = shear * stress[m].d;
    change = now.deviator(change);
    const Wide pressure = bulk ? volume * along.pressure(here.stress(along.volumetric())).d : Wide(0.);
    for (int m = 0; m < 6; ++m)
      change[m] = now.r * change[m] + pressure * now.gradient[m];
    return change;
  }

  /// At the begin of the increment: stresses DEV[2 dpsi/dCbar] and dpsi/dtheta [Pa].
  struct Start
  {
    Start(const Here &here, const Wide *from)
        : at({{from[0], from[1], from[2], from[3], from[4], from[5]}}, here.law.small_strain()),
          stress(at.deviator(here.stress(at.isochoric))),
          pressure(here.law.bulk ? at.pressure(here.stress(at.volumetric())) : 0.)
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
  Changes changes(const Here &here, const VolumeSplit<Wide> &now, const Start &start) const
  {
    Changes change{};
    for (int m = 0; m < 6; ++m)
      change.C[m] = now.isochoric[m] - start.at.isochoric[m];
    change.isochoric = here.psi(now.isochoric);
    change.isochoric_growth = change.isochoric - here.psi(start.at.isochoric) - 0.5 * contract(start.stress, change.C);
    if (bulk)
    {
      change.theta = now.theta - start.at.theta;
      change.volumetric = here.psi(now.volumetric());
      change.volumetric_growth = change.volumetric - here.psi(start.at.volumetric()) - start.pressure * change.theta;
    }
    return change;
  }

  /// Of a term during the increment: work of the stresses H_i,n, h_i,n, and of the growth of the elastic stresses [J/m³].
  struct Work
  {
    Wide shear, volume, growth, volume_growth;
    Wide total(const bool bulk) const { return bulk ? Wide(shear + volume) : shear; }
    Wide total_growth(const bool bulk) const { return bulk ? Wide(growth + volume_growth) : growth; }
  };
  Work work_in(const Here &here, const Wide *from, const int i, const Changes &change) const
  {
    Symmetric<Wide> H;
    for (int m = 0; m < 6; ++m)
      H[m] = here.shear * from[6 * (i + 1) + m];
    Work work{0.5 * contract(H, change.C), 0., prony.shear[i] * change.isochoric_growth, 0.};
    if (bulk)
    {
      work.volume = here.bulk * from[bulk_stresses() + i] * change.theta;
      work.volume_growth = prony.bulk[i] * change.volumetric_growth;
    }
    return work;
  }

  /// The variables at the end; X = DEV[2 dpsi/dCbar] there.
  void accept(const Here &here, const Symmetric<Wide> &C, const Wide *from, const double dt, const Start &start,
              const VolumeSplit<Wide> &now, const Symmetric<Wide> &X, Wide *to) const
  {
    const Changes change = changes(here, now, start);
    const Wide growth = bulk ? Wide(now.pressure(here.stress(now.volumetric())) - start.pressure) : Wide(0.);
    Wide dissipation = from[lost_place()];
    for (int i = 0; i < terms; ++i)
    {
      const LaneStep step = here.step(i, dt);
      const Work work = work_in(here, from, i, change);
      const auto relax = [&](const int place, const Wide &modulus, const Wide &y, const Wide &w) {
        const Wide before = modulus * from[place];
        const Wide lost = step.lost() * before + step.crossed() * y + 2. * step.gained() * w,
                   least = select(positive(lost), lost, Wide(0.));
        to[place] = (step.decay * step.decay * before + step.decay * step.mean * y + step.mean * step.mean * w + (lost - least)) / modulus;
        dissipation += least;
      };
      const int place = energies() + i;
      if (splits())
      {
        relax(place, here.shear, work.shear, work.growth);
        relax(place + terms, here.bulk, work.volume, work.volume_growth);
      }
      else
        relax(place, here.shear, work.total(bulk), work.total_growth(bulk));
      for (int m = 0; m < 6; ++m)
        to[6 * (i + 1) + m] =
            (step.decay * (here.shear * from[6 * (i + 1) + m]) + (step.mean * prony.shear[i]) * (X[m] - start.stress[m])) / here.shear;
      if (bulk)
        to[bulk_stresses() + i] = (step.decay * (here.bulk * from[bulk_stresses() + i]) + (step.mean * prony.bulk[i]) * growth) / here.bulk;
    }
    to[lost_place()] = dissipation;
    std::copy(C.e.begin(), C.e.end(), to);
    if (uses_temperature())
      to[temperature()] = from[temperature()];
  }

  // C_n; H of the terms; h of the terms; b of the terms, of shape and of volume where they are divided by moduli; dissipated; T
  int bulk_stresses() const { return 6 * (terms + 1); }
  int energies() const { return bulk_stresses() + (bulk ? terms : 0); }
  bool splits() const { return bulk && !known.empty(); }
  int lost_place() const { return energies() + (splits() ? 2 : 1) * terms; }
  int temperature() const { return lost_place() + 1; }
  bool uses_temperature() const { return shift.given() || !known.empty(); }

  static constexpr double shortest_increment = 1e-300;  ///< exp(-h/tau) = 1 to rounding, for any tau [s]
  std::string elastic_name;
  std::shared_ptr<Material> elastic;
  std::vector<Known> known;  ///< at temperatures that ascend; empty: elastic holds at all
  PronySeries prony;
  TimeShiftEntry shift;
  int terms = 0;
  bool bulk = false;
};
}  // namespace

SYMDYN_REGISTER(Material, Viscoelastic, "viscoelastic");
}  // namespace symdyn
