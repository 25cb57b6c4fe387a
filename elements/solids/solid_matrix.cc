#include "elements/solids/solid_term.h"

// Matrices of the cells of a solid, and products with them.
namespace symdyn
{
template <int dim>
std::vector<typename SolidTerm<dim>::Stiffness> SolidTerm<dim>::stiffnesses(const At &at, const Weights &weights, Vector &middle) const
{
  std::vector<Stiffness> all;
  const bool is_linear = linear();
  // The derivative of a discrete gradient of a quadratic V is half of V''.
  double k = at.previous && is_linear ? 0.5 * weights.k : weights.k, c = weights.c;
  if (is_linear && at.part == Part::all)  // there D0 = D
  {
    k += c * (damping.stiffness + damping.kelvin_voigt);
    c = 0.;
  }
  const Vector *damped_at = at.q;
  if (at.previous && c != 0. && damping.depends_on_q())
  {
    middle = *at.q;
    middle.sadd(0.5, 0.5, *at.previous);
    middle.update_ghost_values();
    damped_at = &middle;
  }
  if (k != 0. && !has_discrete_matrix(at))
    all.push_back({k, at.q, at.part, false});
  if (c != 0. && damping.stiffness != 0.)
    all.push_back({c * damping.stiffness, damping.current ? damped_at : &undeformed(), Part::all, false});
  if (c != 0. && damping.kelvin_voigt != 0.)
    all.push_back({c * damping.kelvin_voigt, damped_at, Part::all, true});
  return all;
}

template <int dim>
const Vector &SolidTerm<dim>::undeformed() const
{
  if (zero.size() == 0)
    zero = body->new_vector();
  return zero;
}

template <int dim>
const TangentAssembly<dim> &SolidTerm<dim>::assembly(const BlockPattern &pattern) const
{
  if (!tangent_assembly || &tangent_assembly->matrix_pattern() != &pattern)
    tangent_assembly = std::make_unique<TangentAssembly<dim>>(*body, pattern);
  return *tangent_assembly;
}

template <int dim>
void SolidTerm<dim>::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  Vector middle;
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    add_stiffness(stiffness, sink);
  if (weights.k != 0. && has_discrete_matrix(at))
    add_discrete_matrix(at, weights.k, sink);
}

template <int dim>
void SolidTerm<dim>::add_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const
{
  std::vector<Wide> u(body->family.stiffness.nodes * dim);
  assembly(*sink.A.pattern)
      .add_symmetric(
          stiffness.weight,
          [&](const std::size_t batch, Wide *K_cell) {
            if (!is_in(stiffness.part, batch))
              return false;
            body->gather(batch, *stiffness.q, u.data());
            const Material &law = material(body->batches[batch].material);
            if (stiffness.viscous)
              body->kernels->viscous_tangent(body->batch_vertices(batch), u.data(), law, K_cell);
            else
              body->kernels->tangent(body->batch_vertices(batch), u.data(), law, K_cell);
            return true;
          },
          sink.A);
}

template <int dim>
void SolidTerm<dim>::add_discrete_matrix(const At &at, const double k, const MatrixSink &sink) const
{
  std::vector<Wide> u0(body->family.stiffness.nodes * dim), u1(u0);
  assembly(*sink.A.pattern)
      .add_unsymmetric(
          k,
          [&](const std::size_t batch, Wide *K_cell) {
            if (!is_in(at.part, batch))
              return false;
            body->gather(batch, *at.previous, u0.data());
            body->gather(batch, *at.q, u1.data());
            body->kernels->discrete_tangent(body->batch_vertices(batch), u0.data(), u1.data(), material(body->batches[batch].material),
                                            K_cell);
            return true;
          },
          sink.A);
}

/// Kelvin-Voigt's part is taken as that of V'': this is for preconditioners, bounds and choices.
template <int dim>
void SolidTerm<dim>::add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const
{
  const int nodes = body->family.stiffness.nodes, block = dim * dim;
  Vector middle;
  std::vector<Wide> u(nodes * dim), K(nodes * block);
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    for (std::size_t batch = 0; batch < body->batches.size(); ++batch)
    {
      if (!is_in(stiffness.part, batch))
        continue;
      body->gather(batch, *stiffness.q, u.data());
      body->kernels->tangent_diagonal(body->batch_vertices(batch), u.data(), material(body->batches[batch].material), K.data());
      for (int a = 0; a < nodes; ++a)
        for (int lane = 0; lane < body->batches[batch].filled; ++lane)
          if (const int row = body->batch_nodes(batch)[a * lanes + lane]; row < D.pattern->rows())
            for (int i = 0; i < block; ++i)
              D.at(row, row)(i / dim, i % dim) += stiffness.weight * K[a * block + i][lane];
    }
}

template <int dim>
void SolidTerm<dim>::couple(const Couple &join) const
{
  for (std::size_t batch = 0; batch < body->batches.size(); ++batch)
    for (int lane = 0; lane < body->batches[batch].filled; ++lane)
      for (int a = 0; a < body->family.stiffness.nodes; ++a)
        for (int b = 0; b < body->family.stiffness.nodes; ++b)
          join(body->batch_nodes(batch)[a * lanes + lane], body->batch_nodes(batch)[b * lanes + lane]);
}

template class SolidTerm<2>;
template class SolidTerm<3>;
}  // namespace symdyn
