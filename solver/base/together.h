#pragma once
#include <deal.II/base/mpi.h>

#include <string>

namespace symdyn
{
/// Collective. Throws `Error` on every rank if any rank has a fault, with the text of the first of them: an exception on one
/// rank alone would leave the others waiting for it.
template <class Error>
void throw_collectively(const std::string &fault, const MPI_Comm communicator = MPI_COMM_WORLD)
{
  if (dealii::Utilities::MPI::max(int(!fault.empty()), communicator) == 0)
    return;
  for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator, fault))
    if (!text.empty())
      throw Error(text);
}
}  // namespace symdyn
