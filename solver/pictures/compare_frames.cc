#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "solver/error.h"
#include "solver/pictures/compare.h"
#include "solver/pictures/render_frames.h"

namespace symdyn
{
namespace
{
using Place = std::array<double, 3>;
constexpr double infinite = std::numeric_limits<double>::infinity();

double diagonal(const std::vector<Place> &points)
{
  double sum = 0;
  for (int d = 0; d < 3; ++d)
  {
    double least = infinite, largest = -infinite;
    for (const Place &X : points)
    {
      least = std::min(least, X[d]);
      largest = std::max(largest, X[d]);
    }
    sum += std::pow(largest - least, 2);
  }
  return std::sqrt(sum);
}

/// An order that knows nothing of ranks: by the centre of the cell, then by the place in it, both rounded to a small length.
std::vector<std::size_t> order_of(const std::vector<Place> &points, const std::vector<Place> &centres, const double small)
{
  constexpr double shift = 0.382;  // keeps round numbers off the ends of the intervals
  std::vector<std::array<std::int64_t, 6>> keys(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int d = 0; d < 3; ++d)
    {
      keys[i][d] = std::int64_t(std::floor(centres[i][d] / small + shift));
      keys[i][3 + d] = std::int64_t(std::floor(points[i][d] / small + shift));
    }
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](const std::size_t i, const std::size_t j) { return keys[i] < keys[j]; });
  return order;
}

/// A field of points or of cells in a part of the frames.
struct FieldKey
{
  std::size_t block;
  std::string name;
  bool of_cells;
  bool operator<(const FieldKey &other) const
  {
    return std::tie(block, name, of_cells) < std::tie(other.block, other.name, other.of_cells);
  }
};

/// What is known of a field over all frames.
struct Seen
{
  double scale = 0;
  std::vector<std::pair<double, double>> at;  ///< time, largest |a - b|
  std::string note;
  bool alone = false;  ///< in one of both at some time, or of other components
  double first_alone = 0;

  void is_alone(const double time, const std::string &why)
  {
    if (!alone)
      first_alone = time, note = why;
    alone = true;
  }
};
using AllSeen = std::map<FieldKey, Seen>;

void compare_values(const FrameField &a, const FrameField &b, const std::vector<std::size_t> &of_a, const std::vector<std::size_t> &of_b,
                    const double time, Seen &seen)
{
  double largest = 0;
  for (std::size_t k = 0; k < of_a.size(); ++k)
    for (int c = 0; c < a.components; ++c)
    {
      const double x = a.values[of_a[k] * a.components + c], y = b.values[of_b[k] * b.components + c];
      for (const double value : {x, y})
        if (std::isfinite(value))
          seen.scale = std::max(seen.scale, std::abs(value));
      if (std::isfinite(x) && std::isfinite(y))
        largest = std::max(largest, std::abs(x - y));
      else if (!(std::isnan(x) && std::isnan(y)) && x != y)
        largest = infinite;
    }
  seen.at.emplace_back(time, largest);
  if (std::isinf(largest) && !seen.alone)
    seen.note = "nan or infinite in one of both";
}

const FrameField *partner_of(const FrameField &field, const FrameBlock &block)
{
  const auto found = std::find_if(block.fields.begin(), block.fields.end(),
                                  [&](const FrameField &f) { return f.name == field.name && f.of_cells == field.of_cells; });
  return found == block.fields.end() ? nullptr : &*found;
}

bool same_places(const std::vector<Place> &a, const std::vector<Place> &b, const std::vector<std::size_t> &of_a,
                 const std::vector<std::size_t> &of_b, const double small)
{
  for (std::size_t k = 0; k < of_a.size(); ++k)
    for (int d = 0; d < 3; ++d)
      if (!(std::abs(a[of_a[k]][d] - b[of_b[k]][d]) <= 2. * small))
        return false;
  return true;
}

/// The orders in which points and cells of two blocks are the same; `fault`: why there are none.
struct Orders
{
  std::vector<std::size_t> points_a, points_b, cells_a, cells_b;
  std::string fault;

  Orders(const FrameBlock &a, const FrameBlock &b)
  {
    if (a.points.size() != b.points.size() || a.centres.size() != b.centres.size())
    {
      fault = fmt::format("meshes differ: {} and {} points, {} and {} cells", a.points.size(), b.points.size(), a.centres.size(),
                          b.centres.size());
      return;
    }
    constexpr double same_place = 1e-6;
    const double small = same_place * std::max(diagonal(a.points), std::numeric_limits<double>::min());
    points_a = order_of(a.points, a.centre_of_point, small);
    points_b = order_of(b.points, b.centre_of_point, small);
    cells_a = order_of(a.centres, a.centres, small);
    cells_b = order_of(b.centres, b.centres, small);
    if (!same_places(a.points, b.points, points_a, points_b, small) || !same_places(a.centres, b.centres, cells_a, cells_b, small))
      fault = "meshes differ: points at other places";
  }
};

/// A mode is as good with the other sign: b takes that of a.
void align_signs(const std::vector<FrameBlock> &a, const std::vector<Orders> &orders, std::vector<FrameBlock> &b)
{
  const auto is_shape = [](const FrameField &field) { return !field.of_cells && field.name == "displacement"; };
  double product = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const FrameField &x : a[i].fields)
      if (const FrameField *y = partner_of(x, b[i]); y && is_shape(x) && y->components == x.components)
        for (std::size_t k = 0; k < orders[i].points_a.size(); ++k)
          for (int c = 0; c < x.components; ++c)
            product += x.values[orders[i].points_a[k] * x.components + c] * y->values[orders[i].points_b[k] * x.components + c];
  if (!(product < 0.))
    return;
  for (FrameBlock &block : b)
    for (FrameField &field : block.fields)
      if (is_shape(field))
        for (double &value : field.values)
          value = -value;
}

void compare_blocks(const FrameBlock &a, const FrameBlock &b, const Orders &orders, const std::size_t block, const double time,
                    AllSeen &seen)
{
  for (const FrameField &field : a.fields)
  {
    Seen &one = seen[{block, field.name, field.of_cells}];
    const FrameField *other = partner_of(field, b);
    if (!other)
      one.is_alone(time, "only in the first of both");
    else if (other->components != field.components)
      one.is_alone(time, fmt::format("{} and {} components", field.components, other->components));
    else if (field.of_cells)
      compare_values(field, *other, orders.cells_a, orders.cells_b, time, one);
    else
      compare_values(field, *other, orders.points_a, orders.points_b, time, one);
  }
  for (const FrameField &field : b.fields)
    if (!partner_of(field, a))
      seen[{block, field.name, field.of_cells}].is_alone(time, "only in the second of both");
}

/// "" or why the frames cannot be compared.
std::string compare_pair(const FrameFiles &of_a, const FrameFiles &of_b, const bool shapes, AllSeen &seen)
{
  const auto a = read_frame(of_a);
  auto b = read_frame(of_b);
  if (a.size() != b.size())
    return fmt::format("{} and {} parts", a.size(), b.size());
  std::vector<Orders> orders;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    orders.emplace_back(a[i], b[i]);
    if (!orders.back().fault.empty())
      return orders.back().fault;
  }
  if (shapes)
    align_signs(a, orders, b);
  for (std::size_t i = 0; i < a.size(); ++i)
    compare_blocks(a[i], b[i], orders[i], i, of_a.time, seen);
  return "";
}

Difference conclusion(const FieldKey &key, const Seen &seen, const double scale, const double tolerance)
{
  const std::string name = key.name + (key.block > 0 ? fmt::format(" (part {})", key.block + 1) : "") + (key.of_cells ? " of cells" : "");
  if (seen.alone)
    return Difference::of_kind(name, seen.note, seen.first_alone);
  Difference difference{name, "", 0., 0., 0., false, seen.note};
  for (const auto &[time, largest] : seen.at)
  {
    const double off = largest == 0. ? 0. : largest / scale;
    if (off > tolerance && !difference.beyond)
      difference.beyond = true, difference.first = time;
    if (off > difference.largest)
      difference.largest = off, difference.when = time;
  }
  return difference;
}
}  // namespace

std::vector<Difference> compare_frames(const std::string &a, const std::string &b, const double tolerance, const bool shapes)
{
  const auto frames_a = read_collection(a), frames_b = read_collection(b);
  constexpr double same_time = 1e-9;
  const double small = same_time * std::max(std::abs(frames_a.back().time), std::abs(frames_b.back().time));
  AllSeen seen;
  std::vector<Difference> differences;
  std::size_t pairs = 0;
  for (const FrameFiles &frame : frames_a)
  {
    const auto other =
        std::find_if(frames_b.begin(), frames_b.end(), [&](const FrameFiles &f) { return std::abs(f.time - frame.time) <= small; });
    if (other == frames_b.end())
      continue;
    ++pairs;
    if (const std::string fault = compare_pair(frame, *other, shapes, seen); !fault.empty())
      return {Difference::of_kind("frames", fault, frame.time)};
  }
  if (pairs != frames_a.size() || pairs != frames_b.size())
    differences.push_back(
        Difference::of_kind("frames", fmt::format("{} and {}, of which {} have a common time", frames_a.size(), frames_b.size(), pairs)));
  std::map<std::pair<std::string, bool>, double> scales;  // the parts share them: a point beside a body may be at rest
  for (const auto &[key, field] : seen)
  {
    double &scale = scales[{key.name, key.of_cells}];
    scale = std::max(scale, field.scale);
  }
  for (const auto &[key, field] : seen)
    differences.push_back(conclusion(key, field, scales.at({key.name, key.of_cells}), tolerance));
  return differences;
}
}  // namespace symdyn
