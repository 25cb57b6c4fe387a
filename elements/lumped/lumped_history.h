#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "elements/lumped/element_memory.h"
#include "elements/lumped/parts.h"
#include "elements/term.h"

namespace symdyn
{
/// The memory of the elements of discrete terms: of those of this rank's points first, then of those that only its matrices need.
class LumpedHistory : public TermHistory
{
public:
  explicit LumpedHistory(const LumpedParts &parts);
  /// The elements of a section of the deck on this rank, of its points (`owned`) or of matrices alone; owned ones come first. Terms without
  /// a memory are left out.
  void add(std::size_t section, const std::shared_ptr<const DiscreteTerm> &term, bool owned);
  /// Whether any element has one, on some rank.
  bool any() const { return block > 0; }
  /// The term in a step; without a memory, itself.
  std::shared_ptr<const DiscreteTerm> in_step(const std::shared_ptr<const DiscreteTerm> &term, const At &at) const;
  /// Calls visit(term) for the terms of matrices alone, in the step.
  template <class Visit>
  void each_ghost(const At &at, const Visit &visit) const
  {
    for (const Section &section : sections)
      if (!section.owned)
        visit(*in_step(section.term, at));
  }
  /// m += the variables of the elements of a section that this rank owns; m: of all of them. `history`: nullptr: all virgin.
  void add_owned(std::size_t section, const double *history, std::vector<double> &m) const;

  /// Whether any element here has a temperature.
  bool is_heated() const;
  /// Calls visit(memory, its variables) for the elements that have temperatures.
  template <class Visit>
  void each_heated(double *history, const Visit &visit) const
  {
    for (const Section &section : sections)
      if (section.memory->is_heated())
        visit(*section.memory, history + section.start);
  }

  std::size_t history_size() const override;
  void begin_history(double *history) const override;
  Spent spent(const double *history) const override;
  HistoryBlocks history_blocks() const override;
  void pack_history(const double *history, std::vector<double> &blocks) const override;
  void unpack_history(const std::vector<double> &blocks, double *history) const override;

private:
  struct Section
  {
    std::size_t number;
    std::shared_ptr<const DiscreteTerm> term;
    const ElementMemory *memory;
    bool owned;
    std::size_t start;  ///< in the history
    std::size_t size() const { return memory->variables() * memory->elements(); }
  };
  std::vector<Section> sections;
  std::unordered_map<const DiscreteTerm *, std::size_t> place;  ///< in `sections`
  std::size_t end = 0;                                          ///< of all variables
  int block = 0;                                                ///< the most variables of an element
};
}  // namespace symdyn
