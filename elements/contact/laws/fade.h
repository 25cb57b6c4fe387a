#pragma once
#include <array>

namespace symdyn
{
constexpr int orders_of_fade = 8;  ///< the fade is a polynomial of degree 7
/// F = 1 - y⁴ (35 - 84 y + 70 y² - 20 y³) and its derivatives: 1 at y = 0, 0 at y = 1, each with three derivatives that vanish.
inline std::array<double, orders_of_fade> fade(const double y)
{
  constexpr std::array<double, orders_of_fade> c{1., 0., 0., 0., -35., 84., -70., 20.};
  std::array<double, orders_of_fade> F{};
  for (int n = 0; n < orders_of_fade; ++n)
  {
    double sum = 0;
    for (int i = orders_of_fade; i-- > n;)
    {
      double factor = c[i];
      for (int k = 0; k < n; ++k)
        factor *= i - k;
      sum = sum * y + factor;
    }
    F[n] = sum;
  }
  return F;
}
}  // namespace symdyn
