#pragma once
#include <string>

namespace symdyn
{
/// A title with its unit where units have no names (Units/System = none): "P_x [1 1/1]" is "P_x [1]", "omega [rad/1]" is "omega [rad]".
/// Others stay. Pinned by Units.PlainWhereTheyHaveNoNames.
inline std::string with_plain_unit(const std::string &title)
{
  const std::size_t at = title.rfind(" [");
  if (at == std::string::npos || title.back() != ']')
    return title;
  const std::string name = title.substr(0, at), unit = title.substr(at + 2, title.size() - at - 3);
  if (unit == "rad/1")
    return name + " [rad]";
  return unit[0] == '1' && unit.find_first_not_of("1 /^23") == std::string::npos ? name + " [1]" : title;
}
}  // namespace symdyn
