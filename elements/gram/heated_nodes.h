#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "elements/gram/gram_term.h"
#include "elements/site_plan.h"
#include "elements/term_histories.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// The elements of a term of beams or shells that have temperatures; nullptr: it is another term.
inline const GramTerm *heated_elements_of(const Term &term)
{
  const auto *elements = dynamic_cast<const GramTerm *>(&term);
  return elements && elements->has_temperatures() ? elements : nullptr;
}

inline bool any_heated_elements(const std::vector<std::shared_ptr<Term>> &terms)
{
  return std::any_of(terms.begin(), terms.end(), [](const auto &term) { return heated_elements_of(*term) != nullptr; });
}

/// Of nodes of such elements, on all ranks [K]; `terms`: all of a system. Collective. Errors: InputError where those of nodes are not
/// known.
inline std::map<SitePlan::Site, double> temperatures_of_nodes(const std::vector<std::shared_ptr<Term>> &terms, const State &state)
{
  std::vector<double> own;  // site, temperature
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const GramTerm *elements = heated_elements_of(*terms[i]))
      for (const auto &[site, T] : elements->temperatures_of_nodes(state.t, TermHistories::of(state, i)))
        own.insert(own.end(), {double(site), T});
  std::map<SitePlan::Site, double> all;
  for (const std::vector<double> &of_rank : dealii::Utilities::MPI::all_gather(state.q.get_mpi_communicator(), own))
    for (std::size_t k = 0; k < of_rank.size(); k += 2)
      all.emplace(SitePlan::Site(of_rank[k]), of_rank[k + 1]);
  return all;
}
}  // namespace symdyn
