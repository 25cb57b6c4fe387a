#pragma once
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/base/units.h"
#include "solver/cyclic.h"
#include "solver/parameters.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// How amplitudes F e^{i k j alpha} of sectors j = 0 ... N - 1 look: as e^{i n j alpha} or e^{-i n j alpha} with 0 <= n <= N/2. With
/// e^{i omega t} the first travels against the sense of the axis, the second along it.
struct FoldedOrder
{
  int diameters;  ///< n
  int direction;  ///< of travel: 1 along, -1 against, 0: n = 0 or N/2, which stand
};
FoldedOrder folded(long order, int sectors);

/// The entries Engine orders and Rotor speed of a stage: which of these orders excite modes, at which speed of the rotor.
class EngineOrders
{
public:
  void declare(Parameters &p);
  /// Errors: InputError for entries where there are no sectors (nullptr).
  void check(const CyclicSector *sector) const;
  bool any() const { return !orders.empty(); }
  /// A line for each mode and order k that has its nodal diameters: omega = k times the speed of resonance.
  std::string table(const Modes &modes, const std::vector<int> &diameters, int sectors, const Units &units) const;

private:
  std::optional<Parameters> deck;
  std::vector<long> orders;
  double speed = 0;  ///< [rad/s]; 0: not given
};

/// The entry Nodal diameters of a stage.
class NodalDiameters
{
public:
  void declare(Parameters &p);
  bool are_given() const { return deck->given("Nodal diameters"); }
  /// 0 <= n <= N/2, ascending. Errors: InputError for others, and where there are no sectors (nullptr).
  std::vector<int> of(const CyclicSector *sector) const;

private:
  std::optional<Parameters> deck;
  std::vector<std::string> given{"all"};
};

/// How loads of the sector stand on the whole: the entries Engine order = k, or Loaded sectors with Nodal diameters.
class LoadsOfSectors
{
public:
  void declare(Parameters &p);
  /// Patterns whose answers add up; of a body without sectors (nullptr) one, {0, 0}. Errors: InputError for entries without sectors, and
  /// for some that contradict each other.
  std::vector<FoldedOrder> patterns(const CyclicSector *sector) const;
  /// Of a force F of the sector of the deck, c and s of a pattern (CyclicMotion::force) are these parts. Of an order: F e^{i n j alpha} or
  /// F e^{-i n j alpha}. Of loaded sectors J: 2/N sum over J of F cos(n (j - J) alpha), 1/N for n = 0 and N/2.
  std::pair<std::complex<double>, std::complex<double>> parts(const FoldedOrder &pattern, const CyclicSector &sector) const;
  /// For the log.
  std::string in_words(const CyclicSector &sector) const;
  bool of_single_sectors() const { return !loaded.empty(); }

private:
  std::optional<Parameters> deck;
  int order = 0;
  std::vector<long> loaded;  ///< from 1; {}: all, by the order
  NodalDiameters diameters;
};
}  // namespace symdyn
