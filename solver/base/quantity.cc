#include "solver/base/quantity.h"

#include <algorithm>

namespace symdyn
{
namespace
{
bool begins(const std::string &text, const std::string &start) { return text.rfind(start, 0) == 0; }

bool ends_with(const std::string &text, const std::string &end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
}  // namespace

Quantity quantity_of(const std::string &column)
{
  const std::size_t at = column.rfind(" [");
  const bool has_unit = at != std::string::npos && column.back() == ']';
  const std::string name = has_unit ? column.substr(0, at) : column, unit = has_unit ? column.substr(at) : "";
  const bool of_something = name.find('.') != std::string::npos;
  if (!of_something && (begins(name, "E_") || name == "W_external"))
    return {"energy", 0.};
  for (const std::string constraint : {"g", "gdot"})
    if (name == constraint + "_max" || begins(name, constraint + "."))
      return {constraint, 1.};
  if (name == "omega_drift" || name == "omega_floor")
    return {"symplectic form", 1.};
  if (ends_with(name, ".rotation_error"))
    return {"rotation", 1.};
  if (begins(name, "lambda.") || begins(name, "lambda_mean."))
    return {"lambda" + unit, 0.};
  for (const std::string of_mode : {"participation ", "effective mass "})
    if (begins(name, of_mode))
      return {of_mode + unit, 0.};
  if (const std::size_t force = std::min(name.find(".F_int_"), name.find(".R_")); force != std::string::npos)
    return {name.substr(0, force) + ".force", 0.};
  if (const std::size_t moment = name.find(".RM_"); moment != std::string::npos)
    return {name.substr(0, moment) + ".moment", 0.};
  const std::size_t n = name.size();
  const bool component = n > 2 && (name[n - 2] == '_' || name[n - 2] == '.') && name[n - 1] >= 'x' && name[n - 1] <= 'z';
  return {component ? name.substr(0, n - 2) : name, 0.};
}
}  // namespace symdyn
