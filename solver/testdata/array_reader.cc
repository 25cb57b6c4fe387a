#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "solver/base/checksum.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/testdata/array_files.h"

// Archives of NumPy.
namespace symdyn
{
namespace
{
/// A part of a file.
class Bytes
{
public:
  explicit Bytes(const std::string &bytes) : Bytes(bytes, 0, bytes.size()) {}
  Bytes(const std::string &all, const std::size_t begin, const std::size_t length) : all(all), begin(begin), length(length) {}

  std::size_t size() const { return length; }
  Bytes part(const std::size_t from, const std::size_t size) const
  {
    if (from > length || size > length - from)
      throw InputError("is cut off");
    return {all, begin + from, size};
  }
  std::string text(const std::size_t from, const std::size_t size) const
  {
    part(from, size);
    return all.substr(begin + from, size);
  }
  template <class T>
  T number(const std::size_t from) const
  {
    part(from, sizeof(T));
    T value;
    std::memcpy(&value, all.data() + begin + from, sizeof(T));
    return value;
  }

private:
  const std::string &all;
  std::size_t begin, length;
};

/// What stands behind 'key': in the header of an array, up to the comma or brace that ends it.
std::string entry_of(const std::string &header, const std::string &key)
{
  const std::size_t at = header.find("'" + key + "':");
  if (at == std::string::npos)
    throw InputError(fmt::format("has an array without '{}'", key));
  std::size_t from = std::min(header.find_first_not_of(' ', at + key.size() + 3), header.size()), to = from;
  for (int depth = 0; to < header.size() && (depth > 0 || (header[to] != ',' && header[to] != '}')); ++to)
    depth += header[to] == '(' ? 1 : header[to] == ')' ? -1 : 0;
  return trim(header.substr(from, to - from));
}

std::vector<std::size_t> shape_of(std::string text)
{
  std::vector<std::size_t> shape;
  std::replace_if(
      text.begin(), text.end(), [](const char c) { return c == '(' || c == ')' || c == ','; }, ' ');
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string::npos)
  {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    shape.push_back(number_from<std::size_t>(text.substr(at, end - at)).value_or(0));
    at = end;
  }
  return shape;
}

/// A word of NumPy: bytes (S) or characters of four bytes (U), filled up with zeros.
std::string word_of(const Bytes &bytes, const std::size_t from, const std::size_t width, const bool wide)
{
  std::string word;
  for (std::size_t i = 0; i < width; i += wide ? 4 : 1)
    if (const auto c = wide ? bytes.number<std::uint32_t>(from + i) : std::uint32_t(bytes.number<unsigned char>(from + i)); c != 0)
      word += c < 128 || !wide ? char(c) : '?';
  return word;
}

/// Numbers in the order of Fortran, in that of C. The first index runs fastest in the first, the last one in the second.
void transpose(NamedArray &array)
{
  if (array.shape.size() > 2)
    throw InputError(fmt::format("has the array '{}' of {} indices in the order of Fortran. Write it by numpy.ascontiguousarray",
                                 array.name, array.shape.size()));
  if (array.shape.size() < 2)
    return;
  const std::size_t rows = array.shape[0], columns = array.shape[1];
  const auto by_columns = array.values;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      array.values[i * columns + j] = by_columns[j * rows + i];
}

/// What a .npy file holds.
NamedArray array_of(const std::string &name, const Bytes &bytes)
{
  constexpr std::size_t mark = 6;
  if (bytes.text(0, mark) != std::string("\x93NUMPY", mark))
    throw InputError(fmt::format("has '{}', which is no array of NumPy", name));
  const bool is_first = bytes.number<unsigned char>(mark) == 1;  // version
  const std::size_t before = is_first ? 10 : 12;
  const std::size_t length = is_first ? bytes.number<std::uint16_t>(8) : bytes.number<std::uint32_t>(8);
  const std::string header = bytes.text(before, length), type = entry_of(header, "descr");
  NamedArray array{name, shape_of(entry_of(header, "shape")), {}, type == "'<c16'", {}};
  std::size_t count = 1;
  for (const std::size_t n : array.shape)
    count *= n;
  const bool is_wide = type.rfind("'<U", 0) == 0, is_list = is_wide || type.rfind("'|S", 0) == 0;
  if (!is_list && type != "'<f8'" && type != "'<i8'" && !array.is_complex)
    throw InputError(fmt::format("has the array '{}' of type {}; numbers are <f8, <i8 or <c16, words |S or <U", name, type));
  const std::size_t width = is_list ? number_from<std::size_t>(type.substr(3, type.size() - 4)).value_or(0) * (is_wide ? 4 : 1)
                                    : sizeof(double) * (array.is_complex ? 2 : 1);
  const Bytes values = bytes.part(before + length, bytes.size() - std::min(bytes.size(), before + length));
  if (count > values.size() || count * width != values.size())
    throw InputError(fmt::format("has the array '{}' cut off", name));
  for (std::size_t i = 0; i < count; ++i)
    if (is_list)
      array.words.push_back(word_of(values, i * width, width, is_wide));
    else if (type == "'<i8'")
      array.values.emplace_back(double(values.number<std::int64_t>(i * width)));
    else
      array.values.emplace_back(values.number<double>(i * width),
                                array.is_complex ? values.number<double>(i * width + sizeof(double)) : 0.);
  if (is_list)
    array.shape.clear();
  else if (entry_of(header, "fortran_order") == "True")
    transpose(array);
  return array;
}

/// Where the directory of a ZIP file is said to be: its last 22 bytes, if there is no comment.
std::size_t end_of_zip(const std::string &bytes)
{
  constexpr std::size_t length = 22;
  const std::size_t at = bytes.rfind("PK\x05\x06");
  if (bytes.rfind("PK", 0) != 0 || at == std::string::npos || at + length > bytes.size())
    throw InputError("is no archive of NumPy (.npz)");
  return at;
}
}  // namespace

std::vector<NamedArray> arrays_of_npz(const std::string &bytes)
{
  const Bytes all(bytes);
  const std::size_t end = end_of_zip(bytes);
  std::vector<NamedArray> arrays;
  std::size_t at = all.number<std::uint32_t>(end + 16);
  for (int file = all.number<std::uint16_t>(end + 10); file > 0; --file)
  {
    constexpr std::size_t header = 46, local_header = 30, npy = 4;
    if (all.text(at, 4) != "PK\x01\x02")
      throw InputError("is no archive of NumPy (.npz)");
    const std::size_t of_name = all.number<std::uint16_t>(at + 28), size = all.number<std::uint32_t>(at + 20),
                      local = all.number<std::uint32_t>(at + 42);
    const std::string name = all.text(at + header, of_name);
    if (all.number<std::uint16_t>(at + 10) != 0)
      throw InputError(fmt::format("has '{}' compressed. Write it by numpy.savez, not by numpy.savez_compressed", name));
    const std::size_t begin = local + local_header + all.number<std::uint16_t>(local + 26) + all.number<std::uint16_t>(local + 28);
    const Bytes content = all.part(begin, size);
    constexpr std::uint32_t of_zip = 0xffffffff;  // what its CRC-32 begins with
    if (checksum(bytes.data() + begin, size, of_zip) != all.number<std::uint32_t>(at + 16))
      throw InputError(fmt::format("is damaged: '{}' has another checksum. Write the file again", name));
    arrays.push_back(array_of(name.substr(0, name.size() - std::min(npy, name.size())), content));
    at += header + of_name + all.number<std::uint16_t>(at + 30) + all.number<std::uint16_t>(at + 32);
  }
  return arrays;
}
}  // namespace symdyn
