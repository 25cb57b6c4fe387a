// Schemes for damped motion on a few point masses: numbers of an independent program, orders, rates of decay, equivalences.
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/oscillator.h"
#include "tests/papers.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_dissipative
{
namespace
{
struct Named
{
  std::string name, settings;
};
std::ostream &operator<<(std::ostream &out, const Named &s) { return out << s.name << " " << s.settings; }

const std::vector<Named> all{{"lagrange-dalembert", ""},
                             {"newmark-dalembert", "set beta = 0.25\n"},
                             {"newmark-dalembert", "set beta = 0\n"},
                             {"two-step", ""},
                             {"incremental-potential", "set beta = 0.25\n"},
                             {"incremental-potential", "set beta = 0\n"},
                             {"rk4", ""}};

/// Start of Kane et al. (1999): E = 0.305, J = 0.6
State kmow(const Particles &system) { return system.start({1., 0.}, {0.5, 0.6}); }

/// q, v, E, J
std::vector<double> numbers(const Particles &system, const State &s)
{
  std::vector<double> x(s.q.begin(), s.q.end());
  x.insert(x.end(), s.v.begin(), s.v.end());
  x.push_back(energy(system, s));
  x.push_back(system.m[1] * x[0] * x[3] - system.m[0] * x[1] * x[2]);
  return x;
}

/// log2(e(0.0125)/e(0.00625)), e the distance of q at t = 2
double order_of_positions(const Scheme &scheme, const Particles &system, const State &start)
{
  const State exact = runge_kutta(system, start, 2., 4000);
  const auto error = [&](const int n) {
    Vector q = scheme.run(system, start, 2. / n, n).q;
    q -= exact.q;
    return q.l2_norm();
  };
  return std::log2(error(160) / error(320));
}

/// -ln(E(T)/E(0))/T of q'' + R q' + omega² q = 0 over many periods, energies as means over the last and first period
double rate_of_decay(const Named &named, const double R, const double omega, const double h)
{
  const Oscillator spring = Oscillator::spring(1., omega * omega, R);
  const Scheme scheme(named.name, named.settings);
  State state = spring.start(1., 0.);
  scheme.integrator->start(spring, state, h);
  const int window = 1000, windows = 20;
  std::vector<double> means;
  for (int w = 0; w < windows; ++w)
  {
    double sum = 0;
    for (int k = 0; k < window; ++k)
    {
      scheme.integrator->step(spring, state, h);
      sum += energy(spring, state);
    }
    means.push_back(sum / window);
  }
  return std::log(means.front() / means.back()) / ((windows - 1) * window * h);
}
}  // namespace

/// 004.diss.*
TEST(Dissipative, NumbersOfKaneEtAl)
{
  const std::map<std::string, Named> schemes{{"newmark_impl_nodal", {"newmark-dalembert", "set beta = 0.25\n"}},
                                             {"newmark_expl_nodal", {"newmark-dalembert", "set beta = 0\n"}},
                                             {"newmark_impl_incpot", {"incremental-potential", "set beta = 0.25\n"}},
                                             {"newmark_expl_incpot", {"incremental-potential", "set beta = 0\n"}},
                                             {"variational_DLA", {"lagrange-dalembert", ""}},
                                             {"two_step", {"two-step", ""}},
                                             {"rk4", {"rk4", ""}}};
  const Particles system = Particles::ring_well(1., 1., 1e-3);
  std::size_t compared = 0;
  for (const Check &check : checks_of("004.diss."))
  {
    const std::string rest = check.id.substr(std::string("004.diss.").size()), label = rest.substr(0, rest.find(".step"));
    if (!schemes.count(label))
      continue;  // by deck: Experiments.DampedOscillator
    const Named &named = schemes.at(label);
    const int n = std::stoi(rest.substr(rest.find(".step") + 5));
    compare(check, numbers(system, Scheme(named.name, named.settings).run(system, kmow(system), 0.2, n)));
    ++compared;
  }
  EXPECT_EQ(compared, 33u);
}

TEST(Dissipative, Orders)
{
  struct Row
  {
    std::string name, settings;
    double damped, undamped;
  };
  const std::vector<Row> rows{{"lagrange-dalembert", "", 2, 2},
                              {"lagrange-dalembert", "set alpha = 0.2\n", 1, 1},
                              {"newmark-dalembert", "", 2, 2},
                              {"newmark-dalembert", "set beta = 0\n", 2, 2},
                              {"two-step", "", 1, 2},
                              {"incremental-potential", "", 1, 2},
                              {"incremental-potential", "set beta = 0\n", 1, 2},
                              {"rk4", "", 4, 4}};
  for (const Row &row : rows)
    for (const double R : {0.5, 0.})
    {
      const Particles system = Particles::ring_well(1., 1., R);
      const Scheme scheme(row.name, row.settings);
      const double promised = R > 0. ? row.damped : row.undamped;
      EXPECT_EQ(scheme.integrator->promise(system).order, promised);
      // At the start of Kane et al. the force is zero, and the first-order error of L_d^alpha with it.
      const State start = system.start({0.7, -0.5}, {0.3, 0.4});
      const double positions = order_of_positions(scheme, system, start),
                   both = measured_order(scheme, system, start, 2., row.damped == 4 ? 80 : 320);
      std::printf("order %s %s R %g: %.4f %.4f\n", row.name.c_str(), row.settings.c_str(), R, positions, both);
      EXPECT_NEAR(positions, promised, 0.15) << row.name << row.settings << " R = " << R;
      EXPECT_NEAR(both, promised, 0.15) << row.name << row.settings << " R = " << R;
    }
}

TEST(Dissipative, RatesOfDecayOfALinearMode)
{
  const double R = 1e-3, omega = 3., h = 0.5, h2 = h * h * omega * omega;
  struct Row
  {
    Named scheme;
    double rate;
  };
  for (const Row &row : std::vector<Row>{{{"newmark-dalembert", "set beta = 0.25\n"}, R / (1. + 0.25 * h2)},
                                         {{"newmark-dalembert", "set beta = 0.4\n"}, R / (1. + 0.4 * h2)},
                                         {{"newmark-dalembert", "set beta = 0\n"}, R},
                                         {{"lagrange-dalembert", ""}, R / (1. + 0.25 * h2)}})
  {
    const double rate = rate_of_decay(row.scheme, R, omega, h);
    std::printf("rate %s %s: %.6e expected %.6e\n", row.scheme.name.c_str(), row.scheme.settings.c_str(), rate, row.rate);
    EXPECT_NEAR(rate, row.rate, 2e-3 * row.rate) << row.scheme;
  }
}

TEST(Dissipative, EnergyFallsInTheMeanNotInEveryStep)
{
  const Particles system = Particles::ring_well(1., 1., 1e-3);
  for (const Named &named : {all[0], all[1]})
  {
    const Scheme scheme(named.name, named.settings);
    State state = kmow(system);
    scheme.integrator->start(system, state, 0.2);
    int rises = 0;
    double before = energy(system, state), last = 1e300;
    const int windows = 10, window = 1000;
    for (int w = 0; w < windows; ++w)
    {
      double mean = 0;
      for (int k = 0; k < window; ++k)
      {
        scheme.integrator->step(system, state, 0.2);
        const double now = energy(system, state);
        rises += now > before;
        before = now;
        mean += now / window;
      }
      EXPECT_LT(mean, last) << named << " window " << w;
      last = mean;
    }
    std::printf("rises %s: %d of %d\n", named.name.c_str(), rises, windows * window);
    EXPECT_GT(rises, windows * window / 3) << named;
    EXPECT_LT(rises, windows * window * 2 / 3) << named;
    EXPECT_FALSE(scheme.integrator->promise(system).monotone_dissipation);
  }
}

TEST(Dissipative, WithoutDampingTheyAreTheirConservativeBase)
{
  const Particles system = Particles::ring_well();
  const auto end = [&](const Named &named, const int n = 500) {
    return Scheme(named.name, named.settings).run(system, kmow(system), 0.2, n);
  };
  EXPECT_LT(distance(end(all[4]), end({"newmark", "set beta = 0.25\n"})), 1e-10);
  EXPECT_LT(distance(end(all[5]), end({"newmark", "set beta = 0\n"})), 1e-10);
  EXPECT_LT(distance(end(all[3]), end(all[0])), 1e-10);
  EXPECT_GT(distance(end(all[0]), end(all[1])), 1e-3) << "must be able to fail";
}

TEST(Dissipative, NewmarkWithForcesIsNewmarkWithC)
{
  const Particles system = Particles::ring_well(1., 1., 0.5);
  for (const std::string settings : {"set beta = 0.25\n", "set beta = 0\n"})
    EXPECT_EQ(distance(Scheme("newmark-dalembert", settings).run(system, kmow(system), 0.2, 100),
                       Scheme("newmark", settings).run(system, kmow(system), 0.2, 100)),
              0.);
}

TEST(Dissipative, StructureKeptWithoutDamping)
{
  const Particles system = Particles::pendulum();
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  for (const std::string settings : {"", "set alpha = 0.2\n", "set alpha = 0\n", "set alpha = 1\n"})
  {
    const Scheme scheme("lagrange-dalembert", settings);
    EXPECT_LT(symplectic_defect(scheme, system, start, 0.2), 1e-10) << settings;
    EXPECT_EQ(irreversibility(scheme, system, start, 0.2) < 1e-12, settings.empty()) << settings;
  }
  EXPECT_LT(symplectic_defect(Scheme("two-step"), system, start, 0.2), 1e-10);
  EXPECT_LT(symplectic_defect(Scheme("incremental-potential"), system, start, 0.2, 0.25), 1e-9);
  EXPECT_GT(symplectic_defect(Scheme("incremental-potential"), system, start, 0.2), 1e-3);
  EXPECT_GT(symplectic_defect(Scheme("rk4"), system, start, 0.2), 1e-4);
  EXPECT_GT(irreversibility(Scheme("rk4"), system, start, 0.2), 1e-6);
}

TEST(Dissipative, Tangents)
{
  for (const double R : {0., 0.5})
  {
    Particles system = Particles::pendulum();
    system.c = R;
    const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4}),
                delta = system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2});
    for (const Named &named : all)
      EXPECT_LT(tangent_error(Scheme(named.name, named.settings), system, start, 0.1, delta), 1e-9) << named << " R = " << R;
    EXPECT_LT(tangent_error(Scheme("lagrange-dalembert", "set alpha = 0.2\n"), system, start, 0.1, delta), 1e-9);
  }
}

TEST(Dissipative, TwoStepTangentAfterTheFirstStep)
{
  Particles system = Particles::pendulum();
  system.c = 0.5;
  const Scheme scheme("two-step");
  const double h = 0.1, epsilon = 1e-4;
  const State start = system.start({0.3, -1.1, 1.2, -2.1}, {0.2, -0.1, 0.3, 0.4});
  State delta = system.start({0.5, -0.2, 0.1, 0.7}, {0.3, 0.4, -0.6, 0.2}), up = start, down = start;
  up.q.add(epsilon, delta.q);
  up.v.add(epsilon, delta.v);
  down.q.add(-epsilon, delta.q);
  down.v.add(-epsilon, delta.v);
  const State difference = [&] {
    State u = scheme.run(system, up, h, 3), d = scheme.run(system, down, h, 3);
    u.q -= d.q;
    u.v -= d.v;
    u.q *= 0.5 / epsilon;
    u.v *= 0.5 / epsilon;
    return u;
  }();
  State state = start;
  scheme.integrator->start(system, state, h);
  scheme.integrator->start_tangent(system, state, h, delta);
  for (int k = 0; k < 3; ++k)
  {
    const State before = state;
    scheme.integrator->step(system, state, h);
    scheme.integrator->step_tangent(system, before, state, h, delta);
  }
  EXPECT_LT(distance(delta, difference), 1e-6);
}

namespace
{
/// Least eigenvalue of M + h²/4 K(q): of Newton's matrix, and of the Hessian of the incremental potential, at beta = 1/4.
double least_curvature(const Particles &system, const Vector &q, const double h)
{
  dealii::LAPACKFullMatrix<double> B(system.size(), system.size());
  Vector e = system.new_vector(), column = e;
  for (unsigned int j = 0; j < system.size(); ++j)
  {
    e = 0.;
    e.local_element(j) = 1.;
    system.stiffness(q, e, column);
    for (unsigned int i = 0; i < system.size(); ++i)
      B(i, j) = (i == j) * system.m[i] + 0.25 * h * h * column.local_element(i);
  }
  B.compute_eigenvalues();
  double least = std::numeric_limits<double>::infinity();
  for (unsigned int j = 0; j < system.size(); ++j)
    least = std::min(least, B.eigenvalue(j).real());
  return least;
}
}  // namespace

/// V = F sqrt(s): a pull of constant size F far from the origin. Full Newton steps jump to and fro over it for ever.
TEST(Dissipative, TheMinimiserConvergesWhereNewtonDoesNot)
{
  Particles system({1., 1.});
  Particles::Matrix A(2, 2);
  A(0, 0) = A(1, 1) = 1.;
  const double F = 40.;
  system.terms.push_back(
      {A,
       {[=](double s) { return F * std::sqrt(1. + s); }, [=](double s) { return 0.5 * F / std::sqrt(1. + s); },
        [=](double s) { return -0.25 * F * std::pow(1. + s, -1.5); }, [=](double s) { return 0.375 * F * std::pow(1. + s, -2.5); }}});
  const State start = system.start({10., 0.}, {0., 0.3});
  Scheme newton("newmark");
  newton.newton.line_search = "basic";
  newton.newton.tolerance = 1e-10;
  EXPECT_THROW(newton.run(system, start, 2., 1), ComputationError);
  const State end = Scheme("incremental-potential").run(system, start, 2., 1);
  EXPECT_GT(least_curvature(system, end.q, 2.), 0.);
  Vector f = system.new_vector();  // M a1 = -dV/dq(q1)
  system.internal_force(end.q, f);
  f += end.a;
  EXPECT_LT(f.linfty_norm(), 1e-12 * F);
}

/// Large steps of the penalised pendulum: Newton ends at saddles of the incremental potential now and then.
TEST(Dissipative, TheMinimiserEndsAtMinima)
{
  const Particles system = Particles::pendulum();
  const double h = 4.;
  int saddles = 0;
  for (int k = 0; k < 40; ++k)
  {
    const State start = system.start({0.3, -1.1, 1.2, -2.1}, {std::cos(k), std::sin(k), 0.05 * k, -1. + 0.1 * k});
    saddles += least_curvature(system, Scheme("newmark").run(system, start, h, 1).q, h) < 0.;
    EXPECT_GT(least_curvature(system, Scheme("incremental-potential").run(system, start, h, 1).q, h), 0.) << k;
  }
  EXPECT_GE(saddles, 1);
}

/// A small rubber block, one face held, thrown: with and without damping, all schemes tell nearly the same story.
TEST(Dissipative, FiniteElements)
{
  for (const std::string damping : {"", "subsection Damping\nset Mass proportional = 0.5\nend\n"})
  {
    Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 3") + made_of("neo-hooke-log") +
                 subsection("Supports", subsection("wall", "set Boundary = z-")) + subsection("Elements", "set Mass = lumped") + damping);
    const MechanicalSystem &system = body.system();
    State start;
    start.q = start.v = start.a = system.new_vector();
    start.v = body.nodal([](const auto &X) { return dealii::Tensor<1, 3>({0.3 * X[2] * X[2], 0.1 * X[2] * X[0], 0.}); });
    const double h = 0.02;
    const int n = 50;
    const State fine = Scheme("rk4").run(system, start, h / 4, 4 * n);
    for (const Named &named : all)
    {
      const Scheme scheme(named.name, named.settings);
      const State end = scheme.run(system, start, h, n);
      std::printf("fe %s %s: %g of %g\n", named.name.c_str(), named.settings.c_str(), distance(end.q, fine.q), fine.q.l2_norm());
      EXPECT_LT(distance(end.q, fine.q), 0.01 * fine.q.l2_norm()) << named;
      State delta = start;
      Random random;
      delta.q = random.vector(start.q, 0.1);
      delta.v = random.vector(start.v, 1.);
      system.project(delta.q);
      system.project(delta.v);
      EXPECT_LT(tangent_error(scheme, system, start, h, delta), 1e-6) << named;
    }
  }
}
}  // namespace symdyn::tests::in_dissipative
