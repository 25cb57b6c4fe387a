#include "meshes/grid/file_sides.h"

namespace symdyn
{
std::map<std::string, std::vector<FileSide>> sides_of(const MeshFile &file, const std::vector<FileElement> &cells,
                                                      const std::vector<unsigned int> &index)
{
  std::map<std::string, std::vector<FileSide>> sides;
  if (file.named_faces.empty())
    return sides;
  std::map<long, const FileElement *> with_number;
  for (const FileElement &cell : cells)
    with_number[cell.number] = &cell;
  for (const std::string &name : file.named_faces)
    for (const FileFace &face : file.faces.at(name))
      if (const auto found = with_number.find(face.element); found != with_number.end())
      {
        const FileElement &cell = *found->second;
        FileSide side{face.element, face.label, {}, {}};
        for (const unsigned int node : face.nodes)
          side.corners.push_back(index[node]);
        for (unsigned int i = 0; i < node_count(cell.shape); ++i)
          side.nodes.push_back(index[cell.nodes[i]]);
        for (const unsigned int node : cell.middles)
          side.nodes.push_back(index[node]);
        sides[name].push_back(std::move(side));
      }
  return sides;
}
}  // namespace symdyn
