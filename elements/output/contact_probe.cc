#include "elements/output/contact_probe.h"

#include <fmt/format.h>

#include "solver/base/names.h"
#include "solver/base/units.h"
#include "solver/error.h"

namespace symdyn
{
ContactProbe::ContactProbe(const std::map<std::string, const ReportsContact *> &contacts, const std::string &name, const Place &X,
                           const std::string &where)
{
  std::vector<std::string> names;
  for (const auto &entry : contacts)
    names.push_back(entry.first);
  const auto found = contacts.find(name);
  if (found == contacts.end())
    throw InputError(fmt::format("{}: there is no contact '{}'; the deck has: {}", where, name,
                                 names.empty() ? "none" : join(nearest_first(name, names))));
  fields = found->second->at_place(X, where);
}

std::vector<Column> ContactProbe::columns(const std::string &probe, const Units &units, const int dim)
{
  const std::string start = probe + ".contact_";
  std::vector<Column> all{{start + "gap", units.length}, {start + "pressure", units.stress}};
  for (int d = 0; d < dim; ++d)
    all.push_back({fmt::format("{}slip_{}", start, "xyz"[d]), units.length});
  return all;
}

void ContactProbe::add_values(const State &state, const int dim, std::vector<double> &values) const
{
  const SurfaceValue value = fields(state);
  values.insert(values.end(), {value.gap, value.pressure});
  values.insert(values.end(), value.slip.begin(), value.slip.begin() + dim);
}
}  // namespace symdyn
