#pragma once
#include <dlfcn.h>

#include <cstdlib>

namespace symdyn
{
/// Before MPI starts. A run on one rank needs no network, no shared memory and no helper process (Open MPI's own, which only MPI_Comm_spawn
/// uses; without it there is no folder for the file pointers that ranks share, which checkpoints do not use). Variables that are set stay,
/// and a process of mpirun or srun changes none.
inline void prepare_for_one_rank()
{
  for (const char *of_a_launcher : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})  // mpirun, and srun with either interface
    if (std::getenv(of_a_launcher))
      return;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0",
         0);  // all such processes share one folder: that which ends removes it while another starts
  setenv("OMPI_MCA_sharedfp", "^sm", 0);
}

/// One thread a rank is all that is wanted of OpenBLAS, whether it is loaded or not yet. More of them wait for work in a loop: where other
/// programs want the processor, factorisations of small matrices take ten times as long.
inline void limit_threads()
{
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (void *set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set_threads)(1);
}
}  // namespace symdyn
