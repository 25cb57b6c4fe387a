#pragma once
#include <map>
#include <string>
#include <vector>

#include "elements/gram/gram_term.h"
#include "elements/gram/thin_material.h"
#include "elements/shells/shell_section.h"
#include "materials/inelastic.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// The section of a shell as a deck describes it: thickness and material, or layers.
class ShellDeck
{
public:
  void declare(Parameters &p);

  /// Layers from the lowest on, and zeta of their middle from the surface of the nodes [m].
  struct Layup
  {
    std::vector<ShellLayer> layers;
    double offset = 0, thickness = 0;
  };
  /// At a place [m], where nodes have a thickness in the mean [m]; 0: the mesh gives none. Errors: InputError for a thickness that is not
  /// positive.
  Layup at(const std::array<double, 3> &X, double of_nodes) const;
  /// Of a layup; made once for each thickness.
  const ShellSection &section(const Layup &layup) const;
  /// Whether it is the same in all directions of the shell.
  bool isotropic() const;
  /// The entry that puts the mass of the sections that were made off the nodes, with its place in the deck; "": none does.
  std::string off_nodes() const;
  const std::vector<std::string> &materials() const { return of_materials; }
  /// Of the points through the thickness; nullptr: it is elastic.
  const std::shared_ptr<const InelasticMaterial> &law() const { return yielding; }
  /// How the layers expand. All as one where they are of one material.
  std::vector<ExpandingLayer> expansion() const;
  /// Of all layers over the temperature.
  const HeatedStiffness &heated_stiffness() const { return softening; }
  /// Whether layers have different expansions.
  bool is_bimetal() const { return layers_differ; }
  /// The strain 11 and 22 that a layer of a bimetal has at zeta where the section is free of forces [-]; else 0.
  double own_strain(std::size_t layer, double zeta, const GramTerm::Seen &cell) const;
  std::string description() const;

private:
  void read_layers(const Parameters &p);
  void check_thickness(const Parameters &p) const;
  void take_material(const Parameters &p);
  void check_shear(const Parameters &p) const;
  void read_layer(const std::string &text, const Parameters &p);
  void check_layers_expand(const Parameters &p);

  Expression thickness;
  std::vector<std::string> of_materials;
  std::string material, layers_text, where_thickness, where_offset, where_layers;
  double offset = 0;
  bool at_nodes = false;  ///< the mesh gives thicknesses
  std::vector<double> shear;
  std::vector<ShellLayer> layers;
  int points = 5;
  std::shared_ptr<const InelasticMaterial> yielding;
  std::vector<Expansion> of_heat;  ///< of each layer
  HeatedStiffness softening;
  bool layers_differ = false;
  mutable std::map<double, ShellSection> made;  ///< by thickness
};
}  // namespace symdyn
