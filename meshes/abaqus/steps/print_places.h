#pragma once
#include <string>

#include "meshes/abaqus/model.h"

namespace symdyn::abaqus
{
struct Job;

/// Which nodes of the set of a *NODE PRINT are points, and along which axes the table of nodes or elements has its components.
void write_print_places(Job &job, const Keyword &card, const Set &set, const std::string &path);
}  // namespace symdyn::abaqus
