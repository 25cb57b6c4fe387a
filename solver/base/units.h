#pragma once
#include <string>

namespace symdyn
{
class Parameters;

/// Labels for the headers of outputs. symdyn computes in whatever consistent set of units the deck uses.
struct Units
{
  std::string length = "m", mass = "kg", time = "s", force = "N", energy = "J", stress = "Pa";
  void declare(Parameters &p);
  /// " s" after a number in a sentence; "" for units without names.
  static std::string after(const std::string &unit) { return unit == "1" ? "" : " " + unit; }
};

/// "Hz", or what the deck's unit of time makes of it.
std::string hertz(const Units &units);
}  // namespace symdyn
