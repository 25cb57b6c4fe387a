#pragma once
#include <vector>

#include "python/module/errors.h"

namespace symdyn
{
class Structure;
}

namespace symdyn::python
{
/// The mesh of a structure on this rank as a dictionary of arrays: "nodes", rows x dim [m], those of `sites` first, then those of other
/// ranks that cells here have; "cells" by their type (names of meshio), rows of nodes in VTK's order; "boundaries" and "sets" by name, rows
/// of nodes; "faces" of the boundaries by name and type, rows of corners. Lumped structures have nodes alone. Collective.
py::dict mesh_of(Structure &structure, const std::vector<int> &sites);
}  // namespace symdyn::python
