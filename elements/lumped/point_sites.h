#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "elements/lumped/parts.h"
#include "elements/space.h"

namespace symdyn
{
/// The sites at which points stand. Arrays over points hold `dimension` numbers each, of all points on every rank; arrays over known points
/// those of points whose site is owned or a ghost on this rank, in the same order.
class PointSites
{
public:
  /// `number`: the site of each point, over all ranks.
  PointSites(std::shared_ptr<const Space> space, const LumpedParts &parts, std::vector<std::int64_t> number);

  /// The sites that a rank which owns [begin, end) needs of others: those that couplings join to sites of its own.
  static dealii::IndexSet needed(const LumpedParts &parts, const std::vector<std::int64_t> &number, std::uint64_t begin, std::uint64_t end,
                                 std::uint64_t sites);

  const Space &space() const { return *of_space; }
  std::int64_t number(const int point) const { return numbers[point]; }
  bool owns(const int point) const { return at[point] >= 0 && at[point] < of_space->owned(); }
  /// Of the point on this rank: owned sites first; -1: not known here.
  int site(const int point) const { return at[point]; }
  const std::vector<int> &known() const { return known_points; }

  /// Of all points, on every rank. Collective.
  std::vector<double> gather(const Vector &x) const;
  /// x += w, at points of this rank.
  void add(const double *w, Vector &x) const;
  /// x = w of points that have a site of their own, as a vector that is zero elsewhere.
  void assign_own(const std::vector<double> &w, Vector &x) const;

private:
  std::shared_ptr<const Space> of_space;
  int n;
  bool parallel;
  std::vector<std::int64_t> numbers;
  std::vector<int> at, known_points;
  std::vector<char> own;  ///< no node of a mesh
};
}  // namespace symdyn
