#pragma once
#include <map>
#include <string>

#include "python/module/errors.h"

namespace symdyn::python
{
/// Functions that loads of the types python-traction and python-body-force name, while decks are read.
std::map<std::string, py::object> &functions();
}  // namespace symdyn::python
