#include "elements/system/assembled_system.h"
#include "elements/system/stress_blocks.h"

// The system with stresses added that do not change.
namespace symdyn
{
CopiedSystem AssembledSystem::copied(Parts more, const State &about) const
{
  more.coarser = {};
  for (auto *solver : {&more.linear_solver, &more.stiff_solver})
    if (*solver)
    {
      const bool often = (*solver)->solves_often;
      *solver = (*solver)->fresh();
      (*solver)->solves_often = often;
    }
  auto whole = std::make_unique<AssembledSystem>(std::move(more));
  CopiedSystem made;
  if (remembers())
  {
    const auto history = std::make_shared<TermHistories>(whole->parts.terms);
    if (about.history)
      history->copy(static_cast<const TermHistories &>(*about.history));
    auto state = std::make_unique<State>(about);
    state->history = history;
    made.frozen = static_cast<const Remembering &>(*whole).at(*state);  // with the temperatures that it has
    made.state = std::move(state);
  }
  made.whole = std::move(whole);
  return made;
}

AssembledSystem::Parts AssembledSystem::with_stresses(const State &about, const Vector &u, const double factor) const
{
  Parts more = parts;
  for (std::size_t i = 0; i < parts.terms.size(); ++i)
    if (const Traits traits = parts.terms[i]->traits(); traits.carries || traits.thin)
      more.terms.push_back(std::make_shared<CarriedStress>(*parts.terms[i], *parts.space, about.q, u, TermHistories::of(about, i), factor));
  for (const auto &make : parts.stresses)
    more.terms.push_back(make(about, u, factor));
  return more;
}

CopiedSystem AssembledSystem::stressed(const State &about, const Vector &u, const double factor) const
{
  return copied(with_stresses(about, u, factor), about);
}
}  // namespace symdyn
