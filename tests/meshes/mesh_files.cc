// Every reader of mesh files: the same mesh from all formats, and what is refused with line and way out.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/mesh_sizes.h"

namespace symdyn::tests::in_mesh_files
{
namespace
{
std::string stored(const std::string &name) { return SYMDYN_SOURCE "/tests/meshes/" + name; }

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
  const std::string bottom = has_names ? "bottom" : "1", top = has_names ? "top" : "2", sides = has_names ? "sides" : "3";
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
  const std::map<std::string, bool> formats = {{"_22.msh", true}, {"_41.msh", true}, {".inp", true}, {".vtk", false}, {".ucd", false}};
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
  const auto section = [](const std::string &name, const std::string &lines) {
    return "$" + name + "\n" + std::to_string(std::count(lines.begin(), lines.end(), '\n')) + "\n" + lines + "$End" + name + "\n";
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
  expect_contains(message([&] { read_mesh(mixed.name(), mesh); }), {"mixed.msh:19", "inside the body", "Split"});
}

template <int dim>
void expect_refused(const std::string &name, const std::string &text, const std::vector<std::string> &parts)
{
  const TemporaryFile file(name, text);
  CoarseMesh<dim> mesh;
  SCOPED_TRACE(name);
  expect_contains(message([&] { read_mesh(file.name(), mesh); }), parts);
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
  expect_refused<2>("orders.msh", gmsh(two_squares, "1 3 2 1 1 1 2 5 4\n2 9 2 1 1 2 3 6 1 4 5\n"),
                    {"orders.msh:20", "element 2 (triangle)", "one order"});
  expect_refused<2>("twice.msh", gmsh(square, "1 3 2 1 1 1 2 3 4\n2 3 2 2 1 1 2 3 4\n"), {"twice.msh:17", "same nodes"});
  expect_refused<2>("lost.msh", gmsh(square, "1 1 2 1 1 1 3\n2 3 2 2 1 1 2 3 4\n"), {"lost.msh:16", "not a face"});
  expect_refused<2>("bent.msh", gmsh("1 0 0 0\n2 1 0 0\n3 1 1 1\n4 0 1 0\n", "1 3 2 1 1 1 2 3 4\n"), {"z = 1"});
  expect_refused<3>("plane.msh", gmsh(square, "1 3 2 1 1 1 2 3 4\n"), {"2-D mesh", "3-D one"});
  expect_refused<2>("points.msh", gmsh(square, "1 15 2 1 1 1\n"), {"has no cells"});
}

TEST(MeshFiles, WrongGmshIsRefused)
{
  const std::string good = gmsh(square, "1 3 2 1 1 1 2 3 4\n");
  const auto with = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  expect_refused<2>("node.msh", gmsh(square, "1 3 2 1 1 1 2 3 9\n"), {"node.msh:16: 9", "no node"});
  expect_refused<2>("second.msh", gmsh(square, "1 13 2 1 1 1 2 3 4 1 1\n"), {"second.msh:16", "18-node wedge", "second order"});
  expect_refused<3>("pyramid.msh", gmsh(square, "1 19 2 1 1 1 2 3 4 1 1\n"), {"pyramid.msh:16", "13-node pyramid"});
  expect_refused<2>("nan.msh", with("2 1 0 0", "2 nan 0 0"), {"nan.msh:10: nan", "finite"});
  expect_refused<2>("short.msh", with("2 1 0 0", "2 1 0"), {"short.msh:10: end of line", "coordinate"});
  expect_refused<2>("long.msh", with("2 1 0 0", "2 1 0 0 5"), {"long.msh:10: 5", "more words"});
  expect_refused<2>("again.msh", with("2 1 0 0", "1 1 0 0"), {"again.msh:10: 1", "before"});
  expect_refused<2>("few.msh", with("$Nodes\n4", "$Nodes\n5"), {"few.msh:13: $EndNodes", "number of a node"});
  expect_refused<2>("old.msh", with("2.2 0 8", "1 0 8"), {"old.msh:2: 1", "4.1"});
  expect_refused<2>("binary.msh", with("2.2 0 8", "2.2 1 8"), {"binary.msh:2", "ASCII"});
  // As Gmsh writes them with -bin: the one of the byte order has zero bytes.
  expect_refused<2>("zeros.msh", std::string("$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n", 40),
                    {"zeros.msh:2: 4.1 1 8: a binary Gmsh file", "gmsh ", " -save -format msh41 -o "});
  expect_refused<2>("zeros.vtk",
                    std::string("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n\0\0\0\0", 81),
                    {"zeros.vtk:3: BINARY", "ASCII"});
  expect_refused<2>("section.msh", with("$Nodes", "$Knots"), {"section.msh:7: $Knots"});
  expect_refused<2>("cut.msh", good.substr(0, good.size() - 13), {"cut.msh", "$EndElements"});
  expect_refused<2>("empty.msh", " \n", {"is empty"});
  expect_refused<2>("garbage.msh", "\x01\x02 what", {"garbage.msh:1", "$MeshFormat"});
  expect_refused<2>("mesh.stl", "solid", {".stl", ".msh"});
  CoarseMesh<2> mesh;
  expect_contains(message([&] { read_mesh("/no/such.msh", mesh); }), {"/no/such.msh", "cannot be read", "No such file"});
  expect_contains(message([] { mesh_file_dimension("/no/such.msh"); }), {"cannot be read"});
}

TEST(MeshFiles, WrongVtkIsRefused)
{
  const auto vtk = [](const std::string &kind, const std::string &cell, const std::string &type) {
    return "# vtk DataFile Version 3.0\n\n" + kind + "\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0 0 1 0\nCELLS 1 5\n" +
           cell + "\nCELL_TYPES 1\n" + type + "\n";
  };
  expect_refused<2>("binary.vtk", vtk("BINARY", "4 0 1 2 3", "9"), {"binary.vtk:3: BINARY", "ASCII"});
  expect_refused<2>("second.vtk", vtk("ASCII", "4 0 1 2 3", "23"), {"VTK type 23", "second order"});
  expect_refused<2>("pyramid.vtk", vtk("ASCII", "4 0 1 2 3", "14"), {"pyramid.vtk:9", "has 4 points"});
  expect_refused<2>("count.vtk", vtk("ASCII", "3 0 1 2", "9"), {"count.vtk:9", "has 3 points"});
  expect_refused<2>("point.vtk", vtk("ASCII", "4 0 1 2 7", "9"), {"point.vtk:9: 7", "no node"});
  expect_refused<2>("first.vtk", "VTK\n", {"first.vtk:1", "vtk DataFile"});
  expect_refused<2>("grid.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", {"grid.vtk:4", "UNSTRUCTURED_GRID"});
}

TEST(MeshFiles, CellsOfSeveralShapesAreRead)
{
  const TemporaryFile plane("plane.msh", gmsh(two_squares, "1 3 2 1 1 1 2 5 4\n2 2 2 1 1 2 3 6\n3 2 2 1 1 2 6 5\n"));
  CoarseMesh<2> squares;
  read_mesh(plane.name(), squares);
  EXPECT_EQ(squares.cells.n_active_cells(), 3u);
  EXPECT_EQ(squares.cells.get_reference_cells().size(), 2u);
  const TemporaryFile roof("roof.vtk",
                           "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 float\n"
                           "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 .5 .5 1.6\nCELLS 2 15\n8 0 1 2 3 4 5 6 7\n5 4 5 6 7 8\n"
                           "CELL_TYPES 2\n12\n14\n");
  CoarseMesh<3> house;
  read_mesh(roof.name(), house);
  double volume = 0;
  for (const auto &cell : house.cells.active_cell_iterators())
    volume += cell->measure();
  EXPECT_NEAR(volume, 1.2, 1e-14);
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
  const TemporaryFile file("five.vtk",
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
  expect_refused<3>("hands.ucd", "5 2 0 0 0\n" + nodes + "1 0 tet 1 2 3 4\n2 0 tet 2 4 3 5\n", {"hands.ucd:7", "element 1", "-1"});
  expect_refused<3>("pyramid.ucd", "5 1 0 0 0\n" + nodes + "1 0 pyr 1 2 3 4 5\n", {"pyramid.ucd:7: pyr"});
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
  const TemporaryFile file("sets.inp", abaqus("*NSET, nset=Low, generate\n1, 3\n*NSET, NSET=all\nlow, 4, 5, 6\n*NSET, NSET=two\n2,5\n"
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
  expect_refused<2>("pair.inp", abaqus("*DISTRIBUTING COUPLING, ELSET=a\n"), {"pair.inp:15: *DISTRIBUTING COUPLING", "whose nodes fit"});
  expect_refused<2>("type.inp", abaqus("", "S4R"), {"type.inp:12: TYPE=S4R", "CPS4"});
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
  expect_refused<2>("materials.inp",
                    abaqus("*NODE\n7, 3, 0\n8, 3, 1\n*ELEMENT, TYPE=CPS4\n3, 3, 7, 8, 6\n*ELSET, ELSET=a\n1\n*ELSET, ELSET=b\n1, 2\n"),
                    {"materials.inp:12: element 1", "the groups a and b", "*SOLID SECTION"});
  expect_refused<2>("name.inp", abaqus("*NSET, NSET=a\n1, 2\n*SURFACE, NAME=a\nE, S3\n"), {"name.inp", "Rename"});
  expect_refused<2>("instance.inp", abaqus("*INSTANCE, NAME=i, PART=p\n1., 0., 0.\n"), {"instance.inp:15", "not moved"});
}
}  // namespace
}  // namespace symdyn::tests::in_mesh_files
