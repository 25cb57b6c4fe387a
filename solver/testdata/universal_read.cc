#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"
#include "solver/testdata/universal_file.h"

// Datasets of universal files, by the columns of their Fortran formats.
namespace symdyn
{
namespace
{
std::string trimmed(const std::string &text)
{
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The bytes of a file, line by line.
class Records
{
public:
  explicit Records(const std::string &file) : file(file)
  {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
      throw InputError(file + ": the file cannot be read. Give the name of a universal file");
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  bool at_end() const { return at >= bytes.size(); }
  /// The next line. Errors: InputError at the end.
  std::string next()
  {
    if (at_end())
      fail("the file ends within a dataset. It was cut, or its last line -1 is missing");
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    now = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    return now;
  }
  /// Whether the next line is the end of a dataset; then it is taken.
  bool ends()
  {
    const std::size_t before = at;
    const int line = number;
    if (trimmed(next()) == "-1")
      return true;
    at = before;
    number = line;
    return false;
  }
  std::string raw(const std::size_t count)
  {
    if (bytes.size() < at + count)
      fail(fmt::format("{} bytes of values should follow, and {} are left. The file was cut", count,
                       bytes.size() - std::min(at, bytes.size())));
    const std::string taken = bytes.substr(at, count);
    at += count;
    if (!at_end() && bytes[at] == '\n')
      ++at;
    return taken;
  }
  [[noreturn]] void fail(const std::string &what) const { throw InputError(fmt::format("{}:{}: {}", file, number, what)); }

  /// The number in `width` columns from `begin` on; blank: `blank`. Errors: InputError.
  double real(const std::string &line, const std::size_t begin, const std::size_t width, const double blank = 0.) const
  {
    std::string text = begin < line.size() ? trimmed(line.substr(begin, width)) : "";
    if (text.empty())
      return blank;
    for (char &c : text)
      c = c == 'D' || c == 'd' ? 'E' : c;
    if (const auto value = number_from<double>(text))
      return *value;
    fail(fmt::format("'{}' in columns {} to {} is not a number", shortened(text), begin + 1, begin + width));
  }
  int integer(const std::string &line, const std::size_t begin, const std::size_t width) const
  {
    const double value = real(line, begin, width);
    if (value != std::floor(value) || std::abs(value) > 2147483647.)
      fail(fmt::format("'{}' in columns {} to {} is not a whole number", shortened(trimmed(line.substr(begin, width))), begin + 1,
                       begin + width));
    return int(value);
  }
  /// `count` numbers in fields of `width`, `of_line` a line.
  std::vector<double> reals(const std::size_t count, const std::size_t width, const std::size_t of_line)
  {
    std::vector<double> all;
    std::string line;
    for (std::size_t i = 0; i < count; ++i)
    {
      if (i % of_line == 0)
        line = next();
      if (trimmed(line).empty() || width * (i % of_line) >= line.size())
        fail(fmt::format("{} numbers should stand here, and {} do", count, i));
      all.push_back(real(line, width * (i % of_line), width));
    }
    return all;
  }

private:
  std::string file, bytes, now;
  std::size_t at = 0;
  int number = 0;
};

std::vector<std::string> five_titles(Records &in)
{
  std::vector<std::string> titles;
  for (int i = 0; i < 5; ++i)
    if (const std::string title = trimmed(in.next()); title != "NONE")
      titles.push_back(title);
  return titles;
}

void read_nodes(Records &in, UniversalFile &file, const bool one_line)
{
  while (!in.ends())
  {
    std::string line = in.next();
    const int number = in.integer(line, 0, 10);
    const std::size_t begin = one_line ? 40 : 0, width = one_line ? 13 : 25;
    if (!one_line)
      line = in.next();
    std::array<double, 3> &X = file.nodes[number];
    for (std::size_t d = 0; d < 3; ++d)
      X[d] = in.real(line, begin + width * d, width);
  }
}

void read_units(Records &in, UniversalFile &file)
{
  file.unit_of_length = trimmed(in.next().substr(0, 30));
  const std::string factors = in.next();
  file.length_factor = in.real(factors, 0, 25);
  if (!(file.length_factor > 0.))
    in.fail("the factor of lengths of dataset 164 must be > 0");
  while (!in.ends())
    in.next();
}

constexpr int normal_mode = 2, complex_mode = 3, complex_mode_second_order = 7;

/// Frequency and damping, or the eigenvalue.
void read_mode(Records &in, const int analysis, UniversalFile::Shape &shape)
{
  const std::string line = in.next();
  const auto numbers = std::size_t(in.integer(line, 10, 10));
  shape.mode = in.integer(line, 30, 10);
  const std::vector<double> of_mode = in.reals(numbers, 13, 6);
  if (of_mode.size() < (analysis == normal_mode ? 1 : 2))
    in.fail("a shape needs its frequency, or its complex eigenvalue");
  if (analysis == normal_mode)
  {
    shape.frequency = of_mode[0];
    shape.modal_mass = of_mode.size() > 1 ? of_mode[1] : 1.;
    shape.viscous = of_mode.size() > 2 ? of_mode[2] : 0.;
  }
  else
  {
    shape.lambda = {of_mode[0], of_mode[1]};
    shape.frequency = std::abs(shape.lambda) / (2. * std::acos(-1.));
    shape.viscous = std::abs(shape.lambda) > 0. ? -shape.lambda.real() / std::abs(shape.lambda) : 0.;
    if (of_mode.size() > 3)
      shape.modal_a = {of_mode[2], of_mode[3]};
  }
}

void read_shape(Records &in, UniversalFile &file)
{
  UniversalFile::Shape shape;
  shape.titles = five_titles(in);
  const std::string line = in.next();
  const int analysis = in.integer(line, 10, 10), type = in.integer(line, 40, 10);
  const auto count = std::size_t(in.integer(line, 50, 10));
  if (analysis != normal_mode && analysis != complex_mode && analysis != complex_mode_second_order)
  {
    while (!in.ends())
      in.next();
    file.others.insert(55);
    return;
  }
  if ((type != 2 && type != 5) || (count != 3 && count != 6))
    in.fail(fmt::format("a shape of data type {} with {} values a node cannot be read. Write real or complex ones (2, 5), 3 or 6 a node",
                        type, count));
  shape.is_complex = type == 5;
  shape.freedoms = int(count);
  read_mode(in, analysis, shape);
  const std::size_t parts = shape.is_complex ? 2 : 1;
  while (!in.ends())
  {
    const int node = in.integer(in.next(), 0, 10);
    const std::vector<double> u = in.reals(parts * count, 13, 6);
    for (std::size_t d = 0; d < count; ++d)
      shape.at[node][d] = {u[parts * d], shape.is_complex ? u[2 * d + 1] : 0.};
  }
  file.shapes.push_back(std::move(shape));
}

UniversalFile::Quantity axis(Records &in)
{
  const std::string line = in.next();
  const auto words = [&](const std::size_t begin) {
    const std::string text = begin < line.size() ? trimmed(line.substr(begin, 20)) : "";
    return text == "NONE" ? "" : text;
  };
  return {in.integer(line, 0, 10), words(26), words(47)};
}

/// Where values are bytes.
struct Binary
{
  bool is = false, swapped = false;
  std::size_t bytes = 0;
};

template <class T>
double taken(const std::string &raw, const std::size_t at, const bool swapped)
{
  char bytes[sizeof(T)];
  std::memcpy(bytes, raw.data() + at, sizeof(T));
  if (swapped)
    std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Places of uneven functions of doubles are floats in some files, and doubles in others: the number of bytes tells.
std::vector<double> numbers_of_bytes(Records &in, const Binary &binary, const std::size_t values, const std::size_t parts, const bool even,
                                     const bool is_double)
{
  const std::size_t size = is_double ? 8 : 4, of_value = parts * size;
  const std::size_t of_place = even ? 0 : values > 0 && binary.bytes == values * (of_value + 8) ? 8 : 4;
  if (binary.bytes != values * (of_value + of_place))
    in.fail(fmt::format("{} values of this type cannot be in {} bytes", values, binary.bytes));
  const std::string raw = in.raw(binary.bytes);
  std::vector<double> all;
  for (std::size_t at = 0; at < raw.size();)
  {
    if (of_place > 0)
      all.push_back(of_place == 8 ? taken<double>(raw, at, binary.swapped) : taken<float>(raw, at, binary.swapped));
    at += of_place;
    for (std::size_t part = 0; part < parts; ++part, at += size)
      all.push_back(is_double ? taken<double>(raw, at, binary.swapped) : taken<float>(raw, at, binary.swapped));
  }
  return all;
}

/// Uneven functions of doubles have fields of two widths.
std::vector<double> numbers_of_uneven_text(Records &in, const std::size_t values, const std::size_t parts)
{
  const std::size_t of_line = parts == 1 ? 2 : 1, width = 13 + 20 * parts;
  std::vector<double> all;
  std::string line;
  for (std::size_t k = 0; k < values; ++k)
  {
    if (k % of_line == 0)
      line = in.next();
    const std::size_t begin = width * (k % of_line);
    if (begin + 13 >= line.size())
      in.fail(fmt::format("{} values should stand here, and {} do", values, k));
    all.push_back(in.real(line, begin, 13));
    for (std::size_t part = 0; part < parts; ++part)
      all.push_back(in.real(line, begin + 13 + 20 * part, 20));
  }
  return all;
}

std::vector<double> numbers_of(Records &in, const Binary &binary, const std::size_t values, const std::size_t parts, const bool even,
                               const bool is_double)
{
  if (binary.is)
    return numbers_of_bytes(in, binary, values, parts, even, is_double);
  if (is_double && !even)
    return numbers_of_uneven_text(in, values, parts);
  const std::size_t count = values * (parts + (even ? 0 : 1));
  return is_double ? in.reals(count, 20, 4) : in.reals(count, 13, 6);
}

UniversalFile::Freedom freedom_of(const Records &in, const std::string &line, const std::size_t begin)
{
  const std::string name = begin < line.size() ? trimmed(line.substr(begin, 10)) : "";
  return {name == "NONE" ? "" : name, in.integer(line, begin + 10, 10), in.integer(line, begin + 20, 4)};
}

void read_function(Records &in, UniversalFile &file, const Binary &binary)
{
  UniversalFile::Function function;
  function.titles = five_titles(in);
  std::string line = in.next();
  function.type = in.integer(line, 0, 5);
  function.response = freedom_of(in, line, 31);
  function.reference = freedom_of(in, line, 56);
  line = in.next();
  const int type = in.integer(line, 0, 10);
  const int values = in.integer(line, 10, 10);
  const bool even = in.integer(line, 20, 10) == 1;
  const double first = in.real(line, 30, 13), increment = in.real(line, 43, 13);
  if (type != 2 && type != 4 && type != 5 && type != 6)
    in.fail(fmt::format("data type {} is none of 2, 4, 5, 6: real or complex, of single or double precision", type));
  if (values < 0)
    in.fail(fmt::format("a function has {} values", values));
  function.is_complex = type >= 5;
  function.is_double = type == 4 || type == 6;
  function.across = axis(in);
  function.above = axis(in);
  function.below = axis(in);
  axis(in);
  const std::size_t n = std::size_t(values), parts = function.is_complex ? 2 : 1, of_value = parts + (even ? 0 : 1);
  const std::vector<double> all = numbers_of(in, binary, n, parts, even, function.is_double);
  for (std::size_t k = 0; k < n; ++k)
  {
    const double *value = &all[k * of_value];
    function.abscissa.push_back(even ? first + double(k) * increment : *value++);
    function.values.emplace_back(value[0], function.is_complex ? value[1] : 0.);
  }
  if (!in.ends())
    in.fail(fmt::format("the end of the dataset (-1) should stand behind its {} values", values));
  file.functions.push_back(std::move(function));
}

Binary binary_of(const Records &in, const std::string &head)
{
  Binary binary;
  if (head.size() < 7 || head[6] != 'b')
    return binary;
  binary.is = true;
  binary.swapped = in.integer(head, 7, 6) == 2;
  constexpr int ieee = 2;
  if (in.integer(head, 13, 6) != ieee)
    in.fail("the values are no IEEE numbers");
  binary.bytes = std::size_t(in.real(head, 31, 12));
  return binary;
}
}  // namespace

double UniversalFile::per_metre(const std::string &unit)
{
  for (const auto &[name, factor] : {std::pair{"m", 1.}, {"cm", 100.}, {"mm", 1000.}, {"in", 1. / 0.0254}, {"ft", 1. / 0.3048}})
    if (unit == name)
      return factor;
  return 0.;
}

UniversalFile UniversalFile::read(const std::string &file)
{
  Records in(file);
  UniversalFile content;
  bool any = false;
  while (!in.at_end())
  {
    if (trimmed(in.next()) != "-1" || in.at_end())
      continue;
    any = true;
    const std::string head = in.next();
    switch (const int set = in.integer(head, 0, 6); set)
    {
      case 15:
      case 2411:
        read_nodes(in, content, set == 15);
        break;
      case 55:
        read_shape(in, content);
        break;
      case 58:
        read_function(in, content, binary_of(in, head));
        break;
      case 164:
        read_units(in, content);
        break;
      default:
        content.others.insert(set);
        while (!in.ends())
          in.next();
    }
  }
  if (!any)
    throw InputError(file + ": this is no universal file: it has no line with -1, which begins a dataset");
  content.others.erase(151);
  return content;
}
}  // namespace symdyn
