#include "elements/system/finite_element_operator.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/linear/eigen.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
FiniteElementSystem<dim>::FiniteElementSystem(Parts given)
    : parts(std::move(given)), gravity(parts.mesh->new_vector()), load_factors(parts.loads.size())
{
  const auto density = [this](const unsigned int id) { return parts.materials.at(id).density; };
  parts.supports->prepare(mesh());
  for (auto &[name, where, load] : parts.loads)
    try
    {
      load->prepare(mesh(), density);
      if (load->is_potential())
      {
        load->add_force(0., gravity, 1., gravity);
        has_gravity = true;
      }
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
  gravity.compress(dealii::VectorOperation::add);
  mass_matrix = std::make_unique<MassMatrix<dim>>(mesh(), parts.mass_type, density,
                                                  parts.mass_type == MassType::consistent ? &pattern() : nullptr, mode_mass());
  if (parts.base)
    prepare_base();
}

template <int dim>
FiniteElementSystem<dim>::~FiniteElementSystem() = default;

template <int dim>
const BlockPattern &FiniteElementSystem<dim>::pattern() const
{
  if (!block_pattern)
    block_pattern = std::make_unique<BlockPattern>(make_pattern(mesh()));
  return *block_pattern;
}

template <int dim>
void FiniteElementSystem<dim>::mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  mass_matrix->solve(
      p, [this](Vector &r) { project(r); }, tolerance, v);
}

template <int dim>
double FiniteElementSystem<dim>::potential(const Vector &q) const
{
  q.update_ghost_values();
  std::vector<Wide> u(mesh().family.stiffness.nodes * dim);
  double V = 0;
  for (std::size_t batch = 0; batch < mesh().n_owned_batches; ++batch)
  {
    mesh().gather(batch, q, u.data());
    const Wide energy = mesh().kernels->energy(mesh().batch_map(batch), u.data(), material(mesh().batches[batch].material));
    for (int lane = 0; lane < mesh().batches[batch].filled; ++lane)
      V += energy[lane];
  }
  V = MPI::sum(V, mesh().communicator);
  return has_gravity ? V - gravity * q : V;
}

template <int dim>
double FiniteElementSystem<dim>::sum_cells(const Vector &q, Vector &f, const CellIntegral &integral, const Part part) const
{
  q.update_ghost_values();
  f.zero_out_ghost_values();
  f = 0.;
  const int size = mesh().family.stiffness.nodes * dim;
  std::vector<Wide> u(size), cell(size);
  double smallest = std::numeric_limits<double>::max();
  for (std::size_t batch = 0; batch < mesh().n_owned_batches; ++batch)
  {
    if (!is_in(part, batch))
      continue;
    mesh().gather(batch, q, u.data());
    std::fill(cell.begin(), cell.end(), Wide(0.));
    const Wide returned = integral(batch, u.data(), cell.data());
    mesh().scatter_add(batch, cell.data(), f);
    for (int lane = 0; lane < lanes; ++lane)
      smallest = returned[lane] < smallest ? returned[lane] : smallest;
  }
  f.compress(dealii::VectorOperation::add);
  return smallest;
}

template <int dim>
void FiniteElementSystem<dim>::strain_force(const Vector &q, Vector &f) const
{
  const ScopedTimer timer("force");
  smallest_det_F = sum_cells(q, f, [this](const std::size_t batch, const Wide *u, Wide *cell) {
    return mesh().kernels->force(mesh().batch_map(batch), u, material(mesh().batches[batch].material), cell);
  });
}

template <int dim>
void FiniteElementSystem<dim>::internal_force(const Vector &q, Vector &f) const
{
  strain_force(q, f);
  if (has_gravity)
    f -= gravity;
}

template <int dim>
void FiniteElementSystem<dim>::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  u.update_ghost_values();
  std::vector<Wide> w(mesh().family.stiffness.nodes * dim);
  sum_cells(
      q, Ku,
      [&](const std::size_t batch, const Wide *displacement, Wide *cell) {
        mesh().gather(batch, u, w.data());
        mesh().kernels->stiffness(mesh().batch_map(batch), displacement, w.data(), material(mesh().batches[batch].material), cell);
        return Wide(1.);
      },
      part);
}

template <int dim>
void FiniteElementSystem<dim>::third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part) const
{
  a.update_ghost_values();
  std::vector<Wide> w(mesh().family.stiffness.nodes * dim);
  sum_cells(
      q, r,
      [&](const std::size_t batch, const Wide *displacement, Wide *cell) {
        mesh().gather(batch, a, w.data());
        mesh().kernels->third_derivative(mesh().batch_map(batch), displacement, w.data(), material(mesh().batches[batch].material), cell);
        return Wide(1.);
      },
      part);
}

template <int dim>
void FiniteElementSystem<dim>::discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const
{
  const ScopedTimer timer("force");
  q0.update_ghost_values();
  std::vector<Wide> u0(mesh().family.stiffness.nodes * dim);
  smallest_det_F = sum_cells(q1, f, [&](const std::size_t batch, const Wide *u1, Wide *cell) {
    mesh().gather(batch, q0, u0.data());
    return mesh().kernels->discrete_force(mesh().batch_vertices(batch), u0.data(), u1, material(mesh().batches[batch].material), cell);
  });
  if (has_gravity)
    f -= gravity;
}

template <int dim>
std::vector<std::string> FiniteElementSystem<dim>::momenta() const
{
  if (dim == 2)
    return {"P_x", "P_y", "J_z"};
  return {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"};
}

template <int dim>
std::vector<std::uint64_t> FiniteElementSystem<dim>::identities() const
{
  std::vector<std::uint64_t> identities;
  for (const std::uint64_t node : mesh().node_identities())
    for (int d = 0; d < dim; ++d)
      identities.push_back(4 * node + d);
  return identities;
}

template <int dim>
void FiniteElementSystem<dim>::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  xi = 0.;
  const int first = dim == 2 ? 0 : (int(i) - dim + 1) % 3, second = dim == 2 ? 1 : (int(i) - dim + 2) % 3;  // of the plane that turns
  for (int node = 0; node < mesh().n_owned_nodes(); ++node)
    if (int(i) < dim)
      xi.local_element(dim * node + i) = 1.;
    else
    {
      xi.local_element(dim * node + first) = -(mesh().position[node][second] + q.local_element(dim * node + second));
      xi.local_element(dim * node + second) = mesh().position[node][first] + q.local_element(dim * node + first);
    }
  xi.update_ghost_values();
}

template <int dim>
void FiniteElementSystem<dim>::damping_force(const Vector &q, const Vector &v, Vector &f) const
{
  const Damping &damping = parts.damping;
  f = 0.;
  if (damping.stiffness != 0.)
  {
    stiffness(damping.current ? q : new_vector(), v, f);
    f *= damping.stiffness;
  }
  Vector part = new_vector();
  if (damping.kelvin_voigt != 0.)
  {
    v.update_ghost_values();
    std::vector<Wide> w(mesh().family.stiffness.nodes * dim);
    sum_cells(q, part, [&](const std::size_t batch, const Wide *u, Wide *cell) {
      mesh().gather(batch, v, w.data());
      mesh().kernels->viscous_force(mesh().batch_vertices(batch), u, w.data(), material(mesh().batches[batch].material), cell);
      return Wide(1.);
    });
    f.add(damping.kelvin_voigt, part);
  }
  if (damping.mass != 0.)
  {
    mass(v, part);
    f.add(damping.mass, part);
  }
}

template <int dim>
double FiniteElementSystem<dim>::dissipation(const Vector &q, const Vector &v) const
{
  Vector f = new_vector();
  damping_force(q, v, f);
  return 0.5 * (f * v);
}

template <int dim>
double FiniteElementSystem<dim>::potential_rounding() const
{
  // psi is a difference of terms of the size of the modulus.
  double sum = 0;
  for (std::size_t batch = 0; batch < mesh().n_owned_batches; ++batch)
  {
    Wide jacobian, volume;
    mesh().kernels->geometry(mesh().batch_vertices(batch), jacobian, volume);
    for (int lane = 0; lane < mesh().batches[batch].filled; ++lane)
      sum += volume[lane] * material(mesh().batches[batch].material).longitudinal_modulus();
  }
  return std::numeric_limits<double>::epsilon() * MPI::sum(sum, mesh().communicator);
}

template <int dim>
double FiniteElementSystem<dim>::highest_frequency(const double, const Vector &q, const bool lumped) const
{
  Vector start = new_vector(), scaled = new_vector();
  for (unsigned int i = 0; i < start.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
    start.local_element(i) = std::sin(1. + 12.9898 * (i + start.get_partitioner()->local_range().first));
  project(start);
  if (!mass_matrix->diagonal() && !lumped)  // M^-1 K is not symmetric, its eigenvalues are real all the same
    return std::sqrt(largest_eigenvalue(
        [&](const Vector &x, Vector &y) {
          stiffness(q, x, scaled);
          project(scaled);
          mass_solve(scaled, y);
        },
        start, false));

  const auto density = [this](const unsigned int id) { return parts.materials.at(id).density; };
  std::unique_ptr<MassMatrix<dim>> made;
  if (!mass_matrix->diagonal())
    made = std::make_unique<MassMatrix<dim>>(mesh(), MassType::lumped, density, nullptr);
  const MassMatrix<dim> &mass = made ? *made : *mass_matrix;
  const auto scale = [&](Vector &x) {  // M^-1/2
    for (int node = 0; node < mesh().n_owned_nodes(); ++node)
      for (int d = 0; d < dim; ++d)
        x.local_element(dim * node + d) /= std::sqrt(mass.lumped(node));
  };
  return std::sqrt(largest_eigenvalue(
      [&](const Vector &x, Vector &y) {
        scaled = x;
        project(scaled);
        scale(scaled);
        stiffness(q, scaled, y);
        scale(y);
        project(y);
      },
      start, true));
}

template <int dim>
bool FiniteElementSystem<dim>::linear() const
{
  return !any_material([](const MaterialInUse &use) { return !use.law->small_strain(); }) && !has(Feature::follower_loads);
}

template <int dim>
bool FiniteElementSystem<dim>::any_material(const std::function<bool(const MaterialInUse &)> &condition) const
{
  return std::any_of(parts.materials.begin(), parts.materials.end(), [&](const auto &entry) { return condition(entry.second); });
}

template <int dim>
bool FiniteElementSystem<dim>::has(const Feature feature) const
{
  switch (feature)
  {
    case Feature::diagonal_mass:
      return mass_matrix->diagonal();
    case Feature::damping:
      return parts.damping.exists();
    case Feature::stiffness_damping:
      return parts.damping.couples_nodes();
    case Feature::nonlinear_damping:
      return parts.damping.depends_on_q() && !linear();
    case Feature::stiff_part:
      return any_material([](const MaterialInUse &use) { return use.stiff; });
    case Feature::momentum_gradient:
      return true;
    case Feature::quadratic_energy:  // in the strain at each point
      return !any_material([this](const MaterialInUse &use) {
        const bool of_the_cell =
            mesh().family.formulation == Formulation::mean_dilatation || mesh().family.formulation == Formulation::incompatible_modes;
        return !use.law->quadratic() || (of_the_cell && !use.law->small_strain());
      });
    case Feature::loads:
      for (std::size_t i = 0; i < parts.loads.size(); ++i)
        if (!parts.loads[i].load->is_potential() || load_factors[i] != 1.)
          return true;
      return !base_patterns.empty();
    case Feature::supports:
      return !supports().all().empty();
    case Feature::moving_supports:
      return supports().moves() || (base_carries() && !supports().all().empty());
    case Feature::gravity:
      return has_gravity;
    case Feature::follower_loads:
      for (const auto &use : parts.loads)
        if (use.load->follows())
          return true;
      return false;
    case Feature::linear:
      return linear();
  }
  return false;
}

template <int dim>
bool FiniteElementSystem<dim>::admissible() const
{
  return MPI::min(smallest_det_F, mesh().communicator) > 0.;
}

template <int dim>
std::string FiniteElementSystem<dim>::diagnose(const Vector &q) const
{
  q.update_ghost_values();
  const int size = mesh().family.stiffness.nodes * dim;
  std::vector<Wide> u(size), f(size, Wide(0.));
  std::string text;
  for (std::size_t batch = 0; batch < mesh().n_owned_batches && text.empty(); ++batch)
  {
    mesh().gather(batch, q, u.data());
    const Wide det = mesh().kernels->force(mesh().batch_map(batch), u.data(), material(mesh().batches[batch].material), f.data());
    for (int lane = 0; lane < mesh().batches[batch].filled && text.empty(); ++lane)
      if (!(det[lane] > 0.))
      {
        std::string place;
        for (int d = 0; d < dim; ++d)
        {
          double centre = 0;
          const auto X = mesh().batch_vertices(batch);
          for (int v = 0; v < mesh().family.stiffness.vertices; ++v)
            centre += X[v * dim + d][lane] / mesh().family.stiffness.vertices;
          place += fmt::format("{}{:.4g}", d ? ", " : "", centre);
        }
        text = fmt::format("the cell around X = ({}) m is inverted: det F = {:.3g}", place, det[lane]);
      }
  }
  for (const std::string &found : MPI::all_gather(mesh().communicator, text))
    if (!found.empty())
      return found;
  return "";
}

template class FiniteElementSystem<2>;
template class FiniteElementSystem<3>;
}  // namespace symdyn
