#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace symdyn
{
/// The bytes of numbers as text (RFC 4648).
template <class T>
std::string base64(const std::vector<T> &numbers)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(numbers.data());
  const std::size_t count = numbers.size() * sizeof(T);
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3)
  {
    const std::uint32_t three = bytes[i] << 16 | (i + 1 < count ? bytes[i + 1] : 0) << 8 | (i + 2 < count ? bytes[i + 2] : 0);
    for (int k = 0; k < 4; ++k)
      text += i + k > count ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return text;
}
}  // namespace symdyn
