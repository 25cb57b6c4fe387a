#pragma once
#include <array>
#include <complex>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace symdyn
{
/// What a universal file (UFF, .unv) holds of vibration tests: nodes, shapes and functions of frequency. Datasets as the Structural
/// Dynamics Research Laboratory of the University of Cincinnati documents them: 151 header, 164 units, 15 and 2411 nodes, 2412 elements, 55
/// shapes, 58 functions, with 58b, whose values are bytes.
struct UniversalFile
{
  /// Direction of a number: 1, 2, 3: x, y, z; 4, 5, 6: turns about them; negative: against them; 0: scalar.
  struct Freedom
  {
    std::string name;  ///< at most ten characters are written
    int node = 0, direction = 0;
  };
  /// What an ordinate is, and in which unit.
  struct Quantity
  {
    int type = 0;  ///< 8 displacement, 11 velocity, 12 acceleration, 13 force, 18 frequency, 1 anything
    std::string label, unit;
  };
  struct Function
  {
    std::vector<std::string> titles;  ///< at most five lines
    int type = 4;                     ///< 1 time response, 4 frequency response function
    Freedom response, reference;
    std::vector<double> abscissa;
    std::vector<std::complex<double>> values;
    bool is_complex = true, is_double = true;
    Quantity across, above, below;  ///< of the abscissa, of the numerator, of the denominator
  };
  struct Shape
  {
    std::vector<std::string> titles;
    int mode = 1;
    double frequency = 0;                  ///< [Hz]
    double modal_mass = 1, viscous = 0;    ///< viscous: zeta
    std::complex<double> lambda, modal_a;  ///< of complex modes: eigenvalue [1/s]
    bool is_complex = false;
    int freedoms = 3;                                       ///< of a node: 3, or 6 with turns
    std::map<int, std::array<std::complex<double>, 6>> at;  ///< by node
  };

  /// 21, 24 line, 91 to 95 surface, 111 to 118 solid: linear and parabolic, nodes of these in turn around the faces.
  struct Element
  {
    int descriptor = 0;
    std::vector<int> nodes{};
  };

  std::string title;
  double length_factor = 0;  ///< a length in metres times this is one of the file; 0: the file does not say
  std::string unit_of_length;
  /// How many of a unit are a metre; 0: the unit is unknown.
  static double per_metre(const std::string &unit);
  std::map<int, std::array<double, 3>> nodes;
  std::map<int, Element> elements;  ///< written, not read
  std::vector<Shape> shapes;
  std::vector<Function> functions;
  std::set<int> others;  ///< datasets that were left out

  /// Errors: InputError with file:line.
  static UniversalFile read(const std::string &file);
  /// `binary`: functions as 58b. Numbers of text have the digits that their columns hold: 13 for values of functions, 6 for those of
  /// shapes.
  std::string text(bool binary) const;
};
}  // namespace symdyn
