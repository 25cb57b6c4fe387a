#include "python/module/errors.h"

#include <cmath>
#include <exception>

#include "solver/base/together.h"
#include "solver/program_error.h"

namespace symdyn::python
{
namespace
{
template <class... Arguments>
void raise(const char *name, const Arguments &...arguments)
{
  const py::object type = py::module_::import("symdyn._errors").attr(name);
  PyErr_SetObject(type.ptr(), type(arguments...).ptr());
}
}  // namespace

std::optional<py::error_already_set> &first_error()
{
  static auto *error = new std::optional<py::error_already_set>;  // outlives the interpreter
  return *error;
}

void fail_together(const std::string &fault) { throw_collectively<ProgramError>(fault); }

void add_errors()
{
  py::register_exception_translator([](std::exception_ptr pointer) {
    try
    {
      if (pointer)
        std::rethrow_exception(pointer);
    }
    catch (const InputError &error)
    {
      raise("InputError", error.what());
    }
    catch (const FailureAt &error)
    {
      raise("ComputationError", error.what(), error.time);
    }
    catch (const ComputationError &error)
    {
      raise("ComputationError", error.what());
    }
  });
}
}  // namespace symdyn::python
