#pragma once
#include <deal.II/base/aligned_vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "elements/term.h"
#include "solver/history.h"

namespace symdyn
{
/// The histories of all terms of a system, in their order.
class TermHistories : public History
{
public:
  /// All virgin.
  explicit TermHistories(const std::vector<std::shared_ptr<Term>> &terms)
  {
    for (const auto &term : terms)
    {
      values.emplace_back(term->history_size());
      if (!values.back().empty())
        term->begin_history(values.back().data());
    }
  }
  /// nullptr: the term has none.
  const double *of(const std::size_t term) const { return values.at(term).empty() ? nullptr : values[term].data(); }
  double *of(const std::size_t term) { return values.at(term).empty() ? nullptr : values[term].data(); }

  /// The same numbers, of as many terms as both have.
  void copy(const TermHistories &other)
  {
    for (std::size_t i = 0; i < std::min(values.size(), other.values.size()); ++i)
      std::copy(other.values[i].begin(), other.values[i].end(), values[i].begin());
  }

  /// Of a term in a state; nullptr: the term has none, or is virgin.
  static const double *of(const State &state, const std::size_t term)
  {
    return state.history ? static_cast<const TermHistories &>(*state.history).of(term) : nullptr;
  }

private:
  std::vector<dealii::AlignedVector<double>> values;
};

/// The step that terms are asked about: their histories up to the last accepted state (nullptr: virgin), and its length (0: histories are
/// frozen).
struct TermStep
{
  std::shared_ptr<const TermHistories> from = nullptr;
  double dt = 0;
  TermHistories *to = nullptr;                            ///< where the histories at q go; nullptr: not wanted
  std::optional<Oscillation> oscillation = std::nullopt;  ///< of At
};
}  // namespace symdyn
