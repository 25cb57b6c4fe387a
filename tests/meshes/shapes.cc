// Every registered shape: sizes, names, orientation, errors.
#include <cmath>

#include "meshes/cells_help.h"
#include "solver/deck/deck.h"
#include "solver/registry.h"
#include "tests/mesh_sizes.h"

namespace symdyn::tests::in_shapes
{
namespace
{
using dealii::numbers::PI;

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
       {0.1 * plate, {{"hole", 0.02 * PI}, {"x-", 0.1}, {"x+", 0.1}, {"y-", 0.1}, {"y+", 0.1}, {"z-", plate}, {"z+", plate}}, true}},
      {"cook",
       {1440e-6 * t, {{"left", 44e-3 * t}, {"right", 16e-3 * t}, {"bottom", low}, {"top", high}, {"back", 1440e-6}, {"front", 1440e-6}}}},
      {"l-block", {117, {{"x-", 30}, {"x+", 9}, {"y-", 18}, {"y+", 9}, {"z-", 39}, {"z+", 39}, {"step-x", 21}, {"step-y", 9}}}}};
  return all;
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
    if (level < 2)
      mesh.cells.refine_global();
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
    if (simplices)
      to_simplices(mesh);
    EXPECT_EQ(mesh.cells.n_active_cells(), simplices ? hypercubes * (dim == 2 ? 8 : 24) : hypercubes);
    EXPECT_EQ(mesh.materials, (std::map<dealii::types::material_id, std::string>{{0, "body"}}));
    expect_sizes(measure(mesh), exact, exact.curved ? 0.15 : 1e-12);
    if (exact.curved)
      expect_convergence(std::move(mesh), exact);
  }
}

TEST(Shapes, HaveTheirSizeIn2D) { check_all_shapes<2>(false); }
TEST(Shapes, HaveTheirSizeIn3D) { check_all_shapes<3>(false); }
TEST(Shapes, HaveTheirSizeAsTriangles) { check_all_shapes<2>(true); }
TEST(Shapes, HaveTheirSizeAsTetrahedra) { check_all_shapes<3>(true); }

TEST(Shapes, ObeyTheDeck)
{
  const auto box = make<3>("box", "set Corner = 1, 2, 3\nset Size = 1, 2, 4\n", {1, 2, 3});
  EXPECT_EQ(box.cells.n_active_cells(), 6u);
  expect_sizes(measure(box), {8, {{"x-", 8}, {"x+", 8}, {"y-", 4}, {"y+", 4}, {"z-", 2}, {"z+", 2}}}, 1e-12);
  EXPECT_NEAR(box.cells.begin_active()->vertex(0).distance(dealii::Point<3>(1, 2, 3)), 0, 1e-14);
  const auto quarter = measure(make<2>("plate-with-hole", "set Part = quarter\nset Width = 4\nset Height = 2\n", {8, 4}));
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
  const auto straight = make<3>("box"), once = make<3>("box", "set Distortion = 0.29\n"), again = make<3>("box", "set Distortion = 0.29\n");
  EXPECT_EQ(once.cells.get_vertices(), again.cells.get_vertices());
  EXPECT_NE(once.cells.get_vertices(), straight.cells.get_vertices());
  expect_sizes(measure(once), geometries<3>().at("box"), 1e-12);
}

TEST(Shapes, FlagHasPointA)
{
  const auto flag = make<2>("flag");
  double distance = 1;
  for (const auto &x : flag.cells.get_vertices())
    distance = std::min(distance, x.distance({0.6, 0.2}));
  EXPECT_LT(distance, 1e-15);
}

/// What `Mesh/Subdivisions` counts is in its help, for each shape.
TEST(Shapes, OrderOfCellsIsInTheHelp)
{
  const std::string help = help_of_cells();
  for (const auto &names : {Registry<MeshGenerator<2>>::instance().names(), Registry<MeshGenerator<3>>::instance().names()})
    for (const std::string &shape : names)
    {
      ASSERT_TRUE(Registry<CellsHelp>::instance().has(shape)) << shape << ": add SYMDYN_CELLS beside its SYMDYN_REGISTER";
      EXPECT_NE(help.find(shape + ": " + Registry<CellsHelp>::instance().make(shape)->order), std::string::npos) << shape;
    }
}

TEST(Shapes, RefuseWrongNumbers)
{
  expect_contains(message([] { make<3>("box", "", {2, 3}); }), {"Subdivisions = 2, 3", "\"box\"", "3 numbers", "along z"});
  expect_contains(message([] { make<3>("l-block", "", {0}); }), {"Subdivisions = 0", "\"l-block\"", "1 number", "at least 1"});
  expect_contains(message([] {
                    make<3>("l-block", "", {1, 2, 3});
                  }),
                  {"Subdivisions = 1, 2, 3", "\"l-block\"", "2 numbers", "through the thickness"});
  expect_contains(message([] { make<2>("ring", "", {2, 1}); }), {"at least 3 cells around"});
  expect_contains(message([] { make<3>("box", "set Size = 1, 2\n"); }), {"test.prm:1", "Size", "3 numbers", "has 2"});
  expect_contains(message([] { make<2>("box", "set Distortion = 0.3\n"); }), {"test.prm:1", "Distortion"});
  expect_contains(message([] { make<2>("flag", "set Height = 0.1\n"); }), {"test.prm:1", "Height", "Cylinder radius"});
  expect_contains(message([] { make<2>("ring", "set Outer radius = 0.4\n"); }), {"Outer radius", "greater"});
  expect_contains(message([] { make<2>("plate-with-hole", "set Radius = 0.5\n"); }), {"Radius", "half"});
}
}  // namespace
}  // namespace symdyn::tests::in_shapes
