#pragma once
#include <string>

namespace symdyn
{
enum class ReferenceFormat
{
  markdown,
  json,
  prm
};

/// Every entry a deck may have, with default, rule and meaning, from the declarations of the code itself.
std::string deck_reference(ReferenceFormat format);

/// Writes a commented deck `name`.prm to start from. Errors: InputError if the file exists or cannot be written.
std::string write_new_deck(const std::string &name);
}  // namespace symdyn
