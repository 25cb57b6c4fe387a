#include "meshes/mesh.h"

#include <deal.II/grid/grid_generator.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "meshes/mesh_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Abaqus files start with a keyword (*HEADING) or a comment (**).
bool is_abaqus(const std::string &file)
{
  Scanner scanner(file);
  scanner.next_line();
  return scanner.peek() == '*' || scanner.peek() == '>';  // ">**" is a line that CalculiX leaves out; a UCD file begins with numbers
}

MeshFile read_file(const std::string &file)
{
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".msh")
    return read_gmsh(file);
  if (ending == ".vtk")
    return read_vtk(file);
  if (ending == ".ucd")
    return read_ucd(file);
  if (ending == ".inp")
    return is_abaqus(file) ? read_abaqus(file) : read_ucd(file);
  if (std::filesystem::is_directory(file))
    throw InputError(file + ": cannot be read: it is a folder. Name a file in it");
  throw InputError(file + ": the ending \"" + ending +
                   "\" is not that of a mesh file that can be read: .msh (Gmsh 2.2 or 4.1 ASCII), .vtk (legacy ASCII), "
                   ".ucd or .inp (AVS UCD), .inp (Abaqus). Convert it, for example with Gmsh.");
}
}  // namespace

template <int dim>
void read_mesh(const std::string &name, CoarseMesh<dim> &mesh, const std::vector<std::string> &thin)
{
  MeshFile file = read_file(name);
  if (!thin.empty())
  {
    file.thin_line = 0;
    file.keep([&](const FileElement &element) { return dimension(element.shape) == dim || !file.in_groups(element, thin); });
  }
  build(file, mesh);
}

std::array<double, 3> place_of_node(const std::string &file, const long number)
{
  const MeshFile mesh = read_file(file);
  const dealii::Point<3> *place = mesh.place_of(number);
  if (!place)
    throw InputError(file + ": has no node of the number " + std::to_string(number) + ". The numbers are those of the file");
  return {(*place)[0], (*place)[1], (*place)[2]};
}

int mesh_file_dimension(const std::string &file) { return mesh_dimension(read_file(file)); }

template <int dim>
void to_simplices(CoarseMesh<dim> &mesh)
{
  if (mesh.cells.all_reference_cells_are_simplex())
    return;
  dealii::Triangulation<dim> simplices;
  dealii::GridGenerator::convert_hypercube_to_simplex_mesh(mesh.cells, simplices);
  // The conversion does not keep manifolds. Here a mesh has one for all cells or none.
  if (const auto id = mesh.cells.begin_active()->manifold_id(); id != dealii::numbers::flat_manifold_id)
  {
    simplices.set_all_manifold_ids(id);
    simplices.set_manifold(id, mesh.cells.get_manifold(id));
  }
  mesh.cells = std::move(simplices);
}

template void read_mesh<2>(const std::string &, CoarseMesh<2> &, const std::vector<std::string> &);
template void read_mesh<3>(const std::string &, CoarseMesh<3> &, const std::vector<std::string> &);
template void to_simplices<2>(CoarseMesh<2> &);
template void to_simplices<3>(CoarseMesh<3> &);
}  // namespace symdyn
