#pragma once
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;

/// Entries Layers and Direction of *SHELL SECTION, COMPOSITE: lines of thickness, (nothing), material, and an angle [degrees] from the axis
/// 1 of the section's ORIENTATION about the normal, or an orientation of the layer, from the lowest layer on. Orientations of layers differ
/// by a turn about the normal of all elements. Errors: InputError.
void write_layers(Job &job, const Keyword &card, const std::vector<std::size_t> &elements, const std::string &path);
}  // namespace symdyn::abaqus
