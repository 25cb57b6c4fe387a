#include "elements/output/contact_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "elements/structure_part.h"
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

namespace
{
/// A section of Contact probes: the fields of a contact at a place of its surface, also where no cell is, as on beams and shells.
class ContactProbePart : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override
  {
    deck = p;
    called = name;
    p.add("Contact", contact,
          "name of the contact, whose gap (at most a face; with the clearance), pressure and slip history.csv has there");
    p.add("Point", point, "a place on its undeformed surface, of a beam on its axis or within its radius [m]");
  }
  void plan(SitePlan &plan) override { contacts = &plan.shared<NamedContacts>(); }
  PartInSystem build(const PlannedSites &sites) override
  {
    dim = sites.space()->block();
    if (int(point.size()) != dim)
      deck->fail("Point", fmt::format("needs {} coordinates", dim));
    Place X{};
    std::copy(point.begin(), point.end(), X.begin());
    probe.emplace(contacts->all, contact, X, deck->where(contacts->all.count(contact) > 0 ? "Point" : "Contact"));
    return {};
  }
  bool has_elements() const override { return false; }
  std::vector<Column> columns(const Units &units) const override { return ContactProbe::columns(called, units, dim); }
  void values(const State &state, std::vector<double> &out) const override { probe->add_values(state, dim, out); }

private:
  std::optional<Parameters> deck;
  std::string called, contact;
  std::vector<double> point;
  int dim = 3;
  const NamedContacts *contacts = nullptr;  ///< of the plan
  std::optional<ContactProbe> probe;
};
SYMDYN_REGISTER(StructurePart, ContactProbePart, "Contact probes");
}  // namespace
}  // namespace symdyn
