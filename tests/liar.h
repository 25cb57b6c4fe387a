#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "solver/parameters.h"
#include "solver/registry.h"
#include "solver/verify/verify.h"

namespace symdyn::tests
{
inline const char *const free_cube = R"(
subsection Mesh
  set Type = box
  set Subdivisions = 1, 1, 1
end
subsection Materials
  subsection soft
    set Type = st-venant-kirchhoff
    set E = 1000
    set nu = 0.3
    set Density = 10
  end
end
subsection Loads
  subsection weight
    set Type = gravity
    set Acceleration = 0, -9.81, 0
  end
end
subsection Initial conditions
  set Velocity = 2*z - 3*y + 0.1, 3*x - z + 0.2, y - 2*x + 0.3
end
subsection Time
  set Time step = 0.01
  set End time = 2
end
)";

/// Another scheme that promises everything.
class Liar : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    honest = Registry<Integrator>::instance().make(scheme);
    honest->declare(p);
  }
  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = order;
    promise.symplectic = promise.linear_momentum = promise.angular_momentum = Where::in_qv;
    promise.energy = promise.energy_bounded = promise.reversible = true;
    return promise;
  }
  /// As `settings` says, with a tight Newton of its own.
  void set_up(const std::string &settings)
  {
    Deck deck = Deck::from_text(settings, "liar.prm");
    Parameters p = deck.root();
    declare(p);
    tight.tolerance = 1e-13;
    newton = &tight;
  }
  void start(const MechanicalSystem &system, State &state, double h) const override
  {
    honest->newton = newton;
    honest->start(system, state, h);
  }
  StepReport step(const MechanicalSystem &system, State &state, double h) const override
  {
    honest->newton = newton;
    return honest->step(system, state, h);
  }
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, double h, State &delta) const override
  {
    honest->step_tangent(system, before, after, h, delta);
    if (wrong_tangent)
      delta.q *= 1.001;
  }
  bool wrong_tangent = false;
  std::string scheme = "newmark";
  int order = 2;

private:
  std::unique_ptr<Integrator> honest;
  Newton tight;
};

inline std::map<std::string, Finding> findings_of(const SchemeCheck &check)
{
  std::map<std::string, Finding> all;
  for (const Finding &finding : check.findings)
    all[finding.property] = finding;
  return all;
}

/// Names of the properties that a scheme breaks in so many steps.
inline std::set<std::string> broken_by(const Integrator &scheme, const VerifySubject &subject, const int steps)
{
  SchemeCheck check("scheme", scheme, subject, steps);
  check.run();
  std::set<std::string> names;
  for (const auto &[property, finding] : findings_of(check))
    if (finding.verdict == Verdict::broken)
      names.insert(property);
  return names;
}
}  // namespace symdyn::tests
