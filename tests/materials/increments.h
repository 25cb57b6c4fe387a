// A point of a law with a memory, driven from state to state, and what every increment must be.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "materials/bound_law.h"
#include "materials/section/heated.h"
#include "materials/section/material_section.h"
#include "tests/materials.h"

namespace symdyn::tests
{
/// One point (in every lane the same, unless C differs) and its variables.
class Point
{
public:
  Point(const std::string &name, const std::string &text) : owner(make(name, text)), m(inelastic(*owner)->virgin()) {}

  const InelasticMaterial &law() const { return *inelastic(*owner); }
  const Wide *memory() const { return m.data(); }
  /// S at the end of an increment, which becomes the state.
  Symmetric<Wide> accept(const Symmetric<Wide> &C, const double dt)
  {
    std::vector<Wide> next(m.size(), Wide(std::nan("")));
    const Symmetric<Wide> S = law().incremental_stress(C, m.data(), dt, next.data());
    m = next;
    return S;
  }
  Symmetric<Wide> stress(const Symmetric<Wide> &C, const double dt = 0.) const
  {
    return law().incremental_stress(C, m.data(), dt, nullptr);
  }
  double free_energy(const Symmetric<Wide> &C) const { return law().incremental_energy(C, m.data(), 0.)[0]; }
  double dissipated() const { return law().dissipated(m.data())[0]; }
  double stored() const { return law().stored(m.data())[0]; }
  PointLaw increment(const double dt) const { return {law(), m.data(), dt}; }

private:
  std::shared_ptr<Material> owner;
  std::vector<Wide> m;
};

/// The law of a section of Materials, at temperatures.
inline std::shared_ptr<const Material> heated_material(const std::string &text)
{
  Deck deck = Deck::from_text("set Density = 1\n" + text, "test.prm");
  Parameters p = deck.root();
  MaterialSection section;
  section.declare_entries(p);
  section.make_law(p);
  return section.heated(1.);
}

/// A heated point, whose lanes may have different temperatures.
class HotPoint
{
public:
  explicit HotPoint(const std::string &text) : owner(heated_material(text)), m(law().variables()) { law().begin(Wide(0.), m.data()); }

  const HeatedMaterial &law() const { return *heated(*owner); }
  void heat(const Wide &T) { law().heat(T, 1., m.data()); }
  PointLaw increment(const double dt) const { return {law(), m.data(), dt}; }
  double free_energy(const Symmetric<Wide> &C) const { return law().incremental_energy(C, m.data(), 0.)[0]; }
  Symmetric<Wide> accept(const Symmetric<Wide> &C, const double dt)
  {
    std::vector<Wide> next(m.size(), Wide(std::nan("")));
    const Symmetric<Wide> S = law().incremental_stress(C, m.data(), dt, next.data());
    m = next;
    return S;
  }

  std::shared_ptr<const Material> owner;
  std::vector<Wide> m;
};

/// Shear strain of small strains: C = I + 2 eps, eps_12 = gamma/2.
inline Symmetric<Wide> simple_shear(const double gamma)
{
  Symmetric<Wide> C = identity<Wide>();
  C[3] = gamma;
  return C;
}

inline Symmetric<Wide> plus(Symmetric<Wide> C, const double h, const Symmetric<Wide> &H)
{
  for (int m = 0; m < 6; ++m)
    C[m] += h * H[m];
  return C;
}

/// Errors of central differences along H: of psi against S, of S against D, of dS/ds against d²S/ds².
inline std::array<double, 3> difference_errors(const Material &law, const Symmetric<Wide> &C, const Symmetric<Wide> &H, const double h)
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  law.tangent(C, S, D);
  const auto along = [&](const double s) {
    Symmetric<Jet<Wide>> path;
    const Symmetric<Wide> at = plus(C, s, H);
    for (int m = 0; m < 6; ++m)
      path[m] = {at[m], H[m], Wide(0.)};
    return law.stress(path);
  };
  const auto here = along(0.), ahead = along(h), behind = along(-h);
  std::array<double, 3> error{};
  for (int lane = 0; lane < lanes; ++lane)
  {
    const double slope = (law.psi(plus(C, h, H))[lane] - law.psi(plus(C, -h, H))[lane]) / (2. * h);
    error[0] += std::abs(slope - 0.5 * contract(S, H)[lane]);
    for (int m = 0; m < 6; ++m)
    {
      double d = 0.;
      for (int n = 0; n < 6; ++n)
        d += (n < 3 ? 0.5 : 1.) * D(m, n)[lane] * H[n][lane];
      error[1] += std::abs((ahead[m].x[lane] - behind[m].x[lane]) / (2. * h) - d);
      error[2] += std::abs((ahead[m].d[lane] - behind[m].d[lane]) / (2. * h) - here[m].dd[lane]);
    }
  }
  return error;
}

/// States to which a point flows, in the increment dt from the variables m, well beyond yield: there derivatives have a kink.
inline Symmetric<Wide> flowing(const InelasticMaterial &law, const Wide *m, const double dt)
{
  constexpr double enough = 0.02;  // dp
  std::vector<Wide> next(law.variables());
  return wide([&] {
    for (;;)
    {
      const Symmetric<double> C = random_C();
      law.incremental_stress(wide([&] { return C; }), m, dt, next.data());
      if (law.last_flow(next.data())[0] > enough)
        return C;
    }
  });
}

/// S = 2 dW_n/dC, D = 2 dS/dC and d²S/ds² by differences with slope 2; `polynomial`: of degree 2 in C, where differences are exact.
inline void expect_derivatives(const Material &law, const Symmetric<Wide> &C, const bool polynomial = false, const double h = 0.004)
{
  const Symmetric<Wide> H = wide([] { return random_symmetric(1.); });
  const auto coarse = difference_errors(law, C, H, h), fine = difference_errors(law, C, H, 0.5 * h);
  for (int k = 0; k < 3; ++k)
    if (polynomial)
      EXPECT_LT(fine[k], 1e-8 * E) << "derivative " << k + 1;
    else
      EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2., 0.15) << "derivative " << k + 1;
  Symmetric<Wide> S;
  Tangent<Wide> D;
  law.tangent(C, S, D);
  Symmetric<Dual<Wide>> path;
  Symmetric<Jet<Wide>> curve;
  for (int m = 0; m < 6; ++m)
  {
    path[m] = {C[m], H[m]};
    curve[m] = {C[m], H[m], Wide(0.)};
  }
  const auto dual = law.stress(path);
  const auto jet = law.stress(curve);
  const auto alone = law.stress(C);
  for (int m = 0; m < 6; ++m)
  {
    EXPECT_NEAR(alone[m][0], S[m][0], 1e-11 * E);
    EXPECT_NEAR(dual[m].x[0], S[m][0], 1e-11 * E);
    EXPECT_NEAR(jet[m].d[0], dual[m].d[0], 1e-10 * E);
  }
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < m; ++n)
      EXPECT_NEAR(D(m, n)[0], D(n, m)[0], 1e-10 * E) << "the tangent of a potential is symmetric";
}

/// C(s) of a closed path, C(0) = C(1) = I, with simple shear, stretch and a second shear out of phase; of small strains I + 2 eps.
inline Symmetric<Wide> closed_path(const double s, const double size)
{
  const double turn = 2. * std::acos(-1.) * s, a = size * std::sin(turn), b = 0.5 * size * (1. - std::cos(turn)),
               c = size * std::sin(2. * turn);
  const double F[3][3] = {{1. + 0.4 * b, a, 0.}, {0., 1. - 0.3 * b, c}, {0., 0., 1.}};
  Symmetric<Wide> C{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        C(i, j) += F[k][i] * F[k][j];
  return C;
}

/// What a closed path leaves.
struct Cycle
{
  double work, released, dissipated;  ///< work of the stress (trapezoids), A lost, dissipated [J/m³]
  double defect() const { return std::abs(work + released - dissipated); }
};
inline Cycle cycle(Point &point, const int steps, const double duration, const double size)
{
  Symmetric<Wide> C = closed_path(0., size), S = point.stress(C);
  const double start = point.free_energy(C), lost = point.dissipated();
  Cycle r{};
  for (int n = 1; n <= steps; ++n)
  {
    const Symmetric<Wide> next = closed_path(double(n) / steps, size), before = S;
    const double dissipated = point.dissipated();
    S = point.accept(next, duration / steps);
    EXPECT_GE(point.dissipated(), dissipated);
    r.work += 0.25 * contract(plus(S, 1., before), plus(next, -1., C))[0];
    C = next;
  }
  r.released = start - point.free_energy(C);
  r.dissipated = point.dissipated() - lost;
  return r;
}

/// The force at an accepted state, dt = 0, is that with which the increment ended.
inline void expect_state_keeps_its_stress(Point &point, const Symmetric<Wide> &C, const double dt)
{
  const Symmetric<Wide> S = point.accept(C, dt), again = point.stress(C);
  for (int m = 0; m < 6; ++m)
    EXPECT_NEAR(again[m][0], S[m][0], 1e-13 * E) << m;
}

/// Rotated strains give rotated stresses, after any history.
inline void expect_isotropy(const std::string &name, const std::string &text)
{
  Point straight(name, text), turned(name, text);
  const auto Q = random_rotation();
  for (int n = 0; n < 5; ++n)
  {
    const Symmetric<double> C = random_C();
    const auto S = straight.accept(wide([&] { return C; }), 0.1 * n), T = turned.accept(wide([&] { return rotate(C, Q); }), 0.1 * n);
    const auto expected = rotate(lane(S, 0), Q);
    for (int m = 0; m < 6; ++m)
      EXPECT_NEAR(T[m][0], expected[m], 1e-11 * E) << m;
  }
  EXPECT_NEAR(straight.dissipated(), turned.dissipated(), 1e-11 * E);
}

/// A chain of random states (stretches of 1/e to e) and increments, each lane its own: no NaN, dissipation never falls.
inline void expect_finite(const std::string &name, const std::string &text, const int increments)
{
  Point point(name, text);
  Wide lost = 0.;
  for (int n = 0; n < increments; ++n)
  {
    const double dt = n % 7 ? std::pow(10., random_number(6.)) : 0.;
    const auto S = point.accept(
        wide([] { return with_squared_stretches(std::exp(random_number(2.)), std::exp(random_number(2.)), std::exp(random_number(2.))); }),
        dt);
    const Wide now = point.law().dissipated(point.memory());
    for (int i = 0; i < lanes; ++i)
    {
      for (int m = 0; m < 6; ++m)
        ASSERT_TRUE(std::isfinite(S[m][i])) << "increment " << n;
      ASSERT_GE(now[i], lost[i] - 1e-14 * lost[i]) << "increment " << n;
    }
    lost = now;
  }
}
}  // namespace symdyn::tests
