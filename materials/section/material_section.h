#pragma once
#include <memory>
#include <string>
#include <vector>

#include "materials/section/heated.h"
#include "materials/section/prestrained.h"

namespace symdyn
{
/// The entry of a section of Materials at which its constants hold.
void declare_own_temperature(Parameters &p, double &T);

/// A section of Materials: what all laws have, and the law.
struct MaterialSection
{
  std::string law_name;
  std::vector<std::string> groups;
  double density = 0;    ///< [kg/m³]; 0: not given
  double thickness = 1;  ///< of plane bodies [m]
  bool stiff = false;
  std::shared_ptr<Material> law;
  Expansion expansion;
  InitialField initial;                                    ///< empty: nothing strains at the start
  std::vector<HeatedMaterial::Constants> at_temperatures;  ///< ascending; empty: the law holds at all

  void declare_entries(Parameters &p);
  /// The law of `Type`, with its entries. Errors: InputError where there is none, and those of the law.
  void make_law(Parameters &p);
  /// The entries that concern temperatures, for the reference.
  void document_heat(Parameters &p);
  /// Whether its temperature is that of its plastic work.
  bool heats_itself() const;
  /// Whether temperatures matter to it.
  bool feels_heat() const;
  /// The law, with its state at the start if there is one, psi multiplied by `factor`.
  std::shared_ptr<const Material> in_body(double factor) const;
  /// The same at a temperature. Errors: InputError for a state at the start and a law that uses the temperature itself.
  std::shared_ptr<const Material> heated(double factor) const;

private:
  void declare_temperatures(Parameters &p);
  void declare_constants_at(Parameters section, const std::string &name);
  std::string where_constants;
};
}  // namespace symdyn
