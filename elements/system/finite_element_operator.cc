#include "elements/system/finite_element_operator.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <limits>

#include "elements/system/held_rows.h"
#include "solver/base/timer.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
FiniteElementSystem<dim>::Operator::~Operator() = default;

template <int dim>
void FiniteElementSystem<dim>::Operator::set(const Linearisation &given)
{
  changed();
  coarse_is_set = diagonal_known = false;
  const auto same = [](const LinearTerm &a, const Term &b) {
    return a.weights == b.weights && a.part == b.part && (a.from != nullptr) == (b.from.size() > 0);
  };
  if (terms.size() != given.size() || !std::equal(given.begin(), given.end(), terms.begin(), same))
  {
    ++weights_changed;
    ratio = -1.;
    terms.assign(given.size(), {});
  }
  stiffnesses.clear();
  is_symmetric = true;
  for (std::size_t n = 0; n < given.size(); ++n)
  {
    terms[n].weights = given[n].weights;
    terms[n].t = given[n].t;
    terms[n].part = given[n].part;
    terms[n].q = *given[n].q;
    terms[n].q.update_ghost_values();
    if (given[n].from)
    {
      terms[n].from = *given[n].from;
      terms[n].from.update_ghost_values();
    }
    collect(terms[n]);
  }
}

template <int dim>
void FiniteElementSystem<dim>::Operator::collect(Term &term)
{
  const Damping &damping = system.parts.damping;
  double k = system.stiffness_weight(term.weights.k, term.from.size() > 0), c = term.weights.c;
  if (system.linear() && term.part == Part::all)  // there D0 = D
  {
    k += c * (damping.stiffness + damping.kelvin_voigt);
    c = 0.;
  }
  const Vector *damped_at = &term.q;
  if (term.from.size() > 0 && c != 0. && damping.depends_on_q())
  {
    term.middle = term.q;
    term.middle.sadd(0.5, 0.5, term.from);
    term.middle.update_ghost_values();
    damped_at = &term.middle;
  }
  if (k != 0. && term.is_discrete(system))
    is_symmetric = false;
  else if (k != 0.)
    stiffnesses.push_back({k, &term.q, term.part, false});
  if (c != 0. && damping.stiffness != 0. && !damping.current && undeformed.size() == 0)
    undeformed = system.new_vector();
  if (c != 0. && damping.stiffness != 0.)
    stiffnesses.push_back({c * damping.stiffness, damping.current ? damped_at : &undeformed, Part::all, false});
  if (c != 0. && damping.kelvin_voigt != 0.)
    stiffnesses.push_back({c * damping.kelvin_voigt, damped_at, Part::all, true});
  if (term.sees_loads(system))
    is_symmetric = false;
}

template <int dim>
bool FiniteElementSystem<dim>::Operator::Term::is_discrete(const FiniteElementSystem &system) const
{
  return from.size() > 0 && !system.linear();
}

template <int dim>
bool FiniteElementSystem<dim>::Operator::Term::sees_loads(const FiniteElementSystem &system) const
{
  return weights.k != 0. && from.size() == 0 && part == Part::all && system.has(Feature::follower_loads);
}

template <int dim>
double FiniteElementSystem<dim>::Operator::mass_weight() const
{
  double m = 0;
  for (const Term &term : terms)
    m += term.weights.m + term.weights.c * system.parts.damping.mass;
  return m;
}

template <int dim>
const TangentAssembly<dim> &FiniteElementSystem<dim>::Operator::assembly() const
{
  if (!tangent_assembly)
    tangent_assembly = std::make_unique<TangentAssembly<dim>>(system.mesh(), pattern());
  return *tangent_assembly;
}

template <int dim>
void FiniteElementSystem<dim>::Operator::assemble(const BlockMatrix &A) const
{
  const ScopedTimer timer("assemble");
  TangentAssembly<dim>::clear(A);
  for (const Stiffness &stiffness : stiffnesses)
    add_stiffness(stiffness, A);
  for (const Term &term : terms)
  {
    if (term.is_discrete(system) && term.weights.k != 0.)
      add_discrete_tangent(term, A);
    for (std::size_t i = 0; i < system.parts.loads.size(); ++i)
      if (const auto &load = *system.parts.loads[i].load; term.sees_loads(system) && load.follows())
        load.add_tangent(term.t, term.q, term.weights.k * system.load_factors[i], assembly(), A);
  }
  weighted_diagonal = TangentAssembly<dim>::diagonal(A);
  diagonal_known = true;
  if (const double m = mass_weight(); m != 0.)
    TangentAssembly<dim>::add_mass(*system.mass_matrix, m, A);
  hold_rows(system.mesh(), system.supports(), A);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::add_stiffness(const Stiffness &stiffness, const BlockMatrix &A) const
{
  std::vector<Wide> u(system.mesh().family.stiffness.nodes * dim);
  assembly().add_symmetric(
      stiffness.weight,
      [&](const std::size_t batch, Wide *K_cell) {
        const auto &mesh = system.mesh();
        if (!system.is_in(stiffness.part, batch))
          return false;
        mesh.gather(batch, *stiffness.q, u.data());
        const Material &material = system.material(mesh.batches[batch].material);
        if (stiffness.viscous)
          mesh.kernels->viscous_tangent(mesh.batch_vertices(batch), u.data(), material, K_cell);
        else
          mesh.kernels->tangent(mesh.batch_vertices(batch), u.data(), material, K_cell);
        return true;
      },
      A);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::add_discrete_tangent(const Term &term, const BlockMatrix &A) const
{
  std::vector<Wide> u0(system.mesh().family.stiffness.nodes * dim), u1(u0);
  assembly().add_unsymmetric(
      term.weights.k,
      [&](const std::size_t batch, Wide *K_cell) {
        const auto &mesh = system.mesh();
        if (!system.is_in(term.part, batch))
          return false;
        mesh.gather(batch, term.from, u0.data());
        mesh.gather(batch, term.q, u1.data());
        mesh.kernels->discrete_tangent(mesh.batch_vertices(batch), u0.data(), u1.data(), system.material(mesh.batches[batch].material),
                                       K_cell);
        return true;
      },
      A);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::multiply(const Vector &x, Vector &y) const
{
  if (!matrix_free())
    return LinearOperator::multiply(x, y);
  y.zero_out_ghost_values();
  const double m = mass_weight();
  const bool by_matrix = m != 0. && (system.mass_matrix->diagonal() || degree() == 1);  // whose sparse matrix is small
  if (by_matrix)
  {
    system.mass_matrix->multiply(x, y);
    y *= m;
  }
  else
  {
    y = 0.;
    x.update_ghost_values();
    if (m != 0.)
      add_mass_product(m, x, y);
  }
  for (const Stiffness &stiffness : stiffnesses)
    add_product(stiffness, x, y);
  y.compress(dealii::VectorOperation::add);
  system.project(y);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::add_product(const Stiffness &stiffness, const Vector &x, Vector &y) const
{
  const auto &mesh = system.mesh();
  const int size = mesh.family.stiffness.nodes * dim;
  std::vector<Wide> u(size), w(size), f(size);
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
  {
    if (!system.is_in(stiffness.part, batch))
      continue;
    mesh.gather(batch, *stiffness.q, u.data());
    mesh.gather(batch, x, w.data());
    for (int i = 0; i < size; ++i)
    {
      w[i] *= stiffness.weight;
      f[i] = 0.;
    }
    const Material &material = system.material(mesh.batches[batch].material);
    if (stiffness.viscous)
      mesh.kernels->viscous_force(mesh.batch_vertices(batch), u.data(), w.data(), material, f.data());
    else
      mesh.kernels->stiffness(mesh.batch_map(batch), u.data(), w.data(), material, f.data());
    mesh.scatter_add(batch, f.data(), y);
  }
}

template <int dim>
void FiniteElementSystem<dim>::Operator::add_mass_product(const double m, const Vector &x, Vector &y) const
{
  const auto &mesh = system.mesh();
  const int size = mesh.family.stiffness.nodes * dim;
  std::vector<Wide> w(size), f(size);
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
  {
    mesh.gather(batch, x, w.data());
    std::fill(f.begin(), f.end(), Wide(0.));
    const double density = system.parts.materials.at(mesh.batches[batch].material).density;
    mesh.kernels->mass_product(mesh.batch_map(batch), w.data(), m * density, f.data());
    mesh.scatter_add(batch, f.data(), y);
  }
}

/// Kelvin-Voigt's part is taken as that of V'': this is for preconditioners, bounds and choices.
template <int dim>
void FiniteElementSystem<dim>::Operator::diagonal(const BlockMatrix &D) const
{
  if (!matrix_free())
    return LinearOperator::diagonal(D);
  const auto &mesh = system.mesh();
  const int nodes = mesh.family.stiffness.nodes, block = dim * dim;
  std::vector<Wide> u(nodes * dim), K(nodes * block);
  TangentAssembly<dim>::clear(D);
  for (const Stiffness &stiffness : stiffnesses)
    for (std::size_t batch = 0; batch < mesh.batches.size(); ++batch)
    {
      if (!system.is_in(stiffness.part, batch))
        continue;
      mesh.gather(batch, *stiffness.q, u.data());
      mesh.kernels->tangent_diagonal(mesh.batch_vertices(batch), u.data(), system.material(mesh.batches[batch].material), K.data());
      for (int a = 0; a < nodes; ++a)
        for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
          if (const int row = mesh.batch_nodes(batch)[a * lanes + lane]; row < D.pattern->rows())
            for (int i = 0; i < block; ++i)
              D.at(row, row)(i / dim, i % dim) += stiffness.weight * K[a * block + i][lane];
    }
  weighted_diagonal = TangentAssembly<dim>::diagonal(D);
  diagonal_known = true;
  const double m = mass_weight();
  for (int row = 0; row < D.pattern->rows() && m != 0.; ++row)
    for (int d = 0; d < dim; ++d)
      D.at(row, row)(d, d) += m * system.mass_matrix->diagonal_entry(row);
  hold_rows(mesh, system.supports(), D);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::need_diagonal() const
{
  if (diagonal_known)  // not by its size: a rank may own no node, and takes part all the same
    return;
  const BlockPattern own = BlockPattern::diagonal(dim, nodes());
  OwnedBlockMatrix D;
  D.allocate(own);
  diagonal(D);
}

template <int dim>
std::vector<double> FiniteElementSystem<dim>::Operator::stiffness_diagonal() const
{
  double weight = 0;
  for (const Stiffness &stiffness : stiffnesses)
    weight += stiffness.weight;
  for (const Term &term : terms)
    weight += term.is_discrete(system) ? term.weights.k : 0.;
  if (weight == 0.)
    return {};
  need_diagonal();
  std::vector<double> of_K = weighted_diagonal;
  for (double &value : of_K)
    value /= weight;
  return of_K;
}

template <int dim>
double FiniteElementSystem<dim>::Operator::stiffness_over_mass() const
{
  const double m = mass_weight();
  if (m <= 0.)  // below zero: of a forced vibration, where no mass helps
    return std::numeric_limits<double>::infinity();
  if (ratio < 0.)
  {
    need_diagonal();
    ratio = 0.;
    for (std::size_t i = 0; i < weighted_diagonal.size(); ++i)
      ratio = std::max(ratio, weighted_diagonal[i] / (m * system.mass_matrix->diagonal_entry(i / dim)));
    ratio = MPI::max(ratio, system.mesh().communicator);
  }
  return ratio;
}

template <int dim>
const LinearOperator *FiniteElementSystem<dim>::Operator::coarser() const
{
  if (degree() == 1 || !matrix_free())
    return nullptr;
  if (!coarse)
  {
    Parts parts = system.parts;
    parts.mesh = std::make_shared<Discretisation<dim>>(system.mesh(), 1);
    parts.supports = std::make_shared<Supports<dim>>(system.supports());
    parts.loads.clear();
    parts.linear_solver = nullptr;
    coarse_system = std::make_unique<FiniteElementSystem>(std::move(parts));
    coarse = std::make_unique<Operator>(*coarse_system);
    transfer = std::make_unique<DegreeTransfer<dim>>(system.mesh(), coarse_system->mesh());
  }
  if (!coarse_is_set)
  {
    std::vector<Vector> q(terms.size(), coarse_system->new_vector()), from(q);
    Linearisation coarse_terms;
    for (std::size_t n = 0; n < terms.size(); ++n)
    {
      transfer->inject(terms[n].q, q[n]);
      coarse_terms.push_back({terms[n].weights, terms[n].t, &q[n], &q[n], nullptr, terms[n].part});
      if (terms[n].from.size() == 0)
        continue;
      transfer->inject(terms[n].from, from[n]);
      coarse_terms.back().from = &from[n];
    }
    coarse->set(coarse_terms);
    coarse_is_set = true;
  }
  return coarse.get();
}

template <int dim>
void FiniteElementSystem<dim>::Operator::prolong(const Vector &of_vertices, Vector &fine) const
{
  transfer->prolong(of_vertices, fine);
  system.project(fine);
}

template <int dim>
void FiniteElementSystem<dim>::Operator::restrict(const Vector &fine, Vector &of_vertices) const
{
  transfer->restrict(fine, of_vertices);
  coarse_system->project(of_vertices);
}

template class FiniteElementSystem<2>::Operator;
template class FiniteElementSystem<3>::Operator;
}  // namespace symdyn
