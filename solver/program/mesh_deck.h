#pragma once
#include <string>

namespace symdyn
{
/// Text of a deck with the boundaries and groups of a mesh file. `file`: as the deck names it; `path`: from here; `stage`: static, dynamic,
/// modes. Errors: InputError for a mesh that cannot be read, or names no boundary.
std::string deck_of_mesh(const std::string &deck, const std::string &file, const std::string &path, const std::string &stage);
}  // namespace symdyn
