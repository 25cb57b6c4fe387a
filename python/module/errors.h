#pragma once
#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>

#include "solver/error.h"

namespace symdyn::python
{
namespace py = pybind11;

/// A ComputationError with the time of the state that is left [s].
struct FailureAt : ComputationError
{
  FailureAt(const std::string &what, const double time) : ComputationError(what), time(time) {}
  double time;
};

/// The first error of a Python function that the solver has called. The solver sees a ComputationError and leaves its last good state; then
/// the error itself is raised. To be used with the GIL.
std::optional<py::error_already_set> &first_error();

/// On all ranks: a ProgramError where `fault` is not empty on one.
void fail_together(const std::string &fault);

/// Runs `call` with the GIL; what it raises, and what a check of its answer throws, goes on as a ProgramError on all ranks. Collective.
template <class Call>
void call_python(const std::string &what, const Call &call)
{
  std::string fault;
  {
    py::gil_scoped_acquire gil;
    try
    {
      call();
    }
    catch (py::error_already_set &error)
    {
      fault = what + ": " + error.what();
      if (!first_error())
        first_error() = error;
    }
    catch (const ComputationError &error)
    {
      fault = error.what();
    }
  }
  fail_together(fault);
}

/// Work of the solver, without the GIL. An error of a function that it calls is raised; `time` stands in ComputationErrors.
template <class Work, class Time>
auto without_gil(const Work &work, const Time &time)
{
  first_error().reset();
  const auto raise = [] {
    if (first_error())
      throw *std::exchange(first_error(), std::nullopt);
  };
  try
  {
    const auto result = [&] {
      py::gil_scoped_release released;
      return work();
    }();
    raise();
    return result;
  }
  catch (const ComputationError &error)
  {
    raise();
    throw FailureAt(error.what(), time());
  }
}

/// InputError and ComputationError become those of the package.
void add_errors();
}  // namespace symdyn::python
