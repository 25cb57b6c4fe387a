#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace symdyn
{
/// CRC-32 of bytes; `before`: of those in front of them.
std::uint32_t checksum(const void *data, std::size_t bytes, std::uint32_t before = 0);
/// Of a file; 0 if it cannot be read.
std::uint32_t checksum_of(const std::string &file);
}  // namespace symdyn
