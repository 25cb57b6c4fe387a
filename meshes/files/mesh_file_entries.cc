#include "meshes/mesh_file_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <regex>

#include "meshes/geometry.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
bool is_geometry(const std::string &file) { return std::filesystem::path(file).extension() == ".geo"; }

/// "L 2" in its words.
std::vector<std::pair<std::string, std::string>> constants_of(const std::vector<std::string> &parameters, const Parameters &p)
{
  static const std::regex form(R"re(([A-Za-z_]\w*)\s+(\S+))re");
  std::vector<std::pair<std::string, std::string>> constants;
  for (const std::string &parameter : parameters)
  {
    std::smatch words;
    if (!std::regex_match(parameter, words, form) || !number_from<double>(words[2]))
      p.fail("Parameters", fmt::format("'{}' is no name with a number. Write them as in L 2, r 0.1; numbers have no units", parameter));
    for (const auto &other : constants)
      if (other.first == words[1])
        p.fail("Parameters", fmt::format("{} is given twice. Remove one of both", other.first));
    constants.emplace_back(words[1], words[2]);
  }
  return constants;
}

void check_definitions(const Geometry &geometry, const std::vector<std::string> &known, const Parameters &p)
{
  for (const auto &constant : geometry.constants)
    if (const std::string &name = constant.first; std::find(known.begin(), known.end(), name) == known.end())
      p.fail("Parameters",
             known.empty()
                 ? fmt::format("{} defines no constants. Write DefineConstant[ {} = ... ] there, or remove the entry", geometry.file, name)
                 : fmt::format("{} does not define {} by DefineConstant; it defines {}", geometry.file, name,
                               join(nearest_first(name, known))));
}

/// The name of the file of the mesh.
std::string mesh_of(const Geometry &geometry, const int dimension, const Parameters &p)
{
  const auto of_file = [&p](const auto &answer) {
    try
    {
      return answer();
    }
    catch (const InputError &error)
    {
      p.fail("File", error.what());
    }
  };
  check_definitions(geometry, of_file([&] { return geometry.definitions(); }), p);
  return of_file([&] { return geometry.mesh(dimension); });
}
}  // namespace

void MeshFileEntries::declare(Parameters &p, const std::string &kinds)
{
  p.add("File", file,
        kinds + " file, or a geometry of Gmsh (.geo), of which the program gmsh makes the mesh; relative to the deck (Type = file)");
  p.add("Parameters", parameters, "of a geometry (.geo): values of constants that it has in DefineConstant, as in L 2, r 0.1");
}

std::string MeshFileEntries::path(const Parameters &p, const int dimension) const
{
  const std::string path = p.file_path(file);
  if (!is_geometry(file))
  {
    if (p.given("Parameters"))
      p.fail("Parameters", fmt::format("{} is no geometry of Gmsh (.geo), and has no parameters. Remove the entry", file));
    return path;
  }
  const Geometry geometry{path, constants_of(parameters, p)};
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  std::string fault, mesh;
  if (dealii::Utilities::MPI::this_mpi_process(machine) == 0)
    try
    {
      mesh = mesh_of(geometry, dimension, p);
    }
    catch (const InputError &error)
    {
      fault = error.what();
    }
    catch (const std::exception &error)  // of the file system; the other ranks wait
    {
      fault = p.where("File") + ": " + error.what();
    }
  mesh = dealii::Utilities::MPI::broadcast(machine, mesh);
  MPI_Comm_free(&machine);
  throw_collectively<InputError>(fault);
  return mesh;
}
}  // namespace symdyn
