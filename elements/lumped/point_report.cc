#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elements/lumped/point_sections.h"

// Columns of points.
namespace symdyn
{
std::vector<Column> PointSections::report_columns(const Units &u) const
{
  std::vector<Column> columns;
  const std::string axes = "xyz";
  for (const int k : reported)
    for (const auto &[field, unit] : {std::pair<std::string, std::string>{"", u.length}, {"v_", u.length + "/" + u.time}})
      for (int d = 0; d < model.dimension(); ++d)
        columns.push_back({fmt::format("{}.{}{}", model.name_of(k), field, axes[d]), unit, Kind::motion});
  return columns;
}

std::vector<int> PointSections::reported_supports() const
{
  std::vector<int> supports;
  std::copy_if(reported.begin(), reported.end(), std::back_inserter(supports), [&](const int k) { return model.parts.points[k].fixed; });
  return supports;
}

std::vector<double> PointSections::report(const double *q, const double *v) const
{
  std::vector<double> values;
  const int n = model.dimension();
  for (const int k : reported)
  {
    for (int d = 0; d < n; ++d)
      values.push_back(model.parts.points[k].position[d] + q[n * k + d]);
    values.insert(values.end(), v + n * k, v + n * (k + 1));
  }
  return values;
}
}  // namespace symdyn
