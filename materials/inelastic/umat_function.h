#pragma once
#include <array>
#include <string>
#include <vector>

#include "materials/algebra/symmetric.h"

namespace symdyn
{
class Parameters;

/// A point before a call of a user's function, and after it. Components in the order 11, 22, 33, 12, 13, 23; shear strains gamma = 2 eps.
struct UmatPoint
{
  using Six = std::array<double, 6>;
  using Gradient = std::array<std::array<double, 3>, 3>;
  Six stress{};                                    ///< before, then after the increment [Pa]
  std::vector<double> state;                       ///< likewise
  double elastic = 0, plastic = 0, creep = 0;      ///< likewise: SSE, SPD, SCD [J/m³]
  Six strain{}, growth{};                          ///< before; in the increment
  Gradient F0{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< before
  Gradient F1 = F0;                                ///< after
  double time = 0, dt = 0;                         ///< before; of the increment [s]
  double temperature = 0, heating = 0;             ///< before; in the increment
  int number = 1;                                  ///< of the increment
  std::array<std::array<double, 6>, 6> moduli{};   ///< after: DDSDDE, moduli[i][j] = d stress_i/d strain_j [Pa]
  bool failed = false;                             ///< after: PNEWDT < 1
};

/// A function of a shared library with the calling convention of Abaqus' UMAT (Abaqus User Subroutines Reference Guide, 1.1.44): what
/// Fortran compilers, MFront's Abaqus interface and C with pointers make.
class UmatFunction
{
public:
  void declare(Parameters &p);
  /// Loads it. Errors: InputError for a library or function that is not there.
  void load(const Parameters &p);
  void operator()(UmatPoint &point) const;

  std::vector<double> constants;
  int states = 0;

private:
  std::string library, name = "umat_";
  void (*function)() = nullptr;
};
}  // namespace symdyn
