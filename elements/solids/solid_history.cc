#include "elements/solids/solid_history.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "elements/cells/point_gradient.h"
#include "elements/reached_part.h"
#include "elements/space/cell_identity.h"
#include "materials/section/prestrained.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Moduli of the undeformed body, frozen but for the term i; i = -1: frozen.
void add_moduli(const InelasticMaterial &law, const int i, RelaxingLaw &all)
{
  const std::vector<Wide> m = law.virgin();
  std::vector<double> weights(law.relaxation_times().size(), 0.);
  if (i >= 0)
    weights[i] = 1.;
  Symmetric<Wide> S;
  Tangent<Wide> D;
  PointLaw(law, m.data(), 0., nullptr, weights.data()).tangent(identity<Wide>(), S, D);
  const double shear = D(3, 3)[0], bulk = (D(0, 0)[0] + 2. * D(0, 1)[0]) / 3.;
  if (i < 0)
  {
    all.shear.at_start = shear;
    all.bulk.at_start = bulk;
    return;
  }
  all.shear.of_terms.push_back(all.shear.at_start - shear);
  all.bulk.of_terms.push_back(all.bulk.at_start - bulk);
}

RelaxingLaw relaxing_law(const MaterialInUse &use)
{
  const InelasticMaterial &law = *inelastic(use.of_stresses());
  RelaxingLaw all{use.name, law.relaxation_times(), {}, {}};
  for (int i = -1; i < int(all.times.size()); ++i)
    add_moduli(law, i, all);
  return all;
}

template <class Pointer>
Pointer aligned(const Pointer history)
{
  if (reinterpret_cast<std::uintptr_t>(history) % alignof(Wide) != 0)
    throw std::logic_error("the history of a term must be aligned to 64 bytes");
  return history;
}
}  // namespace

template <int dim>
SolidHistory<dim>::SolidHistory(std::shared_ptr<const Discretisation<dim>> given, const std::map<unsigned int, MaterialInUse> &materials,
                                std::shared_ptr<const Temperature<dim>> temperature, const Actions &actions)
    : mesh(std::move(given)), temperature(std::move(temperature)), actions(&actions), start{0}
{
  for (const auto &[id, use] : materials)
    if (const InelasticMaterial *law = inelastic(*use.law))
    {
      laws[id] = use.law;
      const bool is_known =
          std::any_of(relaxing_laws.begin(), relaxing_laws.end(), [&name = use.name](const auto &one) { return one.material == name; });
      if (!law->relaxation_times().empty() && !is_known)  // a material of several groups
        relaxing_laws.push_back(relaxing_law(use));
    }
  for (const CellRegion<dim> &region : mesh->regions)
  {
    if (!laws.empty() && !region.kernels->by_points())
      throw std::logic_error("this element cannot integrate a law with a memory");
    first_of_region.push_back(start.size() - 1);
    const auto size = [&](const unsigned int id) {
      const auto law = laws.find(id);
      return law == laws.end()
                 ? 0
                 : region.family.stiffness.points * inelastic(*law->second)->variables() + region.kernels->by_points()->inner_unknowns();
    };
    for (const auto &law : laws)
      block = std::max(block, size(law.first));
    for (const auto &batch : region.batches)
      start.push_back(start.back() + size(batch.material));
  }
}

template <int dim>
void SolidHistory<dim>::begin_history(double *history) const
{
  Wide *all = reinterpret_cast<Wide *>(aligned(history));
  each_batch(false, [&](const CellRegion<dim> &region, const std::size_t batch, const InelasticMaterial &law) {
    const std::vector<Wide> m = law.virgin();
    Wide *next = all + offset(region, batch);
    for (int q = 0; q < region.family.stiffness.points; ++q)
      next = std::copy(m.begin(), m.end(), next);
    std::fill_n(next, region.kernels->by_points()->inner_unknowns(), Wide(0.));
  });
  if (temperature)
  {
    const auto values = temperature->at_start();
    const bool is_known = temperature->changes() && !temperature->changes_in_time();  // what the body is to become
    const auto last = is_known ? temperature->at(actions->at(0.)) : values;
    each_heated(history, [&](const CellRegion<dim> &region, const std::size_t batch, const int q, const HeatedMaterial &law, Wide *m) {
      const Wide T_0 = temperature->at_point(values, region, batch, q, law.reference());
      law.require(T_0);
      law.require(temperature->at_point(last, region, batch, q, law.reference()));
      law.begin(T_0, m);
    });
  }
  begin_prestrained(all);
}

template <int dim>
void SolidHistory<dim>::begin_prestrained(Wide *history) const
{
  each_batch(false, [&](const CellRegion<dim> &region, const std::size_t batch, const InelasticMaterial &law) {
    const PrestrainedMaterial *start = prestrained(law);
    const int nodes = region.n_nodes();
    for (int q = 0; start && q < region.family.stiffness.points; ++q)
    {
      std::array<std::array<double, 3>, lanes> X{};
      for (int a = 0; a < nodes; ++a)
        for (int lane = 0; lane < lanes; ++lane)
          for (int d = 0; d < dim; ++d)
            X[lane][d] += region.family.stiffness.shape[q * nodes + a] * mesh->position[region.batch_nodes(batch)[a * lanes + lane]][d];
      start->begin(region.batches[batch].cell.data(), X.data(), history + offset(region, batch) + q * law.variables());
    }
  });
}

template <int dim>
template <class Visit>
void SolidHistory<dim>::each_batch(const bool owned, const Visit &visit) const
{
  for (const CellRegion<dim> &region : mesh->regions)
    for (std::size_t batch = 0; batch < (owned ? region.n_owned_batches : region.batches.size()); ++batch)
      if (const auto found = laws.find(region.batches[batch].material); found != laws.end())
        visit(region, batch, *inelastic(*found->second));
}

template <int dim>
template <class Visit>
void SolidHistory<dim>::each_heated(double *history, const Visit &visit) const
{
  each_batch(false, [&](const CellRegion<dim> &region, const std::size_t batch, const InelasticMaterial &any) {
    if (const HeatedMaterial *law = heated(any))
      for (int q = 0; q < region.family.stiffness.points; ++q)
        visit(region, batch, q, *law, reinterpret_cast<Wide *>(history) + offset(region, batch) + q * law->variables());
  });
}

/// A function of t is used at t; other fields are reached in proportion to the load increments.
template <int dim>
void SolidHistory<dim>::heat(const double t, const double *as, double *history) const
{
  const auto values = as ? typename Temperature<dim>::Nodal() : temperature->at(actions->at(t));
  const double part = actions->heating > 0. && temperature->changes_in_time() ? 1. : actions->heating;
  each_heated(history, [&](const CellRegion<dim> &region, const std::size_t batch, const int q, const HeatedMaterial &law, Wide *m) {
    if (as)
      law.heat_as(reinterpret_cast<const Wide *>(as) + offset(region, batch) + q * law.variables(), m);
    else
      law.heat(temperature->at_point(values, region, batch, q, law.reference()), part, m);
  });
}

template <int dim>
std::vector<double> SolidHistory<dim>::nodal_temperatures(const double *history, const double t) const
{
  auto first = temperature->at_start(), last = temperature->at(actions->at(t));
  const auto each = [&](const auto &visit) {
    each_heated(const_cast<double *>(history),  // which it does not change here
                [&](const CellRegion<dim> &region, const std::size_t batch, const int q, const HeatedMaterial &law, const Wide *m) {
                  const Wide from = temperature->at_point(first, region, batch, q, law.reference()),
                             way = temperature->at_point(last, region, batch, q, law.reference()) - from;
                  for (int lane = 0; lane < lanes; ++lane)
                    visit(from[lane], way[lane], law.temperature(m)[lane]);
                  for (int a = 0; a < region.n_nodes() * lanes; ++a)
                    for (auto *values : {&first, &last})
                      if (double &value = (*values)[region.batch_nodes(batch)[a]]; std::isnan(value))
                        value = law.reference();
                });
  };
  const double part = reached_part(each, mesh->communicator);
  for (std::size_t node = 0; node < first.size(); ++node)
    first[node] += part * (last[node] - first[node]);
  return first;
}

template <int dim>
template <class Visit>
void SolidHistory<dim>::each_owned_point(const double *history, const Visit &visit) const
{
  each_batch(true, [&](const CellRegion<dim> &region, const std::size_t batch, const InelasticMaterial &law) {
    const Wide *m = reinterpret_cast<const Wide *>(aligned(history)) + offset(region, batch);
    const ReferenceElement<dim> &table = region.family.stiffness;
    const typename CellRegion<dim>::Vertices X = region.batch_vertices(batch);
    for (int q = 0; q < table.points; ++q, m += law.variables())
      visit(region.batches[batch], law, m, table.weight[q] * determinant<dim>(jacobian_at<dim>(table, q, X)));
  });
}

template <int dim>
Spent SolidHistory<dim>::spent(const double *history) const
{
  Spent sum;
  each_owned_point(history, [&](const auto &cells, const InelasticMaterial &law, const Wide *m, const Wide &dX) {
    const bool remembers = changes_in_steps(law);
    const Wide dissipated = law.dissipated(m) * dX, stored = law.stored(m) * dX, flow = law.flow(m), last = law.last_flow(m);
    for (int lane = 0; lane < cells.filled; ++lane)
    {
      Spent point;
      point.dissipated = dissipated[lane];
      point.stored = stored[lane];
      point.largest_flow = flow[lane];
      point.last_flow = last[lane];
      point.volume = remembers ? dX[lane] : 0.;
      point.flowing = last[lane] > 0. ? dX[lane] : 0.;
      sum += point;
    }
  });
  return sum;
}

template <int dim>
void SolidHistory<dim>::add_dissipated(const double *history, std::vector<double> &of_cell) const
{
  each_owned_point(history, [&](const auto &cells, const InelasticMaterial &law, const Wide *m, const Wide &dX) {
    const Wide dissipated = law.dissipated(m) * dX;
    for (int lane = 0; lane < cells.filled; ++lane)
      of_cell[cells.cell[lane]] += dissipated[lane];
  });
}

template <int dim>
FlowPlace SolidHistory<dim>::place_of_flow(const double *history) const
{
  FlowPlace largest;
  each_batch(true, [&](const CellRegion<dim> &region, const std::size_t batch, const InelasticMaterial &law) {
    const Wide *m = reinterpret_cast<const Wide *>(aligned(history)) + offset(region, batch);
    for (int q = 0; law.flows() && q < region.family.stiffness.points; ++q, m += law.variables())
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        if (const double growth = law.last_flow(m)[lane]; growth > largest.growth)
        {
          const dealii::Point<dim> centre = region.centre(batch, lane);
          largest = {std::vector<double>(centre.begin_raw(), centre.end_raw()), growth};
        }
  });
  return largest;
}

template <int dim>
const double *SolidHistory<dim>::virgin() const
{
  if (undeformed.size() != start.back())
  {
    undeformed.resize(start.back());
    begin_history(reinterpret_cast<double *>(undeformed.data()));
  }
  return reinterpret_cast<const double *>(undeformed.data());
}

template <int dim>
template <class Visit>
void SolidHistory<dim>::each_cell(const Visit &visit) const
{
  for (const bool ghost : {false, true})
    for (const CellRegion<dim> &region : mesh->regions)
      for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
        if (const std::size_t n = number(region, batch); region.batches[batch].ghost == ghost && start[n] < start[n + 1])
          for (int lane = 0; lane < region.batches[batch].filled; ++lane)
            visit(region, batch, lane);
}

template <int dim>
TermHistory::HistoryBlocks SolidHistory<dim>::history_blocks() const
{
  std::vector<std::uint64_t> of_cell(any() ? mesh->triangulation->n_active_cells() : 0);
  for (const auto &cell : mesh->handler.active_cell_iterators())
    if (any() && !cell->is_artificial())
      of_cell[cell->active_cell_index()] = cell_identity(cell);
  HistoryBlocks blocks;
  blocks.doubles = block;
  each_cell([&](const CellRegion<dim> &region, const std::size_t batch, const int lane) {
    blocks.identities.push_back(of_cell[region.batches[batch].cell[lane]]);
    blocks.owned += !region.batches[batch].ghost;
  });
  return blocks;
}

template <int dim>
void SolidHistory<dim>::pack_history(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  each_cell([&](const CellRegion<dim> &region, const std::size_t batch, const int lane) {
    if (region.batches[batch].ghost)
      return;
    const std::size_t end = blocks.size() + block, n = number(region, batch);
    for (std::size_t i = start[n]; i < start[n + 1]; ++i)
      blocks.push_back(history[i * lanes + lane]);
    blocks.resize(end, 0.);
  });
}

template <int dim>
void SolidHistory<dim>::unpack_history(const std::vector<double> &blocks, double *history) const
{
  std::size_t first = 0;
  each_cell([&](const CellRegion<dim> &region, const std::size_t batch, const int lane) {
    const bool repeated = lane == 0;  // lanes behind the last cell repeat the first one
    const std::size_t n = number(region, batch);
    for (std::size_t i = start[n]; i < start[n + 1]; ++i)
      for (int l = lane; l < lanes && (l == lane || repeated); ++l)
        history[i * lanes + l] = blocks.at(first + i - start[n]);
    first += block;
  });
  if (first != blocks.size())
    throw std::logic_error("the history of another number of cells");
}

template <int dim>
std::vector<Wide> SolidHistory<dim>::of_cell(const unsigned int active_cell, const double *history) const
{
  if (place.empty())
    each_cell([this](const CellRegion<dim> &region, const std::size_t batch, const int lane) {
      place[region.batches[batch].cell[lane]] = {&region, batch, lane};
    });
  const auto found = place.find(active_cell);
  if (found == place.end())
    return {};
  const auto [region, batch, lane] = found->second;
  const std::size_t n = number(*region, batch);
  std::vector<Wide> m;
  const double *values = history ? history : virgin();
  for (std::size_t i = start[n]; i < start[n + 1]; ++i)
    m.emplace_back(values[i * lanes + lane]);
  return m;
}

template <int dim>
StepLaws<dim>::StepLaws(const std::map<unsigned int, MaterialInUse> &materials, const SolidHistory<dim> &layout, const double *history,
                        const double dt, double *next, const Oscillation *given)
    : materials(materials), layout(layout), dt(dt)
{
  if (given)
    oscillation = *given;
  if (!layout.any())
    return;
  from = reinterpret_cast<const Wide *>(aligned(history ? history : layout.virgin()));
  to = reinterpret_cast<Wide *>(aligned(next));
}

template <int dim>
CellsOfLaw<dim> StepLaws<dim>::of(const CellRegion<dim> &region, const std::size_t batch)
{
  const unsigned int id = region.batches[batch].material;
  const auto key = std::make_pair(&region, id);
  auto known = bound.find(key);
  if (known == bound.end())
  {
    const Material &material = *materials.at(id).law;
    const InelasticMaterial *law = layout.any() ? inelastic(material) : nullptr;
    if (!law)
      return {*region.kernels, region.batch_map(batch), material};
    known =
        bound.try_emplace(key, *law, region.family.stiffness.points, dt, oscillation, region.kernels->by_points()->inner_unknowns()).first;
  }
  BoundLaw &here = known->second;
  const std::size_t offset = layout.offset(region, batch);
  here.bind(from + offset, to ? to + offset : nullptr);
  return {*region.kernels->by_points(), region.batch_map(batch), here};
}

template class SolidHistory<2>;
template class SolidHistory<3>;
template class StepLaws<2>;
template class StepLaws<3>;
}  // namespace symdyn
