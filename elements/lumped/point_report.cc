#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elements/lumped/element_memory.h"
#include "elements/lumped/point_sections.h"
#include "materials/section/expansion.h"
#include "solver/error.h"
#include "solver/parameters.h"

// Columns of points, and temperatures of what joins them.
namespace symdyn
{
bool PointSections::expand(const Parameters &root)
{
  const auto any = [&](const Parameters &kind) {
    const std::vector<std::string> names = kind.named_sections();
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
      const Parameters one = kind.section(name);
      return Expansion::entry(one) || one.given("EA table") || one.given("Stiffness table");
    });
  };
  return any(root.section("Bars")) || any(root.section("Springs"));
}

void PointSections::set_temperatures(std::shared_ptr<const TemperatureField> field, const Actions &actions)
{
  const auto is_heated = [](const auto &term) {
    const auto *memory = dynamic_cast<const ElementMemory *>(term.get());
    return memory && memory->is_heated();
  };
  if (!field->given() || std::none_of(model.parts.terms.begin(), model.parts.terms.end(), is_heated))
    return;
  if (!field->named().empty())
    throw InputError(field->named().front().where +
                     ": bars that expand take the temperatures of Initial and Field alone. Give them by formulas "
                     "of x, y, z, t, or remove the Expansion of the bars");
  model.parts.temperature = std::move(field);
  model.parts.actions = &actions;
}

std::vector<Column> PointSections::report_columns(const Units &u) const
{
  std::vector<Column> columns;
  const std::string axes = "xyz";
  std::vector<std::pair<std::string, std::string>> fields{{"", u.length}, {"v_", u.length + "/" + u.time}};
  if (report_accelerations)
    fields.emplace_back("a_", u.length + "/" + u.time + "^2");
  for (const int k : reported)
    for (const auto &[field, unit] : fields)
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

std::vector<double> PointSections::report(const double *q, const double *v, const double *a) const
{
  std::vector<double> values;
  const int n = model.dimension();
  for (const int k : reported)
  {
    for (int d = 0; d < n; ++d)
      values.push_back(model.parts.points[k].position[d] + q[n * k + d]);
    values.insert(values.end(), v + n * k, v + n * (k + 1));
    if (report_accelerations)
      values.insert(values.end(), a + n * k, a + n * (k + 1));
  }
  return values;
}
}  // namespace symdyn
