#pragma once
#include <string>

namespace symdyn
{
/// SHA-256 of bytes, 64 hexadecimal digits (FIPS 180-4, 2015).
std::string sha256(const std::string &bytes);
/// Of a file; "" if it cannot be read.
std::string sha256_of(const std::string &file);
}  // namespace symdyn
