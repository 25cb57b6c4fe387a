#pragma once
#include <memory>
#include <string>

#include "materials/material.h"

namespace symdyn
{
/// What fills the cells of one material id.
struct MaterialInUse
{
  std::string name;
  std::shared_ptr<const Material> law;
  double density = 0;                                    ///< [kg/m³]
  bool stiff = false;                                    ///< of Part::stiff
  double thickness = 1;                                  ///< of a plane body [m]; law and density hold it as a factor
  std::shared_ptr<const Material> per_volume = nullptr;  ///< the law without it, for stresses; nullptr: it is `law`

  const Material &of_stresses() const { return per_volume ? *per_volume : *law; }
};
}  // namespace symdyn
