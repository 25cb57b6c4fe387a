#include <gtest/gtest.h>

#include <deal.II/base/mpi.h>

#include "solver/program/one_rank.h"
#include "tests/rank_server.h"

int main(int argc, char **argv)
{
  symdyn::prepare_for_one_rank();
  symdyn::limit_threads();
  ::testing::InitGoogleTest(&argc, argv);  // takes its words, which PETSc would wonder at
  symdyn::tests::start_rank_server();
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return RUN_ALL_TESTS();
}
