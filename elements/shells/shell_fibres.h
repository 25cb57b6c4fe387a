#pragma once
#include <vector>

#include "elements/gram/gram_term.h"
#include "elements/shells/shell_element.h"

namespace symdyn
{
/// Strains and resultants at the Gauss points of a cell whose section has points that yield: N = sum of w sigma, M = sum of w zeta sigma.
std::vector<ShellResultants> plastic_resultants(const ShellSection &section, const std::vector<GramVector> &rest,
                                                const GramTerm::Seen &cell, const GramVector &direction = {});

namespace shells
{
/// Sections and blocks of membrane and bending of a cell whose section has points that yield, of the strains of displacements. Gauss points
/// with the same strains are one section.
void add_sections(const Cell &cell, const ShellSection &section, GramModel &model);
}  // namespace shells
}  // namespace symdyn
