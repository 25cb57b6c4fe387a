#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "materials/feels_temperature.h"
#include "materials/inelastic.h"
#include "materials/inelastic/umat_function.h"
#include "materials/inelastic/umat_tensors.h"
#include "solver/base/log.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The law of a user's function (umat_function.h), point by point. The function sees, for F = U = sqrt(C) (nothing turns, DROT = 1),
///     small                  eps = (C - I)/2 of the linearised C          sigma = S               DDSDDE = dsigma/deps
///     logarithmic            eps = ½ ln C   (Miehe, Apel, Lambrecht 2002) S = 2 (d eps/dC) : T    DDSDDE = dT/deps
///     deformation-gradient   F0, F1 = U, and eps = ln U                   S = J U⁻¹ sigma U⁻¹     DDSDDE: of the Jaumann rate of J sigma,
///                            divided by J (Abaqus), so that dS = U⁻¹ (J DDSDDE:d - d tau - tau d) U⁻¹, d = ½ U⁻¹ dC U⁻¹, tau = J sigma
/// With dt = 0 the law is elastic about the state, S = S_n + ½ D_n : (C - C_n), D_n of the DDSDDE of an increment of nothing. SSE is A,
/// SPD + SCD what is dissipated, per undeformed volume: with the deformation gradient times J. Memory: the stress of the function (6), C_n
/// (6), SSE, SPD, SCD per undeformed volume (NaN where the function leaves all of them 0), the time, the number of increments, the
/// temperature at its end, STATEV, the temperature of the point.
class Umat : public InelasticOf<Umat>, public FeelsTemperature
{
public:
  void declare(Parameters &p) override;
  bool small_strain() const override { return measure == Measure::small; }
  int variables() const override { return temperature() + 1; }
  void begin(double *m) const override
  {
    std::fill_n(m, variables(), 0.);
    std::fill_n(m + metric, 3, 1.);
  }
  void start_at(const Wide &T_0, Wide *m) const override { m[last_temperature] = T_0; }
  bool depends_on_rates() const override { return rates; }
  bool subtracts_logarithms() const override { return measure == Measure::logarithmic; }
  bool has_potential() const override { return false; }
  bool is_symmetric() const override { return symmetric; }
  Wide dissipated(const Wide *m) const override { return m[energies + 1] + m[energies + 2]; }
  std::vector<Remembered> remembered() const override;
  void show(const Wide *m, Wide *values) const override;
  Wide energy(const Symmetric<Wide> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;

private:
  enum class Measure
  {
    small,
    logarithmic,
    gradient
  };
  /// In the measure of the function, of lanes.
  struct Answer
  {
    Symmetric<Wide> stress;
    Tangent<Wide> moduli;  ///< of the logarithmic measure DDSDDE, else D = 2 dS/dC
    Wide elastic, spent;   ///< A and what is dissipated [J/m³]
  };
  static constexpr int metric = 6, energies = 12, clock = 15, count = 16, last_temperature = 17, first_state = 18;
  int temperature() const { return first_state + function.states; }
  UmatPoint point_of(const Wide *from, int lane) const;
  Symmetric<double> strain_of(const Symmetric<double> &C) const;
  /// From C_n to C, of a lane.
  UmatPoint called(const Symmetric<double> &C, const Wide *from, double dt, int lane) const;
  /// 2 dS/dC of a point at C.
  Tangent<double> tangent_of(const Symmetric<double> &C, const UmatPoint &point) const;
  Symmetric<double> second_stress(const Symmetric<double> &C, const UmatPoint::Six &stress) const;
  Answer answer(const Symmetric<Wide> &C, const Wide *from, double dt, Wide *to, bool with_moduli) const;
  void remember(const Symmetric<double> &C, const UmatPoint &point, int lane, Wide *to) const;
  /// Second derivatives are central differences of the moduli.
  template <class T>
  Symmetric<T> along_curve(const Symmetric<T> &C, const Wide *from, double dt) const;
  template <class T>
  Symmetric<T> frozen(const Symmetric<T> &C, const Wide *from) const;
  /// In the measure of the function (of the gradient: S), at the state; and its moduli.
  Symmetric<Wide> stress_of_state(const Wide *from) const;
  Tangent<Wide> moduli_at(const Wide *from) const;
  Symmetric<Wide> metric_of(const Wide *from) const;
  void refuse_nonsense(const Parameters &p) const;

  UmatFunction function;
  Measure measure = Measure::logarithmic;
  std::string kinematics = "logarithmic";
  bool symmetric = true, rates = true;
  mutable bool warned = false;
};

void Umat::declare(Parameters &p)
{
  function.declare(p);
  p.add("Kinematics", kinematics,
        "what the function sees: small (geometrically linear), logarithmic (strain ln U, the stress of which it is the conjugate), or "
        "deformation-gradient (F = U; Cauchy stress and Abaqus' moduli of the Jaumann rate)",
        {"logarithmic", "small", "deformation-gradient"});
  p.add("Symmetric", symmetric, "whether DDSDDE is symmetric; what is not is averaged then. If no, matrices are unsymmetric");
  p.add("Rates", rates, "whether the function uses TIME or DTIME; if no, static stages need no Duration");
  measure = kinematics == "small" ? Measure::small : kinematics == "logarithmic" ? Measure::logarithmic : Measure::gradient;
  function.load(p);
  refuse_nonsense(p);
}

void Umat::refuse_nonsense(const Parameters &p) const
{
  const std::vector<Wide> m = virgin();
  const UmatPoint point = called(identity<double>(), m.data(), 0., 0);
  for (int i = 0; i < 6; ++i)
    if (!std::isfinite(point.stress[i]) || !(point.moduli[i][i] > 0.) || !std::isfinite(point.moduli[i][i]))
      p.fail("Function", "returns for no strain the stress " + std::to_string(point.stress[i]) + " Pa and DDSDDE(" + std::to_string(i + 1) +
                             ", " + std::to_string(i + 1) + ") = " + std::to_string(point.moduli[i][i]) +
                             " Pa. Both must be numbers, the second > 0. Check Constants, State variables and the order of the arguments");
}

std::vector<Remembered> Umat::remembered() const
{
  std::vector<Remembered> all{{"dissipation", 1, "J/m^3"}};
  for (int i = 1; i <= function.states; ++i)
    all.push_back({"SDV" + std::to_string(i), 1, ""});
  return all;
}

void Umat::show(const Wide *m, Wide *values) const
{
  *values = dissipated(m);
  std::copy_n(m + first_state, function.states, values + 1);
}

UmatPoint Umat::point_of(const Wide *from, const int lane) const
{
  UmatPoint point;
  for (int i = 0; i < 6; ++i)
    point.stress[i] = from[i][lane];
  for (int i = 0; i < function.states; ++i)
    point.state.push_back(from[first_state + i][lane]);
  const auto energy = [&](const int i) { return std::isnan(from[energies + i][lane]) ? 0. : from[energies + i][lane]; };
  point.elastic = energy(0);
  point.plastic = energy(1);
  point.creep = energy(2);
  point.time = from[clock][lane];
  point.number = int(from[count][lane]) + 1;
  return point;
}

Symmetric<Wide> Umat::metric_of(const Wide *from) const
{
  Symmetric<Wide> C;
  std::copy_n(from + metric, 6, C.e.begin());
  return C;
}

/// Tensor components.
Symmetric<double> Umat::strain_of(const Symmetric<double> &C) const
{
  if (measure == Measure::small)
    return {{0.5 * (C[0] - 1.), 0.5 * (C[1] - 1.), 0.5 * (C[2] - 1.), 0.5 * C[3], 0.5 * C[4], 0.5 * C[5]}};
  return of_eigenvalues(spectrum(C), [](const double x) { return 0.5 * std::log(x); });
}

UmatPoint Umat::called(const Symmetric<double> &C, const Wide *from, const double dt, const int lane) const
{
  UmatPoint point = point_of(from, lane);
  const Symmetric<double> before = symdyn::lane(metric_of(from), lane), eps0 = strain_of(before), eps1 = strain_of(C);
  for (int i = 0; i < 6; ++i)
  {
    const double engineering = i < 3 ? 1. : 2.;
    point.strain[i] = engineering * eps0[i];
    point.growth[i] = engineering * (eps1[i] - eps0[i]);
  }
  point.dt = dt;
  const double now = from[temperature()][lane];
  point.temperature = dt > 0. ? from[last_temperature][lane] : now;
  point.heating = now - point.temperature;
  if (measure != Measure::small)
    for (const auto &[F, metric_there] : {std::pair{&point.F0, &before}, {&point.F1, &C}})
    {
      const Symmetric<double> U = power(spectrum(*metric_there), 0.5);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          (*F)[i][j] = U(i, j);
    }
  const double J0 = measure == Measure::gradient ? std::sqrt(determinant(before)) : 1.;
  for (double *energy : {&point.elastic, &point.plastic, &point.creep})
    *energy /= J0;
  const double plastic = point.plastic, creep = point.creep;  // what is dissipated counts at the volume of its increment
  function(point);
  const double J1 = measure == Measure::gradient ? std::sqrt(determinant(C)) : 1.;
  point.elastic *= J1;
  point.plastic = J0 * plastic + J1 * (point.plastic - plastic);
  point.creep = J0 * creep + J1 * (point.creep - creep);
  if (point.elastic == 0. && point.plastic == 0. && point.creep == 0. &&
      std::any_of(point.stress.begin(), point.stress.end(), [](const double s) { return s != 0.; }))
    point.elastic = point.plastic = point.creep = unknown;
  if (point.failed)
    point.stress.fill(unknown);
  for (int i = 0; i < 6 && symmetric; ++i)
    for (int j = 0; j < i; ++j)
      point.moduli[i][j] = point.moduli[j][i] = 0.5 * (point.moduli[i][j] + point.moduli[j][i]);
  return point;
}

Symmetric<double> Umat::second_stress(const Symmetric<double> &C, const UmatPoint::Six &given) const
{
  Symmetric<double> s;
  std::copy(given.begin(), given.end(), s.e.begin());
  if (measure != Measure::gradient)
    return s;
  Symmetric<double> S = pushed(power(spectrum(C), -0.5), s);
  const double J = std::sqrt(determinant(C));
  for (double &component : S.e)
    component *= J;
  return S;
}

Tangent<double> Umat::tangent_of(const Symmetric<double> &C, const UmatPoint &point) const
{
  Tangent<double> D;
  if (measure != Measure::gradient)
  {
    D.e = point.moduli;
    return D;
  }
  const Symmetric<double> inverse = power(spectrum(C), -0.5);
  const double J = std::sqrt(determinant(C));
  Symmetric<double> tau;
  for (int i = 0; i < 6; ++i)
    tau[i] = J * point.stress[i];
  for (int n = 0; n < 6; ++n)
  {
    Symmetric<double> dC{};
    dC[n] = n < 3 ? 2. : 1.;  // C_12 stands for C_21 too
    Symmetric<double> d = pushed(inverse, dC);
    for (double &component : d.e)
      component *= 0.5;
    const Symmetric<double> turning = twice_symmetric_product(d, tau);
    Symmetric<double> change{};
    for (int i = 0; i < 6; ++i)
    {
      for (int j = 0; j < 6; ++j)
        change[i] += J * point.moduli[i][j] * (j < 3 ? 1. : 2.) * d[j];
      change[i] -= turning[i];
    }
    const Symmetric<double> dS = pushed(inverse, change);
    for (int i = 0; i < 6; ++i)
      D(i, n) = dS[i];
  }
  return D;
}

void Umat::remember(const Symmetric<double> &C, const UmatPoint &point, const int lane, Wide *to) const
{
  for (int i = 0; i < 6; ++i)
  {
    to[i].set(lane, point.stress[i]);
    to[metric + i].set(lane, C[i]);
  }
  to[energies].set(lane, point.elastic);
  to[energies + 1].set(lane, point.plastic);
  to[energies + 2].set(lane, point.creep);
  to[clock].set(lane, point.time + point.dt);
  to[count].set(lane, point.number);
  for (const int T : {last_temperature, temperature()})
    to[T].set(lane, point.temperature + point.heating);
  for (int i = 0; i < function.states; ++i)
    to[first_state + i].set(lane, point.state[i]);
  if (std::isnan(point.elastic) && !point.failed && !std::exchange(warned, true))
    log_warning(
        "[Materials] Type = umat: the function leaves SSE, SPD and SCD 0, so that the columns of energy are NaN. Let it add them up");
}

Umat::Answer Umat::answer(const Symmetric<Wide> &C, const Wide *from, const double dt, Wide *to, const bool with_moduli) const
{
  Answer r;
  for (int i = 0; i < lanes; ++i)
  {
    const Symmetric<double> here = lane(C, i);
    const UmatPoint point = called(here, from, dt, i);
    set_lane(r.stress, i, second_stress(here, point.stress));
    if (with_moduli)
      set_lane(r.moduli, i, tangent_of(here, point));
    r.elastic.set(i, point.elastic);
    r.spent.set(i, point.plastic + point.creep);
    if (to)
      remember(here, point, i, to);
  }
  return r;
}

Symmetric<Wide> Umat::stress_of_state(const Wide *from) const
{
  Symmetric<Wide> S;
  for (int i = 0; i < lanes; ++i)
    set_lane(S, i, second_stress(lane(metric_of(from), i), point_of(from, i).stress));
  return S;
}

Tangent<Wide> Umat::moduli_at(const Wide *from) const
{
  const Symmetric<Wide> C = metric_of(from);
  Tangent<Wide> D;
  for (int i = 0; i < lanes; ++i)
    set_lane(D, i, tangent_of(lane(C, i), called(lane(C, i), from, 0., i)));
  return D;
}

template <class T>
Symmetric<T> Umat::frozen(const Symmetric<T> &C, const Wide *from) const
{
  const Symmetric<Wide> before = metric_of(from), S0 = stress_of_state(from);
  const bool logarithmic = measure == Measure::logarithmic;
  Symmetric<T> S;
  for (int m = 0; m < 6; ++m)
    S[m] = constant<T>(S0[m]);
  if (!std::is_same_v<T, Wide> || !equal(before, values_of(C)))
  {
    const Tangent<Wide> D = moduli_at(from);
    const Symmetric<T> x = logarithmic ? logarithm(C) : C;
    const Symmetric<Wide> x0 = logarithmic ? logarithm(before) : before;
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        S[m] = S[m] + constant<T>(D(m, n) * Wide(n < 3 ? 0.5 : 1.)) * (x[n] - constant<T>(x0[n]));
  }
  return logarithmic ? from_logarithmic(C, S) : S;
}

template <class T>
Symmetric<T> Umat::stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
{
  if (dt == 0.)
  {
    if constexpr (std::is_same_v<T, Wide>)
      if (to)
        std::copy_n(from, variables(), to);
    return frozen(C, from);
  }
  const bool logarithmic = measure == Measure::logarithmic;
  if constexpr (std::is_same_v<T, Wide>)
  {
    const Symmetric<Wide> found = answer(C, from, dt, to, false).stress;
    return logarithmic ? from_logarithmic(C, found) : found;
  }
  else
    return along_curve(C, from, dt);
}

template <class T>
Symmetric<T> Umat::along_curve(const Symmetric<T> &C, const Wide *from, const double dt) const
{
  const Symmetric<Wide> values = values_of(C);
  const bool logarithmic = measure == Measure::logarithmic;
  const Answer made = answer(values, from, dt, nullptr, true);
  const Symmetric<T> x = logarithmic ? scaled_by(T(0.5), logarithm(C)) : C;
  Symmetric<T> S = linear(made.stress, made.moduli, x, Wide(logarithmic ? 1. : 0.5));
  if constexpr (std::is_same_v<T, Jet<Wide>>)
  {
    constexpr double step = 1e-5;
    Symmetric<Wide> ahead = values, behind = values;
    for (int m = 0; m < 6; ++m)
    {
      ahead[m] += step * C[m].d;
      behind[m] -= step * C[m].d;
    }
    const Tangent<Wide> up = answer(ahead, from, dt, nullptr, true).moduli, down = answer(behind, from, dt, nullptr, true).moduli;
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        S[m].dd += (up(m, n) - down(m, n)) * Wide((n < 3 ? 1. : 2.) * (logarithmic ? 1. : 0.5) / (2. * step)) * x[n].d;
  }
  return logarithmic ? from_logarithmic(C, S) : S;
}

Wide Umat::energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const
{
  if (dt != 0.)
  {
    const Answer made = answer(C, from, dt, nullptr, false);
    return made.elastic + made.spent - dissipated(from);
  }
  // About the state: SSE and the work of a stress that is linear in its strain.
  const Symmetric<Wide> before = metric_of(from);
  if (equal(before, C))
    return from[energies];
  const bool logarithmic = measure == Measure::logarithmic;
  const Tangent<Wide> D = moduli_at(from);
  Symmetric<Wide> S = stress_of_state(from), strain = logarithmic ? logarithm(C) : C;
  const Symmetric<Wide> strain0 = logarithmic ? logarithm(before) : before;
  for (int m = 0; m < 6; ++m)
    strain[m] = 0.5 * (strain[m] - strain0[m]);
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n)
      S[m] += D(m, n) * Wide(n < 3 ? 0.5 : 1.) * strain[n];
  return from[energies] + contract(S, strain);
}
SYMDYN_REGISTER(Material, Umat, "umat");
}  // namespace
}  // namespace symdyn
