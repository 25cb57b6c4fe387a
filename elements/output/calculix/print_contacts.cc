#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/output/calculix/print_tables.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/vibration/mode_tables.h"

// Tables of contacts.
namespace symdyn
{
namespace
{
bool is_force(const std::string &quantity) { return quantity == "CF" || quantity == "CFN" || quantity == "CFS"; }

/// CalculiX's tangents of a surface with this normal: the part of x in it, or of z where the normal is x; and across it.
std::array<Place, 2> tangents(const Place &n)
{
  constexpr double along_x = 1.5231e-6;  // of 1 - |n_x|, as CalculiX
  const int axis = 1. - std::abs(n[0]) < along_x ? 2 : 0;
  Place t{};
  t[axis] = 1.;
  for (int d = 0; d < 3; ++d)
    t[d] -= n[axis] * n[d];
  const double size = length(t);
  for (double &component : t)
    component /= size;
  return {t, cross(n, t)};
}

std::vector<double> values_of(const std::string &quantity, const ContactRow &row)
{
  if (quantity == "CELS")
    return {row.energy};
  const auto [t1, t2] = tangents(row.n);
  const Place &along = quantity == "CDIS" ? row.slip : row.drag;
  return {quantity == "CDIS" ? row.gap : row.pressure, dot(along, t1), dot(along, t2)};
}

/// Resultants of a contact on its first boundary.
struct ContactForces
{
  Place force{}, moment{}, centre{}, n{};  ///< [N], about the origin [N m], of the area [m], mean outward normal of the first boundary
  double area = 0;

  void add(const Place &x, const Place &F)
  {
    const Place M = cross(x, F);
    for (int d = 0; d < 3; ++d)
    {
      force[d] += F[d];
      moment[d] += M[d];
    }
  }
};

ContactForces forces_of(const ContactTable &contact, const std::string &quantity)
{
  ContactForces all;
  for (const ContactRow &row : contact.rows)
  {
    all.area += row.dA;
    Place F{};
    for (int d = 0; d < 3; ++d)
    {
      all.centre[d] += row.dA * row.x[d];
      all.n[d] -= row.dA * row.n[d];
      F[d] =
          row.dA * ((quantity == "CFS" ? 0. : row.pressure * row.n[d]) - (quantity == "CFN" || !contact.rubs.empty() ? 0. : row.drag[d]));
    }
    all.add(row.x, F);
  }
  for (const ContactRub &rub : contact.rubs)
    if (quantity != "CFN")
      all.add(rub.x, rub.force);
  const double size = length(all.n);
  for (int d = 0; d < 3 && all.area > 0.; ++d)
  {
    all.centre[d] /= all.area;
    all.n[d] /= size > 0. ? size : 1.;
  }
  return all;
}

std::string statistics(const ContactTable &contact, const std::string &quantity, const double time)
{
  const ContactForces all = forces_of(contact, quantity);
  const Place about = cross(all.centre, all.force);
  const double along = dot(all.force, all.n);
  Place aside = all.force;
  for (int d = 0; d < 3; ++d)
    aside[d] -= along * all.n[d];
  const auto row = [](const Place &a, const Place &b) { return table_row("  ", {a[0], a[1], a[2], b[0], b[1], b[2]}); };
  return fmt::format("\n\n statistics for slave set {}, master set {} and time {}\n\n", contact.first, contact.second, fortran(time)) +
         "   total surface force (fx,fy,fz) and moment about the origin (mx,my,mz)\n\n" + row(all.force, all.moment) +
         "\n   center of gravity and mean normal\n\n" + row(all.centre, all.n) + "\n   moment about the center of gravity(mx,my,mz)\n\n" +
         table_row("  ", {all.moment[0] - about[0], all.moment[1] - about[1], all.moment[2] - about[2]}) +
         "\n   area,  normal force (+ = tension) and shear force (size)\n\n" + table_row("  ", {all.area, along, length(aside)});
}

std::string heading(const std::string &quantity, const bool nodes, const double time)
{
  const std::string place = nodes ? "slave node" : "slave element+face";
  const std::string title = quantity == "CDIS"   ? " relative contact displacement (" + place + ",normal,tang1,tang2) for all"
                            : quantity == "CSTR" ? " contact stress (" + place + ",press,tang1,tang2) for all"
                                                 : " contact print energy (" + place + (nodes ? ",energy) forall" : ",energy)for all");
  return fmt::format("\n{} contact elements and time{}\n\n", title, fortran(time));
}

/// How far a place is from lying in the polygon of these corners: the area, or in the plane the length, of its triangles with the edges
/// beyond that of the polygon.
template <int dim>
double beyond(const std::vector<dealii::Point<dim>> &corners, const dealii::Point<dim> &x)
{
  if (dim == 2)
    return x.distance(corners[0]) + x.distance(corners[1]) - corners[0].distance(corners[1]);
  const auto place = [](const dealii::Point<dim> &p) {
    Place at{};
    for (int d = 0; d < dim; ++d)
      at[d] = p[d];
    return at;
  };
  double area = 0, whole = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    const Place a = place(corners[i]), b = place(corners[(i + 1) % corners.size()]), c = place(corners[0]), p = place(x);
    area += length(cross(difference(a, p), difference(b, p)));
    whole += length(cross(difference(a, c), difference(b, c)));
  }
  return area - whole;
}
/// The contacts of a table.
std::vector<std::string> names_of(const PrintTable &table, const std::map<std::string, const ReportsContact *> &contacts)
{
  if (std::count(table.contacts.begin(), table.contacts.end(), "all") == 0)
    return table.contacts;
  std::vector<std::string> names;
  for (const auto &entry : contacts)
    names.push_back(entry.first);
  return names;
}

/// Whether the table has a row for each point, which needs a number.
bool lists_points(const PrintTable &table)
{
  return !table.nodes.empty() ||
         (table.totals != "only" && std::any_of(table.quantities.begin(), table.quantities.end(),
                                                [](const std::string &one) { return !is_force(one) && one != "CNUM"; }));
}
}  // namespace

template <int dim>
void PrintTables<dim>::check_contacts(const std::map<std::string, const ReportsContact *> &contacts, const Discretisation<dim> &mesh) const
{
  std::vector<std::string> known;
  for (const auto &entry : contacts)
    known.push_back(entry.first);
  const auto &file = mesh.file_nodes;
  for (const PrintTable &table : tables)
  {
    if (!table.contacts.empty() && known.empty())
      throw InputError(table.where_contacts + ": the deck has no contact. Remove the table");
    for (const std::string &name : names_of(table, contacts))
    {
      if (contacts.count(name) == 0)
        throw InputError(fmt::format("{}: there is no contact '{}'; there are: {}, or all", table.where_contacts, name,
                                     join(nearest_first(name, known))));
      const ReportsContact &contact = *contacts.at(name);
      const std::string &first = contact.first_boundary();
      const bool numbered = file && (file->sides.count(first) > 0 || (contact.has_nodes() && file->sets.count(first) > 0));
      if (lists_points(table) && !numbered)
        throw InputError(
            fmt::format("{}: the points of '{}' have no numbers, which come from a *SURFACE of element faces that a *CONTACT PAIR "
                        "of an .inp file names. Take CNUM, CF, CFN, CFS or Totals = only",
                        table.where_contacts, first));
    }
    if (!table.contacts.empty() && !table.nodes.empty() && file->sets.count(table.nodes) == 0)
      throw InputError(fmt::format("{}: Nodes = {}: the mesh's file has no set of nodes of this name", table.where, table.nodes));
  }
}

template <int dim>
typename PrintTables<dim>::ContactNumber PrintTables<dim>::number_of(const ContactTable &contact, const Place &middle) const
{
  const auto &file = system->mesh().file_nodes;
  dealii::Point<dim> x;
  for (int d = 0; d < dim; ++d)
    x[d] = middle[d];
  ContactNumber nearest;
  double least = std::numeric_limits<double>::max();
  const auto take = [&](const double distance, const ContactNumber &number) {
    if (distance < least)
    {
      least = distance;
      nearest = number;
    }
  };
  const auto take_nodes = [&](const std::vector<unsigned int> &nodes) {
    for (const unsigned int node : nodes)
      take(x.distance(file->nodes[node].x), {file->nodes[node].number, 0, {node}});
  };
  if (file->sides.count(contact.first) > 0)
    for (const FileSide &side : file->sides.at(contact.first))
    {
      if (contact.of_nodes)
        take_nodes(side.nodes);
      std::vector<dealii::Point<dim>> corners;
      for (const unsigned int corner : side.corners)
        corners.push_back(file->nodes[corner].x);
      if (!contact.of_nodes)  // plane elements are layers of bricks in CalculiX
        take(beyond(corners, x), {side.cell, side.face + (dim == 2 ? 2 : 0), side.corners});
    }
  else
    take_nodes(file->sets.at(contact.first));
  return nearest;
}

template <int dim>
std::vector<typename PrintTables<dim>::NumberedRow> PrintTables<dim>::numbered(const PrintTable &table, const ContactTable &contact) const
{
  std::vector<unsigned int> wanted;
  if (!table.nodes.empty())
  {
    wanted = system->mesh().file_nodes->sets.at(table.nodes);
    std::sort(wanted.begin(), wanted.end());
  }
  std::vector<NumberedRow> rows;
  for (const ContactRow &row : contact.rows)
  {
    auto known = numbers_of_contacts.find({contact.first, row.middle});
    if (known == numbers_of_contacts.end())
      known = numbers_of_contacts.emplace(std::pair{contact.first, row.middle}, number_of(contact, row.middle)).first;
    const ContactNumber &number = known->second;
    if (table.nodes.empty() || std::all_of(number.nodes.begin(), number.nodes.end(),
                                           [&](const unsigned int node) { return std::binary_search(wanted.begin(), wanted.end(), node); }))
      rows.push_back({number.number, number.face, row});
  }
  const auto place = [](const NumberedRow &row) { return std::pair{row.number, row.face}; };
  std::stable_sort(rows.begin(), rows.end(), [&](const NumberedRow &one, const NumberedRow &two) { return place(one) < place(two); });
  if (!contact.of_nodes)
    return rows;
  std::vector<NumberedRow> of_nodes;  // a node has a point for each of its faces
  for (const NumberedRow &one : rows)
    if (of_nodes.empty() || of_nodes.back().number != one.number)
      of_nodes.push_back(one);
    else
    {
      ContactRow &all = of_nodes.back().row;
      const double part = one.row.dA / (all.dA + one.row.dA);
      for (int d = 0; d < 3; ++d)
        all.drag[d] += part * (one.row.drag[d] - all.drag[d]);
      all.dA += one.row.dA;
      all.energy += one.row.energy;
    }
  return of_nodes;
}

template <int dim>
const ContactTable &PrintTables<dim>::contact_table(const std::string &name) const
{
  if (const auto known = of_contact.find(name); known != of_contact.end())
    return known->second;
  ContactTable &table = of_contact.emplace(name, of_points->contacts.at(name)->table(*state)).first->second;
  const bool rubs = std::any_of(table.rows.begin(), table.rows.end(), [](const ContactRow &row) { return row.drag != Place{}; });
  for (ContactRow &row : table.rows)  // CalculiX has no slip where there is no friction
    row.slip = rubs ? row.slip : Place{};
  return table;
}

template <int dim>
std::string PrintTables<dim>::of_contacts(const PrintTable &table, const std::string &quantity, const double time) const
{
  const std::vector<std::string> names = names_of(table, of_points->contacts);
  std::string text;
  if (is_force(quantity))
  {
    for (const std::string &name : names)
      text += statistics(contact_table(name), quantity, time);
    return text;
  }
  std::array<std::vector<NumberedRow>, 2> rows;  // of faces, of nodes
  for (const std::string &name : names)
  {
    const ContactTable &contact = contact_table(name);
    if (table.nodes.empty() && !contact.of_nodes && (quantity == "CNUM" || table.totals == "only"))  // they need no numbers
      for (const ContactRow &row : contact.rows)
        rows[0].push_back({0, 0, row});
    else
      for (NumberedRow &row : numbered(table, contact))
        rows[contact.of_nodes].push_back(std::move(row));
  }
  double energy = 0;
  for (const bool nodes : {false, true})
  {
    const bool lists = quantity != "CNUM" && table.totals != "only" && !rows[nodes].empty();
    text += lists ? heading(quantity, nodes, time) : "";
    for (const auto &[number, face, row] : rows[nodes])
    {
      energy += row.energy;
      if (lists)
        text += table_row(nodes ? fmt::format("{:10d}", number) : fmt::format("{:10d} {:10d}", number, face), values_of(quantity, row));
    }
  }
  if (quantity == "CELS" && table.totals != "no")
    text += fmt::format("\n total contact spring energy for time {}\n\n", fortran(time)) + table_row("      ", {energy});
  if (quantity == "CNUM")
    text += fmt::format("\n total number of contact elements for time {}\n\n{:17d}\n", fortran(time), rows[0].size() + rows[1].size());
  return text;
}

template void PrintTables<2>::check_contacts(const std::map<std::string, const ReportsContact *> &, const Discretisation<2> &) const;
template void PrintTables<3>::check_contacts(const std::map<std::string, const ReportsContact *> &, const Discretisation<3> &) const;
template std::string PrintTables<2>::of_contacts(const PrintTable &, const std::string &, double) const;
template std::string PrintTables<3>::of_contacts(const PrintTable &, const std::string &, double) const;
}  // namespace symdyn
