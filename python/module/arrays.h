#pragma once
#include <pybind11/numpy.h>

#include <string>
#include <vector>

#include "python/module/errors.h"
#include "solver/vector.h"

namespace symdyn::python
{
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// "(5, 3)"
std::string shape_of(const py::array &array);
/// Owned entries of x, a row a site.
Array copy_of(const Vector &x, int block);
/// x = the array, which has that shape; ghost values too. Errors: ComputationError that begins with `what`, for another shape and for what
/// is not finite. To be followed by update_ghost_values() on all ranks.
void copy_to(const py::object &given, int block, const std::string &what, Vector &x);
/// The numbers of an array of this shape, or of one row for all. Errors: ComputationError as above.
void read_rows(const py::object &given, std::size_t rows, int columns, const std::string &what, std::vector<double> &numbers);
/// The array is empty from now on.
void empty(py::array &array);
}  // namespace symdyn::python
