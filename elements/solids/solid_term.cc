#include "elements/solids/solid_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/space/cell_mass.h"

namespace symdyn
{
namespace
{
constexpr double no_answer = -1.;

/// Whether the force on the first node of these cells is a number: a stress that is none at one point makes all nodes' forces none.
template <int dim>
bool has_answer(const Wide *f)
{
  Wide sum = f[0];
  for (int d = 1; d < dim; ++d)
    sum += f[d];
  bool all = true;
  for (int lane = 0; lane < lanes; ++lane)
    all &= sum[lane] == sum[lane];
  return all;
}
}  // namespace

template <int dim>
SolidTerm<dim>::SolidTerm(std::shared_ptr<const Discretisation<dim>> mesh, std::map<unsigned int, MaterialInUse> materials,
                          const Damping &damping, std::shared_ptr<const Temperature<dim>> temperature, const Actions &actions)
    : body(std::move(mesh)), in_use(std::move(materials)), damping(damping), past(body, in_use, std::move(temperature), actions)
{
}

template <int dim>
SolidTerm<dim>::~SolidTerm() = default;

template <int dim>
bool SolidTerm<dim>::any_material(const std::function<bool(const MaterialInUse &)> &condition) const
{
  return std::any_of(in_use.begin(), in_use.end(), [&](const auto &entry) { return condition(entry.second); });
}

template <int dim>
bool SolidTerm<dim>::linear() const
{
  return !past.any() && !any_material([](const MaterialInUse &use) { return !use.law->small_strain() || !use.law->quadratic(); });
}

template <int dim>
Traits SolidTerm<dim>::traits() const
{
  const bool of_the_cell = std::any_of(body->regions.begin(), body->regions.end(),
                                       [](const CellRegion<dim> &region) { return region.family.formulation->is_of_the_cell(); });
  Traits traits;
  traits.linear = linear();
  traits.quadratic = !any_material([&](const MaterialInUse &use) {
    return !use.law->quadratic() || (of_the_cell && !use.law->small_strain());
  });  // in the strain at each point
  traits.stiff = any_material([](const MaterialInUse &use) { return use.stiff; });
  traits.matrix_free = true;
  traits.damps = traits.damping_couples = damping.couples_nodes();
  const bool finite = any_material([](const MaterialInUse &use) { return !use.law->small_strain(); });
  traits.nonlinear_damping = (damping.kelvin_voigt != 0. && finite) || (damping.stiffness != 0. && damping.current && !linear());
  traits.heated = past.temperatures() && past.temperatures()->changes();
  traits.heated_in_time = traits.heated && past.temperatures()->changes_in_time();
  const bool steps_change = any_material([](const MaterialInUse &use) {
    const InelasticMaterial *law = inelastic(*use.law);
    return law && changes_in_steps(*law);
  });
  traits.history = steps_change || traits.heated_in_time;
  traits.keeps_history = past.any() && !traits.history;
  traits.rates = any_material([](const MaterialInUse &use) {
    const InelasticMaterial *law = inelastic(*use.law);
    return law && law->depends_on_rates();
  });
  traits.needs_time = any_material([](const MaterialInUse &use) {
    const InelasticMaterial *law = inelastic(*use.law);
    return law && std::isnan(law->length_without_rates());
  });
  traits.condenses = !past.relaxing().empty() && std::any_of(body->regions.begin(), body->regions.end(), [](const CellRegion<dim> &region) {
    return inertia_of_modes(region) != nullptr;
  });
  traits.no_potential = any_material([](const MaterialInUse &use) {
    const InelasticMaterial *law = inelastic(*use.law);
    return law && !law->has_potential();
  });
  traits.unsymmetric = any_material([](const MaterialInUse &use) {
    const InelasticMaterial *law = inelastic(*use.law);
    return law && !law->is_symmetric();
  });
  return traits;
}

template <int dim>
double SolidTerm<dim>::energy(const At &at) const
{
  std::vector<Wide> u;
  StepLaws<dim> step = laws(at.from, at.dt);
  double V = 0;
  for (const CellRegion<dim> &region : body->regions)
  {
    u.resize(region.n_nodes() * dim);
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      region.gather(batch, *at.q, u.data());
      const CellsOfLaw<dim> cells = step.of(region, batch);
      const Wide energy = cells.kernels.energy(cells.map, u.data(), cells.law);
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        V += energy[lane];
    }
  }
  return V;
}

template <int dim>
double SolidTerm<dim>::add_cells(const Vector &q, const Part part, Vector &f, const CellIntegral &integral) const
{
  std::vector<Wide> u, cell;
  double smallest = always_admissible;
  for (const CellRegion<dim> &region : body->regions)
  {
    u.resize(region.n_nodes() * dim);
    cell.resize(u.size());
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      if (!is_in(part, region, batch))
        continue;
      region.gather(batch, q, u.data());
      std::fill(cell.begin(), cell.end(), Wide(0.));
      const Wide returned = integral(region, batch, u.data(), cell.data());
      region.scatter_add(batch, cell.data(), f);
      for (int lane = 0; lane < lanes; ++lane)
        smallest = returned[lane] < smallest ? returned[lane] : smallest;
      if (past.any() && !has_answer<dim>(cell.data()))
        smallest = std::min(smallest, no_answer);
    }
  }
  return smallest;
}

template <int dim>
double SolidTerm<dim>::add_force(const At &at, Vector &f) const
{
  StepLaws<dim> step = laws(at.from, at.dt, at.to);
  const CellIntegral force = [&step](const CellRegion<dim> &region, const std::size_t batch, const Wide *u, Wide *cell) {
    const CellsOfLaw<dim> cells = step.of(region, batch);
    return cells.kernels.force(cells.map, u, cells.law, cell);
  };
  const double smallest = add_cells(*at.q, Part::all, f, force);
  if (at.to && past.any())
    visit_ghosts(*at.q, force);
  return smallest;
}

template <int dim>
void SolidTerm<dim>::visit_ghosts(const Vector &q, const CellIntegral &integral) const
{
  std::vector<Wide> u, cell;
  for (const CellRegion<dim> &region : body->regions)
    for (std::size_t batch = region.n_owned_batches; batch < region.batches.size(); ++batch)
    {
      u.resize(region.n_nodes() * dim);
      cell.assign(u.size(), Wide(0.));
      region.gather(batch, q, u.data());
      integral(region, batch, u.data(), cell.data());
    }
}

template <int dim>
double SolidTerm<dim>::add_discrete_gradient(const At &at, Vector &f) const
{
  std::vector<Wide> u0;
  StepLaws<dim> step = laws(at.from, at.dt);
  return add_cells(*at.q, Part::all, f, [&](const CellRegion<dim> &region, const std::size_t batch, const Wide *u1, Wide *cell) {
    u0.resize(region.n_nodes() * dim);
    region.gather(batch, *at.previous, u0.data());
    const CellsOfLaw<dim> cells = step.of(region, batch);
    return cells.kernels.discrete_force(region.batch_vertices(batch), u0.data(), u1, cells.law, cell);
  });
}

template <int dim>
void SolidTerm<dim>::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  std::vector<Wide> w;
  StepLaws<dim> step = laws(at.from, at.dt);
  add_cells(*at.q, at.part, r, [&](const CellRegion<dim> &region, const std::size_t batch, const Wide *u, Wide *cell) {
    w.resize(region.n_nodes() * dim);
    region.gather(batch, a, w.data());
    const CellsOfLaw<dim> cells = step.of(region, batch);
    cells.kernels.third_derivative(cells.map, u, w.data(), cells.law, cell);
    return Wide(1.);
  });
}

template <int dim>
void SolidTerm<dim>::add_product(const At &at, const Weights &weights, const Vector &x, Vector &y) const
{
  Vector middle;
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    for (const CellRegion<dim> &region : body->regions)
      add_product(stiffness, region, x, y);
}

template <int dim>
void SolidTerm<dim>::add_product(const Stiffness &stiffness, const CellRegion<dim> &region, const Vector &x, Vector &y) const
{
  const int size = region.n_nodes() * dim;
  std::vector<Wide> u(size), w(size), f(size);
  StepLaws<dim> step = laws(stiffness.from, stiffness.dt, nullptr, stiffness.oscillation);
  for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
  {
    if (!is_in(stiffness.part, region, batch))
      continue;
    region.gather(batch, *stiffness.q, u.data());
    region.gather(batch, x, w.data());
    for (int i = 0; i < size; ++i)
    {
      w[i] *= stiffness.weight;
      f[i] = 0.;
    }
    const CellsOfLaw<dim> cells = step.of(region, batch);
    if (stiffness.viscous)
      cells.kernels.viscous_force(region.batch_vertices(batch), u.data(), w.data(), cells.law, f.data());
    else
      cells.kernels.stiffness(cells.map, u.data(), w.data(), cells.law, f.data());
    region.scatter_add(batch, f.data(), y);
  }
}

template <int dim>
void SolidTerm<dim>::add_damping_force(const At &at, Vector &f) const
{
  if (damping.stiffness != 0. && damping.current)
    add_product({at.t, at.q, nullptr, nullptr, Part::all, at.from, at.dt}, {0., 0., damping.stiffness}, *at.v, f);
  else if (damping.stiffness != 0.)
    add_product({at.t, &undeformed()}, {0., 0., damping.stiffness}, *at.v, f);
  if (damping.kelvin_voigt == 0.)
    return;
  std::vector<Wide> w;
  add_cells(*at.q, Part::all, f, [&](const CellRegion<dim> &region, const std::size_t batch, const Wide *u, Wide *cell) {
    w.resize(region.n_nodes() * dim);
    region.gather(batch, *at.v, w.data());
    for (Wide &component : w)
      component *= Wide(damping.kelvin_voigt);
    region.kernels->viscous_force(region.batch_vertices(batch), u, w.data(), material(region.batches[batch].material), cell);
    return Wide(1.);
  });
}

template <int dim>
double SolidTerm<dim>::energy_scale() const
{
  // psi is a difference of terms of the size of the modulus.
  double sum = 0;
  for (const CellRegion<dim> &region : body->regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      Wide jacobian, volume;
      region.kernels->geometry(region.batch_vertices(batch), jacobian, volume);
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        sum += volume[lane] * material(region.batches[batch].material).longitudinal_modulus();
    }
  return sum;
}

template <int dim>
std::string SolidTerm<dim>::diagnose(const Vector &q) const
{
  std::vector<Wide> u, f;
  for (const CellRegion<dim> &region : body->regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      u.resize(region.n_nodes() * dim);
      f.assign(u.size(), Wide(0.));
      region.gather(batch, q, u.data());
      const Wide det = region.kernels->force(region.batch_map(batch), u.data(), material(region.batches[batch].material), f.data());
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        if (!(det[lane] > 0.))
          return diagnose(region, batch, lane, det[lane]);
    }
  return "";
}

template <int dim>
std::string SolidTerm<dim>::diagnose(const CellRegion<dim> &region, const std::size_t batch, const int lane, const double det) const
{
  std::string place;
  const dealii::Point<dim> centre = region.centre(batch, lane);
  for (int d = 0; d < dim; ++d)
    place += fmt::format("{}{:.4g}", d ? ", " : "", centre[d]);
  return fmt::format("the cell around X = ({}) m is inverted: det F = {:.3g}", place, det);
}

template class SolidTerm<2>;
template class SolidTerm<3>;
}  // namespace symdyn
