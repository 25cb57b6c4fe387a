#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/files/shared_points.h"
#include "elements/models/gathered_rows.h"
#include "elements/models/structure_parts.h"
#include "elements/output/turned_frames.h"
#include "solver/base/counted.h"
#include "solver/base/units.h"
#include "solver/error.h"

// What parts report, and how they are drawn.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

void StructureParts::declare_frames(Parameters output, const bool of_body)
{
  output.add("Points", points,
             "of frames and shapes: shared: cells of a material, elements of a beam and of a shell share the points of their nodes, where "
             "fields are means over them; per cell: each cell has points of its own, with its own stress",
             {"shared", "per cell"});
  if (output.given("Points") && !of_body && !any_elements())
    output.fail("Points", "has no effect, because there are no bodies, beams or shells. Remove the entry");
  output.add(
      "Thickness", thickness,
      "of beams and shells in frames: real: their sections and faces, from the thickness [m]; none: axes and middle surfaces, with the "
      "largest stress over the section",
      {"real", "none"});
  if (output.given("Thickness") && !any_elements())
    output.fail("Thickness", "has no effect, because there are no beams or shells. Remove the entry");
}

void StructureParts::add_columns(const Units &units, std::vector<Column> &columns) const
{
  for (const Part &one : parts)
    for (const Column &column : one.part->columns(units))
      columns.push_back(column);
  for (const Part &one : parts)
    for (const Column &column : one.part->columns_of_relations(units))
      columns.push_back(column);
}

void StructureParts::add_values(const State &state, const std::function<std::vector<double>()> &multipliers,
                                std::vector<double> &values) const
{
  for (const Part &one : parts)
    one.part->values(state, values);
  const auto reports = [](const Part &one) { return !one.part->columns_of_relations({}).empty(); };
  if (std::none_of(parts.begin(), parts.end(), reports))
    return;
  const std::vector<double> of_relations = multipliers();
  for (const Part &one : parts)
    one.part->values_of_relations(state, of_relations.data() + one.first_relation, values);
}

ElementTables StructureParts::tabulate(const State &state, const std::string &quantity, const ElementNumbers &elements,
                                       const bool of_field) const
{
  if (of_field && !all_linear)
    throw InputError(
        fmt::format("{} of modes and of harmonic vibration is written of beams and shells with Geometry = linear only. Leave it out of the "
                    "Quantities of this stage",
                    quantity));
  state.q.update_ghost_values();
  ElementTables tables;
  for (const Part &one : parts)
    one.part->tabulate(state, quantity, elements, tables);
  return gathered(tables, state.q.get_mpi_communicator());
}

std::map<std::string, std::vector<double>> StructureParts::rotations(const State &state, const State *about) const
{
  std::map<std::string, std::vector<double>> all;
  for (const Part &one : parts)
    if (std::vector<double> turned = one.part->rotation(state, about); !turned.empty())
      all.emplace(one.name, std::move(turned));
  return all;
}

void StructureParts::add_facts(ModelFacts &facts) const
{
  if (!any())
    return;
  for (int d = 0; d < facts.dimension; ++d)
  {
    facts.centre[d] = (facts.mass * facts.centre[d] + found.moment[d]) / (facts.mass + found.mass);
    if (found.places > 0)
    {
      facts.lower[d] = std::min(facts.lower[d], found.lower[d]);
      facts.upper[d] = std::max(facts.upper[d], found.upper[d]);
    }
  }
  facts.mass += found.mass;
  facts.nodes += found.places;
  facts.dofs += facts.dimension * found.sites;
  facts.held_nodes += found.held;
  for (const Part &one : parts)
    for (const std::string &load : one.part->loads())
      facts.loads.push_back(load);
}

namespace
{
void append_frame(const NodeFrame &frame, const MPI_Comm communicator, const std::string &folder, const std::string &stem,
                  std::vector<std::string> &files)
{
  if (MPI::max(int(!frame.types.empty()), communicator) == 1)
    files.push_back(write_node_frame(frame, folder, stem, communicator));
}
}  // namespace

void StructureParts::share_points(NodeFrame &frame, const MPI_Comm communicator) const
{
  if (points != "shared")
    return;
  frame.keys.resize(frame.places.values.size() / frame.places.width, alone);
  const SharedPoints shared(frame.keys, communicator);
  for (NodeField &field : frame.fields)
    shared.average(field);
  shared.merge(frame);
}

void StructureParts::write_frame(const State &state, const std::string &folder, const int number, std::vector<std::string> &files) const
{
  const MPI_Comm communicator = state.q.get_mpi_communicator();
  NodeFrame frame = frame_of(state, &StructurePart::draw);
  share_points(frame, communicator);
  append_frame(frame, communicator, folder, fmt::format("solution-{:05d}-parts", number), files);
  append_frame(frame_of(state, &StructurePart::draw_surfaces), communicator, folder, fmt::format("contact-{:05d}", number), files);
}

void StructureParts::write_shape(const std::vector<State> &sectors, const CyclicSymmetry *whole, const std::string &folder,
                                 const std::string &stem, const std::vector<PointValues> &fields, const std::size_t first,
                                 std::vector<std::string> &files) const
{
  const auto frame_of_sector = [&](const int k) {
    NodeFrame frame = frame_of(sectors[k], &StructurePart::draw, !fields.empty());
    frame.fields.resize(1);
    for (const PointValues &field : fields)
      frame.fields.push_back({field.name, field.width, {field.values.begin() + long(first * field.width), field.values.end()}});
    share_points(frame, sectors[k].q.get_mpi_communicator());
    return frame;
  };
  const NodeFrame frame = whole ? turned_frames(*whole, int(sectors.size()), frame_of_sector) : frame_of_sector(0);
  append_frame(frame, sectors.front().q.get_mpi_communicator(), folder, stem + "-parts", files);
}

NodeFrame StructureParts::frame_of_shape(const Vector &shape) const
{
  State state;
  state.q = drawn_shape(shape);
  state.v = state.a = Vector(shape.get_partitioner());
  NodeFrame frame = frame_of(state, &StructurePart::draw);
  share_points(frame, shape.get_mpi_communicator());
  return frame;
}

NodeFrame StructureParts::frame_of(const State &state, void (StructurePart::*draw)(const State &, NodeFrame &) const,
                                   const bool stressed) const
{
  NodeFrame frame{{}, {}, {}, true, state.t, {"Points", 3, {}}, {{"displacement", 3, {}}}, {}};
  frame.thick = thickness == "real" || stressed;
  frame.stressed = stressed;
  if (stressed)
    frame.field("stress", StressPoints::components);  // 0 where a part has none
  state.q.update_ghost_values();
  for (const Part &one : parts)
  {
    ++frame.part;
    ((*one.part).*draw)(state, frame);
  }
  frame.complete();
  return frame;
}

void StructureParts::add_stresses(const State &state, const std::vector<Vector> &motions, StressPoints &points) const
{
  const auto add = [](const NodeFrame &frame, const double factor, std::vector<double> &stress) {
    for (const NodeField &field : frame.fields)
      if (field.name == "stress")
        for (const double one : field.values)
          stress.push_back(factor * one);
  };
  const NodeFrame frame = frame_of(state, &StructurePart::draw, true);
  points.places.insert(points.places.end(), frame.places.values.begin(), frame.places.values.end());
  add(frame, 1., points.stress);
  points.axial = points.axial || frame.axial;
  for (std::size_t k = 0; k < motions.size() && !parts.empty(); ++k)
  {
    std::vector<double> halves[2];
    for (const int side : {0, 1})
    {
      State at = state;
      at.q.add(side == 0 ? 1. : -1., motions[k]);
      add(frame_of(at, &StructurePart::draw, true), 0.5, halves[side]);
    }
    for (std::size_t i = 0; i < halves[0].size(); ++i)
      points.along[k].push_back(halves[0][i] - halves[1][i]);
  }
}

std::string StructureParts::description() const
{
  std::string text;
  for (const Part &one : parts)
  {
    const std::string words = one.part->description();
    text += fmt::format("  {}: {}{}{}\n", one.kind, one.name, words.empty() ? "" : ", ", words);
  }
  std::string nodes;
  for (std::size_t count = 1; count < found.nodes_with.size(); ++count)
    if (found.nodes_with[count] > 0)
      nodes += fmt::format("{}{} with {}", nodes.empty() ? "" : ", ", counted(found.nodes_with[count], "node"), counted(count, "director"));
  if (!nodes.empty())
    text += "  directors: " + nodes + "\n";
  return text;
}

/// Pictures show references off a plane by their finite rotation.
Vector StructureParts::drawn_shape(const Vector &shape) const
{
  State state;
  state.q = shape;
  for (const auto &[site, reference] : off_plane)
  {
    const GramVector linear = reference.lift(nullptr, shape), finite = reference.lift({0., 0, shape, {}, {}, {}, nullptr})[0];
    for (int d = 0; d < 3 && sites->owns(site); ++d)
      state.q.local_element(3 * sites->local(site) + d) += linear[d] - finite[d];
  }
  state.q.update_ghost_values();
  return state.q;
}
}  // namespace symdyn
