#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/gram/heated_nodes.h"
#include "elements/models/body_motions.h"
#include "elements/models/relations.h"
#include "elements/models/solid.h"
#include "elements/space/cell_quality.h"
#include "elements/space/gathered_faces.h"
#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/dynamics/energy.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/parameters.h"

// What a solid reports: probes, forces of supports and of cuts, frames, envelopes.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
const char *const name_of_maxima = "maxima", *const name_of_tables = "tables";
}

template <int dim>
void Solid<dim>::declare_reports(Parameters &root)
{
  Parameters p = root.section("Probes");
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    probes.emplace_back().declare(name, section);
  }
  p = root.section("Section forces");
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    section_forces.emplace_back().declare(name, section);
  }
  p = root.section("Errors");
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    errors.emplace_back();
    errors.back().declare(name, section);
  }
  p = root.section("Integrals");
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    integrals.emplace_back();
    integrals.back().declare(name, section);
  }
}

template <int dim>
void Solid<dim>::document_reports(Parameters &root)
{
  Probe<dim>::document(root.section("Probes").section("<name>"));
  SectionForce<dim>::document(root.section("Section forces").section("<name>"));
  FieldError<dim>::document(root.section("Errors").section("<name>"));
  FieldIntegral<dim>::document(root.section("Integrals").section("<name>"));
}

template <int dim>
void Solid<dim>::prepare_probes()
{
  const std::vector<std::string> quantities = PointMemory<dim>::quantities(*body);
  for (Probe<dim> &probe : probes)
  {
    probe.prepare(*parts.mesh, mesh_choice.file_path);
    memory_of_probes.emplace_back();
    for (const std::string &quantity : quantities)
      memory_of_probes.back().emplace_back(*body, probe.place(*parts.mesh), quantity);
    if (probe.wants_stress())
      stress_of_probes.emplace(memory_of_probes.size() - 1, StressProbe<dim>(*body, probe.place(*parts.mesh), probe.place_in_deck()));
    if (!probe.contact().empty())
      contact_of_probes.emplace(
          memory_of_probes.size() - 1,
          ContactProbe(contacts(), probe.contact(), as_place<dim>(probe.place(*parts.mesh)), probe.contact_in_deck()));
  }
}

template <int dim>
std::vector<Column> Solid<dim>::report_columns(const Units &u) const
{
  std::vector<Column> columns;
  const std::string axes = "xyz";
  const std::string fields[] = {"u", "v", "a"};
  const std::string units[] = {u.length, u.length + "/" + u.time, u.length + "/" + u.time + "^2"};
  for (std::size_t i = 0; i < probes.size(); ++i)
  {
    for (int field = 0; field < 3; ++field)
      for (int d = 0; d < dim; ++d)
        columns.push_back({fmt::format("{}.{}_{}", probes[i].name(), fields[field], axes[d]), units[field], Kind::motion});
    for (const PointMemory<dim> &memory : memory_of_probes[i])
      columns.push_back({probes[i].name() + "." + memory.quantity(), ""});
    if (stress_of_probes.count(i))
      for (const Column &column : StressProbe<dim>::columns(probes[i].name(), u))
        columns.push_back(column);
    if (contact_of_probes.count(i))
      for (const Column &column : ContactProbe::columns(probes[i].name(), u, dim))
        columns.push_back(column);
  }
  for (const auto &support : parts.supports->all())
    for (const char *force : {"F_int", "R"})
      for (int d = 0; d < dim; ++d)
        columns.push_back({fmt::format("{}.{}_{}", support.name, force, axes[d]), u.force, Kind::force});
  for (const SectionForce<dim> &section : section_forces)
    for (const Column &column : section.columns(u))
      columns.push_back(column);
  for (const FieldError<dim> &error : errors)
    for (const Column &column : error.columns(u))
      columns.push_back(column);
  for (const FieldIntegral<dim> &integral : integrals)
    columns.push_back(integral.column());
  if (points.any())
    for (const auto &of : {points.all_sections().report_columns(u), points.points()->columns(u)})
      columns.insert(columns.end(), of.begin(), of.end());
  structure_parts.add_columns(u, columns);
  if (base)
    for (const Column &column : base->columns())
      columns.push_back(column);
  return columns;
}

template <int dim>
std::vector<double> Solid<dim>::report(const State &state, const bool statics) const
{
  std::vector<double> values = report_parts(state, statics);
  if (base)
    base->add_values(state.t, values);
  return values;
}

template <int dim>
std::vector<double> Solid<dim>::report_parts(const State &state, const bool statics) const
{
  std::vector<double> values = report_body(state, statics);
  if (points.any())
  {
    const std::vector<double> of_points = points.report(state);
    values.insert(values.end(), of_points.begin(), of_points.end());
  }
  const auto multipliers = [&] {
    Vector R = Forces(*About(*assembled, state), state, statics).reaction;
    return take_couplings(assembled->all_parts(), R);
  };
  structure_parts.add_values(state, multipliers, values);
  return values;
}

template <int dim>
void Solid<dim>::add_probes(const State &state, std::vector<double> &values) const
{
  for (std::size_t i = 0; i < probes.size(); ++i)
  {
    for (const Vector *field : {&state.q, &state.v, &state.a})
    {
      const auto value = probes[i].at(*field);
      for (int d = 0; d < dim; ++d)
        values.push_back(value[d]);
    }
    for (const PointMemory<dim> &memory : memory_of_probes[i])
      values.push_back(memory.at(state));
    if (const auto found = stress_of_probes.find(i); found != stress_of_probes.end())
      for (const double component : found->second.at(state))
        values.push_back(component);
    if (const auto found = contact_of_probes.find(i); found != contact_of_probes.end())
      found->second.add_values(state, dim, values);
  }
}

template <int dim>
Vector Solid<dim>::forces_beside_cells(const State &state, const bool statics) const
{
  if (!sites)
    return {};
  Vector others = points.any() ? points.force_on_body(*About(*assembled, state), state, statics) : assembled->new_vector();
  structure_parts.add_force(state, others);
  if (!assembled->all_parts().couplings.empty())
  {
    Vector R = Forces(*About(*assembled, state), state, statics).reaction, left = R;
    take_couplings(assembled->all_parts(), left);
    others -= R;
    others += left;
  }
  return others;
}

template <int dim>
std::vector<double> Solid<dim>::report_body(const State &state, const bool statics) const
{
  std::vector<double> values;
  add_probes(state, values);
  if (!parts.supports->all().empty())
    for (const auto &sums : support_forces->sums(support_forces->at_nodes(state, statics, forces_beside_cells(state, statics))))
      for (const auto &sum : {sums.strain, sums.reaction})
        for (int d = 0; d < dim; ++d)
          values.push_back(sum[d]);
  add_section_forces(state, statics, values);
  for (const FieldError<dim> &error : errors)
    for (const double norm : error.values(*parts.mesh, state.q, state.v, state.t))
      values.push_back(norm);
  for (const FieldIntegral<dim> &integral : integrals)
    values.push_back(integral.value(*parts.mesh, state.q, state.v, state.t));
  return values;
}

template <int dim>
void Solid<dim>::add_section_forces(const State &state, const bool statics, std::vector<double> &values) const
{
  if (section_forces.empty())
    return;
  for (const Vector *field : {&state.q, &state.v, &state.a})
    field->update_ghost_values();
  dealii::Tensor<1, dim> carried;
  for (int d = 0; d < dim && base && !base->relative(); ++d)
    carried[d] = base->along(d, state.t).x;
  std::vector<double> forces;  // one reduction for all
  for (const SectionForce<dim> &section : section_forces)
    for (const double value : section.partial(*body, state, statics, carried))
      forces.push_back(value);
  MPI::sum(forces, parts.mesh->communicator, forces);
  values.insert(values.end(), forces.begin(), forces.end());
}

template <int dim>
std::string Solid<dim>::print(const State &state, const OutputTime &moment)
{
  if (!tables.are_due(state.n, moment))
    return "";
  typename PrintTables<dim>::PointMotion motion;
  if (points.any())
  {
    const auto [u, v, a] = points.points()->moved(state);
    motion = motion_of_points(u, v, points.points()->force(state, true));
  }
  if (structure_parts.any())
    add_parts(state, motion);
  motion.rotations = structure_parts.rotations(state);
  motion.contacts = contacts();
  if (const auto &terms = assembled->all_parts().terms; any_heated_elements(terms))
    motion.temperatures = points.by_name(temperatures_of_nodes(terms, state));
  return tables.print(*body, state, moment, motion);
}

template <int dim>
void Solid<dim>::add_parts(const State &state, typename PrintTables<dim>::PointMotion &motion) const
{
  if (motion.on_nodes.size() == 0)
    motion.on_nodes = assembled->new_vector();
  structure_parts.add_strain_force(state, motion.on_nodes);
  if (!points.any())
    return;
  const std::vector<double> f = points.points()->gather(motion.on_nodes);
  const auto &all = points.all_sections().model.parts.points;
  for (std::size_t k = 0; k < all.size(); ++k)
    std::copy_n(f.begin() + dim * k, dim, motion.by_name.at(all[k].name).end() - dim);
}

template <int dim>
typename PrintTables<dim>::PointMotion Solid<dim>::motion_of_points(const std::vector<double> &u, const std::vector<double> &v,
                                                                    const std::vector<double> &f) const
{
  typename PrintTables<dim>::PointMotion motion;
  const auto &all = points.all_sections().model.parts.points;
  motion.on_nodes = points.on_sites(f);
  for (std::size_t k = 0; k < all.size(); ++k)
  {
    std::vector<double> &row = motion.by_name[all[k].name];
    row.assign(u.begin() + dim * k, u.begin() + dim * (k + 1));
    row.insert(row.end(), v.begin() + dim * k, v.begin() + dim * (k + 1));
    row.insert(row.end(), f.begin() + dim * k, f.begin() + dim * (k + 1));
  }
  return motion;
}

template <int dim>
std::string Solid<dim>::print(const State &about, const PrintedField &field, const OutputTime &moment)
{
  if (!tables.wanted())
    return "";
  typename PrintTables<dim>::PointMotion motion;
  State shape;
  shape.q = field.field;
  if (points.any())
  {
    const std::vector<double> u = points.points()->moved(&about, shape.q);
    motion = motion_of_points(u, std::vector<double>(u.size(), 0.), points.points()->stiffness(about, shape.q));
  }
  motion.rotations = structure_parts.rotations(shape, &about);
  return tables.print(*body, about, field, moment, motion);
}

template <int dim>
const CellFrames<dim> &Solid<dim>::frames() const
{
  if (!cell_frames)
    cell_frames = std::make_unique<CellFrames<dim>>(*parts.mesh, FrameStyle{precision == "double", structure_parts.shared_points()});
  return *cell_frames;
}

template <int dim>
std::vector<std::string> Solid<dim>::write_frame(const State &state, const std::string &folder, const unsigned int number) const
{
  if (!field_output)
    field_output = std::make_unique<FieldOutput<dim>>(*body, frames(), fields, [this](const State &of) {
      return support_forces->at_nodes(of, this->actions->statics, forces_beside_cells(of, this->actions->statics)).reaction;
    });
  small_strains.observe(*body, state.q, state.t, true);
  const std::string stem = fmt::format("solution-{:05d}", number), of_points = stem + "-points.vtu";
  if (points.any())
    points.write(state, folder + "/" + of_points);
  std::vector<std::string> files = field_output->write(state, folder, number);
  if (points.any())
    files.insert(files.begin() + 1, of_points);
  structure_parts.write_frame(state, folder, number, files);
  return files;
}

template <int dim>
std::vector<std::string> Solid<dim>::write_shape(const Vector &shape, const std::string &folder, const std::string &stem,
                                                 const std::vector<PointValues> &fields) const
{
  State state;
  state.q = shape;
  state.v = state.a = Vector(shape.get_partitioner());
  std::size_t of_body = 0;
  std::vector<std::string> files{frames().write(shape, fields, state.t, folder, stem, of_body)};
  state.q = structure_parts.drawn_shape(shape);
  if (points.any())
  {
    files.push_back(stem + "-points.vtu");
    points.write(state, folder + "/" + files.back());
  }
  structure_parts.write_shape({state}, nullptr, folder, stem, fields, of_body, files);
  return files;
}

template <int dim>
StressPoints Solid<dim>::stresses(const State &state, const std::vector<Vector> &motions) const
{
  StressPoints points = stresses_at_nodes(*body, state, motions);
  structure_parts.add_stresses(state, motions, points);
  return points;
}

template <int dim>
void Solid<dim>::observe(const State &state, const bool counts, const bool row)
{
  if (counts && maxima.wanted())
    maxima.observe(*body, frames(), state);
  if (!row)
    return;
  small_strains.observe(*body, state.q, state.t, this->actions->statics);
  logarithms.observe(*body, state.q, state.t, this->actions->statics);
}

template <int dim>
void Solid<dim>::save(Archive &archive) const
{
  archive.put(name_of_tables, tables.saved());
  if (maxima.largest.size() > 0)
    archive.put(name_of_maxima, maxima.largest);
}

template <int dim>
void Solid<dim>::load(const Archive &archive)
{
  tables.load(archive.get<std::vector<double>>(name_of_tables));
  if (!maxima.wanted())
    return;
  if (!archive.has(name_of_maxima))
    return log_warning("Output/Maxima every: the checkpoint has no envelopes; they begin with the restart");
  maxima.largest = archive.get<Vector>(name_of_maxima);
}

template <int dim>
std::vector<std::string> Solid<dim>::write_maxima(const double time, const std::string &folder) const
{
  const std::string file = maxima.write(*body, frames(), time, folder);
  return file.empty() ? std::vector<std::string>() : std::vector<std::string>{file};
}

template <int dim>
std::string Solid<dim>::mesh_description(const Units &units) const
{
  const BodyMotions<dim> motions(*body, points, *mesh_parts, equations_hold, assembled->all_parts(), assembled->new_vector());
  return describe_parts(*mesh_parts, motions.groups(), units) + structure_parts.description() + describe_mesh(*parts.mesh, units);
}

template class Solid<2>;
template class Solid<3>;
}  // namespace symdyn
