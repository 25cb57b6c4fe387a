#pragma once
#include <string>
#include <vector>

namespace symdyn
{
struct MeshOptions
{
  std::string from, to;
  std::vector<std::string> without;  ///< sets that may be lost
  bool overwrite = false;
};

/// Reads a mesh of another program (Salome .med, Exodus .e, Nastran .bdf, ...) by meshio in a Python of its own, and writes it as a Gmsh
/// file whose physical groups are the sets of cells by name. Errors: InputError for a set that the file could not have (of nodes, or of
/// cells that are in another set, too), and where the file that was written has others when it is read again.
int convert_mesh(const MeshOptions &options);
}  // namespace symdyn
