#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// The words for PetscInitialize: those behind --, after -skip_petscrc. The files .petscrc and petscrc of the working folder and ~/.petscrc
/// would otherwise change every run that starts there (PETSc manual, PetscInitialize). Options come from the command line and from
/// PETSC_OPTIONS alone.
std::vector<std::string> petsc_words(const std::vector<std::string> &given);

/// "3.18.5"
std::string petsc_version();

/// Lines of the log: the options in use and where they come from, and files of options that are not read.
void log_petsc_options(const std::vector<std::string> &given);
}  // namespace symdyn
