#pragma once
#include "solver/actions.h"

namespace symdyn
{
/// What the stages of a run say of contacts: shared while a structure plans.
struct ContactStages
{
  const Actions *actions = &Actions::all();
};
}  // namespace symdyn
