#pragma once
#include <string>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
/// The entries File and Parameters of a mesh that is read. Of a geometry of Gmsh (.geo), Gmsh makes the mesh in a folder of caches
/// (Geometry::mesh): its name is the SHA-256 of the geometry, of the files that this names, of the parameters and of Gmsh's version.
struct MeshFileEntries
{
  std::string file;
  std::vector<std::string> parameters;  ///< "L 2"

  /// `kinds`: of files, for the help.
  void declare(Parameters &p, const std::string &kinds);
  /// The file to read, with its folder; of a geometry the mesh of its cells up to this dimension. One rank a machine makes it. Collective.
  /// Errors: InputError of the entry for parameters that the geometry does not have or overwrites, without Gmsh, and where it fails.
  std::string path(const Parameters &p, int dimension) const;
};
}  // namespace symdyn
