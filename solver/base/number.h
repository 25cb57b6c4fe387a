#pragma once
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace symdyn
{
/// The finite number that the whole of `text` spells ("1", "+1", "1e-3"); nothing for "", "1x", "nan", "inf", "1e999",
/// and for integral `T` nothing for "1.5" and what does not fit. Independent of the locale.
template <class T>
std::optional<T> number_from(const std::string &text)
{
  T value{};
  const char *begin = text.data(), *end = begin + text.size();
  if (text.size() > 1 && *begin == '+' && text[1] != '-')
    ++begin;
  const auto result = std::from_chars(begin, end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(static_cast<double>(value)))
    return std::nullopt;
  return value;
}
}  // namespace symdyn
