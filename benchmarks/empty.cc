// What `start-up` compares symdyn with: a program of deal.II that starts MPI and ends.
#include <deal.II/base/mpi.h>

#include <cstdlib>

int main(int argc, char **argv)
{
  // As symdyn does: one process needs no network and no helper process.
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
}
