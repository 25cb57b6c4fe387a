#pragma once
#include <mpi.h>

#include <functional>
#include <vector>

#include "elements/files/node_files.h"
#include "solver/drawn_shapes.h"
#include "solver/vector.h"

namespace symdyn
{
/// Adds the cells of a frame of all ranks, with the displacement that `frame` gives to each of the shapes as its first field. Collective.
void add_drawn(const std::function<NodeFrame(const Vector &shape)> &frame, const std::vector<Vector> &shapes, MPI_Comm communicator,
               DrawnShapes &all);
}  // namespace symdyn
