#include "elements/system/spin_load.h"

#include <array>
#include <cmath>
#include <vector>

namespace symdyn
{
Vector SpinLoad::times(const Entry B, const Vector &x) const
{
  Vector result(x);
  const int n = space.block();
  for (int site = 0; B && site < space.owned(); ++site)
    for (int i = 0; i < n; ++i)
    {
      double sum = 0.;
      for (int j = 0; j < n; ++j)
        sum += ((*rotation).*B)(i, j) * x.local_element(n * site + j);
      result.local_element(n * site + i) = sum;
    }
  result.update_ghost_values();
  return result;
}

void SpinLoad::add(const double factor, const Entry A, const Entry B, const Vector &x, Vector &r) const
{
  const Vector right = times(B, x);
  Vector momentum = space.new_vector();
  mass.multiply(right, momentum);
  const Vector left = times(A, momentum);
  for (unsigned int i = 0; i < r.locally_owned_size(); ++i)
    r.local_element(i) += factor * left.local_element(i);
}

void SpinLoad::add_force(const Moment &, const Vector &q, const double factor, Vector &f) const
{
  Vector y = q;
  const int n = space.block();
  for (int site = 0; site < space.owned(); ++site)
    for (int d = 0; d < n; ++d)
      y.local_element(n * site + d) += space.position(site)[d] - (space.is_director(site) ? 0. : rotation->point[d]);
  add(factor * std::pow(rotation->speed, 2), &TurningFrame::across, &TurningFrame::across, y, f);
}

void SpinLoad::add_stiffness(const Moment &, const Vector &, const Vector &u, const double factor, Vector &Ku) const
{
  add(-factor * std::pow(rotation->speed, 2), &TurningFrame::across, &TurningFrame::across, u, Ku);
}

void SpinLoad::add_coriolis(const Vector &v, Vector &f) const
{
  add(rotation->speed, &TurningFrame::turn, nullptr, v, f);
  add(rotation->speed, nullptr, &TurningFrame::turn, v, f);
}

void SpinLoad::add_matrix(const Moment &, const Vector &, const double k, const MatrixSink &sink) const
{
  add_blocks(-k * std::pow(rotation->speed, 2), {{&TurningFrame::across, &TurningFrame::across}}, sink);
}

void SpinLoad::add_coriolis_matrix(const double c, const MatrixSink &sink) const
{
  add_blocks(c * rotation->speed, {{&TurningFrame::turn, nullptr}, {nullptr, &TurningFrame::turn}}, sink);
}

void SpinLoad::add_blocks(const double factor, const std::vector<std::pair<Entry, Entry>> &pairs, const MatrixSink &sink) const
{
  OwnedBlockMatrix masses;
  masses.allocate(*sink.A.pattern);
  mass.add_to(1., 1., masses);
  const int n = space.block();
  using Square = std::array<std::array<double, 3>, 3>;
  const auto square = [&](const Entry of, const double by) {
    Square all{};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        all[i][j] = by * (of ? ((*rotation).*of)(i, j) : double(i == j));
    return all;
  };
  std::vector<std::pair<Square, Square>> squares;
  for (const auto &[left, right] : pairs)
    squares.emplace_back(square(left, factor), square(right, 1.));
  for (int row = 0; row < sink.A.pattern->rows(); ++row)
    masses.for_row(row, [&](const int, const int position, const BlockMatrix::Block &m) {
      const BlockMatrix::Block target = sink.A.at(row, position);
      for (const auto &[left, right] : squares)
        for (int k = 0; k < n; ++k)
          for (int j = 0; j < n; ++j)
          {
            double right_of_row = 0.;
            for (int l = 0; l < n; ++l)
              right_of_row += m(k, l) * right[l][j];
            for (int i = 0; i < n; ++i)
              target(i, j) += left[i][k] * right_of_row;
          }
    });
}
}  // namespace symdyn
