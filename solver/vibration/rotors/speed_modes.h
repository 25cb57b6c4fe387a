#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/vibration/rotors/rotor_mode.h"

namespace symdyn
{
/// Modes of a rotor at the speeds at which a search for branches asks for them, and which of them go on with known forms.
class SpeedModes
{
public:
  static constexpr double equal = 1e-6;  ///< of |lambda|: apart by less, modes are any vectors of one space
  /// Those of lowest |lambda|, Im lambda >= 0, at least as many.
  using Search = std::function<std::vector<RotorMode>(double speed, int number)>;
  /// Whether a mode at a speed is none of the number that is wanted.
  using LeaveOut = std::function<bool(const RotorMode &mode, double speed)>;

  struct Found
  {
    std::vector<RotorMode> modes;
    std::vector<std::vector<std::size_t>> group;  ///< of each mode: those of the same lambda
    int still = 0;                                ///< how many have lambda = 0
    bool grow() const;
    /// Its form is any one of a space.
    bool is_repeated(const std::size_t j) const { return group[j].size() > 1 || modes[j].rigid(); }
    bool any_repeated(std::size_t first) const;  ///< of the first
  };
  using FoundPointer = std::shared_ptr<const Found>;
  /// A mode, or its conjugate, which a form goes on with.
  struct Match
  {
    int mode = -1;
    bool flipped = false;
    double assurance = 0;
    RotorMode in(const Found &found) const { return flipped ? found.modes[mode].conjugate() : found.modes[mode]; }
    std::complex<double> value(const Found &found) const
    {
      const std::complex<double> lambda = found.modes[mode].lambda;
      return flipped ? std::conj(lambda) : lambda;
    }
  };

  /// A speed at which fewer than `number` are found that are not left out, while there are more.
  struct Lacking
  {
    double speed;
    int found, asked;
  };

  /// `most`: that a search finds.
  SpeedModes(Search search, const int number, const int most, LeaveOut leave_out)
      : search(std::move(search)), leave_out(std::move(leave_out)), number(number), most(most), asked(number)
  {
  }
  FoundPointer at(double speed);
  /// How many of the first ones have `number` among them that are not left out.
  std::size_t wanted(const Found &found, double speed) const;
  bool knows(const double speed) const { return known.count(speed) > 0; }
  void forget(const double speed) { known.erase(speed); }
  void forget() { known.clear(); }
  /// Up to four times as many as are wanted; false: they have been asked for.
  bool ask_more() { return ask_more(std::min(of_wanted * number, most)); }
  const std::optional<Lacking> &lacking() const { return fewest; }
  /// The motions that are rigid at this speed are rigid at all.
  void note_rigid(const double speed) { rigid = at(speed)->still; }
  /// Each mode goes on with one form: of equal lambda those whose space has it.
  static std::vector<Match> matches(const Found &found, const std::vector<const RotorMode *> &forms);

private:
  static constexpr int of_wanted = 4;
  bool ask_more(int limit);
  std::shared_ptr<Found> find(double speed) const;
  static Found grouped(std::vector<RotorMode> modes);
  std::shared_ptr<Found> beside(double speed, const std::vector<RotorMode> &exact) const;

  Search search;
  LeaveOut leave_out;
  int number, most, asked;
  int rigid = std::numeric_limits<int>::max();
  std::optional<Lacking> fewest;
  std::map<double, std::pair<int, FoundPointer>> known;  ///< with the number that was asked for
};
}  // namespace symdyn
