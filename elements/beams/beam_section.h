#pragma once
#include <array>

namespace symdyn
{
/// Coordinates in the plane of a section, along the directors d1 and d2 [m].
using BeamPoint = std::array<double, 2>;

/// Strains of a beam, in the order of its stiffness: Gamma_1, Gamma_2 [-], E [-], K_1, K_2 [1/m], T [1/m].
struct BeamStrain
{
  enum Index : int
  {
    shear_1,
    shear_2,
    extension,
    bending_1,
    bending_2,
    torsion,
    count
  };
};

/// C of a section, symmetric, by rows: force and moment per strain [N], [N m], [N m²].
using BeamStiffness = std::array<double, BeamStrain::count * BeamStrain::count>;

/// Mass per length about the line of nodes.
struct BeamMass
{
  double line = 0;                 ///< rho A [kg/m]
  BeamPoint first{};               ///< rho int xi_a dA [kg]
  std::array<double, 3> second{};  ///< rho int xi_1², xi_2², xi_1 xi_2 dA [kg m]
};

/// Section constants about the centroid; axis a is the director d_a.
struct BeamSection
{
  double area = 0;           ///< A [m²]
  double k1 = 1, k2 = 1;     ///< shear factors of Gamma_1, Gamma_2 [-]
  double I1 = 0, I2 = 0;     ///< int xi_1² dA, int xi_2² dA [m⁴]
  double I12 = 0;            ///< int xi_1 xi_2 dA [m⁴]
  double J = 0;              ///< torsion constant (Saint-Venant) [m⁴]
  BeamPoint centroid{};      ///< from the middle of the height and width [m]
  BeamPoint shear_centre{};  ///< from the centroid [m]
  double k12 = 0;            ///< of both: V_1 = G A (k1 Gamma_1 + k12 Gamma_2) [-]

  /// C of an isotropic material, E [Pa], G = E / (2 (1 + nu)), about the centroid:
  ///     diag(k1 G A, k2 G A, E A, E I1, E I2, G J), k12 G A between Gamma_1 and Gamma_2, E I12 between K_1 and K_2,
  /// and, with the shear centre s, Gamma_1 - s_2 T and Gamma_2 + s_1 T instead of Gamma_1 and Gamma_2. Throws std::invalid_argument.
  BeamStiffness stiffness(double E, double nu) const;

  /// Mass per length about nodes, from which the centroid has the offset o: rho A o_a, rho (I_ab + A o_a o_b). Throws
  /// std::invalid_argument.
  BeamMass mass(double density, const BeamPoint &offset = {}) const;
};

/// All functions below throw std::invalid_argument where a section is not possible.

/// `numbers` as they are: A, k1, k2, J > 0, I1 I2 > I12², J <= I1 + I2 (the polar moment is the largest torsion constant).
BeamSection general_section(const BeamSection &numbers);

/// Side a along axis 1, b along axis 2: k = 5/6, J = a b³ (1/3 - 0.21 b/a (1 - b⁴/(12 a⁴))), a >= b (Roark, table 10.7; error up to 0.2 %).
BeamSection rectangle_section(double a, double b);

/// Full circle: J = pi r⁴/2, k = 0.9 (strain energy of the parabolic shear stress).
BeamSection circle_section(double radius);

/// Outer radius and thickness: J = pi (R⁴ - r⁴)/2, k = 2 (1 + nu)/(4 + 3 nu) of a thin one (Cowper 1966).
BeamSection pipe_section(double radius, double thickness, double nu);

/// Outer sides a along axis 1, b along axis 2; opposite walls are equal.
struct BoxSides
{
  double a, b;
  double t1, t2;  ///< thickness of the walls at the ends of axis 1, of axis 2
};
/// J = 4 A_m²/(closed integral of ds/t) (Bredt 1896), A_m inside the middle line; k from the energy of the shear flow (thin walls).
BeamSection box_section(const BoxSides &box);

/// Web along axis 2; flange 1 at its lower end, 2 at its upper.
struct ISides
{
  double height;  ///< outer
  double width1, width2, flange1, flange2, web;
};
/// J = sum of b t³/3; k from the energy of the shear flow; unequal flanges move centroid and shear centre along axis 2 (thin walls).
BeamSection i_section(const ISides &sides);

/// Throws std::invalid_argument unless C is symmetric and positive definite.
void check_stiffness(const BeamStiffness &C);
}  // namespace symdyn
