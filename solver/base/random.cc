#include "solver/random.h"

#include <cmath>

namespace symdyn
{
namespace
{
constexpr int rounds = 10;
constexpr std::uint64_t multiplier[] = {0xD2511F53, 0xCD9E8D57};
/// The key moves by the fractions of the golden ratio and of sqrt(3).
constexpr std::uint32_t weyl[] = {0x9E3779B9, 0xBB67AE85};

std::uint32_t low(const std::uint64_t x) { return std::uint32_t(x); }
std::uint32_t high(const std::uint64_t x) { return std::uint32_t(x >> 32); }

/// In (0, 1): the middle of one of 2^52 equal parts, all of which are exact.
double uniform(const std::uint32_t a, const std::uint32_t b)
{
  const std::uint64_t bits = (std::uint64_t(a) << 32 | b) >> 12;
  return std::ldexp(double(bits) + 0.5, -52);
}
}  // namespace

PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key)
{
  for (int round = 0; round < rounds; ++round)
  {
    const std::uint64_t first = multiplier[0] * counter[0], second = multiplier[1] * counter[2];
    counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1], low(first)};
    key = {key[0] + weyl[0], key[1] + weyl[1]};
  }
  return counter;
}

double standard_normal(const std::uint64_t seed, const std::uint64_t number, const std::uint64_t step)
{
  const PhiloxCounter bits = philox({low(number), high(number), low(step), high(step)}, {low(seed), high(seed)});
  return std::sqrt(-2. * std::log(uniform(bits[0], bits[1]))) * std::cos(2. * M_PI * uniform(bits[2], bits[3]));
}
}  // namespace symdyn
