#include "elements/output/stress_points.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/output/cell_place.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
using Voigt = std::array<double, StressPoints::components>;

Voigt components_of(const dealii::SymmetricTensor<2, 3> &s) { return {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[2][0]}; }

/// Those that are not zero in the plane come first.
template <int dim>
constexpr std::size_t seen_components = dim == 2 ? 4 : StressPoints::components;
}  // namespace

template <int dim>
StressPoints stresses_at_nodes(const SolidBody<dim> &body, const State &state, const std::vector<Vector> &motions)
{
  StressPoints points;
  const Discretisation<dim> &mesh = body.mesh();
  const auto at_nodes = [](const CellRegion<dim> &region) { return dealii::Quadrature<dim>(region.family.fe->get_unit_support_points()); };
  const CellStress<dim> cells(body, at_nodes);
  cells.visit(state, false, [&](const auto &, const auto &nodes, const auto &, const auto &stress) {
    for (std::size_t a = 0; a < nodes.size(); ++a)
    {
      for (int d = 0; d < 3; ++d)
        points.places.push_back(d < dim ? mesh.position[nodes[a]][d] : 0.);
      const Voigt s = components_of(stress[a].stress);
      points.stress.insert(points.stress.end(), s.begin(), s.end());
    }
  });
  points.along.resize(motions.size());
  for (std::vector<double> &one : points.along)
    one.reserve(points.stress.size());
  cells.visit_slopes(state, motions, [&](const std::size_t motion, const std::vector<dealii::SymmetricTensor<2, 3>> &half) {
    for (const auto &one : half)
    {
      const Voigt s = components_of(one);
      points.along[motion].insert(points.along[motion].end(), s.begin(), s.end());
    }
  });
  return points;
}

template <int dim>
StressProbe<dim>::StressProbe(const SolidBody<dim> &body, const dealii::Point<dim> &X, const std::string &where) : body(&body)
{
  const Discretisation<dim> &mesh = body.mesh();
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      if (const auto xi = place_in_cell(mesh, cell, X))
      {
        const auto here = [&](const CellRegion<dim> &region) {
          return &region == &mesh.region_of(cell) ? dealii::Quadrature<dim>(*xi)
                                                  : dealii::Quadrature<dim>(region.family.fe->reference_cell().template barycenter<dim>());
        };
        CellValues<dim> of_cells(mesh, here, dealii::update_gradients);
        const dealii::FEValues<dim> &values = of_cells.at(cell);
        Place place{cell, {}, std::make_shared<CellStress<dim>>(body, here)};
        for (unsigned int a = 0; a < values.dofs_per_cell; ++a)
          place.gradient.push_back(values.shape_grad(a, 0));
        places.push_back(std::move(place));
      }
  if (dealii::Utilities::MPI::sum(unsigned(places.size()), mesh.communicator) == 0)
    throw InputError(fmt::format("{}: no cell has the place, at which it wants the stress. Give a Point inside of a cell", where));
}

template <int dim>
std::vector<Column> StressProbe<dim>::columns(const std::string &probe, const Units &units)
{
  const std::array<const char *, StressPoints::components> names{"xx", "yy", "zz", "xy", "yz", "zx"};
  std::vector<Column> all;
  for (std::size_t c = 0; c < seen_components<dim>; ++c)
    all.push_back({fmt::format("{}.S_{}", probe, names[c]), units.stress, Kind::stress});
  all.push_back({probe + ".S_mises", units.stress});
  return all;
}

template <int dim>
std::vector<double> StressProbe<dim>::at(const State &state) const
{
  const Discretisation<dim> &mesh = body->mesh();
  state.q.update_ghost_values();
  std::vector<double> sums(StressPoints::components + 1, 0.);  // and the number of cells
  for (const Place &place : places)
  {
    const auto gradient = [&](const unsigned int a, unsigned int) { return place.gradient[a]; };
    const Voigt here = components_of(place.stress->at(place.cell, 1, gradient, state).front().stress);
    for (std::size_t c = 0; c < here.size(); ++c)
      sums[c] += here[c];
    sums.back() += 1.;
  }
  dealii::Utilities::MPI::sum(sums, mesh.communicator, sums);
  dealii::SymmetricTensor<2, 3> mean;
  for (int c = 0; c < 3; ++c)
  {
    mean[c][c] = sums[c] / sums.back();
    mean[c][(c + 1) % 3] = sums[3 + c] / sums.back();
  }
  const Voigt s = components_of(mean);
  std::vector<double> values(s.begin(), s.begin() + seen_components<dim>);
  values.push_back(von_mises(mean));
  return values;
}

template StressPoints stresses_at_nodes(const SolidBody<2> &, const State &, const std::vector<Vector> &);
template StressPoints stresses_at_nodes(const SolidBody<3> &, const State &, const std::vector<Vector> &);
template class StressProbe<2>;
template class StressProbe<3>;
}  // namespace symdyn
