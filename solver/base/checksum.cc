#include "solver/base/checksum.h"

#include <boost/crc.hpp>
#include <fstream>
#include <vector>

namespace symdyn
{
std::uint32_t checksum(const void *data, const std::size_t bytes, const std::uint32_t before)
{
  boost::crc_32_type crc(before);
  crc.process_bytes(data, bytes);
  return crc.checksum();
}

std::uint32_t checksum_of(const std::string &file)
{
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(1 << 16);
  std::uint32_t crc = 0;
  boost::crc_32_type sum;
  while (in.read(block.data(), block.size()), in.gcount() > 0)
  {
    sum.process_bytes(block.data(), in.gcount());
    crc = sum.checksum();
  }
  return crc;
}
}  // namespace symdyn
