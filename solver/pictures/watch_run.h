#pragma once
#include <string>

namespace symdyn
{
/// Follows progress.json of a run on the terminal until the run ends; returns the exit code that the run has: 0, 2 or 4. Errors: InputError
/// for a folder without results.
int watch_run(const std::string &folder);
}  // namespace symdyn
