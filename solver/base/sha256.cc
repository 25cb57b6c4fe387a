#include "solver/base/sha256.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace symdyn
{
namespace
{
constexpr std::size_t block_size = 64, length_size = 8;  // bytes

/// Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> K{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t turned(const std::uint32_t x, const int bits) { return x >> bits | x << (32 - bits); }

class Sha256
{
public:
  /// 64 bytes (section 6.2.2).
  void block(const char *bytes)
  {
    std::array<std::uint32_t, 64> W{};
    for (std::size_t i = 0; i < block_size; ++i)
      W[i / 4] = W[i / 4] << 8 | std::uint8_t(bytes[i]);
    for (std::size_t t = 16; t < W.size(); ++t)
      W[t] = (turned(W[t - 2], 17) ^ turned(W[t - 2], 19) ^ W[t - 2] >> 10) + W[t - 7] +
             (turned(W[t - 15], 7) ^ turned(W[t - 15], 18) ^ W[t - 15] >> 3) + W[t - 16];
    auto [a, b, c, d, e, f, g, h] = H;
    for (std::size_t t = 0; t < W.size(); ++t)
    {
      const std::uint32_t T1 = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + W[t],
                          T2 = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
    }
    const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < H.size(); ++i)
      H[i] += more[i];
  }

  /// The last bytes, fewer than 64, of `length` in all.
  std::string finish(std::string rest, const std::uint64_t length)
  {
    rest += char(0x80);
    while (rest.size() % block_size != block_size - length_size)
      rest += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
      rest += char(8 * length >> shift & 0xff);
    for (std::size_t at = 0; at < rest.size(); at += block_size)
      block(rest.data() + at);
    std::string text;
    for (const std::uint32_t word : H)
    {
      char digits[9];
      std::snprintf(digits, sizeof digits, "%08x", word);
      text += digits;
    }
    return text;
  }

private:
  std::array<std::uint32_t, 8> H{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};
}  // namespace

std::string sha256(const std::string &bytes)
{
  Sha256 sum;
  std::size_t at = 0;
  for (; at + block_size <= bytes.size(); at += block_size)
    sum.block(bytes.data() + at);
  return sum.finish(bytes.substr(at), bytes.size());
}

std::string sha256_of(const std::string &file)
{
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    return "";
  Sha256 sum;
  std::string buffer(1024 * block_size, '\0'), rest;
  std::uint64_t length = 0;
  while (in.read(buffer.data(), std::streamsize(buffer.size())), in.gcount() > 0)
  {
    const std::size_t count = std::size_t(in.gcount());
    length += count;
    std::size_t at = 0;
    for (; at + block_size <= count; at += block_size)
      sum.block(buffer.data() + at);
    rest = buffer.substr(at, count - at);
  }
  return sum.finish(rest, length);
}
}  // namespace symdyn
