#pragma once
#include <array>
#include <string>

namespace symdyn
{
class Parameters;

/// Labels for the headers of outputs. symdyn computes in whatever consistent set of units the deck uses.
struct Units
{
  std::string length = "m", mass = "kg", time = "s", force = "N", energy = "J", stress = "Pa";
  void declare(Parameters &p);
  /// As the section Units of a deck has them.
  static Units of(const Parameters &root);
  /// " s" after a number in a sentence; "" for units without names.
  static std::string after(const std::string &unit) { return unit == "1" ? "" : " " + unit; }
  /// "0.25 mm", "4 MPa/mm", "(0, 1, 2) mm" in a sentence.
  std::string in_length(double value) const;
  std::string in_stress_over_length(double value) const;
  std::string at_place(const std::array<double, 3> &X) const;
};

/// "Hz", or what the deck's unit of time makes of it.
std::string hertz(const Units &units);
}  // namespace symdyn
