#pragma once
#include <map>
#include <string>
#include <vector>

#include "meshes/mesh_file.h"

namespace symdyn
{
/// Faces of the boundaries of a file of which tables are wanted, of these cells. `index`: of the file's nodes in FileNodes::nodes.
std::map<std::string, std::vector<FileSide>> sides_of(const MeshFile &file, const std::vector<FileElement> &cells,
                                                      const std::vector<unsigned int> &index);
}  // namespace symdyn
