#pragma once
#include <string>

namespace symdyn
{
/// A unit where units have no names (Units/System = none): "1 1/1" is "1", "rad/1" is "rad". Others stay.
inline std::string plain_unit(const std::string &unit)
{
  if (unit == "rad/1")
    return "rad";
  return unit[0] == '1' && unit.find_first_not_of("1 /^23") == std::string::npos ? "1" : unit;
}

/// The same of a title: "P_x [1 1/1]" is "P_x [1]". Pinned by Units.PlainWhereTheyHaveNoNames.
inline std::string with_plain_unit(const std::string &title)
{
  const std::size_t at = title.rfind(" [");
  if (at == std::string::npos || title.back() != ']')
    return title;
  return title.substr(0, at) + " [" + plain_unit(title.substr(at + 2, title.size() - at - 3)) + "]";
}
}  // namespace symdyn
