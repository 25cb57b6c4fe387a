#include "python/module/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace symdyn::python
{
namespace
{
Array as_numbers(const py::object &given, const std::string &what)
{
  const py::array array = py::array::ensure(given);
  const char kind = array ? array.dtype().kind() : 'O';
  if (kind != 'f' && kind != 'i' && kind != 'u')
  {
    PyErr_Clear();
    throw ComputationError(fmt::format("{}: expected an array of numbers, not {}", what,
                                       array && kind != 'O' ? "one of " + std::string(py::str(array.dtype()))
                                                            : std::string(py::str(py::type::handle_of(given).attr("__name__")))));
  }
  return Array::ensure(array);
}

void check_numbers(const double *numbers, const std::size_t count, const std::string &what)
{
  if (!std::all_of(numbers, numbers + count, [](const double x) { return std::isfinite(x); }))
    throw ComputationError(what + ": has values that are not finite (NaN or infinite)");
}
}  // namespace

std::string shape_of(const py::array &array) { return py::str(py::tuple(array.attr("shape"))); }

Array copy_of(const Vector &x, const int block)
{
  const py::ssize_t rows = x.locally_owned_size() / block;
  Array array({rows, py::ssize_t(block)});
  std::copy(x.begin(), x.end(), array.mutable_data());
  return array;
}

void copy_to(const py::object &given, const int block, const std::string &what, Vector &x)
{
  const std::size_t rows = x.locally_owned_size() / block;
  const Array array = as_numbers(given, what);
  if (array.ndim() != 2 || std::size_t(array.shape(0)) != rows || array.shape(1) != block)
    throw ComputationError(fmt::format("{}: has the shape {}, expected ({}, {})", what, shape_of(array), rows, block));
  check_numbers(array.data(), rows * block, what);
  std::copy(array.data(), array.data() + rows * block, x.begin());
}

void read_rows(const py::object &given, const std::size_t rows, const int columns, const std::string &what, std::vector<double> &numbers)
{
  const Array array = as_numbers(given, what);
  const bool one_row = array.ndim() == 1 && array.shape(0) == columns;
  if (!one_row && (array.ndim() != 2 || std::size_t(array.shape(0)) != rows || array.shape(1) != columns))
    throw ComputationError(fmt::format("{}: has the shape {}, expected ({}, {}) or ({},)", what, shape_of(array), rows, columns, columns));
  check_numbers(array.data(), array.size(), what);
  numbers.resize(rows * columns);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = array.data()[one_row ? i % columns : i];
}

void empty(py::array &array)
{
  if (array.ndim() > 0)
    py::detail::array_proxy(array.ptr())->dimensions[0] = 0;
}
}  // namespace symdyn::python
