#pragma once
#include <array>
#include <memory>
#include <vector>

namespace symdyn
{
struct FibrePoint;

/// Section of a shell per area of the surface of its nodes, in local axes 1, 2. With strains E, K in the order (11, 22, 2·12):
///     V = ½ int (E·A E + 2 E·B K + K·D K + gamma·As gamma) dA,   T = ½ int (rho0 v·v + 2 rho1 v·w + rho2 w·w) dA,   v = x', w = d'
struct ShellSection
{
  std::array<double, 9> A{};   ///< [N/m], by rows
  std::array<double, 9> B{};   ///< [N]
  std::array<double, 9> D{};   ///< [N m]
  std::array<double, 4> As{};  ///< transverse shear, corrected [N/m]
  double rho0 = 0;             ///< int rho dzeta [kg/m²]
  double rho1 = 0;             ///< int rho zeta dzeta [kg/m]
  double rho2 = 0;             ///< int rho zeta² dzeta [kg]
  /// Through the thickness, of a material that yields: A, B, D are those at rest, and membrane forces follow from the strains of
  /// displacements. nullptr: it is elastic.
  std::shared_ptr<const std::vector<FibrePoint>> points;
};

/// One layer: plane stress in its own axes, which are turned by an angle about the normal.
struct ShellLayer
{
  double thickness;      ///< [m]
  double E1, E2, nu12;   ///< [Pa], [Pa], [-]
  double G12, G13, G23;  ///< [Pa]
  double angle;          ///< from axis 1 of the section towards axis 2 [rad]
  double rho;            ///< [kg/m³]
};

/// A, B, D = sum of int Qbar (1, zeta, zeta²) dzeta over layers, given from the lowest zeta on; `offset`: zeta of the middle [m].
/// Transverse shear by equilibrium of cylindrical bending in each direction (Whitney 1973): with the stress
///     tau_i(zeta) = g_i Q_i,   g_i = int_zeta^top Qbar_ii (zeta - zn_i) dzeta / R_i,   R_i = int Qbar_ii (zeta - zn_i)² dzeta
/// and neutral surface zn_i, As is the inverse of int g_i (Gbar^-1)_ij g_j dzeta: 5/6 G t for one isotropic layer.
ShellSection layered_section(const std::vector<ShellLayer> &layers, double offset);

/// Stress (11, 22, 12) over strain (11, 22, 2·12) of a layer, in the axes of the section [Pa].
std::array<double, 9> layer_stiffness(const ShellLayer &layer);

/// One isotropic layer: A = t C, B = t z0 C, D = (t³/12 + t z0²) C, As = 5/6 G t, C of plane stress.
ShellSection isotropic_section(double E, double nu, double thickness, double offset, double rho);

/// Inverse of a symmetric positive definite matrix of n rows (Gauss, Jordan, without exchange of rows).
std::vector<double> positive_inverse(std::vector<double> matrix, int n);
}  // namespace symdyn
