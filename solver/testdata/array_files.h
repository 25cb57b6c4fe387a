#pragma once
#include <complex>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
/// An array for NumPy and MATLAB: real or complex numbers, the last index running fastest; or a list of words.
struct NamedArray
{
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<std::complex<double>> values;
  bool is_complex = false;
  std::vector<std::string> words;  ///< of a list: shape and values are empty

  static NamedArray real(std::string name, const std::vector<double> &values)
  {
    return {std::move(name), {values.size()}, {values.begin(), values.end()}, false, {}};
  }
};

/// An archive for numpy.load: a .npy (format 1.0) an array, stored as they are in a ZIP file.
std::string npz(const std::vector<NamedArray> &arrays);
/// The arrays of such an archive, which numpy.savez writes, too: numbers of 8 bytes, complex ones of 16, words. Errors: InputError for
/// another file, with what is wrong in it.
std::vector<NamedArray> arrays_of_npz(const std::string &bytes);
/// A MATLAB file of level 4, which MATLAB, Octave and SciPy read. It has matrices alone: of more than two indices the first counts rows,
/// and columns go through the others, the last one first.
std::string mat(const std::vector<NamedArray> &arrays);
}  // namespace symdyn
