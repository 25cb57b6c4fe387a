#include <algorithm>
#include <stdexcept>

#include "elements/gram/fibres.h"

// The memory of points of sections: its layout, virgin state and sums.
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
  groups.push_back(std::move(group));
}

void Fibres::add(const int number, const int batch, const int lane, const GramModel &model)
{
  if (number == int(groups.size()))
    make_group(model);
  Group &group = groups.at(number);
  const std::size_t batches = std::size_t(batch) + 1, sections = group.sections();
  group.metric.resize(batches * sections * n * n, Wide(0.));
  group.weight.resize(batches * sections, Wide(0.));
  group.places.resize(batches * group.points * group.orders, Wide(0.));
  for (std::size_t s = 0; s < sections; ++s)
  {
    const std::size_t at = batch * sections + s;
    for (int i = 0; i < n * n; ++i)
      group.metric[at * n * n + i].set(lane, model.sections[s].metric[i]);
    group.weight[at].set(lane, model.sections[s].weight);
  }
  for (int p = 0; p < group.points; ++p)
  {
    Wide *to = &group.places[(std::size_t(batch) * group.points + p) * group.orders];
    const FibrePoint &of = (*model.points)[p];
    for (int k = 1; k < group.orders; ++k)
      to[k - 1].set(lane, of.place[k - 1]);
    to[group.orders - 1].set(lane, of.weight);
  }
}

void Fibres::begin(const int group, Wide *m) const
{
  for (const Wide *end = m + size_of(groups[group]); m != end;)
    m = std::copy(virgin.begin(), virgin.end(), m);
}

Spent Fibres::spent(const int number, const int batch, const int filled, const Wide *m) const
{
  Spent sum;
  const Group &group = groups[number];
  for (int point = 0; point < group.sections() * group.points; ++point, m += law->variables())
  {
    const std::size_t section = point / group.points, of_section = point % group.points;
    const Wide volume = group.weight[std::size_t(batch) * group.sections() + section] *
                        group.places[(std::size_t(batch) * group.points + of_section + 1) * group.orders - 1];
    const Wide dissipated = law->dissipated(m) * volume, stored = law->stored(m) * volume, flow = law->flow(m), last = law->last_flow(m);
    for (int lane = 0; lane < filled; ++lane)
    {
      Spent here;
      here.dissipated = dissipated[lane];
      here.stored = stored[lane];
      here.largest_flow = flow[lane];
      here.last_flow = last[lane];
      here.volume = volume[lane];
      here.flowing = last[lane] > 0. ? volume[lane] : 0.;
      sum += here;
    }
  }
  return sum;
}
}  // namespace symdyn
