#include "elements/output/calculix/print_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/vibration/mode_tables.h"

namespace symdyn
{
namespace
{
const std::vector<std::string> of_nodes_known = {"U", "V", "RF", "NT"},
                               of_elements_known = {"S", "E", "ENER", "PEEQ", "PE", "CEEQ", "SDV", "ELSE", "ELKE", "EVOL", "SF"},
                               of_surfaces_known = {"SOF", "SOM", "SOAREA"},
                               of_contacts_known = {"CDIS", "CSTR", "CELS", "CNUM", "CF", "CFN", "CFS"};

/// Of a whole element: what its table is called, and the columns.
const std::map<std::string, std::pair<std::string, std::string>> of_whole_elements = {{"ELSE", {"internal energy", "(element, energy)"}},
                                                                                      {"ELKE", {"kinetic energy", "(elem, energy)"}},
                                                                                      {"EVOL", {"volume", "(element, volume)"}}};

const char *const file_help = "in the folder of the results, a name that ends in .dat: tables as CalculiX writes them";
}  // namespace

std::string table_row(const std::string &start, const std::vector<double> &values)
{
  std::string text = start;
  for (const double value : values)
    text += fmt::format(" {:>13}", fmt::format("{:.6E}", value));
  return text + "\n";
}

void PrintTable::declare(Parameters &p, const int dim)
{
  p.add("Stage", stage, "name of the stage in which the table is written");
  p.add("Nodes", nodes, "set of nodes of the mesh's .inp file; of a discrete structure: the name of the table of its Points");
  p.add("Elements", elements, "or: set of elements of which the mesh's .inp file has an *EL PRINT; with Lines: the name of their table");
  p.add(
      "Surface", surface,
      "or: surface of which the mesh's .inp file has a *SECTION PRINT, or a boundary of the mesh: force and moment of the stress on it, and "
      "its area");
  p.add(
      "Contacts", contacts,
      "or: names of contacts of two boundaries by segments or by nodes, or `all`; Nodes then is a set of nodes of their first boundaries: the "
      "table has points of faces with these nodes alone");
  p.add(
      "Quantities", quantities,
      "of nodes: " + join(of_nodes_known) +
          " (displacement, velocity, force, temperature: of solids, beams and shells that are heated); of elements: " +
          join(of_elements_known) +
          " (stress, strain, strain energy per volume; equivalent plastic strain, plastic strain, equivalent creep strain, variables of a user's law; of whole elements: strain energy, kinetic energy, volume before the deformation; of beams "
          "and shells: section forces, and S of shells at both faces, of beams at corners); of a surface: " +
          join(of_surfaces_known) + " (force, moment, area: any of them writes all three); of contacts: " + join(of_contacts_known) +
          " (gap and slip, pressure and tangential stress, energy of each point; the number of points; force, its part along the normal, "
          "and its part in the surface)");
  p.add("Points", points, "of nodes: points that stand in the table too");
  p.add("Numbers", numbers, "of these points (or Lines) in the table", {1, std::numeric_limits<int>::max()});
  p.add("Rotations", turning,
        "of nodes: Couplings, whose references stand in the table by how they turn: U is the rotation vector [rad], V the angular velocity "
        "[rad/s], RF 0");
  p.add("Rotation numbers", turning_numbers, "of these in the table", {1, std::numeric_limits<int>::max()});
  axes.declare(p, dim);
  p.add("Axes of", axes_of, "of nodes: sets and numbers of those that have these Axes; default: all");
  p.add(
      "Totals", totals,
      "of forces, of energies of elements and contacts, and of volumes of elements: no, each alone; yes: and their sum, of forces along the coordinates also where Axes are given; only: the sum",
      {"no", "yes", "only"});
  declare_times(p);
  where = p.where();
  where_contacts = p.where("Contacts");
}

void PrintTable::declare_times(Parameters &p)
{
  p.add("Every", every, "steps or increments; the last of a stage is always written", between(1, 1000000000));
  p.add("Times", times, "instead of Every: the first step at or after each of these times since the start of the stage [s], and the last",
        positive());
  p.add("Start", start, "the time that is written at the start of the stage [s]; default: t; of a static stage with a Period: 0");
  p.add("Period", period, "of a static stage: its length in the times that are written [s]; default: the time stands still", positive());
  in_time = !p.given("Period");
  starts = p.given("Start");
}

void PrintTable::check(const Parameters &section) const
{
  if (section.given("Times") && section.given("Every"))
    section.fail("Times", "the table has Every, too. Keep one of them");
  check_kind(section);
  const auto &known = !surface.empty()    ? of_surfaces_known
                      : !contacts.empty() ? of_contacts_known
                      : nodes.empty()     ? of_elements_known
                                          : of_nodes_known;
  for (const std::string &quantity : quantities)
    if (!std::count(known.begin(), known.end(), quantity))
      section.fail("Quantities", fmt::format("'{}' is not known; there are: {}", quantity, join(nearest_first(quantity, known))));
  if (nodes.empty() && !points.empty())
    section.fail("Points", "are for tables of Nodes. Remove the entry");
  if (nodes.empty() && !turning.empty())
    section.fail("Rotations", "are for tables of Nodes. Remove the entry");
  if (turning.size() != turning_numbers.size())
    section.fail(
        turning.empty() ? "Rotation numbers" : "Rotations",
        fmt::format("there are {} Rotations and {} Rotation numbers. Give one number each", turning.size(), turning_numbers.size()));
  if (!elements.empty() && !axes.uniform())
    section.fail("Axes", "of tables of Elements are rectangular");
  if (!axes_of.empty() && (!axes.given() || nodes.empty()))
    section.fail("Axes of", !nodes.empty() ? "needs Axes" : "is for tables of Nodes. Remove the entry");
  if (!surface.empty() && axes.given())
    section.fail("Axes", "forces of a surface are along the coordinates. Remove the entry");
  if (!surface.empty() && totals != "no")
    section.fail("Totals", "forces of a surface are sums. Remove the entry");
  if (quantities.empty())
    section.fail("Quantities", "a table needs one of: " + join(known));
}

/// Of nodes, of elements or of contacts.
void PrintTable::check_kind(const Parameters &section) const
{
  const int kinds = int(!elements.empty()) + int(!surface.empty()) + int(!contacts.empty());
  if (kinds + int(!nodes.empty() && contacts.empty()) != 1)  // Nodes choose points of Contacts
    section.fail("Nodes", "give one of Nodes, Elements, Surface and Contacts");
  if (contacts.empty())
    return;
  for (const char *entry : {"Points", "Numbers", "Rotations", "Rotation numbers", "Axes", "Axes of"})
    if (section.given(entry))
      section.fail(entry, "is for tables of Nodes, and this one is of Contacts. Remove the entry");
}

bool PrintTable::due(const OutputTime &moment)
{
  if (moment.last || times.empty())
    return ++count % every == 0 || moment.last;
  const double from = reached;
  reached = (in_time ? moment.since : moment.part * period) * (1. + 1e-9);
  return std::any_of(times.begin(), times.end(), [&](const double time) { return time > from && time <= reached; });
}

double PrintTable::time(const OutputTime &moment, const double t) const
{
  return !in_time ? start + moment.part * period : starts ? start + moment.since : t;
}

double PrintTable::time(const PrintedField &field) const { return std::isfinite(field.value) ? field.value : start + period; }

std::string PrintTable::of_rows(const std::string &quantity, const Rows &rows, const Rows &global, const double at_time) const
{
  const std::string of_set = fmt::format(" for set {} and time {}", nodes, fortran(at_time)),
                    title = quantity == "U"    ? "displacements (vx,vy,vz)"
                            : quantity == "NT" ? "temperatures"
                            : quantity == "V"  ? "velocities (vx,vy,vz)"
                                               : "forces (fx,fy,fz)";
  std::string text;
  if (totals != "only" || quantity != "RF")
  {
    text += "\n " + title + of_set + "\n\n";
    for (const auto &[number, values] : rows)
      text += table_row(fmt::format("{:10d}{}", number, quantity == "NT" ? "" : " "), values);
  }
  if (quantity == "RF" && totals != "no")
  {
    std::vector<double> sum(3, 0.);
    for (const auto &force : global)
      for (int d = 0; d < 3; ++d)
        sum[d] += force.second[d];
    text += "\n total force (fx,fy,fz)" + of_set + "\n\n" + table_row("          ", sum);
  }
  return text;
}

void PrintTable::add_rotations(const std::string &quantity, const Rotations &rotations, Rows &rows) const
{
  for (std::size_t k = 0; k < turning.size(); ++k)
  {
    const auto found = rotations.find(turning[k]);
    if (found == rotations.end())
      throw InputError(fmt::format("{}: '{}' in Rotations is no coupling whose reference turns", where, turning[k]));
    std::vector<double> &row = rows[turning_numbers[k]];
    row.assign(3, 0.);
    if (quantity != "RF")
      std::copy_n(found->second.begin() + (quantity == "U" ? 0 : 3), 3, row.begin());
  }
}

bool PrintTable::is_of_whole_elements(const std::string &quantity) { return of_whole_elements.count(quantity) > 0; }

std::string PrintTable::of_elements(const std::string &quantity, const std::vector<std::pair<long, double>> &rows,
                                    const double at_time) const
{
  const auto &[title, columns] = of_whole_elements.at(quantity);
  const std::string of_set = fmt::format(" for set {} and time {}\n\n", elements, fortran(at_time));
  std::string text;
  double sum = 0;
  if (totals != "only")
    text += fmt::format("\n {} {}{}", title, columns, of_set);
  for (const auto &[number, value] : rows)
  {
    sum += value;
    if (totals != "only")
      text += table_row(fmt::format("{:10d}", number), {value});
  }
  return totals == "no" ? text : text + fmt::format("\n total {}{}", title, of_set) + table_row("      ", {sum});
}

Parameters PrintSchedule::section(Parameters &root)
{
  root.renamed("Prints", "Tables");
  return root.section("Tables");
}

void PrintSchedule::add_entries(Parameters &p)
{
  p.add("File", file, file_help);
  p.add("Modes", modes, "tables of all stages of type modes and harmonic as well: eigenvalues, participation factors, effective masses");
}

void PrintSchedule::document_tables(Parameters p, const int dim)
{
  PrintSchedule().add_entries(p);
  Parameters section = p.section("<name>");
  PrintTable().declare(section, dim);
}

void PrintSchedule::declare_tables(Parameters p, const int dim)
{
  add_entries(p);
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    PrintTable table;
    table.name = name;
    table.declare(section, dim);
    table.check(section);
    tables.push_back(table);
  }
  if (file.empty() == (modes || !tables.empty()))
    p.fail("File", file.empty() ? "tables need the name of a file"
                                : "there are no tables. Add a section with Nodes, Elements or Surface, or set Modes = yes");
  const std::string ending = ".dat";
  if (!file.empty() && (file.find('/') != std::string::npos || file.size() <= ending.size() ||
                        file.compare(file.size() - ending.size(), ending.size(), ending) != 0))
    p.fail("File", "must be a name without folders that ends in .dat: the file goes to the folder of the results");
}

bool PrintSchedule::are_due(const std::uint64_t n, const OutputTime &moment)
{
  if (tables.empty() || n == last)  // a stage begins where another has ended
    return false;
  last = n;
  bool any = false;
  for (PrintTable &table : tables)
  {
    table.now = (table.stage.empty() || table.stage == moment.stage) && table.due(moment);
    any = any || table.now;
  }
  return any;
}

std::vector<double> PrintSchedule::saved() const
{
  std::vector<double> counts{double(last)};
  for (const PrintTable &table : tables)
    counts.insert(counts.end(), {double(table.count), table.reached});
  return counts;
}

void PrintSchedule::load(const std::vector<double> &saved)
{
  last = std::uint64_t(saved.at(0));
  for (std::size_t i = 0; i < tables.size(); ++i)
  {
    tables[i].count = long(saved.at(2 * i + 1));
    tables[i].reached = saved.at(2 * i + 2);
  }
}
}  // namespace symdyn
