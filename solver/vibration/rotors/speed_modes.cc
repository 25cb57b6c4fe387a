#include "solver/vibration/rotors/speed_modes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace symdyn
{
namespace
{
bool is_still(const RotorMode &mode, const double largest)
{
  constexpr double nothing = 1e-9;
  return mode.rigid() || std::abs(mode.lambda) <= nothing * largest;
}
}  // namespace

bool SpeedModes::Found::grow() const
{
  return std::any_of(modes.begin(), modes.end(), [](const RotorMode &mode) { return mode.grows(); });
}

bool SpeedModes::Found::any_repeated(const std::size_t first) const
{
  bool any = false;
  for (std::size_t j = 0; j < first; ++j)
    any = any || (!modes[j].rigid() && is_repeated(j));
  return any;
}

bool SpeedModes::ask_more(const int limit)
{
  if (asked >= limit)
    return false;
  asked = std::min(2 * asked, limit);
  return true;
}

SpeedModes::FoundPointer SpeedModes::at(const double speed)
{
  const auto there = known.find(speed);
  if (there != known.end() && there->second.first >= asked)
    return there->second.second;
  auto made = find(speed);
  const auto count = [&] {
    return int(std::count_if(made->modes.begin(), made->modes.end(), [&](const RotorMode &mode) { return !leave_out(mode, speed); }));
  };
  const auto is_short = [&] { return made->modes.size() >= std::size_t(asked) && count() < number; };
  while (is_short() && ask_more(most))
    made = find(speed);
  if (is_short() && (!fewest || count() < fewest->found))
    fewest = Lacking{speed, count(), asked};
  known[speed] = {asked, made};
  return made;
}

std::shared_ptr<SpeedModes::Found> SpeedModes::find(const double speed) const
{
  auto made = std::make_shared<Found>(grouped(search(speed, asked)));
  return made->still > rigid ? beside(speed, search(speed, asked + made->still)) : made;
}

std::size_t SpeedModes::wanted(const Found &found, const double speed) const
{
  std::size_t first = 0;
  for (int left = number; first < found.modes.size() && left > 0; ++first)
    left -= leave_out(found.modes[first], speed) ? 0 : 1;
  return first;
}

SpeedModes::Found SpeedModes::grouped(std::vector<RotorMode> modes)
{
  Found found;
  found.modes = std::move(modes);
  double largest = 0.;
  for (const RotorMode &mode : found.modes)
    largest = std::max(largest, std::abs(mode.lambda));
  for (const RotorMode &mode : found.modes)
  {
    found.group.emplace_back();
    for (std::size_t j = 0; j < found.modes.size(); ++j)
      if (std::abs(found.modes[j].lambda - mode.lambda) <= equal * std::max(std::abs(mode.lambda), equal * largest))
        found.group.back().push_back(j);
    found.still += is_still(mode, largest);
  }
  for (std::size_t j = 0; j < found.modes.size(); ++j)
    for (const std::size_t k : found.group[j])
      if (k < j)
        take_out(found.modes[j], found.modes[k]);
  return found;
}
/// At a critical speed a wave and its conjugate have one lambda, 0: the forms are those a little beyond it.
std::shared_ptr<SpeedModes::Found> SpeedModes::beside(const double speed, const std::vector<RotorMode> &exact) const
{
  constexpr double little = 1e-4, wide = 10.;
  auto made = std::make_shared<Found>(grouped(search(speed * (1. + little), asked)));
  for (RotorMode &mode : made->modes)
  {
    Complex nearest = 0.;
    for (const RotorMode &other : exact)
      if (std::abs(other.lambda - mode.lambda) < std::abs(nearest - mode.lambda))
        nearest = other.lambda;
    if (std::abs(nearest - mode.lambda) <= wide * little * speed)
      mode.lambda = nearest;
  }
  return made;
}

std::vector<SpeedModes::Match> SpeedModes::matches(const Found &found, const std::vector<const RotorMode *> &forms)
{
  std::vector<std::tuple<double, std::size_t, std::size_t, bool>> alike;
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (const bool flipped : {false, true})
    {
      std::vector<double> one;
      for (std::size_t j = 0; j < found.modes.size(); ++j)
      {
        const RotorMode mode = flipped ? found.modes[j].conjugate() : found.modes[j];
        one.push_back(found.modes[j].rigid() ? assurance_of_mass(*forms[i], mode) : assurance(*forms[i], mode));
      }
      for (std::size_t j = 0; j < found.modes.size(); ++j)
      {
        double sum = 0.;
        for (const std::size_t k : found.group[j])
          sum += one[k];
        alike.emplace_back(-std::min(1., sum), i, j, flipped);
      }
    }
  std::stable_sort(alike.begin(), alike.end());
  std::vector<Match> all(forms.size());
  std::vector<bool> used(found.modes.size(), false);
  for (const auto &[unlike, i, j, flipped] : alike)
    if (all[i].mode < 0 && !used[j])
    {
      all[i] = {int(j), flipped, -unlike};
      used[j] = true;
    }
  return all;
}
}  // namespace symdyn
