#include "elements/lumped/lumped_history.h"

#include <algorithm>
#include <stdexcept>

namespace symdyn
{
LumpedHistory::LumpedHistory(const LumpedParts &parts)
{
  for (const auto &term : parts.terms)
    if (const auto *memory = dynamic_cast<const ElementMemory *>(term.get()))
      block = std::max(block, memory->variables());
}

void LumpedHistory::add(const std::size_t section, const std::shared_ptr<const DiscreteTerm> &term, const bool owned)
{
  const auto *memory = dynamic_cast<const ElementMemory *>(term.get());
  if (!memory)
    return;
  if (owned && !sections.empty() && !sections.back().owned)
    throw std::logic_error("owned elements come first");
  place[term.get()] = sections.size();
  sections.push_back({section, term, memory, owned, end});
  end += sections.back().size();
}

std::shared_ptr<const DiscreteTerm> LumpedHistory::in_step(const std::shared_ptr<const DiscreteTerm> &term, const At &at) const
{
  const auto found = place.find(term.get());
  if (found == place.end())
    return term;
  const Section &section = sections[found->second];
  return section.memory->in_step({at.from ? at.from + section.start : nullptr, at.dt, at.to ? at.to + section.start : nullptr});
}

void LumpedHistory::add_owned(const std::size_t number, const double *history, std::vector<double> &m) const
{
  for (const Section &section : sections)
  {
    if (section.number != number || !section.owned)
      continue;
    std::vector<double> own(section.size());
    if (history)
      std::copy_n(history + section.start, own.size(), own.begin());
    else
      section.memory->begin(own.data());
    const std::size_t variables = section.memory->variables();
    for (std::size_t i = 0; i < section.memory->elements(); ++i)
      for (std::size_t k = 0; k < variables; ++k)
        m.at(variables * section.memory->number(i) + k) += own[variables * i + k];
  }
}

bool LumpedHistory::is_heated() const
{
  return std::any_of(sections.begin(), sections.end(), [](const Section &section) { return section.memory->is_heated(); });
}

std::size_t LumpedHistory::history_size() const
{
  constexpr std::size_t aligned = 8;  // doubles: 64 bytes, which no Wide exceeds
  return (end + aligned - 1) / aligned * aligned;
}

void LumpedHistory::begin_history(double *history) const
{
  std::fill_n(history, history_size(), 0.);
  for (const Section &section : sections)
    section.memory->begin(history + section.start);
}

Spent LumpedHistory::spent(const double *history) const
{
  Spent sum;
  for (const Section &section : sections)
    if (section.owned)
      sum += section.memory->spent(history + section.start);
  return sum;
}

TermHistory::HistoryBlocks LumpedHistory::history_blocks() const
{
  constexpr int bits_of_element = 40;  // more elements than memory holds
  HistoryBlocks blocks;
  blocks.doubles = block;
  for (const Section &section : sections)
    for (std::size_t i = 0; i < section.memory->elements(); ++i)
    {
      blocks.identities.push_back(std::uint64_t(section.number) << bits_of_element | section.memory->number(i));
      blocks.owned += section.owned;
    }
  return blocks;
}

void LumpedHistory::pack_history(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  for (const Section &section : sections)
    for (std::size_t i = 0; i < section.memory->elements() && section.owned; ++i)
    {
      const int variables = section.memory->variables();
      const double *m = history + section.start + variables * i;
      blocks.insert(blocks.end(), m, m + variables);
      blocks.resize(blocks.size() + block - variables, 0.);
    }
}

void LumpedHistory::unpack_history(const std::vector<double> &blocks, double *history) const
{
  std::size_t first = 0;
  for (const Section &section : sections)
    for (std::size_t i = 0; i < section.memory->elements(); ++i, first += block)
      for (int k = 0; k < section.memory->variables(); ++k)
        history[section.start + section.memory->variables() * i + k] = blocks.at(first + k);
  if (first != blocks.size())
    throw std::logic_error("the history of another number of elements");
}
}  // namespace symdyn
