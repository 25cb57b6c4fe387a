#pragma once
#include "solver/block_matrix.h"

namespace symdyn
{
/// Operations of a sparse LDLᵀ factorisation of a matrix with this pattern: pairs of a multiplication and a subtraction, with the nodes in
/// the order of approximate minimum degree (Amestoy, Davis and Duff 1996). Costs about a microsecond a node. Nested dissection needs half
/// to twice as many. The same on any number of ranks. Collective.
double factor_operations(const BlockPattern &pattern);
/// What it takes [ns of a core with OpenBLAS], from that count: fitted to single runs on bodies of 10^4 to 10^5 degrees of freedom.
double factor_cost(const BlockPattern &pattern);
/// Entries of the matrix. Collective.
double entries(const BlockPattern &pattern);
}  // namespace symdyn
