#include "meshes/abaqus/supports.h"

#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"

namespace symdyn::abaqus
{
std::string Held::text(const int d) const { return stands ? "hold" : written(*value[d]); }

bool Held::says_the_same(const Held &other, const int d) const
{
  const auto table = [](const Held &h) { return upper(h.card->option("AMPLITUDE")); };
  return value[d] && other.value[d] && text(d) == other.text(d) && (*value[d] == 0. || table(*this) == table(other)) &&
         (!stands || first == other.first);
}

/// What comes later stands: of nodes that two name, each component belongs to the last; for each step.
std::vector<Owners> owners_of_steps(const Job &job)
{
  std::vector<Owners> owners;
  for (std::size_t s = 0; s < job.steps.size(); ++s)
  {
    owners.push_back(s > 0 && !job.supports.frees_all.count(s) ? owners.back() : Owners());
    std::vector<std::tuple<std::size_t, std::size_t, int>> said;  // line, which, component: in the order of the file
    for (std::size_t h = 0; h < job.supports.held.size(); ++h)
      for (int d = 0; d < job.components(); ++d)
        if (job.supports.held[h].first == s && job.supports.held[h].value[d])
          said.emplace_back(job.supports.held[h].lines[d], h, d);
    std::sort(said.begin(), said.end());
    for (const auto &[line, h, d] : said)
      for (const std::size_t node : nodes_of(job, job.supports.held[h]))
        owners.back()[{node, d}] = h;
  }
  return owners;
}

std::vector<std::size_t> nodes_of(const Job &job, const Held &by)
{
  return by.nodes.empty() ? job.model.nodes_of({by.line, {}}, by.word) : by.nodes;
}

void require_same_motion(const Job &job, const Held &by, const std::set<std::size_t> &when, const std::string &instead)
{
  const AmplitudeTable *table = amplitude(job, *by.card);
  const Step &first = job.steps[by.first];
  if (!table || !first.traits.takes_time)
    return;
  const auto goes_on = [&](const Step &step) {
    return table->total_time && first.start - first.total_start == step.start - step.total_start;
  };
  for (const std::size_t later : when)
    if (later > by.first && job.steps[later].traits.takes_time && !goes_on(job.steps[later]))
      job.fail(by.card->line, "AMPLITUDE=" + by.card->option("AMPLITUDE"),
               fmt::format("this motion stays active in {}, where its amplitude would restart. {}", job.steps[later].name, instead));
}

std::string motion_of(const Job &job, const Held &by, const int d)
{
  std::set<std::size_t> all;
  for (std::size_t s = 0; s < job.steps.size(); ++s)
    all.insert(s);
  require_same_motion(
      job, by, all,
      "Make its TIME=TOTAL TIME, or hold and move the nodes in files of their own: nodes without cells are held the same way in all steps.");
  return varying_value(job, *by.card, job.steps[by.first], *by.value[d]);
}
}  // namespace symdyn::abaqus
