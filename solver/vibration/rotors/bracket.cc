#include "solver/vibration/rotors/bracket.h"

namespace symdyn
{
Bracket root(const std::function<double(double)> &f, Bracket in, const std::function<bool(const Bracket &)> &done)
{
  constexpr int most = 100, secants = 8;
  double weight_a = in.fa, weight_b = in.fb;
  for (int k = 0, side = 0; k < most && !done(in); ++k)
  {
    const bool halve = k >= secants && k % 2 == 0;
    const double x = halve ? 0.5 * (in.a + in.b) : (in.a * weight_b - in.b * weight_a) / (weight_b - weight_a), fx = f(x);
    if (std::isnan(fx))
      break;
    if ((fx < 0.) == (in.fa < 0.))
    {
      weight_b *= side == -1 ? 0.5 : 1.;
      in.a = x;
      in.fa = weight_a = fx;
      side = -1;
    }
    else
    {
      weight_a *= side == 1 ? 0.5 : 1.;
      in.b = x;
      in.fb = weight_b = fx;
      side = 1;
    }
  }
  return in;
}
}  // namespace symdyn
