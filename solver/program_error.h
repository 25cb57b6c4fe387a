#pragma once
#include "solver/error.h"

namespace symdyn
{
/// An error in a function of the program that a run has called, a load of Python: a shorter step does not help, and none is tried.
struct ProgramError : ComputationError
{
  using ComputationError::ComputationError;
};
}  // namespace symdyn
