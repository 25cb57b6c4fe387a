#pragma once
#include <optional>
#include <set>
#include <string>

#include "solver/parameters.h"

namespace symdyn
{
/// Of all materials of a deck.
struct StiffestMaterial
{
  double E;    ///< the largest modulus of Young along x, y or z, at rest [Pa]
  double rho;  ///< the smallest density [kg/m³]
};

/// Of the section Materials of a deck, which other sections declare; nothing: it has no material. Of those of these cell groups, where they
/// are given.
std::optional<StiffestMaterial> stiffest_material(const Parameters &any, const std::set<std::string> &groups = {});
}  // namespace symdyn
