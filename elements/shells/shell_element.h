#pragma once
#include <string>
#include <vector>

#include "elements/gram/gram_layout.h"
#include "elements/shells/shell_section.h"

namespace symdyn
{
/// Shells with a director: x(xi, eta, zeta) = x(xi, eta) + zeta d(xi, eta), d a unit normal at rest; nodal vectors x_0..x_n-1, d_0..d_n-1.
/// With a_alpha = x,alpha, all less their values at rest:
///     E_ab = ½ a_a·a_b,   K_ab = ½ (a_a·d,b + a_b·d,a),   gamma_a = a_a·d        (Simo, Fox 1989; Betsch, Menzel, Stein 1998)
/// The quadratic part in zeta, ½ d,a·d,b, and thickness strains are left out. Nothing resists turning about d.
/// `rest`: the nodal vectors at rest. `direction`: angle 0 of the section (its projection on the cell); {}: x,xi of the middle of the cell.

/// Four nodes at (-1, -1), (1, -1), (1, 1), (-1, 1). Membrane forces N with 5 parameters (Pian, Sumihara 1984), assumed transverse shear
/// (Dvorkin, Bathe 1984), 2 x 2 Gauss points.
GramModel s4_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction = {});

/// Three nodes: constant membrane and bending strains, assumed transverse shear MITC3 (Lee, Bathe 2004).
GramModel s3_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction = {});

/// Eight or six nodes: corners, then the middles of the edges 1-2, 2-3, ...: full strains at 2 x 2 or 3 Gauss points (S8R, S6). The mass is
/// integrated in full; a lumped one is the diagonal of the consistent one, scaled (Hinton, Rock, Zienkiewicz 1976).
GramModel quadratic_shell_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction = {});

/// Of as many nodes as `rest` has: S3, S4, S6, S8R.
GramModel shell_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction = {});

/// A sentence for the user about the shape of a cell; empty: nothing to report. Reported: a corner whose area ratio J
/// is at most 0.05 of the mean, a cell warped by more than 30 degrees, a director that does not leave the cell on the side of its normal,
/// of second order also nodes that are not near the middle of their edge.
std::string shell_quality(const std::vector<GramVector> &rest);

/// The largest angle between the normals of corners of a cell [rad]: how much it is warped.
double shell_warp(const std::vector<GramVector> &rest);

/// Strains and resultants at a Gauss point, in its axes; order (11, 22, 2·12), resultants (11, 22, 12), shears (1, 2).
struct ShellResultants
{
  GramVector e1, e2;                   ///< axes 1, 2
  double weight;                       ///< area [m²]
  std::array<double, 3> E, K, N, M;    ///< [-], [1/m], [N/m], [N]; E follows from N: E = A^-1 (N - B K)
  std::array<double, 2> gamma, shear;  ///< [-], [N/m]
  /// Of sections with points that yield, at the bottom, the middle and the top: stress (11, 22, 12) [Pa], accumulated plastic strain.
  std::array<std::array<double, 3>, 3> stress{};
  std::array<double, 3> flow{};
};
/// Of a cell, from its strains eps.
std::vector<ShellResultants> shell_resultants(const ShellSection &section, const std::vector<GramVector> &rest,
                                              const std::vector<double> &eps, const GramVector &direction = {});

/// Parts which types of shell share.
namespace shells
{
constexpr int modes = 5;  ///< parameters of assumed membrane forces at most
/// Functions of four nodes, and their derivatives along xi and eta.
using Row = std::array<double, 4>;
Row values(double xi, double eta);
Row along_xi(double eta);
Row along_eta(double xi);
/// A point of integration of a cell, in the reference cell: values of the functions of its nodes, and their derivatives.
struct SurfacePoint
{
  double weight;
  std::array<double, 8> N, along_xi, along_eta;
};
/// A Gauss point: what makes strains in its axes e1, e2 of the strains of the shape, which are those in the reference cell.
struct Point
{
  double weight;                        ///< area [m²]
  GramVector e1, e2;                    ///< orthonormal, tangent
  std::array<double, 9> metric;         ///< strains of the shape to E, and to K
  std::array<double, 8> tying;          ///< four shears of the shape to gamma
  std::array<double, 3 * modes> force;  ///< P: N = P beta, [component][mode]
  int membrane, bending;                ///< first of three strains of the shape
  int shear = -1;                       ///< first of two, to which the first two columns of `tying` belong; -1: four of the cell
};
struct Cell
{
  std::shared_ptr<const GramShape> shape;
  std::vector<Point> points;
  int modes;      ///< of P; 0: membrane forces follow from the strains of each point
  int membranes;  ///< strains of the shape: membrane, as many of bending, four shears
};
Cell s4_cell(const std::vector<GramVector> &rest, const GramVector &direction);
Cell s3_cell(const std::vector<GramVector> &rest, const GramVector &direction);
Cell quadratic_cell(const std::vector<GramVector> &rest, const GramVector &direction);
inline Cell cell_of(const std::vector<GramVector> &rest, const GramVector &direction)
{
  return rest.size() == 8 ? s4_cell(rest, direction) : rest.size() == 6 ? s3_cell(rest, direction) : quadratic_cell(rest, direction);
}
/// Points that integrate loads and masses of 6 or 8 nodes; and the functions at a node.
const std::vector<SurfacePoint> &quadratic_points(int nodes);
SurfacePoint quadratic_node(int nodes, int node);
/// The functions of 3, 4, 6 or 8 nodes at a place of the reference cell.
SurfacePoint functions_at(int nodes, double xi, double eta);

/// Axes of a tangent plane, e1 along the projection of the direction, and of the derivatives a_xi, a_eta of x in it; J[i][alpha] =
/// e_i·a_alpha.
struct TangentPlane
{
  GramVector e1, e2, normal;
  std::array<double, 4> J;
  double area;  ///< |a_xi x a_eta|
};
TangentPlane tangent(const GramVector &a_xi, const GramVector &a_eta, const GramVector &direction);
/// The same at another point of a cell: the axes of its middle, turned as its normal turns (by the smallest rotation).
TangentPlane tangent(const GramVector &a_xi, const GramVector &a_eta, const TangentPlane &middle);
/// A point whose area is J times a weight in the reference cell; without forces and shears.
Point point_of(const TangentPlane &tangent, double reference_weight);
/// gamma = J^-T (gamma_xi, gamma_eta); assumed: gamma_xi, gamma_eta as two rows over the shears at four tying points.
void set_shear(const TangentPlane &tangent, const std::array<double, 8> &assumed, Point &point);
/// A row of G over the places, or over the directors, of n nodes; its number.
int add_row(const double *row, int n, bool directors, GramShape &shape);
/// sum_a row_a v_a
GramVector combined(const double *row, const GramVector *vectors, int n);
/// Blocks of D and the mass, from int N_a N_b dA by rows. Lumped masses are sums of rows, or of second order
/// scaled diagonals, which leave out rho1.
GramModel model_of(const Cell &cell, const ShellSection &section, const std::vector<double> &NN);
}  // namespace shells
}  // namespace symdyn
