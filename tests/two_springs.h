#pragma once
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/constraints.h"
#include "solver/deck/deck.h"
#include "solver/dynamics/slow_manifold.h"
#include "solver/verify/particles.h"

// Two stiff springs in the plane (Ariel, Sanz-Serna, Tsai 2012, sect. 5.1), and the projection of their states.
namespace symdyn::tests::in_slow_manifold
{
/// g = (r1 - 1, r12 - 1) of two particles in the plane.
class TwoLengths : public HolonomicConstraints
{
public:
  int size() const override { return 2; }
  std::string name(const int i) const override { return i == 0 ? "origin - 1" : "1 - 2"; }
  double length() const override { return 2.; }
  int coordinates() const override { return 4; }
  void gather(const Vector &x, std::vector<double> &w) const override { w.assign(x.begin(), x.end()); }
  void scatter(const std::vector<double> &w, Vector &x) const override
  {
    for (int i = 0; i < 4; ++i)
      x.local_element(i) += w[i];
  }
  void values(const std::vector<double> &u, std::vector<double> &g) const override
  {
    g = {std::hypot(u[0], u[1]) - 1., std::hypot(u[0] - u[2], u[1] - u[3]) - 1.};
  }
  void jacobian(const std::vector<double> &u, ConstraintRows &G) const override
  {
    const double r1 = std::hypot(u[0], u[1]), x = u[0] - u[2], y = u[1] - u[3], r12 = std::hypot(x, y);
    G.clear();
    for (const auto &[column, entry] : std::vector<std::pair<int, double>>{{0, u[0] / r1}, {1, u[1] / r1}})
      G.add(column, entry);
    G.finish_row();
    for (const auto &[column, entry] : std::vector<std::pair<int, double>>{{0, x / r12}, {1, y / r12}, {2, -x / r12}, {3, -y / r12}})
      G.add(column, entry);
    G.finish_row();
  }
  void discrete_jacobian(const std::vector<double> &, const std::vector<double> &, ConstraintRows &) const override
  {
    throw std::logic_error("not used");
  }
  void curvature(const std::vector<double> &, const std::vector<double> &, const std::vector<double> &,
                 std::vector<double> &) const override
  {
    throw std::logic_error("not used");
  }
};

/// V = ½ omega² ((r1 - 1)² + (r12 - 1)²), unit masses (sect. 5.1) or others.
class TwoSprings : public Particles
{
public:
  explicit TwoSprings(const double omega, const bool has_penalties = true, const bool held = true, const double mass = 1.)
      : Particles({mass, mass, mass, mass})
  {
    if (has_penalties)
      kinematics = {nullptr, &lengths, omega, {}};
    for (const int spring : {0, 1})
    {
      Matrix A(4, 4);
      for (const int d : {0, 1})
      {
        A(d, d) = 1.;
        if (spring == 1)
        {
          A(2 + d, 2 + d) = 1.;
          A(d, 2 + d) = A(2 + d, d) = -1.;
        }
      }
      const double k = omega * omega;
      if (held || spring == 1)
        terms.push_back({A,
                         {[=](double s) { return 0.5 * k * (std::sqrt(s) - 1.) * (std::sqrt(s) - 1.); },
                          [=](double s) { return 0.5 * k * (1. - 1. / std::sqrt(s)); },
                          [=](double s) { return 0.25 * k * std::pow(s, -1.5); }, [=](double s) { return -0.375 * k * std::pow(s, -2.5); }},
                         true});
    }
  }
  TwoSprings(const TwoSprings &) = delete;
  const KinematicConstraints &kinematic_constraints() const override { return kinematics; }

private:
  TwoLengths lengths;
  KinematicConstraints kinematics;
};

inline State off_manifold(const Particles &system) { return system.start({1., 0.25, 2., 0.}, {0., -0.5, 0., 0.5}); }
inline State constraint_point(const Particles &system) { return system.start({1., 0., 2., 0.}, {0., -0.5, 0., 0.5}); }

inline SlowManifold projection(const std::string &settings)
{
  Deck deck = Deck::from_text(settings, "test.prm");
  SlowManifold manifold;
  Parameters p = deck.root();
  manifold.declare(p);
  deck.finish();
  return manifold;
}
inline std::string to(const double tolerance)
{
  std::ostringstream text;
  text << "set Tolerance = " << tolerance << "\n";
  return text.str();
}
}  // namespace symdyn::tests::in_slow_manifold
