#include "elements/system/frames/fixed_frame.h"

#include <algorithm>
#include <cmath>

#include "elements/rotors/at_speed.h"

namespace symdyn
{
FixedFrame::FixedFrame(const Space &space, const AssembledMass &mass, std::shared_ptr<const TurningFrame> of,
                       std::shared_ptr<const FieldTurn> turn, std::vector<std::shared_ptr<Term>> others, const double mass_damping)
    : space(space), mass(mass), frame(std::move(of)), turn(std::move(turn)), others(std::move(others)), mass_damping(mass_damping)
{
}

Traits FixedFrame::traits() const
{
  Traits traits;
  traits.linear = traits.quadratic = true;
  traits.momentum_gradient = false;
  traits.damps = traits.damping_couples = true;
  return traits;
}

/// Each block that others couple, by the rings of its column.
void FixedFrame::couple(const Couple &join) const
{
  std::vector<std::vector<int>> columns(space.owned());
  for (int site = 0; site < space.owned(); ++site)
    columns[site].push_back(site);
  for (const auto &term : others)
    term->couple([&](const int row, const int column) {
      if (row < space.owned())
        columns[row].push_back(column);
    });
  for (int row = 0; row < space.owned(); ++row)
  {
    std::sort(columns[row].begin(), columns[row].end());
    columns[row].erase(std::unique(columns[row].begin(), columns[row].end()), columns[row].end());
    std::vector<int> all;
    for (const int column : columns[row])
      turn->visit(column, [&all](const int other, const Block &, const Block &) { all.push_back(other); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const int column : all)
      join(row, column);
  }
}

Vector FixedFrame::momentum(const Vector &v) const
{
  Vector p = space.new_vector();
  mass.multiply(v, p);
  p.update_ghost_values();
  return p;
}

Vector FixedFrame::across(const Vector &v) const
{
  Vector w(v);
  const int n = frame->dimension;
  for (int site = 0; site < space.owned(); ++site)
    for (int i = 0; i < n; ++i)
    {
      double sum = 0.;
      for (int j = 0; j < n; ++j)
        sum += frame->turn(i, j) * v.local_element(n * site + j);
      w.local_element(n * site + i) = sum;
    }
  w.update_ghost_values();
  return w;
}

Vector FixedFrame::product(const Weights &weights, const bool with_bearings, const Vector &q, const Vector &u) const
{
  Vector r = space.new_vector();
  const At at{0., &q};
  for (const auto &term : others)
    if (term->acts() && (with_bearings || !dynamic_cast<const TermAtSpeed *>(term.get())))
      term->add_product(at, weights, u, r);
  r.compress(dealii::VectorOperation::add);
  if (weights.c * mass_damping != 0.)
  {
    Vector p = space.new_vector();
    mass.multiply_cells(u, p);
    r.add(weights.c * mass_damping, p);
  }
  return r;
}

void FixedFrame::add_gyroscopic(const double factor, const Vector &v, Vector &f) const
{
  const Vector p = momentum(turn->times(v));
  for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
    f.local_element(i) -= 2. * factor * frame->speed * p.local_element(i);
}

void FixedFrame::add_product(const At &, const Weights &weights, const Vector &u, Vector &r) const
{
  if (weights.c != 0.)
    add_gyroscopic(weights.c, u, r);
}

void FixedFrame::add_damping_force(const At &at, Vector &f) const { add_gyroscopic(1., *at.v, f); }

void FixedFrame::add_force_of_frame(const double factor, const Vector &q, const Vector &u, Vector &f) const
{
  const double speed = frame->speed;
  const Vector once = turn->times(u);
  Vector r = momentum(turn->times(once));
  r -= across(momentum(once));
  r -= momentum(across(once));
  r *= speed * speed;
  r.add(-speed, product(C, true, q, once));
  for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
    f.local_element(i) += factor * r.local_element(i);
}

namespace
{
/// A_ac += factor B_ab W_bc of blocks by rows.
void add_block(const MatrixSink &sink, const int row, const int column, const double factor, const FieldTurn::Block &B,
               const FieldTurn::Block &W)
{
  const int n = sink.A.pattern->block;
  const BlockMatrix::Block target = sink.A.at(row, sink.A.pattern->position(row, column));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        target(i, j) += factor * B[n * i + k] * W[n * k + j];
}

/// visit(row, column, block) of what is not zero.
template <class Visit>
void each_block(const OwnedBlockMatrix &A, const Visit &visit)
{
  const int n = A.pattern->block;
  for (int row = 0; row < A.pattern->rows(); ++row)
    A.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
      FieldTurn::Block values{};
      bool any = false;
      for (int i = 0; i < n * n; ++i)
      {
        values[i] = block(i / n, i % n);
        any = any || values[i] != 0.;
      }
      if (any)
        visit(row, column, values);
    });
}
}  // namespace

void FixedFrame::add_matrix(const At &, const Weights &weights, const MatrixSink &sink) const
{
  if (weights.c == 0. || frame->speed == 0.)
    return;
  OwnedBlockMatrix masses;
  masses.allocate(*sink.A.pattern);
  mass.add_to(1., 1., masses);
  each_block(masses, [&](const int row, const int column, const Block &m) {
    turn->visit(column,
                [&](const int other, const Block &W, const Block &) { add_block(sink, row, other, -2. * weights.c * frame->speed, m, W); });
  });
}

void FixedFrame::add_matrix_of_frame(const double factor, const Vector &q, const MatrixSink &sink) const
{
  const double speed = frame->speed;
  if (speed == 0.)
    return;
  const int n = frame->dimension;
  OwnedBlockMatrix masses, damping;
  masses.allocate(*sink.A.pattern);
  mass.add_to(1., 1., masses);
  each_block(masses, [&](const int row, const int column, const Block &m) {
    Block turning{};  // S m + m S
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          turning[n * i + j] += frame->turn(i, k) * m[n * k + j] + m[n * i + k] * frame->turn(k, j);
    turn->visit(column, [&](const int other, const Block &W, const Block &twice) {
      add_block(sink, row, other, factor * speed * speed, m, twice);
      add_block(sink, row, other, -factor * speed * speed, turning, W);
    });
  });
  damping.allocate(*sink.A.pattern);
  const At at{0., &q};
  for (const auto &term : others)
    if (term->acts() && term->traits().damps)
      term->add_matrix(at, C, {damping});
  mass.add_to(mass_damping, 0., damping);
  each_block(damping, [&](const int row, const int column, const Block &c) {
    turn->visit(column, [&](const int other, const Block &W, const Block &) { add_block(sink, row, other, -factor * speed, c, W); });
  });
}

FixedFrame::Error FixedFrame::error(const Vector &q, const std::function<void(Vector &)> &project) const
{
  Error found;
  Vector x = space.irregular();
  project(x);
  x.update_ghost_values();
  const Vector turned = turn->times(x);
  const auto compare = [&](const std::string &of, const std::function<Vector(const Vector &)> &A) {
    Vector here = A(turned), there = A(x);
    project(here);
    project(there);
    there.update_ghost_values();
    there = turn->times(there);
    const double size = here.l2_norm() + there.l2_norm();
    here -= there;
    if (size > 0. && here.l2_norm() > found.size * size)
      found = {here.l2_norm() / size, of};
  };
  compare("supports", [](const Vector &u) { return u; });
  compare("mass", [&](const Vector &u) { return momentum(u); });
  compare("stiffness", [&](const Vector &u) { return product(K, false, q, u); });
  compare("damping", [&](const Vector &u) { return product(C, false, q, u); });
  return found;
}
}  // namespace symdyn
