#pragma once
#include <map>
#include <string>
#include <vector>

#include "meshes/mesh_file.h"

namespace symdyn
{
/// InputError unless all cells have positive Jacobian determinants at their corners and 2-D ones lie in z = 0. Where
/// the file may be of either hand and all cells are mirrored, they are turned.
template <int dim>
void check_cells(const MeshFile &file, std::vector<FileElement> &cells);

/// A material id for each cell, by its group ("body" without one), and their names. InputError if it is in several.
/// Groups of cells that always go together are one with several names: the last one counts (Gmsh writes its own names
/// first). A group of all cells does not matter where there are others.
std::vector<dealii::types::material_id> material_ids(const MeshFile &file, const std::vector<FileElement> &cells,
                                                     std::map<dealii::types::material_id, std::string> &names);
}  // namespace symdyn
