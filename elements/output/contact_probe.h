#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "elements/contact_tables.h"
#include "solver/column.h"

namespace symdyn
{
struct Units;

/// Fields of a contact at a place of its surface: NAME.contact_gap [m], NAME.contact_pressure [Pa], NAME.contact_slip_x and so on [m].
class ContactProbe
{
public:
  /// Finds the place on the contact of this name, which must outlive this. `where`: of the deck. Collective. Errors: InputError for a name
  /// that is not there, a place beside the surface.
  ContactProbe(const std::map<std::string, const ReportsContact *> &contacts, const std::string &name, const Place &X,
               const std::string &where);
  static std::vector<Column> columns(const std::string &probe, const Units &units, int dim);
  /// In the order of the columns, on every rank. Collective.
  void add_values(const State &state, int dim, std::vector<double> &values) const;

private:
  std::function<SurfaceValue(const State &)> fields;
};
}  // namespace symdyn
