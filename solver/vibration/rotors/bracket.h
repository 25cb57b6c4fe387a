#pragma once
#include <algorithm>
#include <cmath>
#include <functional>

namespace symdyn
{
/// An interval at whose ends a function has different signs.
struct Bracket
{
  double a, fa, b, fb;
  double width() const { return std::abs(b - a); }
  double jump() const { return std::abs(fb - fa); }
  double place() const { return std::abs(fa) < std::abs(fb) ? a : b; }
  double value() const { return std::min(std::abs(fa), std::abs(fb)); }
};
/// Until `done`, or f is not known (no number): by secants, and where f jumps by halves. The method of Illinois (Dowell, Jarratt 1971).
Bracket root(const std::function<double(double)> &f, Bracket in, const std::function<bool(const Bracket &)> &done);
}  // namespace symdyn
