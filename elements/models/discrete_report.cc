#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "elements/files/drawn_frames.h"
#include "elements/gram/director_nodes.h"
#include "elements/gram/heated_elements.h"
#include "elements/gram/heated_nodes.h"
#include "elements/models/discrete.h"
#include "elements/models/relations.h"
#include "elements/models/rigid_directors.h"
#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/together.h"
#include "solver/dynamics/energy.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/unknowns.h"

// Columns, frames and printed tables of discrete structures.
namespace symdyn
{
namespace
{
const char *const name_of_point_tables = "tables";
}

std::vector<Column> Discrete::momentum_columns(const Units &u) const
{
  std::vector<Column> columns;
  for (const std::string &name : assembled->unknowns().momenta())
    columns.push_back({name, fmt::format(name[0] == 'P' ? "{} {}/{}" : "{} {}^2/{}", u.mass, u.length, u.time), Kind::momentum});
  return columns;
}

std::vector<double> Discrete::momenta(const State &state, const Vector &Mv) const
{
  Vector xi = assembled->new_vector();
  std::vector<double> values(assembled->unknowns().momenta().size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    assembled->unknowns().generator(i, state.q, xi);
    values[i] = xi * Mv;
  }
  return values;
}

void Discrete::find_rotations()
{
  auto &nodes = plan->shared<DirectorNodes>();
  for (const int point : sections.reported_points())
    if (const SitePlan::Site site = places_of_parts->node(point); model.parts.points[point].director_of < 0 && nodes.has(site))
    {
      const std::vector<SitePlan::Site> &directors = nodes.directors(*plan, site);
      rotations.add({model.name_of(point), nodes.basis(site), directors, structure_parts.is_linear(directors.front())});
    }
}

std::vector<Column> Discrete::report_columns(const Units &units) const
{
  std::vector<Column> columns = sections.report_columns(units);
  rotations.add_columns(columns);
  const auto &points = model.parts.points;
  for (const std::string &column : of_supports->columns())
    columns.push_back({column, StructureSupports::unit(column, units), StructureSupports::is_moment(column) ? Kind::moment : Kind::force});
  for (const std::size_t first : rigid_bodies(points))
    columns.push_back({points[points[first].director_of].name + ".rotation_error", ""});
  structure_parts.add_columns(units, columns);
  for (const Column &column : this->points->columns(units))
    columns.push_back(column);
  if (base)
    for (const Column &column : base->columns())
      columns.push_back(column);
  return columns;
}

std::vector<double> Discrete::report(const State &state, const bool statics) const
{
  const auto [q, v, a] = points->moved(state);
  std::vector<double> values = sections.report(q.data(), v.data(), a.data());
  rotations.add_values(PlannedSites(assembled->all_parts().space, *plan), state.q, values);
  const auto reactions = [&] { return Forces(*About(*assembled, state), state, statics).reaction; };
  if (!of_supports->columns().empty())
  {
    Vector R = reactions();
    if (!assembled->all_parts().couplings.empty())
      take_couplings(assembled->all_parts(), R);
    for (const double sum : of_supports->sums(R))
      values.push_back(sum);
  }
  for (const std::size_t first : rigid_bodies(model.parts.points))
    values.push_back(rotation_error(model.parts.points, first, q));
  const auto multipliers = [&] {
    Vector R = reactions();
    return take_couplings(assembled->all_parts(), R);
  };
  structure_parts.add_values(state, multipliers, values);
  const std::vector<double> of_elements = points->values(state);
  values.insert(values.end(), of_elements.begin(), of_elements.end());
  if (base)
    base->add_values(state.t, values);
  return values;
}

void Discrete::write(const State &state, const std::string &file) const
{
  const PointMotion motion = points->motion(state);
  std::string fault;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    try
    {
      write_points(model.parts, motion, file);
    }
    catch (const ComputationError &error)
    {
      fault = error.what();
    }
  throw_collectively<ComputationError>(fault);
}

std::vector<std::string> Discrete::write_frame(const State &state, const std::string &folder, const unsigned int number) const
{
  std::vector<std::string> files = write_point_frame(state, folder, fmt::format("solution-{:05d}", number));
  structure_parts.write_frame(state, folder, number, files);
  return files;
}

std::vector<std::string> Discrete::write_point_frame(const State &state, const std::string &folder, const std::string &stem) const
{
  std::vector<std::string> files;
  if (!model.parts.points.empty())
  {
    write(state, folder + "/" + stem + ".vtu");
    files.push_back(stem + ".vtu");
  }
  return files;
}

std::string Discrete::print(const State &state, const OutputTime &moment)
{
  if (!tables.are_due(state.n, moment))
    return "";
  Vector of_parts = assembled->new_vector();
  structure_parts.add_strain_force(state, of_parts);
  std::vector<double> forces = points->term_force(state);
  const std::vector<double> others = points->gather(of_parts);
  std::transform(forces.begin(), forces.end(), others.begin(), forces.begin(), std::plus<>());
  const auto [u, v, a] = points->moved(state);
  std::string where;
  return tables.print(
      model.parts,
      {u, v, forces,
       [&](const std::string &quantity, const ElementNumbers &elements) { return structure_parts.tabulate(state, quantity, elements); },
       structure_parts.rotations(state), tables.prints_temperatures(where) ? temperatures(state) : std::vector<double>(),
       points->terms(state.history)},
      state.t, moment);
}

void Discrete::check_temperatures() const
{
  const bool expands = plan->shared<PartTemperatures>().matter;
  if (temperature->given() && !expands && !model.parts.temperature)
    log_warning(temperature->where() +
                ": no material of beams or shells has an Expansion or constants at other temperatures: temperatures have no effect");
  if (expands && !temperature->given())
    log_warning(
        "materials of beams or shells have an Expansion or constants at other temperatures, and the deck gives no temperatures: they have no "
        "effect. Add subsection Temperature with Initial and Field");
  if (std::string where; tables.prints_temperatures(where) && !any_heated_elements(assembled->all_parts().terms))
    throw InputError(where +
                     ": NT is of nodes of beams and shells, and none of them is heated. Give a section Temperature and an Expansion of "
                     "their material, or leave NT out of the Quantities");
}

std::vector<double> Discrete::temperatures(const State &state) const
{
  const auto of_nodes = temperatures_of_nodes(assembled->all_parts().terms, state);
  std::vector<double> values;
  for (const SitePlan::Site site : sites_of_points())
  {
    const auto node = of_nodes.find(site);
    values.push_back(node == of_nodes.end() ? std::numeric_limits<double>::quiet_NaN() : node->second);
  }
  return values;
}

std::string Discrete::print(const State &about, const PrintedField &field, const OutputTime &moment)
{
  Vector Ku = assembled->new_vector();
  About(*assembled, about)->stiffness(about.q, field.field, Ku);
  State shape;  // without a history: laws are elastic in it
  shape.q = field.field;
  const auto of_elements = [&](const std::string &quantity, const ElementNumbers &elements) {
    return structure_parts.tabulate(shape, quantity, elements, true);
  };
  return tables.print(model.parts,
                      {points->moved(&about, field.field),
                       {},
                       points->gather(Ku),
                       of_elements,
                       structure_parts.rotations(shape, &about),
                       {},
                       {model.parts.terms.begin(), model.parts.terms.end()}},
                      field, moment);
}

void Discrete::save(Archive &archive) const
{
  if (tables.wanted())
    archive.put(name_of_point_tables, tables.saved());
}

void Discrete::load(const Archive &archive)
{
  if (archive.has(name_of_point_tables))
    tables.load(archive.get<std::vector<double>>(name_of_point_tables));
}

std::vector<std::string> Discrete::write_shape(const Vector &shape, const std::string &folder, const std::string &stem,
                                               const std::vector<PointValues> &fields) const
{
  State state;
  state.q = structure_parts.drawn_shape(shape);
  state.v = state.a = assembled->new_vector();
  std::vector<std::string> files = write_point_frame(state, folder, stem);
  structure_parts.write_shape({state}, nullptr, folder, stem, fields, 0, files);
  return files;
}

/// Points are those of the first sector.
std::vector<std::string> Discrete::write_sectors(const std::vector<Vector> &shapes, const std::string &folder,
                                                 const std::string &stem) const
{
  std::vector<State> sectors(shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k)
    sectors[k].q = structure_parts.drawn_shape(shapes[k]);
  sectors.front().v = sectors.front().a = assembled->new_vector();
  std::vector<std::string> files = write_point_frame(sectors.front(), folder, stem);
  structure_parts.write_shape(sectors, assembled->all_parts().cyclic.get(), folder, stem, {}, 0, files);
  return files;
}

DrawnShapes Discrete::drawn(const std::vector<Vector> &shapes) const
{
  DrawnShapes all;
  add_drawn([&](const Vector &shape) { return structure_parts.frame_of_shape(shape); }, shapes,
            assembled->new_vector().get_mpi_communicator(), all);
  return all;
}

StressPoints Discrete::stresses(const State &state, const std::vector<Vector> &motions) const
{
  StressPoints points;
  points.along.resize(motions.size());
  structure_parts.add_stresses(state, motions, points);
  return points;
}
}  // namespace symdyn
