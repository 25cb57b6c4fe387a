#include <deal.II/base/mpi.h>

#include <algorithm>
#include <stdexcept>

#include "elements/gram/fibres.h"

// The memory of points of sections: its layout, virgin state, sums and checkpoints.
namespace symdyn
{
Fibres::Fibres(std::shared_ptr<const InelasticMaterial> given)
    : law(std::move(given)), n(law->plane_stress() ? most_components : 1), virgin(law->virgin())
{
}

void Fibres::make_group(const GramModel &model)
{
  Group group;
  group.points = int(model.points->size());
  for (std::size_t s = 0; s < model.sections.size(); ++s)
  {
    group.strains.push_back(model.sections[s].strains);
    const std::size_t m = group.strains.back().size();
    group.orders = int(m) / n;
    group.packed += int(m * (m + 1) / 2);
    if (m > most_strains || m % n != 0 || model.blocks.at(s).strains != group.strains.back())
      throw std::logic_error("the first blocks of D are those of the sections");
  }
  block = std::max(block, size_of(group));
  groups.push_back(std::move(group));
}

void Fibres::add(const Place &place, const GramModel &model)
{
  if (place.group == int(groups.size()))
    make_group(model);
  Group &group = groups.at(place.group);
  const std::size_t batches = std::size_t(place.batch) + 1, sections = group.sections();
  if (group.filled.size() < batches)
  {
    group.filled.resize(batches, 0);
    group.identity.resize(batches * lanes, 0);
    group.metric.resize(batches * sections * n * n, Wide(0.));
    group.weight.resize(batches * sections, Wide(0.));
    group.places.resize(batches * group.points * group.orders, Wide(0.));
    group.counted += place.counts;
  }
  group.filled[place.batch] = place.lane + 1;
  group.identity[std::size_t(place.batch) * lanes + place.lane] = place.identity;
  for (std::size_t s = 0; s < sections; ++s)
  {
    const std::size_t at = place.batch * sections + s;
    for (int i = 0; i < n * n; ++i)
      group.metric[at * n * n + i].set(place.lane, model.sections[s].metric[i]);
    group.weight[at].set(place.lane, model.sections[s].weight);
  }
  for (int p = 0; p < group.points; ++p)
  {
    Wide *to = &group.places[(std::size_t(place.batch) * group.points + p) * group.orders];
    const FibrePoint &of = (*model.points)[p];
    for (int k = 1; k < group.orders; ++k)
      to[k - 1].set(place.lane, of.place[k - 1]);
    to[group.orders - 1].set(place.lane, of.weight);
  }
}

void Fibres::close(const MPI_Comm ranks) { block = dealii::Utilities::MPI::max(block, ranks); }

std::size_t Fibres::offset(const int group, const int batch) const
{
  std::size_t begin = std::size_t(batch) * size_of(groups[group]);
  for (int g = 0; g < group; ++g)
    begin += groups[g].filled.size() * size_of(groups[g]);
  return begin;
}

std::size_t Fibres::history_size() const
{
  return groups.empty() ? 0 : lanes * offset(int(groups.size()) - 1, int(groups.back().filled.size()));
}

void Fibres::begin_history(double *history) const
{
  Wide *next = reinterpret_cast<Wide *>(history), *end = next + history_size() / lanes;
  while (next != end)
    next = std::copy(virgin.begin(), virgin.end(), next);
}

Spent Fibres::spent(const double *history) const
{
  Spent sum;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int batch = 0; batch < groups[g].counted; ++batch)
    {
      const Group &group = groups[g];
      const Wide *m = reinterpret_cast<const Wide *>(history) + offset(int(g), batch);
      for (int point = 0; point < group.sections() * group.points; ++point, m += law->variables())
      {
        const std::size_t section = point / group.points, number = point % group.points;
        const Wide volume = group.weight[std::size_t(batch) * group.sections() + section] *
                            group.places[(std::size_t(batch) * group.points + number + 1) * group.orders - 1];
        const Wide dissipated = law->dissipated(m) * volume, stored = law->stored(m) * volume, flow = law->flow(m),
                   last = law->last_flow(m);
        for (int lane = 0; lane < group.filled[batch]; ++lane)
          sum += {dissipated[lane], stored[lane], flow[lane], last[lane], volume[lane], last[lane] > 0. ? volume[lane] : 0.};
      }
    }
  return sum;
}

template <class Visit>
void Fibres::each_element(const Visit &visit) const
{
  for (const bool counts : {true, false})
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (int batch = counts ? 0 : groups[g].counted; batch < (counts ? groups[g].counted : int(groups[g].filled.size())); ++batch)
        for (int lane = 0; lane < groups[g].filled[batch]; ++lane)
          visit(int(g), batch, lane);
}

TermHistory::HistoryBlocks Fibres::history_blocks() const
{
  HistoryBlocks blocks;
  blocks.doubles = int(block);
  each_element([&](const int g, const int batch, const int lane) {
    blocks.identities.push_back(groups[g].identity[std::size_t(batch) * lanes + lane]);
    blocks.owned += batch < groups[g].counted;
  });
  return blocks;
}

void Fibres::pack_history(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  each_element([&](const int g, const int batch, const int lane) {
    if (batch >= groups[g].counted)
      return;
    const std::size_t end = blocks.size() + block, begin = offset(g, batch);
    for (std::size_t i = 0; i < size_of(groups[g]); ++i)
      blocks.push_back(history[(begin + i) * lanes + lane]);
    blocks.resize(end, 0.);
  });
}

/// Lanes without an element stay as they are: virgin.
void Fibres::unpack_history(const std::vector<double> &blocks, double *history) const
{
  std::size_t first = 0;
  each_element([&](const int g, const int batch, const int lane) {
    const std::size_t begin = offset(g, batch);
    for (std::size_t i = 0; i < size_of(groups[g]); ++i)
      history[(begin + i) * lanes + lane] = blocks.at(first + i);
    first += block;
  });
  if (first != blocks.size())
    throw std::logic_error("the history of another number of elements");
}
}  // namespace symdyn
