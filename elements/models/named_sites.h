#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class AssembledSystem;
class Structure;

/// The system of a structure of a deck, for a program that adds forces to it.
const AssembledSystem &assembled_system(Structure &structure);

/// The sites of this rank that a name stands for, ascending: a boundary or a set of nodes of a mesh, a point. Collective. Errors:
/// InputError that lists the names, nearest first.
std::vector<int> named_sites(Structure &structure, const std::string &name);
}  // namespace symdyn
