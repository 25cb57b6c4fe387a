#pragma once
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "elements/lumped/central_pairs.h"
#include "materials/section/expansion.h"
#include "materials/section/heated_stiffness.h"

namespace symdyn
{
/// What an element whose length without force is L (1 + e) remembers, from its variable `first` on: T, alpha(T_0) (T_0 - T_ref), e, and
/// the relative change of its stiffness, k(T)/k - 1.
template <int first>
struct HeatMemory
{
  static constexpr int T = first, start = T + 1, e = T + 2, change = T + 3, variables = T + 4;
  std::shared_ptr<const Expansion> expansion;
  std::shared_ptr<const HeatedStiffness> stiffness;  ///< nullptr: one at all temperatures

  /// Errors: InputError where a table of the expansion does not reach to the temperature.
  void start_at(const double T_0, double *m) const
  {
    m[T] = std::isnan(T_0) ? expansion->reference() : T_0;
    m[start] = expansion->strain(m[T])[0];
    m[e] = 0.;
    soften(m);
  }
  /// Goes a part of the way to a temperature; NaN: that of reference.
  void heat(const double goal, const double part, double *m) const
  {
    m[T] += part * ((std::isnan(goal) ? expansion->reference() : goal) - m[T]);
    m[e] = expansion->strain(m[T])[0] - m[start];
    soften(m);
  }

private:
  void soften(double *m) const { m[change] = stiffness ? stiffness->change(m[T], expansion->constant_beyond()) : 0.; }
};

template <class Law>
constexpr int variables_within()
{
  if constexpr (remembers<Law>)
    return Law::variables;
  else
    return 0;
}

/// A law of pairs whose length without force grows with the temperature: L (1 + e) in the place of L,
///     e = alpha(T) (T - T_ref) - alpha(T_0) (T_0 - T_ref)
/// T: mean of the ends. The stiffness k may be one over the temperature; hardening and yield force stay as they are. A pair remembers the
/// variables of HeatMemory behind what its law remembers.
template <class Law>
struct HeatedLaw : HeatMemory<variables_within<Law>()>
{
  using Memory = HeatMemory<variables_within<Law>()>;
  using Memory::T, Memory::start, Memory::e, Memory::change, Memory::variables;
  static constexpr bool quadratic = Law::quadratic;

  Law law;
  double length = law.length;

  double scale() const { return law.scale(); }
  void begin(double *m) const { std::fill_n(m, variables, 0.); }
  void add_spent(const double *m, Spent &sum) const
  {
    if constexpr (remembers<Law>)
      law.add_spent(m, sum);
  }

  class InStep;
};

template <class Law>
class HeatedLaw<Law>::InStep
{
public:
  InStep(const HeatedLaw &heated, const ElementStep &step, const std::size_t element)
      : here(heated.law), own(step), grown(step.from ? step.from[variables * element + e] * here.length : 0.)
  {
    here.length += grown;
    if (step.from)
      here.k *= 1. + step.from[variables * element + change];
    own.from = step.from ? step.from + variables * element : nullptr;
    own.to = step.to ? step.to + variables * element : nullptr;
  }
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    return in_use().template slopes<order>(s);
  }
  std::pair<double, double> quotient(const double s0, const double s1) const
  {
    if constexpr (remembers<Law>)
      return in_use().quotient(s0, s1);
    else
      return CentralPairs<Law>::quotient_of_energies(here, s0, s1);
  }
  void remember_at(const double s) const
  {
    if constexpr (remembers<Law>)
      in_use().remember_at(s);
    for (int k = T; k < variables && own.to && own.from; ++k)
      own.to[k] = own.from[k];
  }
  /// W and the force [N] of an elongation since the start.
  std::array<double, 2> at(const double elongation) const
  {
    const double r = elongation + here.length - grown;
    const auto phi = in_use().template slopes<1>(r * r);
    return {phi[0], 2. * r * phi[1]};
  }

private:
  decltype(auto) in_use() const
  {
    if constexpr (remembers<Law>)
      return typename Law::InStep(here, own, 0);
    else
      return (here);
  }

  Law here;
  ElementStep own;
  double grown;
};

template <class Law>
inline constexpr bool is_heated_law = false;
template <class Law>
inline constexpr bool is_heated_law<HeatedLaw<Law>> = true;

/// Of a spring of small displacements: k(T)/2 (e - L eps)², eps the thermal strain.
struct HeatedSpring : HeatMemory<0>
{
  double k, length;  ///< of k: without its change
  void add_spent(const double *, Spent &) const {}
  struct InStep
  {
    InStep(const HeatedSpring &spring, const ElementStep &step, const std::size_t element)
        : k(spring.k * (1. + step.from[variables * element + change])),
          grown(step.from[variables * element + HeatMemory<0>::e] * spring.length)
    {
    }
    /// W and the force [N].
    std::array<double, 2> at(const double elongation) const
    {
      return {0.5 * k * (elongation - grown) * (elongation - grown), k * (elongation - grown)};
    }
    double k, grown;
  };
};
template <>
inline constexpr bool is_heated_law<HeatedSpring> = true;
}  // namespace symdyn
