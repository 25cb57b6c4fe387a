#pragma once
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "elements/solids/material_in_use.h"
#include "elements/solids/temperature.h"
#include "elements/space/discretisation.h"
#include "elements/term_histories.h"
#include "materials/bound_law.h"
#include "materials/section/heated.h"

namespace symdyn
{
/// The history of cells whose laws have a memory: [region][batch][point][variable][lane], behind the points the inner unknowns of the
/// cells, owned batches of a region first. Batches of other
/// laws have none.
template <int dim>
class SolidHistory : public TermHistory
{
public:
  /// Errors: std::logic_error where the element cannot integrate a law with a memory.
  /// `temperature`: nullptr: no law is heated.
  SolidHistory(std::shared_ptr<const Discretisation<dim>> mesh, const std::map<unsigned int, MaterialInUse> &materials,
               std::shared_ptr<const Temperature<dim>> temperature, const Actions &actions);

  std::size_t history_size() const override { return start.back() * lanes; }
  void begin_history(double *history) const override;
  void heat(double t, const double *as, double *history) const override;
  Spent spent(const double *history) const override;
  /// What laws have dissipated since the start, by active cell [J], of owned ones.
  void add_dissipated(const double *history, std::vector<double> &of_cell) const;
  HistoryBlocks history_blocks() const override;
  void pack_history(const double *history, std::vector<double> &blocks) const override;
  void unpack_history(const std::vector<double> &blocks, double *history) const override;

  /// Whether any law has a memory, of this rank's cells or of others'.
  bool any() const { return block > 0; }
  const Temperature<dim> *temperatures() const { return temperature.get(); }
  /// That of the cells in a state, whose system has them as its first term; nullptr: all virgin.
  static const double *of(const State &state) { return TermHistories::of(state, 0); }
  /// Where a batch begins, in Wides.
  std::size_t offset(const CellRegion<dim> &region, const std::size_t batch) const { return start[number(region, batch)]; }
  /// All virgin.
  const double *virgin() const;
  /// By the name of the material.
  std::vector<RelaxingLaw> relaxing() const override { return relaxing_laws; }
  /// The centre of a cell.
  FlowPlace place_of_flow(const double *history) const override;
  /// The temperatures that the nodes have reached, by local node; NaN: no cell there is heated. All points have come the same part of the
  /// way from the temperatures of the start to those of the deck, as load increments take them, or are at those of the time t. Collective.
  /// Errors: InputError where they are neither, since a stage keeps what changed with time.
  std::vector<double> nodal_temperatures(const double *history, double t) const;
  /// The numbers of an active cell, [point][variable] and inner unknowns, the same in each lane; empty: its law has no memory. `history`:
  /// nullptr: all virgin.
  std::vector<Wide> of_cell(unsigned int active_cell, const double *history) const;

private:
  /// Calls visit(region, batch, lane) for the cells with a history, owned ones first.
  template <class Visit>
  void each_cell(const Visit &visit) const;
  /// States at the start of laws that have them.
  void begin_prestrained(Wide *history) const;
  /// Calls visit(region, batch, law) for the batches of laws with a memory; `owned`: without ghost cells.
  template <class Visit>
  void each_batch(bool owned, const Visit &visit) const;
  /// Calls visit(cells, law, m, dX) for the points of owned batches.
  template <class Visit>
  void each_owned_point(const double *history, const Visit &visit) const;
  /// Calls visit(region, batch, q, law, m) for the points of laws that are heated, m in `history`.
  template <class Visit>
  void each_heated(double *history, const Visit &visit) const;
  /// Of a batch, over all regions.
  std::size_t number(const CellRegion<dim> &region, const std::size_t batch) const
  {
    return first_of_region[&region - mesh->regions.data()] + batch;
  }

  std::shared_ptr<const Discretisation<dim>> mesh;
  std::shared_ptr<const Temperature<dim>> temperature;
  const Actions *actions;
  std::map<unsigned int, std::shared_ptr<const Material>> laws;  ///< with a memory, by material id
  std::vector<std::size_t> first_of_region;                      ///< number of its first batch
  std::vector<std::size_t> start;                                ///< of each batch, and the end
  int block = 0;                                                 ///< the most doubles of a cell
  std::vector<RelaxingLaw> relaxing_laws;
  mutable std::vector<Wide> undeformed;  // made when first needed
  /// Where an active cell is.
  struct Place
  {
    const CellRegion<dim> *region;
    std::size_t batch;
    int lane;
  };
  mutable std::map<unsigned int, Place> place;  // made when first needed
};

/// What evaluates one batch of cells: kernels, the map that they take, and the law.
template <int dim>
struct CellsOfLaw
{
  const CellKernels<dim> &kernels;
  CellMap<dim> map;
  const Material &law;
};

/// The laws of the cells in a step, those with a memory bound to their history: batch after batch.
template <int dim>
class StepLaws
{
public:
  /// `from`: history, nullptr: all virgin. `dt`, `to` and `oscillation`: as of At. Errors: std::logic_error where a history is not aligned.
  StepLaws(const std::map<unsigned int, MaterialInUse> &materials, const SolidHistory<dim> &layout, const double *from, double dt,
           double *to = nullptr, const Oscillation *oscillation = nullptr);

  /// Stays valid until the next call.
  CellsOfLaw<dim> of(const CellRegion<dim> &region, std::size_t batch);

private:
  const std::map<unsigned int, MaterialInUse> &materials;
  const SolidHistory<dim> &layout;
  double dt;
  const Wide *from = nullptr;
  Wide *to = nullptr;
  std::optional<Oscillation> oscillation;
  std::map<std::pair<const CellRegion<dim> *, unsigned int>, BoundLaw> bound;  ///< by region and material id
};
}  // namespace symdyn
