#pragma once
#include <string>

#include "elements/system/memory_estimate.h"

namespace symdyn
{
/// Where the deck states the size of the mesh, for messages.
struct SizeInDeck
{
  std::string where;  ///< "beam.prm:3 [Mesh] Subdivisions = 40, 8, 8"
  double limit = 0;   ///< memory that the run may take on each machine [bytes]; 0: what is free
};

/// Before the mesh is made. Errors: InputError if the mesh has more degrees of freedom than 32-bit numbers count, or needs
/// more memory than there is (on any machine of the run); a warning where it comes close. Collective.
void check_size(const MeshForecast &mesh, const Workload &work, const SizeInDeck &deck);
}  // namespace symdyn
