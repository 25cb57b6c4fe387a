#pragma once
#include <string>

#include "solver/registry.h"

namespace symdyn
{
/// What the numbers of Mesh/Subdivisions count for a shape, in their order: its part of the help of that entry. Registered by the name of
/// the shape.
struct CellsHelp
{
  std::string order;
};

/// The help of Mesh/Subdivisions, of all shapes that are registered.
std::string help_of_cells();
}  // namespace symdyn

/// SYMDYN_CELLS("box", "along x, y (, z)"); beside SYMDYN_REGISTER of the shape.
#define SYMDYN_CELLS(shape, order)                                                                                          \
  static const bool SYMDYN_JOIN(symdyn_registered_, __COUNTER__) = ::symdyn::Registry<::symdyn::CellsHelp>::instance().add( \
      shape, [] { return std::make_unique<::symdyn::CellsHelp>(::symdyn::CellsHelp{order}); })
