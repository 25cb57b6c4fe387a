#include "solver/linear/harmonic.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "solver/vibration/harmonic.h"
#include "solver/vibration/linear_motion.h"

// The equations of all degrees of freedom at one frequency, and at many.
namespace symdyn
{
std::vector<HarmonicResponse::Complex> HarmonicResponse::direct(const double omega, const std::vector<Complex> &F, int &krylov) const
{
  ComplexSystem equations;
  std::map<std::pair<double, double>, ComplexSystem::Product> made;  // of all forces
  equations.A = [&](const Vector &x, Vector &y) {
    in_phase(omega, x, y);
    system.project(y);
  };
  equations.B = [&](const Vector &x, Vector &y) {
    across(omega, x, y);
    system.project(y);
  };
  equations.factor = [&](const double a, const double b) {
    constexpr double least = 1e-3;  // of K in a matrix for preconditioning
    ComplexSystem::Product &solve = made[{a, b}];
    if (solve)
      return solve;
    double k = a + b * loss_at(omega);
    if (relaxing)
      k = std::copysign(std::max(std::abs(k), least), k);
    const auto S = stiff(omega, b / k).factor(-a * omega * omega * M + b * omega * C + k * K, t, q, rest);
    return solve = [S](const Vector &x, Vector &y) { S->solve(x, y, S->tolerance()); };
  };
  constexpr double tolerance = 1e-10;
  std::vector<Complex> u(F.size(), zero());
  for (std::size_t d = 0; d < F.size(); ++d)
    if (F[d].real.l2_norm() != 0. || F[d].imaginary.l2_norm() != 0.)
      krylov += solve_complex(equations, F[d].real, F[d].imaginary, tolerance, u[d].real, u[d].imaginary);
  return u;
}

SeparatedSystem HarmonicResponse::separated() const
{
  using C = std::complex<double>;
  using Apply = std::function<void(const Vector &, Vector &)>;
  SeparatedSystem all;
  const auto add = [&](const SeparatedSystem::Coefficient &coefficient, const Apply &product) {
    all.operators.push_back({coefficient, [this, product](const Vector &x, Vector &y) {
                               product(x, y);
                               system.project(y);
                             }});
  };
  add([](double) { return C(1.); }, [this](const Vector &x, Vector &y) { tangent(stiff(0., 0.), t, q, x, y); });
  add([](const double omega) { return C(-omega * omega); }, [this](const Vector &x, Vector &y) { system.mass(x, y); });
  if (system.has(Feature::damping))
    add([](const double omega) { return C(0., omega); }, [this](const Vector &x, Vector &y) { system.damping_force(q, x, y); });
  if (request.damping.structural > 0.)
    add([this](const double omega) { return C(0., loss_at(omega)); },
        [this](const Vector &x, Vector &y) { stiff(0., 0.).stiffness(q, x, y); });
  for (std::size_t k = 0; relaxing && k < relaxing->parts().size(); ++k)
    add(
        [this, k](const double omega) {
          const C g = relaxing->factors(omega)[k];
          return g + C(0., loss_at(omega) * g.real());
        },
        [this, k](const Vector &x, Vector &y) { relaxing->part(k, q, x, y); });
  for (const Complex &force : forces)
    add_drive(force, all);
  return all;
}

void HarmonicResponse::add_drive(const Complex &force, SeparatedSystem &all) const
{
  using C = std::complex<double>;
  std::vector<SeparatedSystem::Term> &drive = all.drives.emplace_back();
  const auto push = [&](const SeparatedSystem::Coefficient &coefficient, Vector x) {
    system.project(x);
    if (x.l2_norm() > 0.)
      drive.push_back({coefficient, std::move(x)});
  };
  const auto resisted = [&](const SeparatedSystem::Coefficient &size, const Vector &x) {  // -Z x
    for (const SeparatedSystem::Operator &one : all.operators)
    {
      Vector y = system.new_vector();
      one.product(x, y);
      push([size, c = one.coefficient](const double omega) { return -size(omega) * c(omega); }, std::move(y));
    }
  };
  push([](double) { return C(1.); }, force.real);
  push([](double) { return C(0., 1.); }, force.imaginary);
  if (base.size() > 0 && request.absolute())
    resisted([this](const double omega) { return C(base_at(omega)); }, base);
  else if (base.size() > 0)
  {
    Vector momentum = system.new_vector();
    system.mass(base, momentum);
    push([this](const double omega) { return C(omega * omega * base_at(omega)); }, std::move(momentum));
  }
  if (carried.real.size() > 0)
  {
    resisted([](double) { return C(1.); }, carried.real);
    resisted([](double) { return C(0., 1.); }, carried.imaginary);
  }
}

void HarmonicResponse::prepare_fast()
{
  SeparatedSystem equations = separated();
  equations.solve = [this](const double omega) {
    if (request.modes.stop && request.modes.stop())
      throw Interrupted("the fast sweep was stopped");
    std::vector<Complex> F;
    for (const Complex &force : forces)
      F.push_back(driving(omega, force));
    return direct(omega, F, krylov_of_sweep);
  };
  std::vector<double> omega;
  for (const double f : grid)
    omega.push_back(2. * dealii::numbers::PI * f);
  sweep = std::make_unique<FastSweep>(std::move(equations), std::move(omega), request.tolerance, system.new_vector(), request.show);
}
}  // namespace symdyn
