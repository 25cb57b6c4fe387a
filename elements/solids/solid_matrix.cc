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
    all.push_back({k, at.q, at.part, false, at.from, at.dt, at.oscillation});
  if (c != 0. && damping.stiffness != 0. && damping.current)
    all.push_back({c * damping.stiffness, damped_at, Part::all, false, at.from, at.dt});
  else if (c != 0. && damping.stiffness != 0.)
    all.push_back({c * damping.stiffness, &undeformed(), Part::all, false, nullptr, 0.});
  if (c != 0. && damping.kelvin_voigt != 0.)
    all.push_back({c * damping.kelvin_voigt, damped_at, Part::all, true, at.from, at.dt});
  return all;
}

template <int dim>
double SolidTerm<dim>::stiffness_weight(const At &at, const Weights &weights) const
{
  Vector middle;
  double sum = has_discrete_matrix(at) ? weights.k : 0.;
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    sum += stiffness.weight;
  return sum;
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
  if (!tangent_assembly || tangent_assembly->pattern_identity() != pattern.identity)
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

/// Column by column: kernels have matrices of potentials alone.
template <int dim>
void SolidTerm<dim>::add_unsymmetric_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const
{
  std::vector<Wide> u, w, f;
  StepLaws<dim> step = laws(stiffness.from, stiffness.dt, nullptr, stiffness.oscillation);
  assembly(*sink.A.pattern)
      .add_unsymmetric(
          stiffness.weight,
          [&](const CellRegion<dim> &region, const std::size_t batch, Wide *K_cell) {
            if (!is_in(stiffness.part, region, batch))
              return false;
            const int nodes = region.n_nodes(), size = nodes * dim;
            u.resize(size);
            region.gather(batch, *stiffness.q, u.data());
            const CellsOfLaw<dim> cells = step.of(region, batch);
            w.assign(size, Wide(0.));
            for (int column = 0; column < size; ++column)
            {
              f.assign(size, Wide(0.));
              w[column] = 1.;
              cells.kernels.stiffness(cells.map, u.data(), w.data(), cells.law, f.data());
              w[column] = 0.;
              for (int row = 0; row < size; ++row)
                K_cell[((row / dim * nodes + column / dim) * dim + row % dim) * dim + column % dim] = f[row];
            }
            return true;
          },
          sink.A);
}

template <int dim>
void SolidTerm<dim>::add_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const
{
  if (!stiffness.viscous && stiffness.dt != 0. && traits().unsymmetric)
    return add_unsymmetric_stiffness(stiffness, sink);
  std::vector<Wide> u;
  StepLaws<dim> step = laws(stiffness.from, stiffness.dt, nullptr, stiffness.oscillation);
  assembly(*sink.A.pattern)
      .add_symmetric(
          stiffness.weight,
          [&](const CellRegion<dim> &region, const std::size_t batch, Wide *K_cell) {
            if (!is_in(stiffness.part, region, batch))
              return false;
            u.resize(region.n_nodes() * dim);
            region.gather(batch, *stiffness.q, u.data());
            const CellsOfLaw<dim> cells = step.of(region, batch);
            if (stiffness.viscous)
              cells.kernels.viscous_tangent(region.batch_vertices(batch), u.data(), cells.law, K_cell);
            else
              cells.kernels.tangent(region.batch_vertices(batch), u.data(), cells.law, K_cell);
            return true;
          },
          sink.A);
}

template <int dim>
void SolidTerm<dim>::add_discrete_matrix(const At &at, const double k, const MatrixSink &sink) const
{
  std::vector<Wide> u0, u1;
  StepLaws<dim> step = laws(at.from, at.dt);
  assembly(*sink.A.pattern)
      .add_unsymmetric(
          k,
          [&](const CellRegion<dim> &region, const std::size_t batch, Wide *K_cell) {
            if (!is_in(at.part, region, batch))
              return false;
            u0.resize(region.n_nodes() * dim);
            u1.resize(u0.size());
            region.gather(batch, *at.previous, u0.data());
            region.gather(batch, *at.q, u1.data());
            const CellsOfLaw<dim> cells = step.of(region, batch);
            cells.kernels.discrete_tangent(region.batch_vertices(batch), u0.data(), u1.data(), cells.law, K_cell);
            return true;
          },
          sink.A);
}

/// Kelvin-Voigt's part is taken as that of V'': this is for preconditioners, bounds and choices.
template <int dim>
void SolidTerm<dim>::add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const
{
  Vector middle;
  for (const Stiffness &stiffness : stiffnesses(at, weights, middle))
    for (const CellRegion<dim> &region : body->regions)
      add_diagonal(stiffness, region, D);
}

template <int dim>
void SolidTerm<dim>::add_diagonal(const Stiffness &stiffness, const CellRegion<dim> &region, const BlockMatrix &D) const
{
  const int nodes = region.n_nodes(), block = dim * dim;
  std::vector<Wide> u(nodes * dim), K(nodes * block);
  StepLaws<dim> step = laws(stiffness.from, stiffness.dt, nullptr, stiffness.oscillation);
  for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
  {
    if (!is_in(stiffness.part, region, batch))
      continue;
    region.gather(batch, *stiffness.q, u.data());
    const CellsOfLaw<dim> cells = step.of(region, batch);
    cells.kernels.tangent_diagonal(region.batch_vertices(batch), u.data(), cells.law, K.data());
    for (int a = 0; a < nodes; ++a)
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        if (const int row = region.batch_nodes(batch)[a * lanes + lane]; row < D.pattern->rows())
          for (int i = 0; i < block; ++i)
            D.at(row, row)(i / dim, i % dim) += stiffness.weight * K[a * block + i][lane];
  }
}

template <int dim>
void SolidTerm<dim>::couple(const Couple &join) const
{
  for (const CellRegion<dim> &region : body->regions)
    for (std::size_t batch = 0; batch < region.batches.size(); ++batch)
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        for (int a = 0; a < region.n_nodes(); ++a)
          for (int b = 0; b < region.n_nodes(); ++b)
            join(region.batch_nodes(batch)[a * lanes + lane], region.batch_nodes(batch)[b * lanes + lane]);
}

template class SolidTerm<2>;
template class SolidTerm<3>;
}  // namespace symdyn
