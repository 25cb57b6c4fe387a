#pragma once
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
/// A geometry of Gmsh (.geo) with values of constants that it defines by DefineConstant.
struct Geometry
{
  std::string file;
  std::vector<std::pair<std::string, std::string>> constants;  ///< name, number

  /// What Gmsh reads of the file and of those that it includes: without comments.
  std::string code() const;
  /// Names that DefineConstant has in it.
  std::vector<std::string> definitions() const;
  /// The name of the file with its mesh, which Gmsh makes if it is not there yet. Meshes of all geometries stay in symdyn/meshes of the
  /// user's folder for caches (XDG_CACHE_HOME, by default ~/.cache), by a sum over all files that the geometry names, its constants and
  /// Gmsh's version. Those that no run has used for 30 days are removed when another one is made. Errors: InputError without a place.
  std::string mesh(int dimension) const;

private:
  /// What decides about the mesh.
  std::string signature(int dimension, const std::string &version) const;
  std::string by_hand(int dimension) const;
  void make(int dimension, const std::string &mine, const std::string &made) const;
  void check_values(const std::string &used) const;
};
}  // namespace symdyn
