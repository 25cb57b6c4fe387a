#pragma once
#include <string>

#include "solver/structure.h"

namespace symdyn
{
struct Analysis;

/// Lines of `symdyn check`: speeds of waves in the materials and how long they need through the body. Warns of speeds that no solid has,
/// where the deck's units are known: a density or a modulus is in other units then.
std::string waves_in_words(const ModelFacts &facts, const Units &units);
/// "  first period: ..., from K and M at the start"; where that would take long why there is none. Collective.
std::string first_period_in_words(const Analysis &analysis);
}  // namespace symdyn
