#pragma once
#include <stdexcept>
#include <string>

namespace symdyn
{
/// What the user gave is wrong: deck, mesh, command line. Exit code 1. The message names place, value, rule and way out.
struct InputError : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

/// The computation failed: not converged, NaN, inverted cell. Exit code 2.
struct ComputationError : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

/// A search that takes long was told to stop, by a signal or the wall time limit: no fault of anything.
struct Interrupted : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

enum ExitCode
{
  exit_done = 0,
  exit_input = 1,
  exit_computation = 2,
  exit_internal = 3,
  exit_signal = 4,
  exit_promise = 5
};
}  // namespace symdyn
