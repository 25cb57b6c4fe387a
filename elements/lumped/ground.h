#pragma once
#include <string>

#include "elements/lumped/parts.h"

namespace symdyn
{
/// The first term or constraint that changes when all points move along together, because it holds to a place in space ("legs"), or "".
/// Bars and springs tell by their anchors; formulas by V'' r and dg/dx r, which vanish at every x where V and g see differences of
/// coordinates alone: they are looked at where nothing is special.
std::string grounded_by(const LumpedParts &parts);
}  // namespace symdyn
