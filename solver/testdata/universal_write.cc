#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>

#include "solver/testdata/universal_file.h"

// Datasets of universal files as text, in the columns of their Fortran formats.
namespace symdyn
{
namespace
{
const char *const fence = "    -1\n";

/// A number in a field of E13.5: with as many digits as its columns hold, and a blank before.
std::string in_columns(const double value, const std::size_t width = 13)
{
  std::string text;
  for (int digits = 17; digits > 0; --digits)
    if (text = fmt::format("{:.{}g}", value, digits); text.size() < width)
      break;
  if (text.find_first_of(".en") == std::string::npos && text.size() + 1 < width)
    text += ".";  // Fortran would read it as 10^-5 of it
  return fmt::format("{:>{}}", text, width);
}

double as_read(const double value) { return std::strtod(in_columns(value).c_str(), nullptr); }

std::string line_of(const std::string &text) { return (text.empty() ? "NONE" : text.substr(0, 80)) + "\n"; }

std::string five_lines(const std::vector<std::string> &titles)
{
  std::string text;
  for (std::size_t i = 0; i < 5; ++i)
    text += line_of(i < titles.size() ? titles[i] : "");
  return text;
}

std::string freedom(const UniversalFile::Freedom &at)
{
  return fmt::format(" {:<10}{:10d}{:4d}", at.name.empty() ? "NONE" : at.name.substr(0, 10), at.node, at.direction);
}

std::string axis(const UniversalFile::Quantity &of)
{
  const auto words = [](const std::string &given) { return given.empty() ? std::string("NONE") : given.substr(0, 20); };
  return fmt::format("{:10d}{:5d}{:5d}{:5d} {:<20} {:<20}\n", of.type, 0, 0, 0, words(of.label), words(of.unit));
}

/// Whether first + k increment, as the header has them, are the places of the function.
bool is_even(const UniversalFile::Function &function)
{
  constexpr double rounding = 1e-12;
  const std::vector<double> &x = function.abscissa;
  if (x.size() < 2)
    return false;
  const double first = as_read(x[0]), increment = as_read((x.back() - x[0]) / double(x.size() - 1));
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!(std::abs(first + double(k) * increment - x[k]) <= rounding * std::abs(x.back())))
      return false;
  return true;
}

/// The numbers of a function one after the other: the place, where places are not even, and the parts of the value.
std::vector<double> numbers_of(const UniversalFile::Function &function, const bool even)
{
  std::vector<double> all;
  for (std::size_t k = 0; k < function.values.size(); ++k)
  {
    if (!even)
      all.push_back(function.abscissa[k]);
    all.push_back(function.values[k].real());
    if (function.is_complex)
      all.push_back(function.values[k].imag());
  }
  return all;
}

std::string values_as_text(const UniversalFile::Function &function, const bool even)
{
  const std::vector<double> all = numbers_of(function, even);
  const std::size_t of_value = (even ? 0 : 1) + (function.is_complex ? 2 : 1),
                    values_of_line = even || !function.is_complex ? 4 / of_value : 1;
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    text += !even && i % of_value == 0 ? in_columns(all[i]) : fmt::format("{:20.12e}", all[i]);
    if ((i + 1) % (of_value * values_of_line) == 0 || i + 1 == all.size())
      text += "\n";
  }
  return text;
}

std::string text_of(const UniversalFile::Function &function, const bool binary)
{
  const bool even = is_even(function);
  const std::vector<double> &x = function.abscissa;
  std::string bytes;
  if (binary)
  {
    const std::vector<double> all = numbers_of(function, even);
    bytes.resize(all.size() * sizeof(double));
    std::memcpy(bytes.data(), all.data(), bytes.size());
  }
  std::string text = fence;
  constexpr int little_endian = 1, ieee = 2, lines = 11;
  text +=
      binary ? fmt::format("{:6d}b{:6d}{:6d}{:12d}{:12d}{:6d}{:6d}{:12d}{:12d}\n", 58, little_endian, ieee, lines, bytes.size(), 0, 0, 0, 0)
             : "    58\n";
  text += five_lines(function.titles);
  text += fmt::format("{:5d}{:10d}{:5d}{:10d}{}{}\n", function.type, 0, 0, 0, freedom(function.response), freedom(function.reference));
  text += fmt::format("{:10d}{:10d}{:10d}{}{}{:13.5e}\n", function.is_complex ? 6 : 4, function.values.size(), int(even),
                      in_columns(x.empty() ? 0. : x[0]), in_columns(even ? (x.back() - x[0]) / double(x.size() - 1) : 0.), 0.);
  text += axis(function.across) + axis(function.above) + axis(function.below) + axis({});
  return text + (binary ? bytes : values_as_text(function, even)) + fence;
}

std::string text_of(const UniversalFile::Shape &shape)
{
  std::string text = std::string(fence) + "    55\n" + five_lines(shape.titles);
  const int parts = shape.is_complex ? 2 : 1;
  text += fmt::format("{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}\n", 1, shape.is_complex ? 3 : 2, shape.freedoms == 3 ? 2 : 3, 8,
                      shape.is_complex ? 5 : 2, shape.freedoms);
  text += fmt::format("{:10d}{:10d}{:10d}{:10d}\n", 2, shape.is_complex ? 6 : 4, 1, shape.mode);
  const auto row = [](const std::vector<double> &all) {
    std::string columns;
    for (std::size_t i = 0; i < all.size(); ++i)
      columns += in_columns(all[i]) + (i % 6 == 5 || i + 1 == all.size() ? "\n" : "");
    return columns;
  };
  text += shape.is_complex ? row({shape.lambda.real(), shape.lambda.imag(), shape.modal_a.real(), shape.modal_a.imag(), 0., 0.})
                           : row({shape.frequency, shape.modal_mass, shape.viscous, 0.});
  for (const auto &[node, u] : shape.at)
  {
    std::vector<double> all;
    for (int d = 0; d < shape.freedoms; ++d)
      for (int part = 0; part < parts; ++part)
        all.push_back(part == 0 ? u[d].real() : u[d].imag());
    text += fmt::format("{:10d}\n", node) + row(all);
  }
  return text + fence;
}

std::string header(const UniversalFile &file)
{
  const std::time_t now = std::time(nullptr);
  std::tm broken{};
  gmtime_r(&now, &broken);
  char date[16], clock[16];
  std::strftime(date, sizeof date, "%d-%b-%y", &broken);
  std::strftime(clock, sizeof clock, "%H:%M:%S", &broken);
  const std::string when = fmt::format("{:<10}{:<10}", date, clock);
  return std::string(fence) + "   151\n" + line_of(file.title) + line_of("") + line_of("symdyn") + when +
         fmt::format("{:10d}{:10d}{:10d}\n", 0, 0, 0) + when + "\n" + line_of("symdyn") + when + "\n" + fence;
}

std::string units(const UniversalFile &file)
{
  const auto factor = [](const double value) {
    std::string text = fmt::format("{:25.16e}", value);
    std::replace(text.begin(), text.end(), 'e', 'D');
    return text;
  };
  return std::string(fence) + "   164\n" +
         fmt::format("{:10d}{:<20}{:10d}\n", 9, file.unit_of_length.empty() ? "unknown" : file.unit_of_length.substr(0, 20), 2) +
         factor(file.length_factor) + factor(1.) + factor(1.) + "\n" + factor(273.15) + "\n" + fence;
}

std::string nodes(const UniversalFile &file)
{
  std::string text = std::string(fence) + "  2411\n";
  for (const auto &[number, X] : file.nodes)
  {
    text += fmt::format("{:10d}{:10d}{:10d}{:10d}\n", number, 1, 1, 11);
    for (const double x : X)
    {
      std::string coordinate = fmt::format("{:25.16e}", x);
      std::replace(coordinate.begin(), coordinate.end(), 'e', 'D');
      text += coordinate;
    }
    text += "\n";
  }
  return text + fence;
}
std::string elements(const UniversalFile &file)
{
  constexpr int last_beam = 24;
  std::string text = std::string(fence) + "  2412\n";
  for (const auto &[number, element] : file.elements)
  {
    text += fmt::format("{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}\n", number, element.descriptor, 1, 1, 7, element.nodes.size());
    if (element.descriptor <= last_beam)
      text += fmt::format("{:10d}{:10d}{:10d}\n", 0, 1, 1);
    for (std::size_t i = 0; i < element.nodes.size(); ++i)
      text += fmt::format("{:10d}{}", element.nodes[i], i % 8 == 7 || i + 1 == element.nodes.size() ? "\n" : "");
  }
  return text + fence;
}
}  // namespace

std::string UniversalFile::text(const bool binary) const
{
  std::string all = header(*this);
  if (length_factor > 0.)
    all += units(*this);
  if (!nodes.empty())
    all += symdyn::nodes(*this);
  if (!elements.empty())
    all += symdyn::elements(*this);
  for (const Shape &shape : shapes)
    all += text_of(shape);
  for (const Function &function : functions)
    all += text_of(function, binary);
  return all;
}
}  // namespace symdyn
