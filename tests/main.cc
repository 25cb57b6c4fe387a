#include <gtest/gtest.h>

#include <deal.II/base/mpi.h>

#include <cstdlib>

int main(int argc, char **argv)
{
  // One rank needs no network and no helper process (solver/program/main.cc); and it may have children (tests/run.h).
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_sharedfp", "^sm", 0);
  ::testing::InitGoogleTest(&argc, argv);  // takes its words, which PETSc would wonder at
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return RUN_ALL_TESTS();
}
