#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/lumped/bouc_wen_law.h"
#include "elements/lumped/central_pairs.h"
#include "elements/lumped/heated_law.h"
#include "elements/lumped/straight_springs.h"
#include "elements/lumped/yield_law.h"

namespace symdyn
{
class Parameters;

/// Elements that remember, of CentralPairs<Law> or StraightSprings with a YieldLaw, a BoucWenLaw or an expansion.
template <class Elements, class Law = YieldLaw>
class Yielding : public Elements, public ElementMemory
{
public:
  int variables() const override { return Law::variables; }
  std::size_t elements() const override { return Elements::size(); }
  std::uint64_t number(const std::size_t element) const override { return numbers ? (*numbers)[element] : element; }
  void begin(double *m) const override { std::fill_n(m, variables() * elements(), 0.); }
  bool is_heated() const override { return is_heated_law<Law>; }
  void start_heat(const Temperatures &at_start, double *m) const override
  {
    if constexpr (is_heated_law<Law>)
      for (std::size_t i = 0; i < elements(); ++i)
        Elements::law_of(i).start_at(mean(i, at_start), m + variables() * i);
  }
  void heat(const Temperatures &goal, const double part, double *m) const override
  {
    if constexpr (is_heated_law<Law>)
      for (std::size_t i = 0; i < elements(); ++i)
        Elements::law_of(i).heat(mean(i, goal), part, m + variables() * i);
  }
  void heat_as(const double *other, double *m) const override
  {
    if constexpr (is_heated_law<Law>)
      for (std::size_t i = 0; i < variables() * elements(); ++i)
        if (int(i % variables()) >= Law::T)
          m[i] = other[i];
  }
  bool flows() const override
  {
    if constexpr (is_heated_law<Law>)
      return Law::T > 0;
    return true;
  }
  Spent spent(const double *m) const override
  {
    Spent sum;
    for (std::size_t i = 0; i < elements(); ++i)
      Elements::law_of(i).add_spent(m + variables() * i, sum);
    return sum;
  }
  std::shared_ptr<const DiscreteTerm> in_step(const ElementStep &step) const override
  {
    auto term = std::make_shared<Yielding>(*this);
    term->step = step;
    return term;
  }
  Report report(const std::size_t element, const double *x, const double *m) const override
  {
    const double e = Elements::elongation_of(element, x);
    return {e, typename Law::InStep(Elements::law_of(element), {m}, element).at(e)[1], m[variables() * element]};
  }
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<Yielding>(*this);
    auto kept = std::make_shared<std::vector<std::uint64_t>>();
    for (const std::size_t element : Elements::select(selection, *some))
      kept->push_back(number(element));
    some->numbers = std::move(kept);
    return some;
  }

private:
  /// Of the ends; a fixed place is as warm as the point.
  double mean(const std::size_t element, const Temperatures &T) const
  {
    const auto [from, to] = Elements::ends_of(element);
    return to < 0 ? T(from) : 0.5 * (T(from) + T(to));
  }

  std::shared_ptr<const std::vector<std::uint64_t>> numbers;  ///< of a selection
};

using YieldingPairs = Yielding<CentralPairs<YieldLaw>>;
template <class Law>
using HeatedPairs = Yielding<CentralPairs<HeatedLaw<Law>>, HeatedLaw<Law>>;
using YieldingSprings = Yielding<StraightSprings>;

using HystereticPairs = Yielding<CentralPairs<BoucWenLaw>, BoucWenLaw>;

/// StraightSprings with a BoucWenLaw.
class StraightHysteresis : public StraightSprings
{
protected:
  const BoucWenLaw &law_of(std::size_t) const { return *hysteresis; }
};
using HystereticSprings = Yielding<StraightHysteresis, BoucWenLaw>;

/// StraightSprings with an expansion.
class WarmSprings : public StraightSprings
{
protected:
  HeatedSpring law_of(const std::size_t element) const { return {{expansion, over_temperature}, k, springs[element].size}; }
  std::pair<int, int> ends_of(const std::size_t element) const { return {springs[element].ends.from, springs[element].ends.to}; }
};
using HeatedSprings = Yielding<WarmSprings, HeatedSpring>;

/// What a deck says about the flow of springs or of bars.
class YieldEntries
{
public:
  void declare_of_springs(Parameters &p);
  void declare_of_bars(Parameters &p);
  /// Errors: InputError for entries that are missing, or given beside another law.
  void check(const std::string &law, const Parameters &p) const;
  /// Of a spring of this stiffness [N/m]; L of springs that turn [m].
  YieldLaw of_spring(double stiffness, double length) const;
  /// Of a bar with EA [N] and L [m].
  YieldLaw of_bar(double EA, double length) const;
  /// Of a spring of Law = bouc-wen.
  BoucWenLaw of_hysteresis(double stiffness, double length) const;
  bool reports() const { return report; }

private:
  double yield = 0, isotropic = 0, kinematic = 0, area = 0, ratio = 0, exponent = 1, unloading = 0.5;
  bool report = false;
  struct Entry
  {
    std::string name;
    std::vector<std::string> laws;  ///< that have it
    bool needed;
  };
  std::vector<Entry> entries;
};
}  // namespace symdyn
