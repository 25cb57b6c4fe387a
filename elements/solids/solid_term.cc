#include "elements/solids/solid_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace symdyn
{
template <int dim>
SolidTerm<dim>::SolidTerm(std::shared_ptr<const Discretisation<dim>> mesh, std::map<unsigned int, MaterialInUse> materials,
                          const Damping &damping)
    : body(std::move(mesh)), in_use(std::move(materials)), damping(damping)
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
  return !any_material([](const MaterialInUse &use) { return !use.law->small_strain(); });
}

template <int dim>
Traits SolidTerm<dim>::traits() const
{
  const bool of_the_cell =
      body->family.formulation == Formulation::mean_dilatation || body->family.formulation == Formulation::incompatible_modes;
  Traits traits;
  traits.linear = linear();
  traits.quadratic = !any_material(
      [&](const MaterialInUse &use) { return !use.law->quadratic() || (of_the_cell && !use.law->small_strain()); });  // in the strain at each point
  traits.stiff = any_material([](const MaterialInUse &use) { return use.stiff; });
  traits.matrix_free = true;
  traits.damps = traits.damping_couples = damping.couples_nodes();
  traits.nonlinear_damping = damping.depends_on_q() && !linear();
  return traits;
}

template <int dim>
double SolidTerm<dim>::energy(const At &at) const
{
  std::vector<Wide> u(body->family.stiffness.nodes * dim);
  double V = 0;
  for (std::size_t batch = 0; batch < body->n_owned_batches; ++batch)
  {
    body->gather(batch, *at.q, u.data());
    const Wide energy = body->kernels->energy(body->batch_map(batch), u.data(), material(body->batches[batch].material));
    for (int lane = 0; lane < body->batches[batch].filled; ++lane)
      V += energy[lane];
  }
  return V;
}

template <int dim>
double SolidTerm<dim>::add_cells(const Vector &q, const Part part, Vector &f, const CellIntegral &integral) const
{
  const int size = body->family.stiffness.nodes * dim;
  std::vector<Wide> u(size), cell(size);
  double smallest = always_admissible;
  for (std::size_t batch = 0; batch < body->n_owned_batches; ++batch)
  {
    if (!is_in(part, batch))
      continue;
    body->gather(batch, q, u.data());
    std::fill(cell.begin(), cell.end(), Wide(0.));
    const Wide returned = integral(batch, u.data(), cell.data());
    body->scatter_add(batch, cell.data(), f);
    for (int lane = 0; lane < lanes; ++lane)
      smallest = returned[lane] < smallest ? returned[lane] : smallest;
  }
  return smallest;
}

template <int dim>
double SolidTerm<dim>::add_force(const At &at, Vector &f) const
{
  return add_cells(*at.q, Part::all, f, [this](const std::size_t batch, const Wide *u, Wide *cell) {
    return body->kernels->force(body->batch_map(batch), u, material(body->batches[batch].material), cell);
  });
}

template <int dim>
double SolidTerm<dim>::add_discrete_gradient(const At &at, Vector &f) const
{
  std::vector<Wide> u0(body->family.stiffness.nodes * dim);
  return add_cells(*at.q, Part::all, f, [&](const std::size_t batch, const Wide *u1, Wide *cell) {
    body->gather(batch, *at.previous, u0.data());
    return body->kernels->discrete_force(body->batch_vertices(batch), u0.data(), u1, material(body->batches[batch].material), cell);
  });
}

template <int dim>
void SolidTerm<dim>::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  std::vector<Wide> w(body->family.stiffness.nodes * dim);
  add_cells(*at.q, at.part, r, [&](const std::size_t batch, const Wide *u, Wide *cell) {
    body->gather(batch, a, w.data());
    body->kernels->third_derivative(body->batch_map(batch), u, w.data(), material(body->batches[batch].material), cell);
    return Wide(1.);
  });
}

template <int dim>
void SolidTerm<dim>::add_product(const At &at, const Weights &weights, const Vector &x, Vector &y) const
{
  Vector middle;
  const int size = body->family.stiffness.nodes * dim;
  std::vector<Wide> u(size), w(size), f(size);
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    for (std::size_t batch = 0; batch < body->n_owned_batches; ++batch)
    {
      if (!is_in(stiffness.part, batch))
        continue;
      body->gather(batch, *stiffness.q, u.data());
      body->gather(batch, x, w.data());
      for (int i = 0; i < size; ++i)
      {
        w[i] *= stiffness.weight;
        f[i] = 0.;
      }
      const Material &law = material(body->batches[batch].material);
      if (stiffness.viscous)
        body->kernels->viscous_force(body->batch_vertices(batch), u.data(), w.data(), law, f.data());
      else
        body->kernels->stiffness(body->batch_map(batch), u.data(), w.data(), law, f.data());
      body->scatter_add(batch, f.data(), y);
    }
}

template <int dim>
void SolidTerm<dim>::add_damping_force(const At &at, Vector &f) const
{
  if (damping.stiffness != 0.)
    add_product({at.t, damping.current ? at.q : &undeformed()}, {0., 0., damping.stiffness}, *at.v, f);
  if (damping.kelvin_voigt == 0.)
    return;
  std::vector<Wide> w(body->family.stiffness.nodes * dim);
  add_cells(*at.q, Part::all, f, [&](const std::size_t batch, const Wide *u, Wide *cell) {
    body->gather(batch, *at.v, w.data());
    for (Wide &component : w)
      component *= Wide(damping.kelvin_voigt);
    body->kernels->viscous_force(body->batch_vertices(batch), u, w.data(), material(body->batches[batch].material), cell);
    return Wide(1.);
  });
}

template <int dim>
double SolidTerm<dim>::energy_scale() const
{
  // psi is a difference of terms of the size of the modulus.
  double sum = 0;
  for (std::size_t batch = 0; batch < body->n_owned_batches; ++batch)
  {
    Wide jacobian, volume;
    body->kernels->geometry(body->batch_vertices(batch), jacobian, volume);
    for (int lane = 0; lane < body->batches[batch].filled; ++lane)
      sum += volume[lane] * material(body->batches[batch].material).longitudinal_modulus();
  }
  return sum;
}

template <int dim>
std::string SolidTerm<dim>::diagnose(const Vector &q) const
{
  const int size = body->family.stiffness.nodes * dim;
  std::vector<Wide> u(size), f(size, Wide(0.));
  for (std::size_t batch = 0; batch < body->n_owned_batches; ++batch)
  {
    body->gather(batch, q, u.data());
    const Wide det = body->kernels->force(body->batch_map(batch), u.data(), material(body->batches[batch].material), f.data());
    for (int lane = 0; lane < body->batches[batch].filled; ++lane)
      if (!(det[lane] > 0.))
      {
        std::string place;
        const auto X = body->batch_vertices(batch);
        for (int d = 0; d < dim; ++d)
        {
          double centre = 0;
          for (int v = 0; v < body->family.stiffness.vertices; ++v)
            centre += X[v * dim + d][lane] / body->family.stiffness.vertices;
          place += fmt::format("{}{:.4g}", d ? ", " : "", centre);
        }
        return fmt::format("the cell around X = ({}) m is inverted: det F = {:.3g}", place, det[lane]);
      }
  }
  return "";
}

template class SolidTerm<2>;
template class SolidTerm<3>;
}  // namespace symdyn
