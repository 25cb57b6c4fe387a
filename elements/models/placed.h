#pragma once
#include <string>

#include "solver/error.h"

namespace symdyn
{
/// `make`, with the place in the deck before what it complains about.
template <class Make>
auto placed(const std::string &where, const Make &make)
{
  try
  {
    return make();
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }
}
}  // namespace symdyn
