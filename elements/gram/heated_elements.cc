#include "elements/gram/heated_elements.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "elements/reached_part.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
void PartTemperatures::set(std::shared_ptr<const TemperatureField> given, const Actions &of_stage, const MeshPoints &mesh)
{
  if (!given->given())
    return;
  field = std::move(given);
  actions = &of_stage;
  for (std::size_t section = 0; section < field->named().size(); ++section)
  {
    const TemperatureField::OfNodes &one = field->named()[section];
    for (std::size_t k = 0; k < one.nodes.size(); ++k)
      try
      {
        for (const MeshPoints::Node &node : mesh.named(one.nodes[k]))
          names[node.number].emplace_back(section, k);
      }
      catch (const InputError &error)
      {
        throw InputError(one.where + ": " + error.what());
      }
  }
}

HeatedElements::HeatedElements(const PartTemperatures &given, std::vector<ExpandingLayer> layers, const HeatedStiffness &stiffness,
                               const bool linear)
    : field(given.field), actions(given.actions), names(given.names), layers(std::move(layers)), stiffness(stiffness), linear(linear)
{
}

namespace
{
/// Whether a derived vector takes a vector itself, not the differences of several.
bool is_value(const GramShape &shape, const int p)
{
  const double sum = std::accumulate(&shape.G[p * shape.vectors], &shape.G[(p + 1) * shape.vectors], 0.);
  constexpr double rounding = 1e-9;
  return std::abs(sum) > rounding;
}

/// B(Y)·X, B(X)·X/2, B'(Y)·X_1, B'(Y)·X_2 of each strain.
std::vector<std::array<Wide, 4>> free_strains(const GramLayout &layout, const std::vector<Triple<Wide>> &Y, const int places)
{
  const Triple<Wide> zero{Wide(0.), Wide(0.), Wide(0.)};
  const GramShape &shape = *layout.shape();
  std::vector<std::array<Wide, 4>> free(layout.strains(), {Wide(0.), Wide(0.), Wide(0.), Wide(0.)});
  std::vector<Triple<Wide>> X(Y.size(), zero), z(layout.derived()), dz(layout.derived());
  std::vector<Wide> rate(layout.strains());
  layout.derive(Y.data(), z.data());
  std::copy_n(Y.begin(), places, X.begin());
  layout.derive(X.data(), dz.data());
  layout.rate(z.data(), dz.data(), rate.data());
  for (std::size_t i = 0; i < free.size(); ++i)
    free[i][0] = rate[i];
  layout.rate(dz.data(), dz.data(), rate.data());
  for (std::size_t i = 0; i < free.size(); ++i)
    free[i][1] = 0.5 * rate[i];
  for (int k = 0; k < 2 && (k + 2) * places <= int(Y.size()); ++k)
  {
    std::fill(X.begin(), X.end(), zero);
    std::copy_n(Y.begin(), places, X.begin() + (k + 1) * places);
    layout.derive(X.data(), dz.data());
    for (std::size_t i = 0; i < free.size(); ++i)
      for (const auto &[p, q, factor] : shape.strain[i])
        if (!is_value(shape, p) && !is_value(shape, q))
          free[i][k + 2] += factor * (dot(z[p], dz[q]) + dot(dz[p], z[q]));
  }
  return free;
}
}  // namespace

std::unique_ptr<HeatedElements> HeatedElements::of(SitePlan &plan, const std::vector<ExpandingLayer> &layers,
                                                   const HeatedStiffness &stiffness, const bool linear)
{
  auto &given = plan.shared<PartTemperatures>();
  const bool feel =
      stiffness.given() || std::any_of(layers.begin(), layers.end(), [](const ExpandingLayer &one) { return one.expansion.given(); });
  given.matter = given.matter || feel;
  return given.field && feel ? std::make_unique<HeatedElements>(given, layers, stiffness, linear) : nullptr;
}

int HeatedElements::node_at(const Share &share)
{
  const auto [known, is_new] = number_of.emplace(share.site, int(nodes.size()));
  if (is_new)
  {
    const auto named = names.find(share.site);
    nodes.push_back({share.site, share.place, named == names.end() ? TemperatureField::Names() : named->second});
  }
  return known->second;
}

void HeatedElements::add(const int number, const int batch, const int lane, const GramLayout &layout, const std::vector<Triple<Wide>> &rest,
                         const std::vector<Share> &shares)
{
  if (number == int(groups.size()))
    groups.push_back({int(shares.size()), layout.strains(), {}, {}, {}});
  Group &group = groups.at(number);
  const std::size_t batches = std::size_t(batch) + 1;
  group.nodes.resize(batches * group.shares * lanes, 0);
  group.parts.resize(batches * group.shares, Wide(0.));
  group.free.resize(batches * group.strains, {Wide(0.), Wide(0.), Wide(0.), Wide(0.)});
  for (int k = 0; k < group.shares; ++k)
  {
    const std::size_t at = std::size_t(batch) * group.shares + k;
    group.nodes[at * lanes + lane] = node_at(shares[k]);
    group.parts[at].set(lane, shares[k].part);
  }
  const auto strains = free_strains(layout, rest, group.shares);
  for (int i = 0; i < group.strains; ++i)
    for (std::size_t k = 0; k < strains[i].size(); ++k)
      group.free[std::size_t(batch) * group.strains + i][k].set(lane, linear && k == 1 ? 0. : strains[i][k][lane]);
}

void HeatedElements::close(const MPI_Comm ranks)
{
  std::string fault;  // nodes are those of this rank
  try
  {
    for (const Node &node : nodes)
    {
      start.push_back({or_reference(field->at_start(node.place.data(), 3, node.names)), 0., 0.});
      if (softens())
        stiffness.at(start.back()[0], layers.front().expansion.constant_beyond());
    }
  }
  catch (const InputError &error)
  {
    fault = error.what();
  }
  throw_collectively<InputError>(fault, ranks);
  names.clear();
  number_of.clear();
}

double HeatedElements::or_reference(const double T) const { return std::isnan(T) ? layers.front().expansion.reference() : T; }

auto HeatedElements::at(const double t) const -> Nodal
{
  const Moment now = actions->at(t);
  Nodal values;
  for (const Node &node : nodes)
  {
    const double *X = node.place.data();
    values.push_back({or_reference(field->at(X, 3, node.names, now)), field->gradient(0, X, now), field->gradient(1, X, now)});
  }
  return values;
}

std::array<Wide, 3> HeatedElements::mean(const int number, const int batch, const Nodal &values) const
{
  const Group &group = groups[number];
  std::array<Wide, 3> sum{Wide(0.), Wide(0.), Wide(0.)};
  for (int k = 0; k < group.shares; ++k)
  {
    const std::size_t at = std::size_t(batch) * group.shares + k;
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (int lane = 0; lane < lanes; ++lane)
        sum[i].set(lane, sum[i][lane] + group.parts[at][lane] * values[group.nodes[at * lanes + lane]][i]);
  }
  return sum;
}

void HeatedElements::begin(const int group, const int batch, Wide *m) const
{
  m[0] = mean(group, batch, start)[0];
  for (int i = 1; i < variables; ++i)
    m[i] = 0.;
}

std::array<double, 2> HeatedElements::free_of_layers(const double T, const double T0) const
{
  std::array<double, 2> sum{};
  for (const ExpandingLayer &one : layers)
  {
    const double e = one.expansion.strain(T)[0] - one.expansion.strain(T0)[0];
    sum[0] += one.stretch * e;
    sum[1] += one.curvature * e;
  }
  return sum;
}

/// Gradients that are reached by increments are so by their curvatures.
void HeatedElements::heat(const int group, const int batch, const Nodal &values, Wide *m) const
{
  const double part = actions->heating > 0. && field->changes_in_time() ? 1. : actions->heating;
  const auto goal = mean(group, batch, values);
  const Wide T0 = mean(group, batch, start)[0], before = m[0];
  m[0] += part * (goal[0] - m[0]);
  for (int lane = 0; lane < lanes; ++lane)
    if (groups[group].parts[std::size_t(batch) * groups[group].shares][lane] != 0.)  // others have no element
    {
      if (softens())  // an error, while increments can say so
        stiffness.at(m[0][lane], layers.front().expansion.constant_beyond());
      const double T = m[0][lane], rate = layers.front().expansion.rate(T);
      const auto [stretch, bend] = free_of_layers(T, T0[lane]);
      m[1].set(lane, stretch);
      for (int k = 0; k < 2; ++k)
      {
        const double by_gradient = m[2 + k][lane] - (k == 0 ? free_of_layers(before[lane], T0[lane])[1] : 0.);
        m[2 + k].set(lane, by_gradient + part * (rate * goal[1 + k][lane] - by_gradient) + (k == 0 ? bend : 0.));
      }
    }
}

Wide HeatedElements::stiffness_of(const int group, const int batch, const Wide *m) const
{
  Wide T = m ? m[0] : mean(group, batch, start)[0], k = 1.;
  for (int lane = 0; lane < lanes; ++lane)
    if (groups[group].parts[std::size_t(batch) * groups[group].shares][lane] != 0.)
      k.set(lane, stiffness.at(T[lane], layers.front().expansion.constant_beyond()));
  return k;
}

std::map<SitePlan::Site, double> HeatedElements::of_nodes(const double t, const Elements &each, const MPI_Comm ranks) const
{
  const Nodal last = at(t);
  const double part = reached_part(
      [&](const auto &visit) {
        each([&](const int group, const int batch, const int lane, const double T) {
          const double from = mean(group, batch, start)[0][lane];
          visit(from, mean(group, batch, last)[0][lane] - from, T);
        });
      },
      ranks);
  std::map<SitePlan::Site, double> reached;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    reached[nodes[k].site] = start[k][0] + part * (last[k][0] - start[k][0]);
  return reached;
}

void HeatedElements::subtract(const int number, const int batch, const Wide *m, Wide *eps) const
{
  const Group &group = groups[number];
  for (int i = 0; i < group.strains; ++i)
  {
    const auto &free = group.free[std::size_t(batch) * group.strains + i];
    eps[i] -= m[1] * (free[0] + m[1] * free[1]) + m[2] * free[2] + m[3] * free[3];
  }
}
}  // namespace symdyn
