#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/amplitude.h"
#include "solver/deck/formula/time_integral.h"

namespace symdyn
{
/// What a support prescribes in each component: the displacement u, the velocity v or the acceleration a as a field times an amplitude.
/// What is not given follows: from a formula of u by differentiation, exactly; from v and a by integration from t = 0 on (TimeIntegral;
/// exact for tables),
///     u = u0 + ∫ v ds     or     v = v0 + ∫ a ds,   u = u0 + v0 t + ∫ (t - s) a ds     (0 ... t)
class SupportMotion
{
public:
  /// The entries and what they mean with a support of this type. Errors: InputError.
  void declare(Parameters &p, const std::string &type, int dimension);
  /// The types that move: "displacement", "velocity", "acceleration".
  static const std::vector<std::string> &types();
  static bool is_type(const std::string &type);

  bool prescribes(const int component) const { return prescribed[component]; }
  /// Whether the component is held at 0 for ever.
  bool rests(const int component) const { return resting[component]; }
  /// Whether it is held where it is when the support begins.
  bool stands(const int component) const { return standing[component]; }
  bool any() const;
  bool moves() const;
  /// The table that moves it, of displacements, velocities or accelerations; nullptr: formulas do, or nothing.
  const Table *table() const { return moves() ? amplitude.tabulated() : nullptr; }
  bool displaces() const { return order == 0; }
  /// For messages, and to tell motions apart.
  std::string text(int component) const;

  /// What depends on time alone, at a time.
  struct Instant
  {
    double t;
    Jet<double> amplitude;
    std::vector<Jet<double>> integrals;  ///< of each component
  };
  Instant at(double t) const;
  /// u, v, a of a component [m, m/s, m/s²] at a place.
  Jet<double> operator()(int component, const double *position, int dimension, const Instant &now) const;

private:
  void add_entries(Parameters &p);
  void read_components(const Parameters &p, int dimension);
  void read_start(const Parameters &p, int dimension);
  void integrate(const Parameters &p, int component);

  int order = 0;  ///< of the derivative that is given
  std::vector<std::string> texts[3];
  std::vector<double> start[2];  ///< u0 [m], v0 [m/s] of each component
  std::vector<Expression> field;
  std::vector<bool> prescribed, resting, standing;
  std::vector<std::shared_ptr<TimeIntegral>> integral;
  Amplitude amplitude;
};
}  // namespace symdyn
