#pragma once
#include <string>

#include "python/module/errors.h"

namespace symdyn::python
{
/// Makes a subclass of symdyn.Integrator a scheme of this name, or puts it in the place of an earlier one. Errors: InputError for a name
/// that symdyn has itself.
void register_scheme(const std::string &name, const py::object &type);
}  // namespace symdyn::python
