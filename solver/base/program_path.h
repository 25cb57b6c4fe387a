#pragma once
#include <string>

namespace symdyn
{
/// The path of a program of PATH; "": there is none.
std::string program_of_path(const std::string &name);
}  // namespace symdyn
