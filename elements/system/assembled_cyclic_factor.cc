#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "elements/system/assembled_cyclic.h"
#include "solver/base/timer.h"
#include "solver/error.h"

// Equations of motions with nodal diameters, and their solution.
namespace symdyn
{
namespace
{
void copy_block(const BlockMatrix::Block &from, const BlockMatrix::Block &to, const int size)
{
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      to(i, j) = from(i, j);
}
}  // namespace

/// Conjugate gradients on what is free, with the diagonal of M.
void AssembledSystem::Motion::mass_solve(const Vector &p, Vector &v, const double tolerance) const
{
  struct By
  {
    std::function<void(Vector &, const Vector &)> vmult;
  };
  const int size = layout.block * layout.number;
  Vector r(p);
  r.zero_out_ghost_values();
  project(r);
  v.zero_out_ghost_values();
  v = 0.;
  if (r.l2_norm() == 0.)
    return;
  const By M{[this](Vector &y, const Vector &x) {
    mass(x, y);
    project(y);
  }};
  const By inverse_diagonal{[&](Vector &y, const Vector &x) {
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    {
      const double m = of_sector.mass_matrix.diagonal_entry(int(i) / size);
      y.local_element(i) = m > 0. ? x.local_element(i) / (weight * m) : 0.;
    }
    project(y);
  }};
  constexpr int most = 1000;
  constexpr double rounding = 1e-14;
  dealii::SolverControl control(most, std::max(tolerance, rounding) * r.l2_norm());
  try
  {
    dealii::SolverCG<Vector>(control).solve(M, v, r, inverse_diagonal);
  }
  catch (const dealii::SolverControl::NoConvergence &)
  {
    throw ComputationError(
        fmt::format("mass matrix: conjugate gradients reach {:.3g} of {:.3g} in {} iterations. Use --set \"Elements/Mass=lumped\"",
                    control.last_value(), control.initial_value(), control.last_step()));
  }
}

class AssembledSystem::Motion::Solve : public LinearSolve
{
public:
  explicit Solve(const Motion &motion) : motion(motion), number(motion.number) {}

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    set_up();
    const ScopedTimer timer("solve", ScopedTimer::worth_it(r.locally_owned_size()));
    const Vector right = reduced(r);
    Vector left(right);
    const int iterations = motion.solver->solve(right, left, tolerance);
    expand(left, x);
    return iterations;
  }
  void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance) const override
  {
    set_up();
    const ScopedTimer timer("solve");
    std::vector<Vector> right;
    for (const Vector &one : r)
      right.push_back(reduced(one));
    std::vector<Vector> left(right);
    motion.solver->solve_all(right, left, tolerance);
    for (std::size_t k = 0; k < r.size(); ++k)
      expand(left[k], x[k]);
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    motion.by_copies(x, 1., y, [this](const Vector &one, Vector &product) { motion.op->multiply(one, product); });
    motion.project(y);
  }
  double tolerance() const override { return motion.of_sector.parts.linear_tolerance; }
  long negative_eigenvalues() const override
  {
    set_up();
    return motion.solver->negative_eigenvalues();
  }
  bool current() const override { return number == motion.number; }
  bool iterative() const override
  {
    set_up();
    return motion.solver->iterative();
  }

private:
  Vector reduced(const Vector &r) const
  {
    Vector right = motion.solved->new_vector(), force(r);
    motion.relations->reduce(force);
    Reduced::copy(force, right);
    return right;
  }
  void expand(const Vector &left, Vector &x) const
  {
    x.zero_out_ghost_values();
    Reduced::copy(left, x);
    motion.relations->expand(x);
    motion.project_supports(x);
  }
  void set_up() const
  {
    if (motion.is_set_up)
      return;
    const ScopedTimer timer("factor", ScopedTimer::worth_it(motion.of_sector.parts.space->owned()));
    motion.solver->set_up(*motion.solved);
    motion.is_set_up = true;
  }

  const Motion &motion;
  std::uint64_t number;
};

void AssembledSystem::Motion::forget()
{
  solved = nullptr;
  op = nullptr;
  solver = of_sector.parts.linear_solver->fresh();
  solver->solves_often = true;
  is_set_up = false;
  ++number;
}

std::shared_ptr<const LinearSolve> AssembledSystem::Motion::factor(const Linearisation &given) const
{
  if (!op)
  {
    op = std::make_unique<Operator>(of_sector, of_sector.couplings);
    solved = std::make_unique<MotionOperator>(of_sector, *op, *relations, layout);
  }
  const Vector rest = of_sector.new_vector();
  Linearisation terms = given;
  for (LinearTerm &term : terms)
  {
    term.weights = weight * term.weights;
    term.v = &rest;
  }
  op->set(terms, of_sector.step_of(seen));
  solved->set();
  ++number;
  is_set_up = false;
  return std::make_shared<Solve>(*this);
}

AssembledSystem::MotionOperator::MotionOperator(const AssembledSystem &sector, const Operator &of_sector, const SiteRelations &relations,
                                                const SectorCopies &copies)
    : sector(sector), of_sector(of_sector), layout(copies), of_copies(pattern_of_copies()), reduction(relations, of_copies)
{
  find_joint(relations.substitution());
}

namespace
{
/// Of copies of a sector whose cut has these sites.
JoinedOperator::Joint joint_of(const std::set<std::uint64_t> &cut, const SectorCopies &copies, const SiteSubstitution &substitution)
{
  const int block = copies.block, number = copies.number;
  JoinedOperator::Joint joint;
  for (const std::uint64_t site : cut)
    for (int d = 0; d < block; ++d)
      joint.interface.push_back(int(block * site) + d);
  const int all = int(joint.interface.size());
  joint.entries.resize(number * all);
  const auto row_of = [&](const int k) {  // of W, -1: independent
    const std::size_t entry = copies.at(joint.interface[k % all], k / all);
    const auto site = std::lower_bound(substitution.sites.begin(), substitution.sites.end(), entry / block);
    return substitution.row_of[block * (site - substitution.sites.begin()) + entry % block];
  };
  std::map<int, int> places;
  for (int k = 0; k < number * all; ++k)
    if (row_of(k) < 0)
    {
      places[k] = int(joint.independent.size());
      joint.entries[k] = {{places[k], 1.}};
      joint.independent.push_back(k);
    }
  for (int k = 0; k < number * all; ++k)
    if (const int row = row_of(k); row >= 0)
      for (std::size_t p = substitution.W.start[row]; p < substitution.W.start[row + 1]; ++p)
      {
        const int master = substitution.masters[substitution.W.column[p]], site = int(substitution.site(master));
        const auto at = std::lower_bound(joint.interface.begin(), joint.interface.end(), block * (site / number) + master % block);
        joint.entries[k].emplace_back(places.at(site % number * all + int(at - joint.interface.begin())), substitution.W.value[p]);
      }
  return joint;
}
}  // namespace

void AssembledSystem::MotionOperator::find_joint(const SiteSubstitution &substitution)
{
  std::vector<SiteRelation> rest;
  std::set<std::uint64_t> cut, of_rest;
  for (const SiteRelation &one : sector.parts.relations.all->all())
  {
    for (const auto &term : one.terms)
      (one.of_cut ? cut : of_rest).insert(term.first / layout.block);
    if (!one.of_cut)
      rest.push_back(one);
  }
  const auto &sites = sector.parts.space->sites();
  if (sites->n_mpi_processes() > 1 ||
      std::any_of(cut.begin(), cut.end(), [&](const std::uint64_t site) { return of_rest.count(site) > 0; }))
    return;
  if (!rest.empty())
  {
    std::vector<SiteRelations::Massless> massless;
    for (const SiteRelations::Massless &one : sector.parts.relations.massless)
      if (cut.count(one.dof / layout.block) == 0)
        massless.push_back(one);
    others = std::make_unique<SiteRelations>(
        std::move(rest), layout.block, sites, [this](const int site) { return sector.parts.projector_of(site); }, massless);
    if (!depend_alike(others->substitution(), substitution))
      return;
    within = std::make_unique<ReducedMatrix>(*others, of_sector.pattern());
  }
  of_cut = std::make_unique<Joint>(joint_of(cut, layout, substitution));
}

/// Whether what depends on others in one copy does so in all: a right-hand side is reduced by the relations of all.
bool AssembledSystem::MotionOperator::depend_alike(const SiteSubstitution &of_one, const SiteSubstitution &of_all) const
{
  for (std::size_t i = 0; i < of_one.row_of.size(); ++i)
    for (int copy = 0; copy < layout.number; ++copy)
    {
      const std::uint64_t site = layout.number * of_one.sites[i / layout.block] + copy;
      const auto at = std::lower_bound(of_all.sites.begin(), of_all.sites.end(), site);
      const std::size_t there = layout.block * (at - of_all.sites.begin()) + i % layout.block;
      if (at == of_all.sites.end() || *at != site || (of_one.row_of[i] < 0) != (of_all.row_of[there] < 0))
        return false;
    }
  return true;
}

void AssembledSystem::MotionOperator::assemble_one(const BlockMatrix &A) const
{
  if (!within)
    return of_sector.assemble(A);
  OwnedBlockMatrix one;
  one.allocate(of_sector.pattern());
  of_sector.assemble(one);
  within->fill(one, A);
}

BlockPattern AssembledSystem::MotionOperator::pattern_of_copies() const
{
  const BlockPattern &one = of_sector.pattern();
  std::vector<std::vector<int>> columns(std::size_t(layout.number) * one.rows());
  for (int row = 0; row < one.rows(); ++row)
    for (int copy = 0; copy < layout.number; ++copy)
    {
      std::vector<int> &of_row = columns[layout.number * row + copy];
      for (int p = one.own_start[row]; p < one.own_start[row + 1]; ++p)
        of_row.push_back(layout.number * one.own_column[p] + copy);
      for (int p = one.ghost_start[row]; p < one.ghost_start[row + 1]; ++p)
        of_row.push_back(layout.number * one.ghost_column[p] + copy);
    }
  return BlockPattern::of_columns(one.block, expanded(*one.nodes, layout.number), std::move(columns));
}

void AssembledSystem::MotionOperator::assemble(const BlockMatrix &A) const
{
  OwnedBlockMatrix all;
  all.allocate(of_copies);
  {
    OwnedBlockMatrix one;
    one.allocate(of_sector.pattern());
    of_sector.assemble(one);
    for (int row = 0; row < one.pattern->rows(); ++row)
      one.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        for (int copy = 0; copy < layout.number; ++copy)
        {
          const int to = layout.number * row + copy;
          copy_block(block, all.at(to, of_copies.position(to, layout.number * column + copy)), of_copies.block);
        }
      });
  }
  reduction.fill(all, A);
}

std::vector<Vector> AssembledSystem::MotionOperator::rigid_modes() const
{
  std::vector<Vector> modes;
  for (const Vector &mode : of_sector.rigid_modes())
    for (int copy = 0; copy < layout.number; ++copy)
    {
      modes.push_back(new_vector());
      layout.put(mode, copy, 1., modes.back());
    }
  return modes;
}

void AssembledSystem::MotionOperator::project(Vector &x) const
{
  layout.each(Vector(x), 1., sector.new_vector(), x, [this](const Vector &one, Vector &free) {
    free = one;
    sector.project_supports(free);
  });
}
}  // namespace symdyn
