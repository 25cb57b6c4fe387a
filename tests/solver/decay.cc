// The damping of a deck against the decay of free oscillations, to three digits.
#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_decay
{
namespace
{
const double two_pi = 2. * std::acos(-1.);

std::string cantilever(const std::string &damping)
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 3\n" + subsection("box", "set Size = 1, 1.3, 4")) +
         made_of("linear-elasticity") + subsection("Supports", subsection("foot", "set Boundary = z-")) +
         (damping.empty() ? "" : subsection("Damping", damping));
}

struct Mode
{
  double w;    ///< [rad/s]
  Vector phi;  ///< phi·M phi = 1
};

/// Of K u = w² M u on the free degrees of freedom: dense, by LAPACK.
std::vector<Mode> modes(const MechanicalSystem &system, const unsigned int count)
{
  const Vector zero = system.new_vector();
  Vector e = zero, Ke = zero, Me = zero;
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < e.locally_owned_size(); ++i)
  {
    e = 0.;
    e.local_element(i) = 1.;
    system.project(e);
    if (e.l2_norm() > 0.5)
      free.push_back(i);
  }
  const unsigned int n = free.size();
  dealii::LAPACKFullMatrix<double> K(n, n), M(n, n);
  for (unsigned int j = 0; j < n; ++j)
  {
    e = 0.;
    e.local_element(free[j]) = 1.;
    e.update_ghost_values();
    system.stiffness(zero, e, Ke);
    system.mass(e, Me);
    for (unsigned int i = 0; i < n; ++i)
    {
      K(i, j) = Ke.local_element(free[i]);
      M(i, j) = Me.local_element(free[i]);
    }
  }
  std::vector<dealii::Vector<double>> vectors(n);
  K.compute_generalized_eigenvalues_symmetric(M, vectors);
  std::vector<Mode> found;
  for (unsigned int k = 0; k < count; ++k)
  {
    Mode mode{std::sqrt(K.eigenvalue(k).real()), zero};
    for (unsigned int i = 0; i < n; ++i)
      mode.phi.local_element(free[i]) = vectors[k][i];
    system.mass(mode.phi, Me);
    mode.phi *= 1. / std::sqrt(mode.phi * Me);
    mode.phi.update_ghost_values();
    found.push_back(mode);
  }
  return found;
}

/// The largest of a parabola through three values with steps of 1.
double peak(const double a, const double b, const double c) { return b - (c - a) * (c - a) / (8. * (a - 2. * b + c)); }

/// The damping ratio from the logarithmic decrement of y = phi·M q after a start at phi: delta = ln(y_0/y_n)/n = two_pi zeta/sqrt(1 -
/// zeta²).
double measured_ratio(const MechanicalSystem &system, const Mode &mode)
{
  constexpr int steps = 800, periods = 4;
  const Scheme scheme("newmark");
  const double h = two_pi / mode.w / steps;
  Vector M_phi = system.new_vector();
  system.mass(mode.phi, M_phi);
  State state;
  state.q = mode.phi;
  state.v = state.a = system.new_vector();
  scheme.integrator->start(system, state, h);
  std::vector<double> y{state.q * M_phi}, peaks;
  for (int k = 0; k < (periods + 1) * steps && int(peaks.size()) < periods; ++k)
  {
    scheme.integrator->step(system, state, h);
    y.push_back(state.q * M_phi);
    if (const std::size_t i = y.size() - 2; i > 0 && y[i] > y[i - 1] && y[i] >= y[i + 1])
      peaks.push_back(peak(y[i - 1], y[i], y[i + 1]));
  }
  const double delta = std::log(peaks.front() / peaks.back()) / (peaks.size() - 1);
  return delta / std::hypot(two_pi, delta);
}

void expect_three_digits(const double found, const double wanted) { EXPECT_NEAR(found, wanted, 5e-4 * wanted); }
}  // namespace

/// Rayleigh damping by ratios at the first and the third form; the ratio of the second follows, and Damping::ratio() says it.
TEST(Decay, OfTheFormsOfASolid)
{
  Body<3> undamped(cantilever(""));
  const std::vector<Mode> forms = modes(undamped.system(), 3);
  const std::string ratios = fmt::format("set Ratios = 0.02, {:.17g}, 0.05, {:.17g}", forms[0].w / two_pi, forms[2].w / two_pi);
  Body<3> body(cantilever(ratios));
  const Damping &damping = body.fem().all_parts().damping;
  expect_three_digits(measured_ratio(body.system(), forms[0]), 0.02);
  expect_three_digits(measured_ratio(body.system(), forms[1]), damping.ratio(forms[1].w / two_pi));
  expect_three_digits(measured_ratio(body.system(), forms[2]), 0.05);
  EXPECT_GT(std::abs(damping.ratio(forms[1].w / two_pi) / 0.02 - 1.), 0.05) << "the second form shows nothing of its own";
}

TEST(Decay, OfKelvinVoigt)
{
  Body<3> undamped(cantilever(""));
  const Mode form = modes(undamped.system(), 1)[0];
  const double tau = 0.06 / form.w;
  Body<3> body(cantilever(fmt::format("set Kelvin-Voigt = {:.17g}", tau)));
  expect_three_digits(measured_ratio(body.system(), form), 0.03);
  expect_three_digits(body.fem().all_parts().damping.ratio(form.w / two_pi), 0.03);
}

/// zeta = c/(2 m w): to the ground, and between two points of which one is fixed.
TEST(Decay, OfDashpots)
{
  const std::string points = subsection("Points", "set Dimension = 1\n" + subsection("foot", "set Position = 0\nset Fixed = yes") +
                                                      subsection("bob", "set Mass = 2\nset Position = 1")) +
                             subsection("Bars", subsection("spring", "set Law = linear\nset From = foot\nset To = bob\nset EA = 128"));
  for (const char *ends : {"set Points = bob", "set From = foot\nset To = bob"})
  {
    DiscreteDeck deck(points + subsection("Dashpots", subsection("drag", std::string(ends) + "\nset Coefficient = 1.6")));
    const Mode form = modes(deck.system(), 1)[0];
    EXPECT_NEAR(form.w, 8., 1e-12);
    Mode small = form;  // a bar is linear in small motions only
    small.phi *= 1e-4;
    expect_three_digits(measured_ratio(deck.system(), small), 1.6 / (2. * 2. * 8.));
  }
}
}  // namespace symdyn::tests::in_decay
