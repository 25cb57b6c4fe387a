#pragma once
#include <string>

#include "meshes/abaqus/model.h"

namespace symdyn::abaqus
{
struct Job;
struct Step;

/// Which nodes of the set of a *NODE PRINT are points, and along which axes the table of nodes or elements has its components.
void write_print_places(Job &job, const Keyword &card, const Set &set, const std::string &path);

/// *SECTION PRINT: the section of its table; "": there is nothing to print. Errors: InputError for a surface that the file does not have.
std::string write_section_print(Job &job, const Keyword &card, const Step &step);
/// Which cells the mesh shall name for it: meshes/surface_sides.h.
void name_cells_at_faces(Model &model, const Keyword &card);
}  // namespace symdyn::abaqus
