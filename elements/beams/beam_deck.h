#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "elements/beams/beam_element.h"
#include "elements/beams/beam_fibres.h"
#include "elements/beams/outline_section.h"
#include "elements/mesh_faces.h"
#include "materials/inelastic.h"
#include "materials/section/expansion.h"
#include "materials/section/heated_stiffness.h"
#include "solver/parameters.h"

namespace symdyn
{
/// The section of a beam as a deck describes it: shape, sizes and constants of the material.
class BeamDeck
{
public:
  void declare(Parameters &p);
  /// Errors: InputError with the place in the deck.
  BeamType type(int nodes) const;
  /// Of a length of the beam [kg/m].
  double line_mass() const { return of_length.line; }
  const BeamStiffness &stiffness() const { return C; }
  /// The larger radius of gyration of the section [m].
  double gyration() const;
  double axial() const { return C[BeamStrain::extension * BeamStrain::count + BeamStrain::extension]; }
  /// The smaller shear stiffness [N].
  double shear() const
  {
    return std::min(C[BeamStrain::shear_1 * (BeamStrain::count + 1)], C[BeamStrain::shear_2 * (BeamStrain::count + 1)]);
  }
  double young() const { return E; }
  /// As a boundary of contacts.
  BeamAxis axis(const std::string &beam) const;
  /// Of the points of the section; nullptr: it is elastic.
  const std::shared_ptr<const InelasticMaterial> &law() const { return yielding; }
  /// The number of the point that is nearest to a place, along axes 1 and 2 from the nodes [m].
  int nearest_fibre(const BeamPoint &place) const;
  std::size_t fibres() const { return points ? points->size() : 0; }
  /// Whether corners of the section are points of it.
  bool has_corner_fibres() const { return shape == "rectangle"; }
  /// Of the section, along axes 1 and 2 from the nodes [m].
  BeamPoint centroid() const { return {offset[0], offset[1]}; }
  const std::string &material_name() const { return material; }
  /// Corners of the section as it is drawn, in order, along axes 1 and 2 from the nodes [m].
  std::vector<BeamPoint> outline() const;
  /// Corners among them, or ends of both diameters, for tables of stresses; {}: the shape is not known.
  std::vector<BeamPoint> stress_points() const;
  /// The entry that puts the mass off the nodes or turns its axes, with its place in the deck; "": none does.
  std::string off_nodes(const Parameters &p) const;
  const Expansion &expansion() const { return of_heat; }
  const HeatedStiffness &heated_stiffness() const { return softening; }
  std::string description() const;

private:
  void declare_outline(Parameters &p);
  BeamSection section(const Parameters &p) const;
  void find_section(const Parameters &p);
  void take_material(const Parameters &p);
  /// Errors: InputError for sections without points.
  void find_fibres(const Parameters &p);
  void check_inertia(const Parameters &p) const;
  BeamMass mass_of_inertia() const;

  std::string shape = "rectangle", material, corners_text, holes_text;
  std::vector<double> size, inertia, offset{0., 0.}, shears;
  double E = 0, nu = 0, density = 0;
  BeamStiffness C{};
  BeamMass of_length;
  BeamSection found;
  BeamOutline drawn;  ///< of Section = outline
  int points_of_side = 5;
  std::shared_ptr<const InelasticMaterial> yielding;
  Expansion of_heat;
  HeatedStiffness softening;
  std::shared_ptr<const BeamFibres> points;
};
}  // namespace symdyn
