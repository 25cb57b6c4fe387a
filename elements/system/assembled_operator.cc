#include "elements/system/assembled_operator.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/rotors/at_speed.h"
#include "elements/space/rigid_modes.h"
#include "elements/system/frames/fixed_frame.h"
#include "elements/system/spin_load.h"
#include "solver/base/timer.h"
#include "solver/constraints.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
void clear(const BlockMatrix &A)
{
  const std::size_t size = A.pattern->block * A.pattern->block;
  std::fill_n(A.own, size * A.pattern->own_column.size(), 0.);
  std::fill_n(A.ghost, size * A.pattern->ghost_column.size(), 0.);
}

/// Copies what is given.
void keep(const Vector *given, Vector &kept)
{
  if (!given)
    return;
  kept = *given;
  kept.update_ghost_values();
}

std::vector<double> diagonal_of(const BlockMatrix &A)
{
  std::vector<double> values;
  const int n = A.pattern->block;
  values.reserve(A.pattern->rows() * n);
  for (int row = 0; row < A.pattern->rows(); ++row)
  {
    const auto block = A.at(row, A.pattern->position(row, row));
    for (int d = 0; d < n; ++d)
      values.push_back(block(d, d));
  }
  return values;
}
}  // namespace

AssembledSystem::Operator::~Operator() = default;

void AssembledSystem::Operator::set(const Linearisation &given, const TermStep &of_terms)
{
  step = {of_terms.from, of_terms.dt, nullptr, of_terms.oscillation};
  changed();
  coarse_is_set = diagonal_known = false;
  const auto same = [](const LinearTerm &a, const Point &b) {
    return a.weights == b.weights && a.part == b.part && (a.from != nullptr) == (b.from.size() > 0);
  };
  if (points.size() != given.size() || !std::equal(given.begin(), given.end(), points.begin(), same))
  {
    ++weights_changed;
    ratio = -1.;
    points.assign(given.size(), {});
  }
  is_symmetric = true;
  for (std::size_t n = 0; n < given.size(); ++n)
  {
    points[n].weights = given[n].weights;
    points[n].t = given[n].t;
    points[n].part = given[n].part;
    points[n].before.reinit(0);
    points[n].led.reinit(0);
    keep(given[n].q, points[n].q);
    keep(given[n].from, points[n].from);
    keep(given[n].before, points[n].before);
    keep(given[n].led, points[n].led);
    const bool of_gradient = given[n].from && given[n].weights.k != 0. && !system.all(&Traits::linear);
    const bool of_flow = step.dt != 0. && given[n].weights.k != 0. && system.any(&Traits::unsymmetric);
    is_symmetric = is_symmetric && !of_gradient && !of_flow && points[n].is_symmetric(system);
  }
}

bool AssembledSystem::Operator::Point::is_symmetric(const AssembledSystem &system) const
{
  const auto symmetric = [](const LoadInUse &use) { return !use.load->follows() || use.load->has_symmetric_tangent(); };
  bool circulates = system.fixed && system.parts.rotation->speed != 0.;
  each_bearing(system.parts.terms, [&circulates](const TermAtSpeed &bearing) { circulates = circulates || bearing.circulates(); });
  if (circulates && sees_loads(system))
    return false;
  return (!system.spin || weights.c == 0.) &&
         (!sees_loads(system) || std::all_of(system.parts.loads.begin(), system.parts.loads.end(), symmetric));
}

bool AssembledSystem::Operator::by_terms() const
{
  return is_symmetric && std::none_of(points.begin(), points.end(), [this](const Point &point) { return point.sees_loads(system); });
}

double AssembledSystem::Operator::mass_of_cells() const
{
  double m = 0;
  for (const Point &point : points)
    m += point.weights.m + point.weights.c * system.parts.mass_damping;
  return m;
}

double AssembledSystem::Operator::mass_of_sites() const
{
  double m = 0;
  for (const Point &point : points)
    m += point.weights.m;
  return m;
}

std::vector<Vector> AssembledSystem::Operator::rigid_modes() const
{
  const Space &space = *system.parts.space;
  const int n = block();
  std::vector<Vector> modes(n * (n + 1) / 2, new_vector());
  for (int site = 0; site < space.owned(); ++site)
  {
    const auto &X = space.position(site);
    for (int d = 0; d < n && !space.is_director(site); ++d)
      modes[d].local_element(n * site + d) = 1.;
    for (int m = n, i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j, ++m)
      {
        modes[m].local_element(n * site + i) = -X[j];
        modes[m].local_element(n * site + j) = X[i];
      }
  }
  for (Vector &mode : modes)
    system.project(mode);
  orthonormalise(modes);
  return modes;
}

void AssembledSystem::Operator::keep_diagonal(const BlockMatrix &A) const
{
  weighted_diagonal = diagonal_of(A);
  diagonal_known = true;
}

void AssembledSystem::Operator::assemble(const BlockMatrix &A) const
{
  const ScopedTimer timer("assemble", ScopedTimer::worth_it(system.parts.space->owned()));
  clear(A);
  const MatrixSink sink{A};
  for (const Point &point : points)
  {
    system.each_term(point.at(), step, [&](const Term &term, const At &where) { term.add_matrix(where, point.weights, sink); });
    for (std::size_t i = 0; i < system.parts.loads.size(); ++i)
      if (const AppliedLoad &load = *system.parts.loads[i].load; point.sees_loads(system) && load.follows())
        load.add_matrix(system.parts.actions->at(point.t), point.q, point.weights.k * system.parts.actions->strength(i), sink);
    if (point.sees_loads(system))
    {
      each_bearing(system.parts.terms, [&](const TermAtSpeed &bearing) { bearing.add_circulation_matrix(point.weights.k, sink); });
      if (system.fixed)
        system.fixed->add_matrix_of_frame(point.weights.k, point.q, sink);
    }
    if (system.spin && point.weights.c != 0.)
      system.spin->add_coriolis_matrix(point.weights.c, sink);
  }
  keep_diagonal(A);
  system.mass_matrix.add_to(mass_of_cells(), mass_of_sites(), A);
  hold_rows(A);
}

/// P A P + s (1 - P): the mean diagonal s on what is held, so that the condition does not suffer.
void AssembledSystem::Operator::hold_rows(const BlockMatrix &A) const
{
  const int n = block();
  double sum = 0;
  for (const double value : diagonal_of(A))
    sum += std::abs(value);
  const Space &space = *system.parts.space;
  sum = MPI::sum(sum, space.communicator());
  const double s = sum > 0. ? sum / (double(n) * space.size()) : 1.;
  for (const auto &supports : system.parts.supports)
    for (int row = 0; row < A.pattern->rows(); ++row)
      A.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        const double *left = supports->projector(row), *right = supports->projector(column);
        if (!left && !right)
          return;
        double value[9], product[9];
        for (int i = 0; i < n * n; ++i)
          value[i] = block(i / n, i % n);
        const auto multiply = [&](const double *a, const double *b) {
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
            {
              product[n * i + j] = a[n * i] * b[j];
              for (int k = 1; k < n; ++k)
                product[n * i + j] += a[n * i + k] * b[n * k + j];
            }
          std::copy_n(product, n * n, value);
        };
        if (left)
          multiply(left, value);
        if (right)
          multiply(value, right);
        for (int i = 0; i < n * n; ++i)
          block(i / n, i % n) = value[i] + (row == column ? s * ((i / n == i % n ? 1. : 0.) - left[i]) : 0.);
      });
}

void AssembledSystem::Operator::multiply(const Vector &x, Vector &y) const
{
  if (!by_terms())
    return LinearOperator::multiply(x, y);
  system.mass_matrix.begin_product(mass_of_cells(), mass_of_sites(), x, y);
  for (const Point &point : points)
    system.each_term(point.at(), step, [&](const Term &term, const At &where) { term.add_product(where, point.weights, x, y); });
  y.compress(dealii::VectorOperation::add);
  system.project_supports(y);
}

void AssembledSystem::Operator::diagonal(const BlockMatrix &D) const
{
  if (!matrix_free())
    return LinearOperator::diagonal(D);
  clear(D);
  for (const Point &point : points)
    system.each_term(point.at(), step, [&](const Term &term, const At &where) { term.add_diagonal(where, point.weights, D); });
  keep_diagonal(D);
  const double m = mass_of_cells(), of_sites = mass_of_sites();
  for (int row = 0; row < D.pattern->rows() && (m != 0. || of_sites != 0.); ++row)
    for (int d = 0; d < block(); ++d)
      D.at(row, row)(d, d) += m * system.mass_matrix.of_cells(row) + of_sites * system.mass_matrix.of_site(row);
  hold_rows(D);
}

void AssembledSystem::Operator::need_diagonal() const
{
  if (diagonal_known)  // not by its size: a rank may own no site, and takes part all the same
    return;
  const BlockPattern own = BlockPattern::diagonal(block(), nodes());
  OwnedBlockMatrix D;
  D.allocate(own);
  diagonal(D);
}

std::vector<double> AssembledSystem::Operator::stiffness_diagonal() const
{
  double weight = 0;
  for (const Point &point : points)
  {
    double most = 0;  // of the terms
    for (const auto &term : system.parts.terms)
      most = std::max(most, term->stiffness_weight(point.at(), point.weights));
    weight += most;
  }
  if (weight == 0.)
    return {};
  need_diagonal();
  std::vector<double> of_K = weighted_diagonal;
  for (double &value : of_K)
    value /= weight;
  return of_K;
}

double AssembledSystem::Operator::stiffness_over_mass() const
{
  const double of_cells = mass_of_cells(), of_sites = mass_of_sites();
  if (of_cells <= 0. && of_sites <= 0.)  // below zero: of a forced vibration, where no mass helps
    return std::numeric_limits<double>::infinity();
  if (ratio < 0.)
  {
    need_diagonal();
    ratio = 0.;
    const int n = block();
    for (std::size_t i = 0; i < weighted_diagonal.size(); ++i)
    {
      const int site = int(i) / n, d = int(i) % n;
      const double heavy = of_cells * system.mass_matrix.of_cells(site) + of_sites * system.mass_matrix.of_site(site);
      const bool is_held = std::any_of(system.parts.supports.begin(), system.parts.supports.end(), [&](const auto &supports) {
        const double *P = supports->projector(site);
        return P && P[(n + 1) * d] < 0.5;
      });
      if (heavy > 0.)
        ratio = std::max(ratio, weighted_diagonal[i] / heavy);
      else if (!is_held)
        ratio = std::numeric_limits<double>::infinity();
    }
    ratio = MPI::max(ratio, system.parts.space->communicator());
  }
  return ratio;
}

const LinearOperator *AssembledSystem::Operator::coarser() const
{
  if (degree() == 1 || !matrix_free() || !system.parts.coarser)
    return nullptr;
  if (const HolonomicConstraints *exact = system.parts.constraints.exact; exact && exact->springs->act())
    return nullptr;  // the coarser body lacks them, and what they alone hold
  if (!coarse)
  {
    coarse = system.parts.coarser();
    coarse_operator = std::make_unique<Operator>(*coarse->system, coarse->system->couplings);
  }
  if (!coarse_is_set)
  {
    std::vector<Vector> q(points.size(), coarse->system->new_vector()), from(q);
    Linearisation terms;
    for (std::size_t n = 0; n < points.size(); ++n)
    {
      coarse->transfer->inject(points[n].q, q[n]);
      terms.push_back({points[n].weights, points[n].t, &q[n], &q[n], nullptr, points[n].part});
      if (points[n].from.size() == 0)
        continue;
      coarse->transfer->inject(points[n].from, from[n]);
      terms.back().from = &from[n];
    }
    coarse_operator->set(terms);  // without a history: elastic, which a preconditioner may be
    coarse_is_set = true;
  }
  return coarse_operator.get();
}

void AssembledSystem::Operator::prolong(const Vector &of_vertices, Vector &fine) const
{
  coarse->transfer->prolong(of_vertices, fine);
  system.project(fine);
}

void AssembledSystem::Operator::restrict(const Vector &fine, Vector &of_vertices) const
{
  coarse->transfer->restrict(fine, of_vertices);
  coarse->system->project(of_vertices);
}
}  // namespace symdyn
