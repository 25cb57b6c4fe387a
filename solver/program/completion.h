#pragma once
#include <map>
#include <string>
#include <vector>

namespace symdyn
{
/// Script that completes words of symdyn in bash: commands, their options, entries of --set with their choices, schemes. `commands`:
/// options of each; those of commands without any are asked for at the first use (`symdyn COMMAND --help`).
std::string bash_completion(const std::map<std::string, std::vector<std::string>> &commands);
}  // namespace symdyn
