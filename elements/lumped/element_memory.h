#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "elements/lumped/term.h"
#include "solver/history.h"

namespace symdyn
{
/// The step in which elements with a memory are asked: `variables` numbers of each, one element after the other.
struct ElementStep
{
  const double *from = nullptr;  ///< up to the last accepted state; nullptr: all virgin
  double dt = 0;                 ///< length of the increment [s]; 0: the memory is frozen
  double *to = nullptr;          ///< where the forces write the new one; nullptr: not wanted
};

/// Of a DiscreteTerm whose elements remember. In a step it is a potential like others, W_n (InelasticMaterial says what that is); the term
/// itself is that of virgin elements, frozen: their elastic potential.
class ElementMemory
{
public:
  virtual ~ElementMemory() = default;
  /// Of an element.
  virtual int variables() const = 0;
  virtual std::size_t elements() const = 0;
  /// The place of an element in its section of the deck, on any number of ranks.
  virtual std::uint64_t number(std::size_t element) const = 0;
  /// The virgin variables of all elements.
  virtual void begin(double *m) const = 0;
  virtual Spent spent(const double *m) const = 0;
  /// Whether the elements have temperatures. If so: those at the start, and a part of the way to others, given by the number of a point;
  /// NaN: that of reference. Errors: InputError where a table does not reach to them.
  virtual bool is_heated() const { return false; }
  using Temperatures = std::function<double(int point)>;
  virtual void start_heat(const Temperatures & /*at_start*/, double * /*m*/) const {}
  virtual void heat(const Temperatures & /*goal*/, double /*part*/, double * /*m*/) const {}
  /// To those of other variables.
  virtual void heat_as(const double * /*other*/, double * /*m*/) const {}
  /// Whether steps change more than temperatures.
  virtual bool flows() const { return true; }
  /// The term in this step. It shares the elements.
  virtual std::shared_ptr<const DiscreteTerm> in_step(const ElementStep &step) const = 0;

  /// What reports show of an element at x, of the state that m is of.
  struct Report
  {
    double elongation, force, plastic;  ///< [m], [N], [m]
  };
  virtual Report report(std::size_t element, const double *x, const double *m) const = 0;
  /// Whether its section asks for columns of them.
  bool reported = false;
};
}  // namespace symdyn
