#pragma once
#include "solver/parameters.h"

namespace symdyn
{
/// What of the initial state is moved onto the exact constraints g = 0, g' = 0.
enum class StartProjection
{
  none,
  velocities,
  all
};

/// The entry Project of the section Constraints. Errors: InputError.
StartProjection declare_start_projection(Parameters &p);
}  // namespace symdyn
