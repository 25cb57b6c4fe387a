// Every registered shape and every reader of mesh files: sizes, names, orientation, errors.
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "meshes/mesh.h"
#include "solver/deck.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace
{
using namespace symdyn;
using dealii::numbers::PI;
using Areas = std::map<std::string, double>;

struct Sizes
{
  double volume = 0, area = 0, smallest_jacobian = std::numeric_limits<double>::infinity();
  Areas boundaries;
};

template <int dim>
void add_face_areas(const CoarseMesh<dim> &mesh, const dealii::FEFaceValuesBase<dim> &values,
                    const dealii::types::boundary_id id, Sizes &sizes)
{
  double area = 0;
  for (const double weight : values.get_JxW_values()) area += weight;
  sizes.area += area;
  for (const auto &[name, ids] : mesh.boundaries)
    if (ids.count(id)) sizes.boundaries[name] += area;
}

/// By quadrature on straight cells.
template <int dim>
Sizes measure(const CoarseMesh<dim> &mesh)
{
  const bool simplices = mesh.cells.all_reference_cells_are_simplex();
  std::unique_ptr<dealii::Mapping<dim>> mapping;
  std::unique_ptr<dealii::FiniteElement<dim>> fe;
  if (simplices)
  {
    mapping = std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
    fe = std::make_unique<dealii::FE_SimplexP<dim>>(1);
  }
  else
  {
    mapping = std::make_unique<dealii::MappingQGeneric<dim>>(1);
    fe = std::make_unique<dealii::FE_Nothing<dim>>();
  }
  const dealii::Quadrature<dim> inside = simplices ? dealii::Quadrature<dim>(dealii::QGaussSimplex<dim>(2))
                                                   : dealii::Quadrature<dim>(dealii::QGauss<dim>(3));
  const dealii::Quadrature<dim - 1> on_face = simplices && dim == 3
                                                  ? dealii::Quadrature<dim - 1>(dealii::QGaussSimplex<dim - 1>(2))
                                                  : dealii::Quadrature<dim - 1>(dealii::QGauss<dim - 1>(3));
  dealii::FEValues<dim> cell_values(*mapping, *fe, inside, dealii::update_JxW_values | dealii::update_jacobians);
  dealii::FEFaceValues<dim> face_values(*mapping, *fe, on_face, dealii::update_JxW_values);
  Sizes sizes;
  for (const auto &cell : mesh.cells.active_cell_iterators())
  {
    cell_values.reinit(cell);
    for (const unsigned int q : cell_values.quadrature_point_indices())
    {
      sizes.volume += cell_values.JxW(q);
      sizes.smallest_jacobian = std::min(sizes.smallest_jacobian, cell_values.jacobian(q).determinant());
    }
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary())
      {
        face_values.reinit(cell, f);
        add_face_areas(mesh, face_values, cell->face(f)->boundary_id(), sizes);
      }
  }
  return sizes;
}

template <int dim>
CoarseMesh<dim> make(const std::string &shape, const std::string &entries = "", const std::vector<int> &cells = {})
{
  auto deck = Deck::from_text(entries, "test.prm");
  auto parameters = deck.root();
  const auto generator = Registry<MeshGenerator<dim>>::instance().make(shape);
  generator->declare(parameters);
  deck.finish();
  CoarseMesh<dim> mesh;
  generator->make(cells, mesh);
  return mesh;
}

struct Geometry
{
  double volume;
  Areas boundaries;
  bool curved = false;
};

/// The default size of each shape, by hand.
template <int dim>
const std::map<std::string, Geometry> &geometries();

template <>
const std::map<std::string, Geometry> &geometries<2>()
{
  const double low = std::hypot(48e-3, 44e-3), high = std::hypot(48e-3, 16e-3);
  const double angle = std::asin(0.01 / 0.05), start = std::sqrt(0.05 * 0.05 - 0.01 * 0.01);
  static const std::map<std::string, Geometry> all = {
      {"box", {1, {{"x-", 1}, {"x+", 1}, {"y-", 1}, {"y+", 1}}}},
      {"boxes", {2, {{"x0-", 1}, {"x0+", 1}, {"x1-", 1}, {"x1+", 1}, {"y-", 2}, {"y+", 2}}}},
      {"beam", {10, {{"root", 1}, {"tip", 1}, {"bottom", 10}, {"top", 10}}}},
      {"ring", {0.75 * PI, {{"inner", PI}, {"outer", 2 * PI}}, true}},
      {"plate-with-hole", {1 - 0.01 * PI, {{"hole", 0.2 * PI}, {"x-", 1}, {"x+", 1}, {"y-", 1}, {"y+", 1}}, true}},
      {"cook", {1440e-6, {{"left", 44e-3}, {"right", 16e-3}, {"bottom", low}, {"top", high}}}},
      {"flag",
       {0.4 * 0.02 - 0.05 * 0.05 * angle - 0.01 * start,
        {{"cylinder", 2 * 0.05 * angle}, {"tip", 0.02}, {"bottom", 0.4 - start}, {"top", 0.4 - start}},
        true}}};
  return all;
}

template <>
const std::map<std::string, Geometry> &geometries<3>()
{
  const double t = 1e-3, low = std::hypot(48e-3, 44e-3) * t, high = std::hypot(48e-3, 16e-3) * t;
  const double tube = (1 - 0.64) * PI, plate = 1 - 0.01 * PI;
  static const std::map<std::string, Geometry> all = {
      {"box", {1, {{"x-", 1}, {"x+", 1}, {"y-", 1}, {"y+", 1}, {"z-", 1}, {"z+", 1}}}},
      {"boxes", {2, {{"x0-", 1}, {"x0+", 1}, {"x1-", 1}, {"x1+", 1}, {"y-", 2}, {"y+", 2}, {"z-", 2}, {"z+", 2}}}},
      {"beam", {10, {{"root", 1}, {"tip", 1}, {"bottom", 10}, {"top", 10}, {"back", 10}, {"front", 10}}}},
      {"rod", {0.01 * PI, {{"root", 0.01 * PI}, {"tip", 0.01 * PI}, {"side", 0.2 * PI}}, true}},
      {"ring", {0.075 * PI, {{"inner", 0.1 * PI}, {"outer", 0.2 * PI}, {"z-", 0.75 * PI}, {"z+", 0.75 * PI}}, true}},
      {"hollow-cylinder", {2 * tube, {{"inner", 3.2 * PI}, {"outer", 4 * PI}, {"z-", tube}, {"z+", tube}}, true}},
      {"plate-with-hole",
       {0.1 * plate,
        {{"hole", 0.02 * PI}, {"x-", 0.1}, {"x+", 0.1}, {"y-", 0.1}, {"y+", 0.1}, {"z-", plate}, {"z+", plate}},
        true}},
      {"cook",
       {1440e-6 * t,
        {{"left", 44e-3 * t},
         {"right", 16e-3 * t},
         {"bottom", low},
         {"top", high},
         {"back", 1440e-6},
         {"front", 1440e-6}}}},
      {"l-block",
       {117, {{"x-", 30}, {"x+", 9}, {"y-", 18}, {"y+", 9}, {"z-", 39}, {"z+", 39}, {"step-x", 21}, {"step-y", 9}}}}};
  return all;
}

void expect_sizes(const Sizes &measured, const Geometry &exact, const double tolerance)
{
  EXPECT_NEAR(measured.volume, exact.volume, tolerance * exact.volume);
  double named = 0;
  for (const auto &[name, area] : exact.boundaries)
  {
    ASSERT_TRUE(measured.boundaries.count(name)) << name;
    EXPECT_NEAR(measured.boundaries.at(name), area, tolerance * area) << name;
    named += measured.boundaries.at(name);
  }
  EXPECT_EQ(measured.boundaries.size(), exact.boundaries.size());
  EXPECT_NEAR(named, measured.area, 1e-10 * measured.area) << "a face has no name or two";
  EXPECT_GT(measured.smallest_jacobian, 0);
}

/// Straight cells approach a circle with order 2, if refinement follows it.
template <int dim>
void expect_convergence(CoarseMesh<dim> mesh, const Geometry &exact)
{
  std::vector<Sizes> sizes;
  for (int level = 0; level < 3; ++level)
  {
    sizes.push_back(measure(mesh));
    EXPECT_GT(sizes.back().smallest_jacobian, 0);
    if (level < 2) mesh.cells.refine_global();
  }
  EXPECT_NEAR(std::log2((exact.volume - sizes[1].volume) / (exact.volume - sizes[2].volume)), 2, 0.15);
  for (const auto &[name, area] : exact.boundaries)
    if (std::abs(sizes[0].boundaries.at(name) - area) > 1e-10 * area)
    {
      const double errors = (area - sizes[1].boundaries.at(name)) / (area - sizes[2].boundaries.at(name));
      EXPECT_NEAR(std::log2(errors), 2, 0.15) << name;
    }
}

template <int dim>
void check_all_shapes(const bool simplices)
{
  for (const auto &name : Registry<MeshGenerator<dim>>::instance().names())
  {
    SCOPED_TRACE(name + " in " + std::to_string(dim) + "-D");
    ASSERT_TRUE(geometries<dim>().count(name)) << "state the size of this shape in geometries()";
    const Geometry &exact = geometries<dim>().at(name);
    auto mesh = make<dim>(name);
    const std::size_t hypercubes = mesh.cells.n_active_cells();
    if (simplices) to_simplices(mesh);
    EXPECT_EQ(mesh.cells.n_active_cells(), simplices ? hypercubes * (dim == 2 ? 8 : 24) : hypercubes);
    EXPECT_EQ(mesh.materials, (std::map<dealii::types::material_id, std::string>{{0, "body"}}));
    expect_sizes(measure(mesh), exact, exact.curved ? 0.15 : 1e-12);
    if (exact.curved) expect_convergence(std::move(mesh), exact);
  }
}

TEST(Shapes, HaveTheirSizeIn2D)
{
  check_all_shapes<2>(false);
}
TEST(Shapes, HaveTheirSizeIn3D)
{
  check_all_shapes<3>(false);
}
TEST(Shapes, HaveTheirSizeAsTriangles)
{
  check_all_shapes<2>(true);
}
TEST(Shapes, HaveTheirSizeAsTetrahedra)
{
  check_all_shapes<3>(true);
}

TEST(Shapes, ObeyTheDeck)
{
  const auto box = make<3>("box", "set Corner = 1, 2, 3\nset Size = 1, 2, 4\n", {1, 2, 3});
  EXPECT_EQ(box.cells.n_active_cells(), 6u);
  expect_sizes(measure(box), {8, {{"x-", 8}, {"x+", 8}, {"y-", 4}, {"y+", 4}, {"z-", 2}, {"z+", 2}}}, 1e-12);
  EXPECT_NEAR(box.cells.begin_active()->vertex(0).distance(dealii::Point<3>(1, 2, 3)), 0, 1e-14);
  const auto quarter =
      measure(make<2>("plate-with-hole", "set Part = quarter\nset Width = 4\nset Height = 2\n", {8, 4}));
  expect_sizes(quarter, {2 - 0.0025 * PI, {{"hole", 0.05 * PI}, {"x-", 0.9}, {"x+", 1}, {"y-", 1.9}, {"y+", 2}}}, 1e-3);
}

template <int dim>
void expect_announced_cells(const std::vector<std::vector<int>> &counts)
{
  for (const std::string &shape : Registry<MeshGenerator<dim>>::instance().names())
    for (std::vector<int> cells : counts)
    {
      if (shape == "l-block" && !cells.empty())
        cells = {cells[0], cells[1]};
      const auto generator = Registry<MeshGenerator<dim>>::instance().make(shape);
      CoarseMesh<dim> mesh;
      generator->make(cells, mesh);
      EXPECT_EQ(generator->number_of_cells(cells), mesh.cells.n_active_cells()) << shape;
    }
}

TEST(Shapes, AnnounceTheNumberOfTheirCells)
{
  expect_announced_cells<2>({{}, {3, 2}, {4, 5}});
  expect_announced_cells<3>({{}, {3, 2, 4}, {4, 1, 2}});
  // Not an integer: what is too much for one must be seen before the mesh is made.
  EXPECT_EQ(Registry<MeshGenerator<3>>::instance().make("box")->number_of_cells({100000, 100000, 100000}), 1e15);
  EXPECT_EQ(Registry<MeshGenerator<3>>::instance().make("l-block")->number_of_cells({100000}), 117e15);
}

TEST(Shapes, BlockLHasItsOwnLayers)
{
  const auto block = make<3>("l-block", "", {1, 5});
  EXPECT_EQ(block.cells.n_active_cells(), 195u);
  expect_sizes(measure(block), geometries<3>().at("l-block"), 1e-12);
}

TEST(Shapes, DistortionMovesInnerVerticesOnlyAndAlwaysAlike)
{
  const auto straight = make<3>("box"), once = make<3>("box", "set Distortion = 0.29\n"),
             again = make<3>("box", "set Distortion = 0.29\n");
  EXPECT_EQ(once.cells.get_vertices(), again.cells.get_vertices());
  EXPECT_NE(once.cells.get_vertices(), straight.cells.get_vertices());
  expect_sizes(measure(once), geometries<3>().at("box"), 1e-12);
}

TEST(Shapes, FlagHasPointA)
{
  const auto flag = make<2>("flag");
  double distance = 1;
  for (const auto &x : flag.cells.get_vertices()) distance = std::min(distance, x.distance({0.6, 0.2}));
  EXPECT_LT(distance, 1e-15);
}

template <class Do>
std::string error_of(const Do &action)
{
  try
  {
    action();
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "no error";
}

void expect_contains(const std::string &message, const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
}

TEST(Shapes, RefuseWrongNumbers)
{
  expect_contains(error_of([] { make<3>("box", "", {2, 3}); }), {"Cells = 2, 3", "\"box\"", "3 numbers", "along z"});
  expect_contains(error_of([] { make<3>("l-block", "", {0}); }),
                  {"Cells = 0", "\"l-block\"", "1 number", "at least 1"});
  expect_contains(error_of([] { make<3>("l-block", "", {1, 2, 3}); }), {"Cells = 1, 2, 3", "\"l-block\"", "2 numbers", "through the thickness"});
  expect_contains(error_of([] { make<2>("ring", "", {2, 1}); }), {"at least 3 cells around"});
  expect_contains(error_of([] { make<3>("box", "set Size = 1, 2\n"); }), {"test.prm:1", "Size", "3 numbers", "has 2"});
  expect_contains(error_of([] { make<2>("box", "set Distortion = 0.3\n"); }), {"test.prm:1", "Distortion"});
  expect_contains(error_of([] { make<2>("flag", "set Height = 0.1\n"); }), {"test.prm:1", "Height", "Cylinder radius"});
  expect_contains(error_of([] { make<2>("ring", "set Outer radius = 0.4\n"); }), {"Outer radius", "greater"});
  expect_contains(error_of([] { make<2>("plate-with-hole", "set Radius = 0.5\n"); }), {"Radius", "half"});
}

// ---- files ----------------------------------------------------------------------------------------------------------

std::string stored(const std::string &name)
{
  return (std::filesystem::path(__FILE__).parent_path() / "meshes" / name).string();
}

/// A file that exists as long as the object.
class TemporaryFile
{
public:
  TemporaryFile(const std::string &name, const std::string &text)
      : file(std::filesystem::temp_directory_path() / ("symdyn-" + std::to_string(::getpid()) + "-" + name))
  {
    std::ofstream(file) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(file); }
  std::string name() const { return file.string(); }

private:
  std::filesystem::path file;
};

template <int dim>
std::map<std::string, double> volumes_of_materials(const CoarseMesh<dim> &mesh)
{
  std::map<std::string, double> volumes;
  for (const auto &cell : mesh.cells.active_cell_iterators())
    volumes[mesh.materials.at(cell->material_id())] += cell->measure();
  return volumes;
}

/// A unit square or cube, half of steel (below) and half of rubber; 1 to 3 and 11, 12 where a format has no names.
template <int dim>
void check_stored(const std::string &name, const std::size_t n_cells, const bool has_names)
{
  SCOPED_TRACE(name);
  CoarseMesh<dim> mesh;
  read_mesh(stored(name), mesh);
  EXPECT_EQ(mesh_file_dimension(stored(name)), dim);
  EXPECT_EQ(mesh.cells.n_active_cells(), n_cells);
  const std::string bottom = has_names ? "bottom" : "1", top = has_names ? "top" : "2",
                    sides = has_names ? "sides" : "3";
  auto sizes = measure(mesh);
  if (name.find(".inp") != std::string::npos)
  {
    EXPECT_NEAR(sizes.boundaries.at("Nall"), 2 * dim, 1e-12);
    sizes.boundaries.erase("Nall");
  }
  expect_sizes(sizes, {1, {{bottom, 1}, {top, 1}, {sides, 2. * (dim - 1)}}}, 1e-12);
  const auto volumes = volumes_of_materials(mesh);
  ASSERT_EQ(volumes.size(), 2u);
  EXPECT_NEAR(volumes.at(has_names ? "steel" : "11"), 0.5, 1e-12);
  EXPECT_NEAR(volumes.at(has_names ? "rubber" : "12"), 0.5, 1e-12);
}

TEST(MeshFiles, AllFormatsGiveTheSameMesh)
{
  const std::map<std::string, bool> formats = {
      {"_22.msh", true}, {"_41.msh", true}, {".inp", true}, {".vtk", false}, {".ucd", false}};
  for (const auto &[ending, has_names] : formats)
  {
    check_stored<3>("cube_hexahedra" + ending, 8, has_names);
    check_stored<3>("cube_tetrahedra" + ending, 48, has_names);
    check_stored<2>("square_quadrilaterals" + ending, 4, has_names);
    check_stored<2>("square_triangles" + ending, 8, has_names);
  }
}

std::string gmsh(const std::string &nodes, const std::string &elements, const std::string &names = "")
{
  const auto section = [](const std::string &name, const std::string &lines)
  {
    return "$" + name + "\n" + std::to_string(std::count(lines.begin(), lines.end(), '\n')) + "\n" + lines + "$End" +
           name + "\n";
  };
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + section("PhysicalNames", names) + section("Nodes", nodes) +
         section("Elements", elements);
}

const std::string two_squares = "1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n7 9 9 9\n";

TEST(MeshFiles, FaceInTwoGroupsBelongsToBoth)
{
  const TemporaryFile file("two.msh", gmsh(two_squares,
                                           "1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 2 1 1 2\n4 1 2 2 1 1 4\n"
                                           "5 3 2 7 1 1 2 5 4\n6 3 2 7 1 2 3 6 5\n",
                                           "1 1 \"under side\"\n1 2 \"corner\"\n"));
  CoarseMesh<2> mesh;
  read_mesh(file.name(), mesh);
  const auto sizes = measure(mesh);
  EXPECT_NEAR(sizes.boundaries.at("under side"), 2, 1e-14);
  EXPECT_NEAR(sizes.boundaries.at("corner"), 2, 1e-14);
  EXPECT_NEAR(sizes.area, 6, 1e-14);
  EXPECT_EQ(mesh.boundaries.at("under side").size(), 2u);
  EXPECT_EQ(mesh.materials.begin()->second, "7");
  EXPECT_EQ(mesh.cells.n_vertices(), 6u) << "the node that no cell needs is left out";
  to_simplices(mesh);
  EXPECT_NEAR(measure(mesh).boundaries.at("corner"), 2, 1e-14);
}

TEST(MeshFiles, GroupInsideTheBodyIsNoBoundary)
{
  const std::string cells = "5 3 2 7 1 1 2 5 4\n6 3 2 7 1 2 3 6 5\n";
  const TemporaryFile inside("inside.msh", gmsh(two_squares, "1 1 2 1 1 2 5\n" + cells));
  CoarseMesh<2> mesh;
  read_mesh(inside.name(), mesh);
  EXPECT_TRUE(mesh.boundaries.empty());
  const TemporaryFile mixed("mixed.msh", gmsh(two_squares, "1 1 2 1 1 2 5\n2 1 2 1 1 1 2\n" + cells));
  expect_contains(error_of([&] { read_mesh(mixed.name(), mesh); }), {"mixed.msh:19", "inside the body", "Split"});
}

template <int dim>
void expect_refused(const std::string &name, const std::string &text, const std::vector<std::string> &parts)
{
  const TemporaryFile file(name, text);
  CoarseMesh<dim> mesh;
  SCOPED_TRACE(name);
  expect_contains(error_of([&] { read_mesh(file.name(), mesh); }), parts);
}

const std::string square = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n";

TEST(MeshFiles, WrongCellsAreRefused)
{
  expect_refused<2>("mirror.msh", gmsh(square, "8 3 2 1 1 1 4 3 2\n"), {"mirror.msh:16", "element 8", "-1", "mirror"});
  expect_refused<2>("flat.msh", gmsh(square, "8 2 2 1 1 1 2 2\n"), {"flat.msh:16", "element 8", "flat", "0"});
  expect_refused<2>("arrow.msh", gmsh("1 0 0 0\n2 1 0 0\n3 0.1 0.1 0\n4 0 1 0\n", "8 3 2 1 1 1 2 3 4\n"),
                    {"arrow.msh:16", "element 8", "-0.8"});
  expect_refused<3>("tet.msh", gmsh("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 -1\n", "8 4 2 1 1 1 2 3 4\n"),
                    {"tet.msh:16", "element 8 (tetrahedron)", "-1", "Renumber"});
  expect_refused<2>("mixed.msh", gmsh(two_squares, "1 3 2 1 1 1 2 5 4\n2 2 2 1 1 2 3 6\n"),
                    {"mixed.msh:20", "element 2 (triangle)", "quadrilateral"});
  expect_refused<2>("twice.msh", gmsh(square, "1 3 2 1 1 1 2 3 4\n2 3 2 2 1 1 2 3 4\n"),
                    {"twice.msh:17", "same nodes"});
  expect_refused<2>("lost.msh", gmsh(square, "1 1 2 1 1 1 3\n2 3 2 2 1 1 2 3 4\n"), {"lost.msh:16", "not a face"});
  expect_refused<2>("bent.msh", gmsh("1 0 0 0\n2 1 0 0\n3 1 1 1\n4 0 1 0\n", "1 3 2 1 1 1 2 3 4\n"), {"z = 1"});
  expect_refused<3>("plane.msh", gmsh(square, "1 3 2 1 1 1 2 3 4\n"), {"2-D mesh", "3-D one"});
  expect_refused<2>("points.msh", gmsh(square, "1 15 2 1 1 1\n"), {"has no cells"});
}

TEST(MeshFiles, WrongGmshIsRefused)
{
  const std::string good = gmsh(square, "1 3 2 1 1 1 2 3 4\n");
  const auto with = [&](const std::string &from, const std::string &to)
  {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  expect_refused<2>("node.msh", gmsh(square, "1 3 2 1 1 1 2 3 9\n"), {"node.msh:16: 9", "no node"});
  expect_refused<2>("second.msh", gmsh(square, "1 18 2 1 1 1 2 3 4 1 1\n"),
                    {"second.msh:16", "15-node wedge", "second order"});
  expect_refused<3>("wedge.msh", gmsh(square, "1 6 2 1 1 1 2 3 4 1 1\n"), {"wedge.msh:16", "wedge"});
  expect_refused<2>("nan.msh", with("2 1 0 0", "2 nan 0 0"), {"nan.msh:10: nan", "finite"});
  expect_refused<2>("short.msh", with("2 1 0 0", "2 1 0"), {"short.msh:10: end of line", "coordinate"});
  expect_refused<2>("long.msh", with("2 1 0 0", "2 1 0 0 5"), {"long.msh:10: 5", "more words"});
  expect_refused<2>("again.msh", with("2 1 0 0", "1 1 0 0"), {"again.msh:10: 1", "before"});
  expect_refused<2>("few.msh", with("$Nodes\n4", "$Nodes\n5"), {"few.msh:13: $EndNodes", "number of a node"});
  expect_refused<2>("old.msh", with("2.2 0 8", "1 0 8"), {"old.msh:2: 1", "4.1"});
  expect_refused<2>("binary.msh", with("2.2 0 8", "2.2 1 8"), {"binary.msh:2", "ASCII"});
  expect_refused<2>("section.msh", with("$Nodes", "$Knots"), {"section.msh:7: $Knots"});
  expect_refused<2>("cut.msh", good.substr(0, good.size() - 13), {"cut.msh", "$EndElements"});
  expect_refused<2>("empty.msh", " \n", {"is empty"});
  expect_refused<2>("garbage.msh", "\x01\x02 what", {"garbage.msh:1", "$MeshFormat"});
  expect_refused<2>("mesh.stl", "solid", {".stl", ".msh"});
  CoarseMesh<2> mesh;
  expect_contains(error_of([&] { read_mesh("/no/such.msh", mesh); }),
                  {"/no/such.msh", "cannot be read", "No such file"});
  expect_contains(error_of([] { mesh_file_dimension("/no/such.msh"); }), {"cannot be read"});
}

TEST(MeshFiles, WrongVtkIsRefused)
{
  const auto vtk = [](const std::string &kind, const std::string &cell, const std::string &type)
  {
    return "# vtk DataFile Version 3.0\n\n" + kind +
           "\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0 0 1 0\nCELLS 1 5\n" + cell +
           "\nCELL_TYPES 1\n" + type + "\n";
  };
  expect_refused<2>("binary.vtk", vtk("BINARY", "4 0 1 2 3", "9"), {"binary.vtk:3: BINARY", "ASCII"});
  expect_refused<2>("second.vtk", vtk("ASCII", "4 0 1 2 3", "23"), {"VTK type 23", "second order"});
  expect_refused<2>("pyramid.vtk", vtk("ASCII", "4 0 1 2 3", "14"), {"VTK type 14"});
  expect_refused<2>("count.vtk", vtk("ASCII", "3 0 1 2", "9"), {"count.vtk:9", "has 3 points"});
  expect_refused<2>("point.vtk", vtk("ASCII", "4 0 1 2 7", "9"), {"point.vtk:9: 7", "no node"});
  expect_refused<2>("first.vtk", "VTK\n", {"first.vtk:1", "vtk DataFile"});
  expect_refused<2>("grid.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n",
                    {"grid.vtk:4", "UNSTRUCTURED_GRID"});
}

TEST(MeshFiles, VtkPixelsAndOtherDataAreRead)
{
  const TemporaryFile file("pixel.vtk",
                           "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
                           "0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n8\n"
                           "POINT_DATA 4\nSCALARS p float\nLOOKUP_TABLE default\n1 2 3 nan\n"
                           "CELL_DATA 1\nVECTORS u float\nnan 0 0\n");
  CoarseMesh<2> mesh;
  read_mesh(file.name(), mesh);
  EXPECT_NEAR(measure(mesh).volume, 1, 1e-15);
  EXPECT_EQ(mesh.materials.at(0), "body");
}

TEST(MeshFiles, VtkVersionFiveIsRead)
{
  const TemporaryFile file(
      "five.vtk",
      "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0 0 1 0\n"
      "METADATA\nINFORMATION 0\n\nCELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"
      "CELL_TYPES 1\n9\nCELL_DATA 1\nFIELD FieldData 1\nMaterialID 1 1 int\n3\n");
  CoarseMesh<2> mesh;
  read_mesh(file.name(), mesh);
  EXPECT_EQ(mesh.materials.at(0), "3");
}

TEST(MeshFiles, UcdIsReadInEitherHandButNotInBoth)
{
  const std::string nodes = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
  for (const std::string cell : {"1 0 tet 1 2 3 4\n", "1 0 tet 1 2 4 3\n"})
  {
    const TemporaryFile file("hand.inp", "# comment\n\n5 1 0 0 0\n" + nodes + cell);
    CoarseMesh<3> mesh;
    read_mesh(file.name(), mesh);
    EXPECT_NEAR(measure(mesh).volume, 1. / 6, 1e-15);
  }
  expect_refused<3>("hands.ucd", "5 2 0 0 0\n" + nodes + "1 0 tet 1 2 3 4\n2 0 tet 2 4 3 5\n",
                    {"hands.ucd:7", "element 1", "-1"});
  expect_refused<3>("prism.ucd", "5 1 0 0 0\n" + nodes + "1 0 prism 1 2 3 4 5 1\n", {"prism.ucd:7: prism"});
  expect_refused<3>("header.ucd", "5 1 x\n", {"header.ucd:1: x", "UCD header"});
}

std::string abaqus(const std::string &rest, const std::string &type = "CPS4")
{
  return "** comment\n*Heading\nthe words\n*Node\n1, 0., 0.\n2, 1.D0, 0.\n3, 2., 0.\n4, 0., 1.\n5, 1., 1.\n6, 2., 1.\n"
         "*Element, type=" +
         type + ", elset=E\n1, 1, 2, 5, 4\n2, 2, 3, 6,\n5\n" + rest;
}

TEST(MeshFiles, AbaqusSetsAreBoundariesAndMaterials)
{
  const TemporaryFile file(
      "sets.inp", abaqus("*NSET, nset=Low, generate\n1, 3\n*NSET, NSET=all\nlow, 4, 5, 6\n*NSET, NSET=two\n2,5\n"
                         "*ELSET, ELSET=right\n2\n*SURFACE, NAME=End\nRIGHT, S2\n"
                         "*SURFACE, TYPE=NODE, NAME=nodes\nLow, 1.0\n"
                         "*ELSET, ELSET=left\n1\n*STEP\n*STATIC\n1., 1.\n*END STEP\n"));
  CoarseMesh<2> mesh;
  read_mesh(file.name(), mesh);
  EXPECT_EQ(mesh.boundaries.count("two"), 0u) << "a set without a whole face";
  const auto areas = measure(mesh).boundaries;
  EXPECT_EQ(areas.size(), 4u);
  EXPECT_NEAR(areas.at("Low"), 2, 1e-14);
  EXPECT_NEAR(areas.at("nodes"), 2, 1e-14);
  EXPECT_NEAR(areas.at("all"), 6, 1e-14);
  EXPECT_NEAR(areas.at("End"), 1, 1e-14);
  EXPECT_EQ(volumes_of_materials(mesh), (std::map<std::string, double>{{"left", 1}, {"right", 1}}));
}

TEST(MeshFiles, WrongAbaqusIsRefused)
{
  expect_refused<2>("unknown.inp", abaqus("*ELSETT, ELSET=a\n1\n"), {"unknown.inp:15: *ELSETT", "*ELSET"});
  expect_refused<2>("tie.inp", abaqus("*TIE, NAME=a\nb, c\n"), {"tie.inp:15: *TIE", "not known"});
  expect_refused<2>("type.inp", abaqus("", "S4R"), {"type.inp:11: TYPE=S4R", "CPS4"});
  expect_refused<2>("second.inp", abaqus("", "C3D10M"), {"second.inp:11: TYPE=C3D10M", "second order"});
  expect_refused<2>("option.inp", abaqus("*NSET, NSET=a, SORTED\n1\n"), {"option.inp:15: *NSET, SORTED"});
  expect_refused<2>("nset.inp", abaqus("*NSET\n1\n"), {"nset.inp:15", "NSET="});
  expect_refused<2>("node.inp", abaqus("*NSET, NSET=a\n1, 17\n"), {"node.inp:16: 17", "no node"});
  expect_refused<2>("set.inp", abaqus("*ELSET, ELSET=a\nE, other\n"), {"set.inp:16: other"});
  expect_refused<2>("element.inp", abaqus("*ELSET, ELSET=a\n3\n"), {"element.inp:16: 3", "no element"});
  expect_refused<2>("face.inp", abaqus("*SURFACE, NAME=a\nE, S5\n"), {"face.inp:16: E, S5", "S1 to S4"});
  expect_refused<2>("step.inp", abaqus("*NSET, NSET=a, GENERATE\n1, 4, 2\n"), {"step.inp:16: 1, 4, 2", "step"});
  expect_refused<2>("double.inp", abaqus("*NODE\n2, 0, 0\n"), {"double.inp:16: 2", "before"});
  expect_refused<2>("nan.inp", abaqus("*NODE\n7, nan, 0\n"), {"nan.inp:16: nan", "finite"});
  expect_refused<2>("few.inp", abaqus("*ELEMENT, TYPE=CPS4\n9, 1, 2\n"), {"few.inp:16: element 9", "only 2"});
  expect_refused<2>("section.inp", abaqus("*SOLID SECTION, ELSET=a\n"), {"section.inp:15: a", "*SOLID SECTION"});
  expect_refused<2>(
      "materials.inp",
      abaqus(
          "*NODE\n7, 3, 0\n8, 3, 1\n*ELEMENT, TYPE=CPS4\n3, 3, 7, 8, 6\n*ELSET, ELSET=a\n1\n*ELSET, ELSET=b\n1, 2\n"),
      {"materials.inp:12: element 1", "the groups a and b", "*SOLID SECTION"});
  expect_refused<2>("name.inp", abaqus("*NSET, NSET=a\n1, 2\n*SURFACE, NAME=a\nE, S3\n"), {"name.inp", "Rename"});
  expect_refused<2>("instance.inp", abaqus("*INSTANCE, NAME=i, PART=p\n1., 0., 0.\n"),
                    {"instance.inp:15", "not moved"});
}
}  // namespace
