#include "solver/stages/rotors/loose_motions.h"

#include <cmath>

#include "solver/stages/analysis.h"
#include "solver/unknowns.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
std::string loose_motions(const Analysis &analysis, const MechanicalSystem &still)
{
  constexpr double rounding = 1e-10;  // of K of a rigid motion, whose terms cancel
  const State &state = analysis.state;
  if (const std::string known = analysis.structure->free_motions(state.q, analysis.units); !known.empty())
    return known;
  std::string text;
  const Pencil pencil(still, state.t, state.q);
  Vector motion = pencil.rest, force = pencil.rest;
  const std::vector<std::string> momenta = still.unknowns().momenta();  // "P_x", "J_z"
  for (std::size_t i = 0; i < momenta.size(); ++i)
  {
    still.unknowns().generator(i, state.q, motion);
    motion.update_ghost_values();
    pencil.stiffness(motion, force);
    if (motion.linfty_norm() > 0. && is_left_by_supports(still, motion) &&
        std::abs(motion * force) <= rounding * terms_of_square(still, state.q, motion))
      text += std::string(text.empty() ? "the body may " : " and ") + (momenta[i][0] == 'P' ? "move along " : "turn about ") +
              momenta[i].back();
  }
  return text;
}
}  // namespace symdyn
