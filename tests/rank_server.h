#pragma once
#include <string>

// Ranks for `mpirun` without the time that a program takes to bind its libraries (half a second a run on 2 ranks).
namespace symdyn::tests
{
/// Forks a process that has bound the libraries and has not started MPI; it ends with this one. To be called before MPI starts. mpirun
/// starts the small program rank_door once a rank; each asks this process for a child, which takes the words, the environment, the folder
/// and the terminal of its door, and runs the command as a rank of its mpirun. The door ends with the exit code of that child, and the
/// child ends when its door is gone.
void start_rank_server();

/// `line`, a command of the shell, with the door in place of the program if the line is `mpirun ... symdyn WORDS` and asks for nothing that
/// a program of its own is needed for: PETSc's options, or double quotes. Else the line as it is.
std::string through_rank_door(const std::string &line);
}  // namespace symdyn::tests
