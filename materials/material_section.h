#pragma once
#include <memory>
#include <string>
#include <vector>

#include "materials/material.h"

namespace symdyn
{
/// A section of Materials: what all laws have, and the law.
struct MaterialSection
{
  std::string law_name;
  std::vector<std::string> groups;
  double density = 0;    ///< [kg/m³]; 0: not given
  double thickness = 1;  ///< of plane bodies [m]
  bool stiff = false;
  std::shared_ptr<Material> law;

  void declare_entries(Parameters &p);
  /// The law of `Type`, with its entries. Errors: InputError where there is none, and those of the law.
  void make_law(Parameters &p);
};
}  // namespace symdyn
