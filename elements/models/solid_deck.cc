#include "elements/models/solid.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/section/wave_speeds.h"
#include "meshes/cells_help.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/deck/deck.h"
#include "solver/error.h"

// How a deck describes a solid.
namespace symdyn
{
namespace
{
void warn_of_backstress(const Material &law, const std::string &name, const std::string &where)
{
  const InelasticMaterial *memory = inelastic(law);
  const std::vector<Remembered> all = memory ? memory->remembered() : std::vector<Remembered>();
  if (std::any_of(all.begin(), all.end(), [](const Remembered &one) { return one.name == "backstress"; }))
    log_warning(
        fmt::format("{}: material '{}' has backstresses: they are 0 at the start. Plastic strain is a strain without stress of "
                    "the undeformed body; its law has neither flowed nor hardened",
                    where, name));
}
}  // namespace

template <int dim>
void Solid<dim>::declare(Parameters &root)
{
  declare_mesh(root.section("Mesh"));
  declare_materials(root.section("Materials"));
  declare_system(root);
  const Parameters stages = root.section("Stages");
  const std::vector<std::string> names = stages.named_sections();
  may_hold_motions =
      std::any_of(names.begin(), names.end(), [&](const std::string &stage) { return stages.section(stage).given("Free motions"); });
  structure_parts.declare(root, true);
  if (dim == 3 && SurfaceModel::given(root))
    surface.declare_beside(root, structure_parts.names(&StructurePart::groups_of_mesh));
  declare_loads(root.section("Loads"));
  declare_initial(root.section("Initial conditions"));
  temperature->declare(root.section("Temperature"));
  initial_state->declare(root.section("Initial state"));
  if (initial_state->given())
    for (DeckMaterial &material : materials)
    {
      material.initial = [state = initial_state](const unsigned int cell, const double *X) { return state->at(cell, X); };
      if (initial_state->strains())
        warn_of_backstress(*material.law, material.name, initial_state->where());
    }
  declare_fields(root.section("Output"));
  points.declare(root);
  structure_parts.declare_inertia(root.section("Elements"), mass_name);
  parts.base = base = BaseMotion::read(root, dim);
  declare_reports(root);
  speeds_of_waves = wave_speeds(root);
  tables.declare(PrintSchedule::section(root));
}

template <int dim>
void Solid<dim>::declare_fields(Parameters p)
{
  const std::vector<std::string> all = FieldOutput<dim>::fields();
  p.add("Fields", fields,
        "what frames hold: " + join(all) +
            "; stress costs half of a frame, the others of stress more; quadrature stress goes to quadrature.pvd");
  for (const std::string &field : fields)
    if (std::count(fields.begin(), fields.end(), field) > 1)
      p.fail("Fields", fmt::format("names '{}' twice. Name each field once", field));
    else if (!std::count(all.begin(), all.end(), field))
      p.fail("Fields", fmt::format("'{}' is no field; there are: {}", field, join(nearest_first(field, all))));
  p.add("Precision", precision,
        "of the numbers in frames and shapes: single (Float32), or double (Float64, not compressed: about 5 times the size)",
        {"single", "double"});
  maxima.declare(p);
}

template <int dim>
void Solid<dim>::declare_mesh(Parameters p)
{
  MeshChoice &m = mesh_choice;
  std::vector<std::string> types = Registry<MeshGenerator<dim>>::instance().names();
  types.push_back("file");
  p.add("Type", m.type, "shape to mesh, or file", types);
  m.entries.declare(p, "Gmsh .msh, Abaqus .inp, VTK .vtk or UCD .ucd");
  p.renamed_value("Cell shape", "tensor", "hexahedra");
  p.renamed_value("Cell shape", "simplex", "tetrahedra");
  p.add("Cell shape", m.cell_shape, "hexahedra (in 2-D quadrilaterals), or tetrahedra (in 2-D triangles), into which a shape is split",
        {"hexahedra", "tetrahedra"});
  p.renamed("Cells", "Subdivisions");
  p.add("Subdivisions", m.cells, help_of_cells(), {1, 100000});
  p.renamed("Degree", "Order");
  p.add("Order", m.degree, "polynomial order: hexahedra 1-4, other cells 1-2", between(1, 4));
  p.add("Element", m.element, "energy of a cell: " + help_of_formulations<dim>(), formulation_names<dim>());
  m.degree_given = p.given("Order");
  m.element_given = p.given("Element");
  m.where_element = p.where(m.element_given ? "Element" : "Order");
  p.add("Refinements", m.refinements, "global refinements after the coarse mesh is distributed", between(0, 12));
  p.add("Memory limit", m.memory_limit, "of the run on each machine [GiB]; 0: what is free there", not_negative());
  m.where = p.where("Subdivisions");
  m.where_size = m.refinements > 0 ? p.where("Refinements") : m.where;
  for (const std::string &name : types)
    if (name != "file" && name != m.type)
    {
      Parameters other = p.inactive_section(name);
      if (other.exists())
        Registry<MeshGenerator<dim>>::instance().make(name)->declare(other);
    }
  if (m.type == "file")
  {
    if (m.entries.file.empty())
      p.fail("File", "Type = file needs the name of a mesh file");
    if (p.given("Subdivisions"))
      p.fail("Subdivisions", "has no effect with Type = file. Remove it; use Refinements to refine");
    m.where = p.where("File");
    m.where_size = m.refinements > 0 ? p.where("Refinements") : m.where;
    m.file_path = m.entries.path(p, dim);
    return;
  }
  for (const char *entry : {"File", "Parameters"})
    if (p.given(entry))
      p.fail(entry, "has no effect with Type = " + m.type + ". Set Type = file, or remove the entry");
  Parameters own = p.section(m.type);
  m.generator = Registry<MeshGenerator<dim>>::instance().make(m.type);
  m.generator->declare(own);
}

template <int dim>
void Solid<dim>::declare_materials(Parameters p)
{
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    DeckMaterial m;
    m.name = name;
    m.declare_entries(section);
    if (dim == 3 && section.given("Thickness"))
      section.fail("Thickness", "is of bodies in the plane. Set Mesh/Dimension = 2, or remove the entry");
    m.where_law = section.where("Type");
    m.where = section.given("Groups") ? section.where("Groups") : section.where();
    if (section.given("Type") && !section.given("Density"))
      section.fail("Density", "a material needs its density [kg/m^3]");
    m.make_law(section);
    if (dim == 3 && m.law->plane_stress())
      section.fail("Plane", "plane stress exists in 2-D only. Set Mesh/Dimension = 2, or remove the entry");
    materials.push_back(m);
  }
  if (materials.empty())
    p.fail(
        "",
        "there is no material. Add one: subsection Materials / subsection steel / set Type = st-venant-kirchhoff / set E = 210e9 / set nu = 0.3 / set Density = 7850");
}

template <int dim>
void Solid<dim>::declare_system(Parameters &root)
{
  Parameters elements = root.section("Elements");
  elements.add("Mass", mass_name, "consistent, or lumped (diagonal; explicit schemes need it)", {"consistent", "lumped"});
  std::string directors = "elastic";
  elements.add("Directors", directors, "of beams and shells: elastic; exact ones are for decks without a solid", {"elastic", "exact"});
  if (directors == "exact")
    elements.fail("Directors", "exact directors are not available beside a solid. Set Directors = elastic");
  parts.mass_type = mass_name == "lumped" ? MassType::lumped : MassType::consistent;

  parts.rotation = TurningFrame::read(root, dim);
  parts.damping.declare(root.section("Damping"));
  this->reported_ratios = parts.damping.told();

  solver_choice.declare(root.section("Linear solver"));
  parts.linear_solver = solver_choice.solver;
  parts.linear_tolerance = solver_choice.tolerance;

  parts.supports = std::make_shared<Supports<dim>>();
  Parameters supports = root.section("Supports");
  parts.supports->declare(supports);
}

template <int dim>
void Solid<dim>::declare_loads(Parameters p)
{
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    if (surface.takes(section))
    {
      surface.declare_load(name, section);
      continue;
    }
    std::string type;
    section.add("Type", type, "kind of load", Registry<Load<dim>>::instance().names());
    if (!section.given("Type"))
      section.fail("Type", "a load needs its type, one of: " + join(Registry<Load<dim>>::instance().names()));
    std::unique_ptr<Load<dim>> load = Registry<Load<dim>>::instance().make(type);
    load->declare(section);
    LoadInUse use{name, section.where(), std::move(load)};
    if (section.given("Boundary"))
      use.where = section.where("Boundary");
    parts.loads.push_back(use);
    load_names.push_back(fmt::format("{} ({})", name, type));
  }
}

template <int dim>
void Solid<dim>::declare_initial(Parameters p)
{
  p.add("Displacement", initial_displacement, "components [m], expressions of x, y, z at t = 0");
  p.add("Velocity", initial_velocity, "components [m/s], expressions of x, y, z at t = 0");
  where_initial = {p.where("Displacement"), p.where("Velocity")};
  for (const auto &[name, field] : {std::pair{"Displacement", &initial_displacement}, {"Velocity", &initial_velocity}})
  {
    if (!field->empty() && field->size() != dim)
      p.fail(name, fmt::format("needs {} components separated by commas", dim));
    for (const Expression &component : *field)
      if (component.uses("t"))
        p.fail(name, "an initial field depends on x, y, z alone");
  }
}

template <int dim>
void Solid<dim>::document(Parameters &root)
{
  // Declarations are recorded before an object complains that its constants are missing.
  const auto record = [](auto &object, Parameters p) {
    try
    {
      object.declare(p);
    }
    catch (const InputError &)
    {
    }
  };
  Solid<dim> specimen;
  record(specimen, root);
  Parameters mesh = root.section("Mesh"), material = root.section("Materials").section("<name>");
  for (const std::string &name : Registry<MeshGenerator<dim>>::instance().names())
    record(*Registry<MeshGenerator<dim>>::instance().make(name), mesh.section(name));
  MaterialSection().declare_entries(material);
  for (const std::string &name : Registry<Material>::instance().names())
  {
    const std::shared_ptr<Material> law = Registry<Material>::instance().make(name);
    record(*law, material);
    if (!inelastic(*law) || dynamic_cast<const OverTemperature *>(law.get()))
      record(*law, material.section("At temperatures").section("<name>"));
  }
  MaterialSection().document_heat(material);
  specimen.declare_system(root);
  BaseMotion::document(root.section("Base motion"));
  Parameters supports = root.section("Supports");
  specimen.parts.supports->document(supports.section("<name>"));
  Parameters load = root.section("Loads").section("<name>");
  std::string text;
  load.add("Type", text, "kind of load", Registry<Load<dim>>::instance().names());
  for (const std::string &name : Registry<Load<dim>>::instance().names())
    record(*Registry<Load<dim>>::instance().make(name), load);
  specimen.declare_initial(root.section("Initial conditions"));
  specimen.temperature->document(root.section("Temperature"));
  specimen.initial_state->document(root.section("Initial state"));
  specimen.declare_fields(root.section("Output"));
  PrintTables<dim>::document(PrintSchedule::section(root));
  StructureParts::document(root);
  document_reports(root);
}

template class Solid<2>;
template class Solid<3>;
}  // namespace symdyn
