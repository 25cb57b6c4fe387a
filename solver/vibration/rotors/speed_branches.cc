#include "solver/vibration/rotors/speed_branches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "solver/error.h"
#include "solver/vibration/rotors/bracket.h"

namespace symdyn
{
namespace
{
using Complex = std::complex<double>;
constexpr double equal = SpeedModes::equal;

class BranchSearch
{
public:
  explicit BranchSearch(const SpeedBranchesRequest &request)
      : request(request), modes(request.modes, request.number, request.most, [&request](const RotorMode &mode, const double speed) {
          return SpeedBranches::Branch{{}, mode.waves}.is_aside({speed, mode.lambda, 1., {}, mode.kind}, request.fixed);
        })
  {
  }

  SpeedBranches run()
  {
    try
    {
      begin();
      for (result.speeds = 1; result.speeds < request.speeds.size(); ++result.speeds)
      {
        advance(request.speeds[result.speeds], 0);
        for (const Live &one : live)
          result.branches[one.number].points.push_back({now, one.value, one.assurance, one.last.forward, one.kind});
        modes.forget();
      }
    }
    catch (const Interrupted &)  // the finished speeds stay
    {
    }
    result.drop_empty();
    result.lacking = modes.lacking();
    return std::move(result);
  }

private:
  struct Live
  {
    std::size_t number;
    RotorMode last, origin;  ///< forms that are not repeated: the last one, and that from which the branch has its name
    Complex value;
    ComplexModes::Kind kind = ComplexModes::oscillates;
    double assurance = 1;
  };
  using Found = SpeedModes::Found;
  using Match = SpeedModes::Match;

  std::vector<Match> matches(const Found &found) const
  {
    std::vector<const RotorMode *> forms;
    for (const Live &one : live)
      forms.push_back(&one.last);
    return SpeedModes::matches(found, forms);
  }
  static double least(const std::vector<Match> &all)
  {
    double smallest = 1.;
    for (const Match &match : all)
      smallest = std::min(smallest, match.assurance);
    return smallest;
  }

  /// A little beyond the first speed, where waves that travel both ways have one lambda, which say what form each branch has there.
  void begin()
  {
    constexpr double least_part = 1e-3, widest = 0.05, wider = 10.;
    const double first = request.speeds.front(), step = request.speeds[1] - first;
    const SpeedModes::FoundPointer there = modes.at(first);
    const Found &start = *there;
    double part = least_part;
    const auto any_repeated = [&](const double speed) {
      const SpeedModes::FoundPointer found = modes.at(speed);
      return found->any_repeated(modes.wanted(*found, speed));
    };
    while (part < widest && any_repeated(first + part * step))
      part *= wider;
    now = first + part * step;
    modes.note_rigid(now);
    const SpeedModes::FoundPointer here = modes.at(now);
    const Found &found = *here;
    add_new(found, std::vector<bool>(found.modes.size(), false), any_repeated(now));
    result.rigid = found.still;
    const std::vector<Match> all = matches(start);
    for (std::size_t i = 0; i < live.size(); ++i)
    {
      if (all[i].mode >= 0 && all[i].assurance >= same)
      {
        live[i].value = all[i].value(start);
        live[i].kind = start.modes[all[i].mode].kind;
      }
      result.branches[live[i].number].points.push_back({first, live[i].value, 1., live[i].last.forward, live[i].kind});
      live[i].value = live[i].last.lambda;
      live[i].kind = live[i].last.kind;
    }
    if (start.grow())
      note_onset(first, start);
    else if (found.grow())
      find_first_growth(first, now);
  }
  void note_onset(const double speed, const Found &found)
  {
    result.onset = speed;
    result.growing = 0.;
    for (const RotorMode &mode : found.modes)
      if (mode.grows() && mode.lambda.real() > result.growing.real())
        result.growing = mode.lambda;
  }
  /// `all`: those of one lambda, too, which nothing parts.
  void add_new(const Found &found, const std::vector<bool> &used, const bool all = false)
  {
    for (std::size_t j = 0, most = modes.wanted(found, now); j < most; ++j)
      if (!used[j] && !found.modes[j].rigid() && (all || !found.is_repeated(j)))
      {
        const RotorMode &mode = found.modes[j];
        live.push_back({result.branches.size(), mode, mode, mode.lambda, mode.kind});
        result.branches.push_back({{}, mode.waves});
      }
  }
  void advance(const double to, const int depth)
  {
    constexpr double sure = 0.8;
    constexpr int deepest = 5;
    std::vector<Match> all = matches(*modes.at(to));
    while (least(all) < same && modes.ask_more())
      all = matches(*modes.at(to));
    if (least(all) < sure && depth < deepest)
    {
      advance(0.5 * (now + to), depth + 1);
      return advance(to, depth + 1);
    }
    if (const double zero = turning_point(to, all); depth < deepest && zero > now && zero < to)
    {
      advance(zero, deepest);
      return advance(to, depth + 1);
    }
    accept(to, all);
  }
  /// The speed before `to` at which Im lambda of a branch goes through 0, where |Im lambda| has a kink; `to`: there is none.
  double turning_point(const double to, const std::vector<Match> &all)
  {
    constexpr double small = 1e-2, sharp = 0.1 * small;
    const SpeedModes::FoundPointer found = modes.at(to);
    double first = to;
    for (std::size_t i = 0; i < live.size(); ++i)
    {
      if (all[i].assurance < same)
        continue;
      const double before = live[i].value.imag(), after = all[i].value(*found).imag(), size = std::max(std::abs(before), std::abs(after));
      if (before * after >= 0. || std::min(std::abs(before), std::abs(after)) <= small * size)
        continue;
      const auto omega = [&](const double speed) { return value_at(i, speed).value_or(Complex(0., nan)).imag(); };
      const Bracket in = root(omega, {now, before, to, after}, [&](const Bracket &it) { return it.value() <= sharp * size; });
      if (in.value() <= small * size)
        first = std::min(first, in.place());
    }
    return first;
  }

  void accept(const double to, std::vector<Match> all)
  {
    const SpeedModes::FoundPointer there = modes.at(to);
    const Found &found = *there;
    for (std::size_t i = 0; i < live.size(); ++i)
      for (std::size_t j = i + 1; j < live.size(); ++j)
        meet(i, j, to, found, all);
    for (std::size_t i = 0; i < live.size(); ++i)
      if (all[i].assurance >= same)
        cross(i, to, all[i].value(found));
    if (!std::isfinite(result.onset) && found.grow())
      find_onset(to, found, all);
    std::vector<bool> used(found.modes.size(), false);
    std::vector<Live> go_on;
    for (std::size_t i = 0; i < live.size(); ++i)
    {
      if (all[i].assurance < same)
        continue;
      Live one = std::move(live[i]);
      used[all[i].mode] = true;
      one.value = all[i].value(found);
      one.kind = found.modes[all[i].mode].kind;
      one.assurance = all[i].assurance;
      if (!found.is_repeated(all[i].mode))
      {
        one.last = all[i].in(found);
        if (auto &waves = result.branches[one.number].waves; waves != one.last.waves)
          waves = std::nullopt;
      }
      go_on.push_back(std::move(one));
    }
    live = std::move(go_on);
    now = to;
    note_veering();
    add_new(found, used);
  }

  /// What a branch is at a speed near `now`; no value: nothing continues it there.
  std::optional<Complex> value_at(const std::size_t i, const double speed)
  {
    constexpr double half = 0.25;  // where two veer, each is half of both
    const bool keep = modes.knows(speed);
    std::optional<Complex> value;
    for (bool again = true; again;)
    {
      const SpeedModes::FoundPointer found = modes.at(speed);
      const Match match = matches(*found)[i];
      if (match.mode >= 0 && match.assurance >= half)
        value = match.value(*found);
      again = !value && modes.ask_more();
    }
    if (!keep)
      modes.forget(speed);
    return value;
  }
  static double apart(const Complex &a, const Complex &b) { return std::abs(a.imag()) - std::abs(b.imag()); }

  void meet(const std::size_t i, const std::size_t j, const double to, const Found &found, std::vector<Match> &all)
  {
    constexpr double sharp = 1e-9, narrow = 1e-6, steep = 1e3;
    if (all[i].assurance < same || all[j].assurance < same)
      return;
    const Complex one = all[i].value(found), other = all[j].value(found);
    const double before = apart(live[i].value, live[j].value), after = apart(one, other),
                 omega = std::max(std::abs(one.imag()), std::abs(live[i].value.imag()));
    if ((before < 0.) == (after < 0.) || std::max(std::abs(before), std::abs(after)) < equal * omega)
      return;
    bool lost = false;
    double there = omega;
    const auto difference = [&](const double speed) {
      const std::optional<Complex> a = value_at(i, speed), b = value_at(j, speed);
      lost = lost || !a || !b;
      there = a ? std::abs(a->imag()) : there;
      return a && b ? apart(*a, *b) : nan;
    };
    const double slope = std::abs(after - before) / (to - now);
    const Bracket in = root(difference, {now, before, to, after}, [&](const Bracket &it) {
      const bool jumps = it.width() <= narrow * (to - now) && it.jump() > steep * slope * it.width();
      return it.value() <= sharp * omega || jumps || it.width() <= rounding * to;
    });
    const bool crosses = lost || in.value() <= equal * there;
    result.meetings.push_back({live[i].number, live[j].number, in.place(), there, in.value(), crosses});
    if (crosses)
      return;
    std::swap(all[i], all[j]);
    std::swap(live[i].origin, live[j].origin);  // they have exchanged their forms
  }

  /// Two branches that have exchanged their forms since they have had their names: slowly, without a change of their order.
  void note_veering()
  {
    for (std::size_t i = 0; i < live.size(); ++i)
      for (std::size_t j = i + 1; j < live.size(); ++j)
      {
        Gaps &gaps = apart_so_far[{live[i].number, live[j].number}];
        gaps.emplace_back(now, std::pow(apart(live[i].value, live[j].value), 2));
        if (is_real(live[i].value) || is_real(live[j].value) || assurance_of_mass(live[i].origin, live[j].last) <= same ||
            assurance_of_mass(live[j].origin, live[i].last) <= same || assurance_of_mass(live[i].origin, live[j].origin) > same)
          continue;
        const auto [speed, square] = least(gaps);
        result.meetings.push_back(
            {live[i].number, live[j].number, speed, std::abs(live[i].value.imag()), std::sqrt(std::max(0., square)), false});
        for (Live *one : {&live[i], &live[j]})
          one->origin = one->last;
        gaps.clear();
      }
  }
  static bool is_real(const Complex &lambda) { return std::abs(lambda.imag()) <= equal * std::abs(lambda.real()); }
  /// Speed and square of the difference of two branches: a parabola where they veer.
  using Gaps = std::vector<std::pair<double, double>>;
  static std::pair<double, double> least(const Gaps &gaps)
  {
    const std::size_t k = std::size_t(
        std::min_element(gaps.begin(), gaps.end(), [](const auto &a, const auto &b) { return a.second < b.second; }) - gaps.begin());
    if (k == 0 || k + 1 == gaps.size())
      return gaps[k];
    const auto [x, f] = gaps[k];
    const double l = gaps[k - 1].first - x, r = gaps[k + 1].first - x, slope_l = (gaps[k - 1].second - f) / l,
                 slope_r = (gaps[k + 1].second - f) / r, curvature = (slope_r - slope_l) / (r - l), slope = slope_l - curvature * l;
    return {x - 0.5 * slope / curvature, f - 0.25 * slope * slope / curvature};
  }

  /// Lines of orders.
  void cross(const std::size_t i, const double to, const Complex &value)
  {
    constexpr double sharp = 1e-11, narrow = 1e-10, small = 1e-4;  // a branch that is lost jumps by more than rounding
    const SpeedBranches::Branch &branch = result.branches[live[i].number];
    if (request.fixed && !branch.waves)
      return;
    for (const double order : request.orders)
    {
      const auto above = [&](const double speed, const Complex &lambda) {
        return branch.frequency({speed, lambda, 1.}, request.fixed) - order * speed;
      };
      const double before = above(now, live[i].value), after = above(to, value);
      if (before == 0. || before * after > 0.)
        continue;
      const auto difference = [&](const double speed) {
        const std::optional<Complex> there = value_at(i, speed);
        return there ? above(speed, *there) : nan;
      };
      const Bracket in = root(difference, {now, before, to, after},
                              [&](const Bracket &it) { return it.value() <= sharp * to || it.width() <= narrow * to; });
      auto &to_list = in.value() <= small * std::max(order, 1.) * to ? result.crossings : result.unsure;
      to_list.push_back({order, live[i].number, in.place(), order * in.place()});
    }
  }

  /// The lowest of all branches, and of motions on none.
  void find_onset(const double to, const Found &found, const std::vector<Match> &all)
  {
    constexpr double narrow = 1e-8, decays = 1e-9, below = 10.;
    for (std::size_t i = 0; i < live.size(); ++i)
      if (all[i].assurance >= same && found.modes[all[i].mode].grows() && live[i].value.real() < -decays * std::abs(live[i].value) &&
          all[i].value(found).real() > 0.)
      {
        const auto growth = [&](const double speed) { return value_at(i, speed).value_or(nan).real(); };
        const Bracket in = root(growth, {now, live[i].value.real(), to, all[i].value(found).real()}, [&](const Bracket &it) {
          return it.width() <= narrow * to || it.value() <= decays * decays * std::abs(live[i].value);
        });
        const std::optional<Complex> there = value_at(i, in.place());
        if (there && in.value() <= narrow * std::abs(*there) && in.place() < result.onset)
        {
          result.onset = in.place();
          result.growing = *there;
        }
      }
    const double stable = std::isfinite(result.onset) ? std::max(now, result.onset - below * equal * to) : to;
    if (!std::isfinite(result.onset) || (stable > now && modes.at(stable)->grow()))
      find_first_growth(now, stable);
  }
  void find_first_growth(double stable, double unstable)
  {
    constexpr double narrow = 1e-8;
    const double width = narrow * unstable;
    while (unstable - stable > width)
    {
      const double middle = 0.5 * (stable + unstable);
      (modes.at(middle)->grow() ? unstable : stable) = middle;
    }
    note_onset(unstable, *modes.at(unstable));
  }

  static constexpr double same = 0.5, rounding = 1e-14, nan = std::numeric_limits<double>::quiet_NaN();
  const SpeedBranchesRequest &request;
  SpeedModes modes;
  double now = 0;
  std::vector<Live> live;
  std::map<std::pair<std::size_t, std::size_t>, Gaps> apart_so_far;
  SpeedBranches result;
};
}  // namespace

SpeedBranches follow_branches(const SpeedBranchesRequest &request) { return BranchSearch(request).run(); }
}  // namespace symdyn
