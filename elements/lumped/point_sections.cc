#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "elements/lumped/constraint.h"
#include "elements/lumped/point_sections.h"
#include "elements/structure_part.h"
#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/parameters.h"

// How a deck describes points, and what acts on them.
namespace symdyn
{
namespace
{
constexpr std::size_t reported_by_default = 50;  ///< points
constexpr double same_section_place = 1e-6;      ///< of the size of the body

/// A name that formulas can use.
bool is_word(const std::string &name)
{
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](const unsigned char c) { return std::isalnum(c) || c == '_'; });
}

std::string written(const Place &x, const int dimension)
{
  std::string text;
  for (int d = 0; d < dimension; ++d)
    text += fmt::format("{}{:.10g}", d > 0 ? ", " : "", x[d]);
  return "(" + text + ") m";
}

/// act(kind, name, section) for each section of the deck about what acts on points.
template <class Act>
void for_sections(const Parameters &root, const Act &act)
{
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
  {
    const Parameters section = root.section(kind);
    for (const std::string &name : section.named_sections())
      act(kind, name, section.section(name));
  }
}
}  // namespace

struct PointSections::PointEntries
{
  double mass = 0;
  int count = 1;
  bool fixed = false, on_mesh = false, massless = false;
  std::string file, boundary, nodes, motion_is = "displacement";
  std::vector<std::string> free;
  std::vector<int> rows{1, 1};
  std::vector<std::vector<double>> data;  ///< the chosen rows
  std::vector<double> spin{0., 0., 0.};
  std::vector<Expression> motion, position{Expression("0", {"i"})}, displacement{Expression("0", {"x", "y", "z", "i"})},
      velocity = displacement;

  void declare(Parameters &p)
  {
    p.add("Mass", mass, "of each point [kg]; a fixed point and an end of a beam need none; of a point on a mesh: added to that of its node",
          positive());
    p.add("Count", count, "makes a group of so many points NAME0, NAME1, ...", between(1, 100000));
    p.add("Position", position, "components [m]; in a group, expressions of the number i = 0, 1, ...");
    p.add("Displacement", displacement, "components at t = 0 [m], expressions of the position x, y, z and of i");
    p.add("Velocity", velocity, "components at t = 0 [m/s], expressions of the position x, y, z and of i");
    p.add("Angular velocity", spin, "of the directors of beams and shells at the point at t = 0, about x, y, z [rad/s]");
    p.add("File", file,
          "instead of Position and Velocity: a file with a row of components, first of x, then of v, for each point; relative to the deck");
    p.add("Rows", rows, "of the file: the first, and from each to the next; comments do not count", {1, 1000000});
    p.add("Massless", massless, "beside a solid: a point without mass, of which Equations say how it moves along each axis");
    p.add("Fixed", fixed, "the point stays at its position, or moves as Motion says");
    p.add("Free", free, "components in which a fixed point moves freely: of x, y, z; it needs a Mass then");
    p.add("Motion is", motion_is,
          "what Motion gives; velocity [m/s] and acceleration [m/s^2] are integrated from rest at the Position at t = 0",
          {"displacement", "velocity", "acceleration"});
    p.in_units(motion_is == "velocity"       ? "m/s"
               : motion_is == "acceleration" ? "m/s^2"
                                             : "m")
        .add("Motion", motion,
             "displacement of a fixed point: components [m], of Motion is = velocity [m/s], of acceleration [m/s^2]; expressions of t");
    p.add("On mesh", on_mesh, "of a solid: the point is the node at its Position");
    p.add("On nodes", nodes,
          "of a solid, instead of Position: the node of this number in the mesh's .inp file; or a group of the nodes of this set");
    p.add("On boundary", boundary,
          "of a solid, instead of Position: a group NAME0, NAME1, ... of the nodes of this boundary, by x, then y, then z");
  }
};

bool PointSections::given(const Parameters &root)
{
  bool any = root.section("Points").exists() || root.section("Constraints").exists() || root.section("Equations").exists();
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
    any = any || root.section(kind).exists();
  return any;
}

void PointSections::read(Parameters root, const MeshPoints *body)
{
  mesh = body;
  const std::vector<std::string> kinds = Registry<StructurePart>::instance().names();
  beside_parts = std::any_of(kinds.begin(), kinds.end(), [&root](const std::string &kind) { return root.section(kind).exists(); });
  model = DiscreteModel();
  reported.clear();
  read_points(root);
  for_sections(root, [this](const std::string &kind, const std::string &name, const Parameters &p) {
    Registry<DiscreteSection>::instance().make(kind)->add_terms(name, p, model);
  });
  ConstraintSection().declare(root.section("Constraints"), model);
  EquationSection::read(root.section("Equations"), model);
  if (!mesh && !model.parts.equations.empty())
    root.section("Equations").fail("", "need a solid. Write them as Constraints with Law = expression");
}

void PointSections::announce(Parameters root)
{
  Parameters points = root.section("Points");
  PointSections().declare_space(points);
  for (const std::string &name : points.named_sections())
  {
    Parameters p = points.section(name);
    PointEntries().declare(p);
  }
  for_sections(root, [](const std::string &kind, const std::string &, const Parameters &p) {
    Registry<DiscreteSection>::instance().make(kind)->document(p);
  });
  ConstraintSection::announce(root.section("Constraints"));
  EquationSection::announce(root.section("Equations"));
}

void PointSections::declare_space(Parameters &p)
{
  p.add("Dimension", model.parts.dimension, "of the space: 1, 2 or 3; beside a solid that of its mesh", between(1, 3));
  p.add("Gravity", gravity,
        "components of g [m/s^2]: V = - sum m g.x over the masses of points, and the weight of beams; a solid has its own in Loads");
  p.add(
      "Report", report_names,
      "points and groups whose motion goes to history.csv, on beams and shells with the rotation vector; default: all, if there are not more than 50");
  p.add("Report accelerations", report_accelerations, "yes: history.csv has their accelerations, too: NAME.a_x and the like");
}

void PointSections::read_points(Parameters root)
{
  Parameters p = root.section("Points");
  model.parts.dimension = mesh ? mesh->dimension() : model.parts.dimension;
  declare_space(p);
  if (mesh && model.dimension() != mesh->dimension())
    p.fail("Dimension", fmt::format("is that of the mesh beside a solid: {}. Remove the entry", mesh->dimension()));
  if (!gravity.empty())
    model.parts.gravity = model.place(gravity, "Gravity", p);
  for (const std::string &name : p.named_sections())
    read_point(name, p.section(name));
  for_sections(root, [this](const std::string &kind, const std::string &name, const Parameters &section) {
    Registry<DiscreteSection>::instance().make(kind)->add_points(name, section, model);
  });
  if (model.parts.points.empty() && !beside_parts)
    p.fail("", "there is no point. Add one: subsection Points / subsection bob / set Mass = 1 / set Position = 0, 0, 0");
  select_reported(p);
}

void PointSections::select_reported(const Parameters &p)
{
  if (!report_names.empty())
    reported = model.find(report_names, p, "Report");
  else if (model.parts.points.size() <= reported_by_default)
    for (std::size_t k = 0; k < model.parts.points.size(); ++k)
      reported.push_back(k);
  if (report_accelerations && reported.empty())
    p.fail("Report accelerations", "has no effect, because no point is reported. Name points in Report, or remove the entry");
}

void PointSections::read_rows(PointEntries &entries, const Parameters &p) const
{
  for (const char *entry : {"Position", "Velocity"})
    if (p.given(entry))
      p.fail(entry, "is in the File. Remove one of them");
  if (entries.rows.size() != 2)
    p.fail("Rows", "are two numbers: the first row, and from each to the next");
  const std::string name = p.file_path(entries.file);
  const TextFile found_file = TextFile::read(name);
  if (!found_file.fault.empty())
    p.fail("File", found_file.place(name) + " " + found_file.fault);
  std::istringstream stream(found_file.text);
  const std::size_t wanted = 2 * model.dimension(), count = entries.count;
  std::string line;
  std::size_t found = 0;
  for (int number = 1, row = 1; std::getline(stream, line); ++number)
  {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<double> values;
    for (std::string word; words >> word;)
    {
      const auto value = number_from<double>(word);
      if (!value)
        p.fail("File", fmt::format("{}:{}: '{}' is not a finite number", name, number, word));
      values.push_back(*value);
    }
    if (values.empty())
      continue;
    if (values.size() != wanted)
      p.fail("File",
             fmt::format("{}:{}: has {} numbers; a row has {}: the components of x, then of v", name, number, values.size(), wanted));
    if (row >= entries.rows[0] && (row - entries.rows[0]) % entries.rows[1] == 0 && ++found <= count)
      entries.data.push_back(values);
    ++row;
  }
  if (found != count)
    p.fail("File", fmt::format("{} has {} such rows; Count = {} points need as many", name, found, count));
}

void PointSections::check_mesh_point(const PointEntries &entries, const Parameters &p) const
{
  const bool group = !entries.boundary.empty() || !entries.nodes.empty();
  const std::string where = !group ? "On mesh" : entries.nodes.empty() ? "On boundary" : "On nodes";
  if (!entries.boundary.empty() && !entries.nodes.empty())
    p.fail("On nodes", "there is On boundary, too. Keep one of both");
  if (!mesh)
    p.fail(where, "there is no mesh with Structure = discrete. Remove the entry, or describe a solid (Structure = solid)");
  if (group && (p.given("Position") || p.given("Count")))
    p.fail(where, "gives places and number of these points. Remove Position and Count");
  if (group && p.given("Angular velocity"))
    p.fail("Angular velocity", "is of one point. Give points by Position, or remove the entry");
  if (!group && !p.given("Position"))
    p.fail("Position", "a point on the mesh needs the place of its node [m], or On boundary");
  for (const char *entry : {"Displacement", "Velocity"})
    if (p.given(entry))
      p.fail(entry, "a point on the mesh moves with the body. Remove the entry; the body's is in \"Initial conditions\"");
  for (const char *entry : {"Fixed", "Free", "Motion", "Motion is"})
    if (p.given(entry))
      p.fail(entry, "a point on the mesh moves with the body. Remove the entry; \"Supports\" hold the body");
  for (const char *entry : {"File", "Rows", "Massless"})
    if (p.given(entry))
      p.fail(entry, "is for points with a motion of their own. Remove the entry, or " + where);
}

void PointSections::check_own_point(const PointEntries &entries, const Parameters &p) const
{
  if (p.given("Rows") && !p.given("File"))
    p.fail("Rows", "has no effect without File. Remove the entry");
  if (!p.given("File") && !p.given("Position"))
    p.fail("Position", "a point needs its position [m], or a File with it");
  if (entries.massless && (p.given("Mass") || entries.fixed || !mesh))
    p.fail("Massless", !mesh ? "there is no solid that the point could move with. Give it a Mass"
                             : "such a point has no Mass and is not Fixed. Keep one of them");
  if (!p.given("Mass") && (!entries.fixed || !entries.free.empty()) && !entries.massless && !beside_parts)
    p.fail("Mass", "a point that moves needs its mass [kg], > 0. Give it, or set Fixed = yes");
  if (entries.fixed && entries.free.empty())
    for (const char *entry : {"Displacement", "Velocity", "File"})
      if (p.given(entry))
        p.fail(entry, "a fixed point rests at its Position, which the deck gives. Remove the entry, or Fixed");
  if (p.given("Motion is") && entries.motion.empty())
    p.fail("Motion is", "has no effect without Motion. Give that, or remove the entry");
  if (!entries.motion.empty() && !entries.fixed)
    p.fail("Motion", "is of a fixed point. Set Fixed = yes, or remove the entry");
  if (!entries.motion.empty() && int(entries.motion.size()) != model.dimension())
    p.fail("Motion", fmt::format("needs {} components separated by commas", model.dimension()));
  check_free(entries, p);
}

void PointSections::check_free(const PointEntries &entries, const Parameters &p) const
{
  if (entries.free.empty())
    return;
  const std::string letters = std::string("xyz").substr(0, model.dimension());
  if (!entries.fixed)
    p.fail("Free", "is of a fixed point. Set Fixed = yes, or remove the entry");
  for (const std::string &axis : entries.free)
  {
    const auto d = axis.size() == 1 ? letters.find(axis) : std::string::npos;
    if (d == std::string::npos || std::count(entries.free.begin(), entries.free.end(), axis) > 1)
      p.fail("Free", fmt::format("'{}': components are letters of {}, each once", axis, letters));
    if (!entries.motion.empty() && !entries.motion[d].is_zero())
      p.fail("Motion", fmt::format("the point is free along {}: write 0 for this component", axis));
  }
  if (entries.free.size() == letters.size())
    p.fail("Free", "these are all components. Leave out Fixed and Free");
}

void PointSections::read_point(const std::string &name, Parameters p)
{
  PointEntries entries;
  entries.declare(p);
  if (!is_word(name) || name == Ends::ground || name == "from" || name == "to")
    p.fail("",
           fmt::format("a point's name is made of letters, digits and _, starts with a letter, and is not {}, from, to: formulas use it",
                       Ends::ground));
  const bool group = !entries.boundary.empty() || !entries.nodes.empty();
  entries.on_mesh || group ? check_mesh_point(entries, p) : check_own_point(entries, p);
  if (group)
  {
    add_mesh_group(name, entries, p);
    return;
  }
  if (p.given("File"))
    read_rows(entries, p);
  for (int i = 0; i < entries.count; ++i)
    add_point(entries.count == 1 ? name : name + std::to_string(i), i, entries, p);
  if (entries.count > 1)
    model.add_group(name, entries.count, p);
}

void PointSections::add_mesh_group(const std::string &name, const PointEntries &entries, const Parameters &p)
{
  std::vector<MeshPoints::Node> nodes;
  const bool named = !entries.nodes.empty();
  try
  {
    nodes = named ? mesh->named(entries.nodes) : mesh->on_boundary(entries.boundary);
  }
  catch (const InputError &error)
  {
    p.fail(named ? "On nodes" : "On boundary", error.what());
  }
  const bool one = named && nodes.size() == 1;
  const std::vector<double> none(model.dimension(), 0.);
  for (std::size_t i = 0; i < nodes.size(); ++i)
  {
    LumpedPoint point;
    point.name = one ? name : name + std::to_string(i);
    point.mass = entries.mass;
    point.position = nodes[i].position;
    point.node = nodes[i].number;
    model.add_point(point, none, none, p);
  }
  if (!one)
    model.add_group(name, nodes.size(), p);
}

/// The nearest node, if it is at the point's place.
void PointSections::put_on_mesh(LumpedPoint &point, const Parameters &p) const
{
  const MeshPoints::Node node = mesh->nearest(point.position);
  double distance = 0;
  for (int d = 0; d < model.dimension(); ++d)
    distance += std::pow(node.position[d] - point.position[d], 2);
  if (!(std::sqrt(distance) <= same_section_place * mesh->size()))
    p.fail("Position", fmt::format("there is no node of the mesh at {}: the nearest is at {}. Give this place, or other cells",
                                   written(point.position, model.dimension()), written(node.position, model.dimension())));
  point.node = node.number;
  point.position = node.position;
}

void PointSections::add_point(const std::string &name, const int i, const PointEntries &entries, const Parameters &p)
{
  const int n = model.dimension();
  LumpedPoint point;
  point.name = name;
  point.where = p.where();
  point.mass = entries.mass;
  point.fixed = entries.fixed;
  if (p.given("Angular velocity"))
  {
    if (entries.spin.size() != 3)
      p.fail("Angular velocity", "needs 3 components separated by commas");
    point.spin = {entries.spin[0], entries.spin[1], entries.spin[2]};
  }
  for (const std::string &axis : entries.free)
    point.free[std::string("xyz").find(axis)] = true;
  point.massless = entries.massless;
  point.motion = entries.motion;
  if (const int times = entries.motion_is == "velocity" ? 1 : entries.motion_is == "acceleration" ? 2 : 0; times > 0)
    for (const Expression &component : entries.motion)
      point.integrals.push_back(
          std::make_shared<TimeIntegral>([component](const double t) { return component.in_time(nullptr, 0, t); }, times));
  const bool in_file = !entries.data.empty();
  const std::vector<double> *row = in_file ? &entries.data[i] : nullptr;
  const std::vector<double> position =
      in_file ? std::vector<double>(row->begin(), row->begin() + n) : model.components(entries.position, {double(i)}, "Position", p);
  std::copy(position.begin(), position.end(), point.position.begin());
  if (entries.on_mesh)
    put_on_mesh(point, p);
  const std::vector<double> variables{point.position[0], point.position[1], point.position[2], double(i)};
  const std::vector<double> none(n, 0.);
  const std::vector<double> u = p.given("Displacement") ? model.components(entries.displacement, variables, "Displacement", p) : none;
  const std::vector<double> v = in_file               ? std::vector<double>(row->begin() + n, row->end())
                                : p.given("Velocity") ? model.components(entries.velocity, variables, "Velocity", p)
                                                      : none;
  model.add_point(point, u, v, p);
}

void PointSections::document(Parameters root)
{
  Parameters points = root.section("Points"), point = points.section("<name>");
  PointSections().declare_space(points);
  PointEntries().declare(point);
  for (const std::string &kind : Registry<DiscreteSection>::instance().names())
    Registry<DiscreteSection>::instance().make(kind)->document(root.section(kind).section("<name>"));
  ConstraintSection::document(root.section("Constraints"));
  EquationSection::document(root.section("Equations"));
}
}  // namespace symdyn
