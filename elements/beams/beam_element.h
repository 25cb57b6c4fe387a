#pragma once
#include <memory>
#include <vector>

#include "elements/beams/beam_section.h"
#include "elements/gram/gram_layout.h"

namespace symdyn
{
/// Geometrically exact beams with two directors a node: x(s, xi_1, xi_2) = r(s) + xi_1 d_1(s) + xi_2 d_2(s), r and d_a by the same Lagrange
/// functions over 2 (B31) or 3 nodes (B32: end, middle, end). With ' = d/ds, s the arc length at rest, each strain less its value at rest:
///     Gamma_a = r'·d_a,   E = ½ (r'·r' - 1),   K_a = r'·d_a',   T = ½ (d_1'·d_2 - d_2'·d_1)
///     V = ½ int e·C e ds,   e = (Gamma_1, Gamma_2, E, K_1, K_2, T)      (Romero, Armero 2002; Betsch, Steinmann 2002)
/// at one Gauss point less than nodes, where thin beams do not lock (MacNeal 1978; Noor, Peters 1981). Quadratic terms in xi are left out
/// of the axial strain: curvature times height must be small. The directors must keep their products: by constraints, or elastically
/// (director_model of elements/gram/director_nodes.h).
class BeamType
{
public:
  /// Vectors of an element: all r, all d_1, all d_2. `offset`: o, of the centroid from the nodes: r + o_1 d_1 + o_2 d_2 stands in the
  /// strains and s is its arc length; `mass` is about the nodes. `points`: of Gauss, one less than nodes unless told (tests of locking).
  BeamType(int nodes, const BeamStiffness &stiffness, const BeamMass &mass, const BeamPoint &offset = {}, int points = 0);
  /// A law gives N, M1, M2 at points of the section about its centroid: E + xi_1 K_1 + xi_2 K_2 (Fibres); C the other forces.
  void set_fibres(std::shared_ptr<const std::vector<FibrePoint>> points) { fibres = std::move(points); }

  /// Of an element with these vectors at rest. Throws std::invalid_argument where nodes coincide, or the middle one is not in the middle
  /// half.
  GramModel model(const std::vector<GramVector> &rest) const;

  /// Length of the line at rest per coordinate of the cell, ds/dxi, at each Gauss point [m].
  std::vector<double> metrics(const std::vector<GramVector> &rest) const;

private:
  /// D, and the sections of fibres.
  void add_blocks(const std::vector<GramVector> &rest, GramModel &model) const;
  void add_mass(const std::vector<GramVector> &rest, GramModel &model) const;

  int nodes;
  BeamStiffness C;
  BeamMass of_length;
  BeamPoint offset;
  std::shared_ptr<const std::vector<FibrePoint>> fibres;
  std::shared_ptr<const GramShape> shape;  ///< of all elements with this number of nodes; of this type alone with an offset
};

/// Nodes in the order end, (middle,) end; the strains of a Gauss point stand together, in the order of BeamStrain.
std::shared_ptr<const GramShape> beam_shape(int nodes, const BeamPoint &offset = {}, int points = 0);

/// One element of its own: BeamType::model.
GramModel beam_model(int nodes, const BeamStiffness &stiffness, const BeamMass &mass, const std::vector<GramVector> &rest,
                     const BeamPoint &offset = {});
}  // namespace symdyn
