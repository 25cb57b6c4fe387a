#include "solver/testdata/array_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "solver/base/checksum.h"

namespace symdyn
{
namespace
{
template <class T>
void append(std::string &bytes, const T value)
{
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

std::size_t longest(const std::vector<std::string> &words)
{
  std::size_t length = 1;
  for (const std::string &word : words)
    length = std::max(length, word.size());
  return length;
}

/// One array as a .npy file: a header of 64 n bytes, and the values.
std::string npy(const NamedArray &array)
{
  const bool is_list = !array.words.empty();
  const std::vector<std::size_t> shape = is_list ? std::vector<std::size_t>{array.words.size()} : array.shape;
  std::string extent;
  for (const std::size_t n : shape)
    extent += fmt::format("{},", n);
  const std::size_t width = longest(array.words);
  const std::string type = is_list ? fmt::format("|S{}", width) : array.is_complex ? "<c16" : "<f8";
  std::string head = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extent);
  constexpr std::size_t before = 10, line = 64;  // bytes before the header, and what all of it is a multiple of
  head.append((line - (before + head.size() + 1) % line) % line, ' ');
  head += '\n';
  std::string bytes = std::string("\x93NUMPY\x01", 7) + '\0';
  append(bytes, std::uint16_t(head.size()));
  bytes += head;
  for (const std::string &word : array.words)
    bytes += word + std::string(width - word.size(), '\0');
  for (const std::complex<double> &value : array.values)
  {
    append(bytes, value.real());
    if (array.is_complex)
      append(bytes, value.imag());
  }
  return bytes;
}

/// What stands before a file of a ZIP archive, and again, with `central`, in the directory at the end.
std::string zip_header(const std::string &name, const std::string &content, const bool central, const std::size_t offset)
{
  constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50;
  constexpr std::uint32_t first_of_zip = 0xffffffff;  // what CRC-32 of ZIP begins with
  constexpr std::uint16_t version = 20, first_of_1980 = (1 << 5) | 1;
  std::string bytes;
  append(bytes, central ? central_mark : local_mark);
  if (central)
    append(bytes, version);
  append(bytes, version);
  for (int zero = 0; zero < 3; ++zero)  // flags, stored as it is, midnight
    append(bytes, std::uint16_t(0));
  append(bytes, first_of_1980);
  append(bytes, checksum(content.data(), content.size(), first_of_zip));
  append(bytes, std::uint32_t(content.size()));
  append(bytes, std::uint32_t(content.size()));
  append(bytes, std::uint16_t(name.size()));
  append(bytes, std::uint16_t(0));
  if (central)
  {
    for (int zero = 0; zero < 3; ++zero)  // comment, disk, attributes
      append(bytes, std::uint16_t(0));
    append(bytes, std::uint32_t(0));
    append(bytes, std::uint32_t(offset));
  }
  return bytes + name;
}
}  // namespace

std::string npz(const std::vector<NamedArray> &arrays)
{
  std::string archive, directory;
  for (const NamedArray &array : arrays)
  {
    const std::string name = array.name + ".npy", content = npy(array);
    directory += zip_header(name, content, true, archive.size());
    archive += zip_header(name, content, false, 0) + content;
  }
  const std::size_t begin = archive.size();
  archive += directory;
  append(archive, std::uint32_t(0x06054b50));
  append(archive, std::uint32_t(0));
  append(archive, std::uint16_t(arrays.size()));
  append(archive, std::uint16_t(arrays.size()));
  append(archive, std::uint32_t(directory.size()));
  append(archive, std::uint32_t(begin));
  append(archive, std::uint16_t(0));
  return archive;
}

std::string mat(const std::vector<NamedArray> &arrays)
{
  std::string bytes;
  for (const NamedArray &array : arrays)
  {
    const bool is_list = !array.words.empty();
    const std::size_t width = longest(array.words), rows = is_list ? array.words.size() : array.shape.front(),
                      columns = is_list    ? width
                                : rows > 0 ? array.values.size() / rows
                                           : 0;
    for (const std::size_t number : {std::size_t(is_list), rows, columns, std::size_t(array.is_complex), array.name.size() + 1})
      append(bytes, std::int32_t(number));
    bytes += array.name + '\0';
    for (const bool imaginary : {false, true})
      for (std::size_t j = 0; j < columns && (!imaginary || array.is_complex); ++j)
        for (std::size_t i = 0; i < rows; ++i)
          if (is_list)
            append(bytes, j < array.words[i].size() ? double(array.words[i][j]) : double(' '));
          else
            append(bytes, imaginary ? array.values[i * columns + j].imag() : array.values[i * columns + j].real());
  }
  return bytes;
}
}  // namespace symdyn
