#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/archive.h"
#include "solver/column.h"

namespace symdyn
{
/// Continues rotation vectors (Kind::rotation, three columns each) past pi from one row of history.csv to the next. A rotation by phi <= pi
/// about n is also one by phi + 2 pi k: of these the vector nearest to that of the row before is written. About one axis it is the angle
/// that the node has turned, if it turns by less than pi from row to row.
class ContinuedRotations
{
public:
  ContinuedRotations() = default;
  explicit ContinuedRotations(const std::vector<Column> &columns)
  {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].kind == Kind::rotation && (first.empty() || i >= first.back() + 3))
        first.push_back(i);
    last.assign(3 * first.size(), 0.);
  }

  /// Of a row, of which the first `left_out` columns are not in `values`.
  void continue_in(std::vector<double> &values, const std::size_t left_out)
  {
    for (std::size_t k = 0; k < first.size(); ++k)
    {
      double *rotation = &values.at(first[k] - left_out), *before = &last[3 * k];
      add_turns(before, rotation);
      std::copy_n(rotation, 3, before);
    }
  }

  /// For checkpoints: of the last row.
  void save(Archive archive) const { archive.put("last", last); }
  void load(const Archive &archive)
  {
    std::vector<double> saved;
    if (archive.has("last"))
      archive.get("last", saved);
    if (saved.size() == last.size())
      last = std::move(saved);
  }

private:
  static double norm(const double *a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

  static void add_turns(const double *before, double *rotation)
  {
    constexpr double turn = 2. * M_PI, no_axis = 1e-6;  // [rad]; below it the axis is that of the row before
    const double angle = norm(rotation);
    const bool has_axis = angle > no_axis;
    const double length = has_axis ? angle : norm(before);
    if (!(length > 0.))
      return;
    std::array<double, 3> axis{};
    double along = 0;
    for (int d = 0; d < 3; ++d)
    {
      axis[d] = (has_axis ? rotation[d] : before[d]) / length;
      along += axis[d] * before[d];
    }
    const double turns = std::round((along - (has_axis ? angle : 0.)) / turn);
    for (int d = 0; d < 3; ++d)
      rotation[d] += turn * turns * axis[d];
  }

  std::vector<std::size_t> first;  ///< of three columns
  std::vector<double> last;
};
}  // namespace symdyn
