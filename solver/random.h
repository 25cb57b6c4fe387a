#pragma once
#include <array>
#include <cstdint>

namespace symdyn
{
/// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): 128 random bits that are a function of
/// a counter and a key, without any state between calls. Pinned by Random.KnownAnswers, the vectors of the authors' Random123.
using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

/// A standard normal number (mean 0, variance 1), sqrt(-2 ln u1) cos(2 pi u2) (Box, Muller 1958), of the stream `seed`. A function of its
/// arguments: it depends neither on the order of the calls nor on who makes them. At most 8.6 in size.
double standard_normal(std::uint64_t seed, std::uint64_t number, std::uint64_t step);
}  // namespace symdyn
