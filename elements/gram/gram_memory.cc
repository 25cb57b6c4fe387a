#include "elements/gram/gram_memory.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <stdexcept>

namespace symdyn
{
void GramMemory::add(const Place &place, const std::size_t variables)
{
  if (place.group == int(groups.size()))
  {
    groups.push_back({variables, {}, {}});
    block = std::max(block, variables);
  }
  Group &group = groups.at(place.group);
  const std::size_t batches = std::size_t(place.batch) + 1;
  if (group.filled.size() < batches)
  {
    group.filled.resize(batches, 0);
    group.identity.resize(batches * lanes, 0);
    group.counted += place.counts;
  }
  group.filled[place.batch] = place.lane + 1;
  group.identity[std::size_t(place.batch) * lanes + place.lane] = place.identity;
}

void GramMemory::close(const MPI_Comm ranks)
{
  std::size_t begin = 0;
  for (const Group &group : groups)
  {
    start.push_back(begin);
    begin += group.filled.size() * group.variables;
  }
  block = dealii::Utilities::MPI::max(block, ranks);
}

std::size_t GramMemory::size() const
{
  return groups.empty() ? 0 : lanes * offset(int(groups.size()) - 1, int(groups.back().filled.size()));
}

template <class Visit>
void GramMemory::each_element(const Visit &visit) const
{
  for (const bool counts : {true, false})
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (int batch = counts ? 0 : groups[g].counted; batch < (counts ? groups[g].counted : int(groups[g].filled.size())); ++batch)
        for (int lane = 0; lane < groups[g].filled[batch]; ++lane)
          visit(int(g), batch, lane);
}

TermHistory::HistoryBlocks GramMemory::blocks() const
{
  TermHistory::HistoryBlocks all;
  all.doubles = int(block);
  each_element([&](const int g, const int batch, const int lane) {
    all.identities.push_back(groups[g].identity[std::size_t(batch) * lanes + lane]);
    all.owned += batch < groups[g].counted;
  });
  return all;
}

void GramMemory::pack(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  each_element([&](const int g, const int batch, const int lane) {
    if (batch >= groups[g].counted)
      return;
    const std::size_t end = blocks.size() + block, begin = offset(g, batch);
    for (std::size_t i = 0; i < groups[g].variables; ++i)
      blocks.push_back(history[(begin + i) * lanes + lane]);
    blocks.resize(end, 0.);
  });
}

void GramMemory::unpack(const std::vector<double> &blocks, double *history) const
{
  std::size_t first = 0;
  each_element([&](const int g, const int batch, const int lane) {
    const std::size_t begin = offset(g, batch);
    for (std::size_t i = 0; i < groups[g].variables; ++i)
      history[(begin + i) * lanes + lane] = blocks.at(first + i);
    first += block;
  });
  if (first != blocks.size())
    throw std::logic_error("the history of another number of elements");
}
}  // namespace symdyn
