#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "elements/space/rigid_modes.h"
#include "elements/system/assembled_operator.h"
#include "solver/base/timer.h"

// The linearised system and its solution.
namespace symdyn
{
AssembledSystem::Reduced::Reduced(const AssembledSystem &system, const Operator &full)
    : full(full), of_couplings(full.revision()), reduction(*system.parts.relations.all, full.pattern())
{
}

void AssembledSystem::Reduced::assemble(const BlockMatrix &A) const
{
  OwnedBlockMatrix whole;  // not kept: it is as large as A
  whole.allocate(full.pattern());
  full.assemble(whole);
  reduction.fill(whole, A);
}

std::vector<Vector> AssembledSystem::Reduced::rigid_modes() const
{
  std::vector<Vector> modes;
  for (const Vector &mode : full.rigid_modes())
  {
    modes.push_back(new_vector());
    copy(mode, modes.back());
  }
  return modes;
}

void AssembledSystem::Linearised::set(const Linearisation &terms, const TermStep &step, const bool constant)
{
  if (constant && weights && *weights == terms.front().weights && current())
    return;
  op->set(terms, step);
  follow_couplings();
  follow_directors(terms, step);
  ++number;
  is_set_up = false;
  weights = constant ? std::make_unique<Weights>(terms.front().weights) : nullptr;
}

void AssembledSystem::Linearised::set_up()
{
  if (is_set_up && current())
    return;
  follow_couplings();
  const ScopedTimer timer("factor", ScopedTimer::worth_it(system.parts.space->owned()));
  solver->set_up(solved());
  is_set_up = true;
}

void AssembledSystem::Linearised::follow_couplings()
{
  if (!current())
  {
    directed = nullptr;
    reduced = nullptr;
  }
  revision = op->revision();
  if (system.parts.relations.any() && !reduced)
    reduced = std::make_unique<Reduced>(system, *op);
  if (reduced)
    reduced->set();
}

/// With y all present vectors, force + (V'' of carried stresses - V'') y: V'' y is D B y, which is the same in both, and sum sigma_i
/// B_i(y).
Vector AssembledSystem::Linearised::carried_force(const LinearTerm &term, const TermStep &step) const
{
  const Space &space = *system.parts.space;
  Vector y = system.new_vector(), force = y;
  for (unsigned int i = 0; i < y.locally_owned_size(); ++i)
    y.local_element(i) = space.position(int(i) / space.block())[int(i) % space.block()];
  y += *term.q;
  y.update_ghost_values();
  term.q->update_ghost_values();
  At present = system.at(*term.q), carried = present;
  carried.before = term.before;
  carried.led = term.led;
  for (const auto &[at, weight] : {std::pair(present, -1.), std::pair(carried, 1.)})
    system.each_term(at, step, [&, weight = weight](const Term &one, const At &where) {
      if (one.traits().carries)
        one.add_product(where, weight * K, y, force);
    });
  force.compress(dealii::VectorOperation::add);
  force += *term.across;
  return force;
}

/// All terms stand at one q where motions are along constraints.
void AssembledSystem::Linearised::follow_directors(const Linearisation &terms, const TermStep &step)
{
  LinearTerm first = terms.front();
  if (!first.across || !system.parts.frames)
  {
    directed = nullptr;
    return;
  }
  if (terms.size() > 1)
    throw std::logic_error("motions along constraints are of one term");
  if (!directed)
    directed = std::make_unique<DirectorOperator>(related(), *system.parts.frames);
  const bool carries = first.before && !first.from && !first.across_at;
  const Vector force = carries ? carried_force(first, step) : Vector();
  if (carries)
    first.across = &force;
  directed->set(first);
}

void AssembledSystem::Linearised::forget(const bool relations)
{
  if (relations)
    op->change_relations();
  weights = nullptr;
  is_set_up = false;
  directed = nullptr;
  reduced = nullptr;
  ++number;
}

void AssembledSystem::Linearised::begin_again()
{
  forget(false);
  op = std::make_unique<Operator>(system, couplings);
}

class AssembledSystem::Solve : public LinearSolve
{
public:
  Solve(const AssembledSystem &system, Linearised &made) : system(system), made(made), number(made.number) {}

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    made.set_up();
    const ScopedTimer timer("solve", ScopedTimer::worth_it(r.locally_owned_size()));
    int iterations = 0;
    if (is_reduced())
    {
      const Vector right = reduced(r);
      Vector left = made.solved().new_vector();
      iterations = made.solver->solve(right, left, tolerance);
      expand(left, x);
    }
    else
      iterations = made.solver->solve(r, x, tolerance);
    system.project_supports(x);  // prescribed components are zero up to the solver's tolerance: make them exact
    return iterations;
  }
  void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance) const override
  {
    made.set_up();
    const ScopedTimer timer("solve");
    if (is_reduced())
    {
      std::vector<Vector> right, left(r.size(), made.solved().new_vector());
      for (const Vector &one : r)
        right.push_back(reduced(one));
      made.solver->solve_all(right, left, tolerance);
      for (std::size_t k = 0; k < r.size(); ++k)
        expand(left[k], x[k]);
    }
    else
      made.solver->solve_all(r, x, tolerance);
    for (Vector &one : x)
      system.project_supports(one);
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    made.op->multiply(x, y);
    if (made.directed)
      made.directed->finish_product(x, y);
    if (made.reduced || made.directed)
      system.project(y);
  }
  double tolerance() const override { return system.parts.linear_tolerance; }
  double rounding(const Vector &q) const override;
  long negative_eigenvalues() const override
  {
    made.set_up();
    return made.solver->negative_eigenvalues();
  }
  bool current() const override { return number == made.number && made.current(); }
  double cost() const override
  {
    if (!made.solver->assembles())
      return 0.;
    const double matrix = system.parts.cost_of_matrix;
    return made.solver->iterative() ? matrix : 5. * matrix;  // a factorisation is taken as four more matrices
  }
  bool iterative() const override
  {
    made.set_up();  // `automatic` chooses there
    return made.solver->iterative();
  }

private:
  bool is_reduced() const { return made.reduced || made.directed; }
  Vector reduced(const Vector &r) const
  {
    Vector right = made.solved().new_vector(), force(r);
    if (made.reduced)
      system.parts.relations.all->reduce(force);
    if (made.directed)
      made.directed->reduce(force, right);
    else
      Reduced::copy(force, right);
    return right;
  }
  void expand(const Vector &left, Vector &x) const
  {
    if (made.directed)
      made.directed->expand(left, x);
    else
      Reduced::copy(left, x);
    if (made.reduced)
      system.parts.relations.all->expand(x);
  }

  const AssembledSystem &system;
  Linearised &made;
  std::uint64_t number;
};

/// The forces of a cell round like stiffness times displacement, and, since strains are differences from F = I, like stiffness times size.
/// 4: measured on rigid translations and rotations, where f_int is rounding alone. Points add theirs.
double AssembledSystem::Solve::rounding(const Vector &q) const
{
  q.update_ghost_values();
  const std::vector<double> stiffness_diagonal = made.op->stiffness_diagonal();
  const Space &space = *system.parts.space;
  double sum = 0;
  for (std::size_t i = 0; i < stiffness_diagonal.size() && system.mass_matrix.has_cells(); ++i)
    sum += std::pow(space.weight(int(i) / space.block()) * stiffness_diagonal[i] *
                        (4. * std::abs(q.local_element(i)) + (space.is_director(int(i) / space.block()) ? 1. : system.parts.smallest_edge)),
                    2);
  const double of_cells =
      std::numeric_limits<double>::epsilon() * std::sqrt(dealii::Utilities::MPI::sum(sum, system.parts.space->communicator()));
  return system.parts.force_rounding ? std::hypot(of_cells, system.parts.force_rounding(q, stiffness_diagonal)) : of_cells;
}

/// m M + c C that is diagonal.
class AssembledSystem::DiagonalSolve : public LinearSolve
{
public:
  /// An empty diagonal: m M.
  DiagonalSolve(const AssembledSystem &system, const double m, Vector diagonal) : system(system), m(m), diagonal(std::move(diagonal)) {}

  int solve(const Vector &r, Vector &x, double) const override
  {
    if (diagonal.size() == 0)
    {
      system.mass_solve(r, x);
      x *= 1. / m;
      return 0;
    }
    for (unsigned int i = 0; i < diagonal.locally_owned_size(); ++i)
      x.local_element(i) = diagonal.local_element(i) != 0. ? r.local_element(i) / diagonal.local_element(i) : 0.;  // massless: fixed
    system.project(x);
    return 0;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    if (diagonal.size() == 0)
    {
      system.mass(x, y);
      y *= m;
    }
    else
      for (unsigned int i = 0; i < diagonal.locally_owned_size(); ++i)
        y.local_element(i) = x.local_element(i) * diagonal.local_element(i);
    system.project(y);
  }
  double tolerance() const override { return system.parts.linear_tolerance; }
  bool iterative() const override { return false; }

private:
  const AssembledSystem &system;
  double m;
  Vector diagonal;
};

std::shared_ptr<const LinearSolve> AssembledSystem::diagonal_solve(const Linearisation &terms) const
{
  double m = 0, c = 0;
  for (const LinearTerm &term : terms)
  {
    if (term.across || term.weights.k != 0. || (term.weights.c != 0. && has(Feature::stiffness_damping)))
      return nullptr;
    m += term.weights.m;
    c += term.weights.c;
  }
  const bool of_sites = any(&Traits::damps) || !parts.masses.empty();
  if (!mass_matrix.diagonal() || parts.relations.any())
    return nullptr;
  if (!of_sites)
  {
    const double sum = m + c * parts.mass_damping;
    return sum != 0. ? std::make_shared<DiagonalSolve>(*this, sum, Vector()) : nullptr;
  }
  if (m == 0. && c == 0.)
    return nullptr;
  Vector one = new_vector(), diagonal = one, drag = one;
  const Vector undeformed = one;
  one = 1.;
  one.update_ghost_values();
  mass(one, diagonal);
  diagonal *= m;
  if (c != 0.)
  {
    damping_force(undeformed, one, drag, {});
    diagonal.add(c, drag);
  }
  return std::make_shared<DiagonalSolve>(*this, m, std::move(diagonal));
}

Linearisation AssembledSystem::combined(const Linearisation &terms) const
{
  if (!linear() || std::any_of(terms.begin(), terms.end(), [](const LinearTerm &term) { return term.part != Part::all; }))
    return terms;
  LinearTerm sum = terms.front();
  sum.from = nullptr;
  sum.weights = {};
  for (const LinearTerm &term : terms)  // the derivative of a discrete gradient of a quadratic V is half of V''
    sum.weights = sum.weights + Weights{term.weights.m, term.weights.c, term.from ? 0.5 * term.weights.k : term.weights.k};
  return {sum};
}

AssembledSystem::Linearised &AssembledSystem::linearised_for(const Linearisation &terms) const
{
  const bool stiff =
      parts.stiff_solver && std::all_of(terms.begin(), terms.end(), [](const LinearTerm &term) { return term.part == Part::stiff; });
  auto &made = stiff ? of_stiff_part : linearised;
  if (!made)
    made = std::make_unique<Linearised>(*this, stiff ? stiff_couplings : couplings, stiff ? parts.stiff_solver : parts.linear_solver);
  return *made;
}

std::shared_ptr<const LinearSolve> AssembledSystem::factor(const Linearisation &given, const TermStep &step) const
{
  if (auto diagonal = diagonal_solve(given))
    return diagonal;
  const Linearisation terms = combined(given);
  const bool constant =
      linear() && !has(Feature::nonlinear_damping) && terms.size() == 1 && terms.front().part == Part::all && !terms.front().across;
  Linearised &made = linearised_for(terms);
  made.set(terms, step, constant);
  return std::make_shared<Solve>(*this, made);
}
}  // namespace symdyn
