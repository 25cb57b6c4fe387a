#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "solver/compare.h"
#include "solver/error.h"
#include "solver/render_frames.h"

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

/// What is known of a field over all frames.
struct Seen
{
  double scale = 0;
  std::vector<std::pair<double, double>> at;  ///< time, largest |a - b|
  std::string note;
};

void compare_values(const FrameField &a, const FrameField &b, const std::vector<std::size_t> &of_a, const std::vector<std::size_t> &of_b, const double time, Seen &seen)
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
  if (std::isinf(largest))
    seen.note = "nan or infinite in one of both";
}

bool same_places(const std::vector<Place> &a, const std::vector<Place> &b, const std::vector<std::size_t> &of_a, const std::vector<std::size_t> &of_b, const double small)
{
  for (std::size_t k = 0; k < of_a.size(); ++k)
    for (int d = 0; d < 3; ++d)
      if (!(std::abs(a[of_a[k]][d] - b[of_b[k]][d]) <= 2. * small))
        return false;
  return true;
}

/// "" or why the blocks cannot be compared.
std::string compare_blocks(const FrameBlock &a, const FrameBlock &b, const double time, std::map<std::string, Seen> &seen)
{
  if (a.points.size() != b.points.size() || a.centres.size() != b.centres.size())
    return fmt::format("meshes differ: {} and {} points, {} and {} cells", a.points.size(), b.points.size(), a.centres.size(), b.centres.size());
  constexpr double same_place = 1e-6;
  const double small = same_place * std::max(diagonal(a.points), std::numeric_limits<double>::min());
  const auto points_a = order_of(a.points, a.centre_of_point, small), points_b = order_of(b.points, b.centre_of_point, small);
  const auto cells_a = order_of(a.centres, a.centres, small), cells_b = order_of(b.centres, b.centres, small);
  if (!same_places(a.points, b.points, points_a, points_b, small) || !same_places(a.centres, b.centres, cells_a, cells_b, small))
    return "meshes differ: points at other places";
  for (const FrameField &field : a.fields)
  {
    const auto other = std::find_if(b.fields.begin(), b.fields.end(), [&](const FrameField &f) { return f.name == field.name && f.of_cells == field.of_cells; });
    if (other == b.fields.end() || other->components != field.components)
      seen[field.name].note = "only in one of both";
    else
      field.of_cells ? compare_values(field, *other, cells_a, cells_b, time, seen[field.name]) : compare_values(field, *other, points_a, points_b, time, seen[field.name]);
  }
  for (const FrameField &field : b.fields)
    if (std::none_of(a.fields.begin(), a.fields.end(), [&](const FrameField &f) { return f.name == field.name && f.of_cells == field.of_cells; }))
      seen[field.name].note = "only in one of both";
  return "";
}

Difference conclusion(const std::string &name, const Seen &seen, const double tolerance)
{
  Difference difference{name, "", 0., 0., 0., false, seen.note};
  if (!seen.note.empty() && seen.at.empty())
    difference.largest = infinite, difference.beyond = true;
  for (const auto &[time, largest] : seen.at)
  {
    const double off = largest == 0. ? 0. : largest / seen.scale;
    if (off > tolerance && !difference.beyond)
      difference.beyond = true, difference.first = time;
    if (off > difference.largest)
      difference.largest = off, difference.when = time;
  }
  return difference;
}
}  // namespace

std::vector<Difference> compare_frames(const std::string &a, const std::string &b, const double tolerance)
{
  const auto frames_a = read_collection(a), frames_b = read_collection(b);
  constexpr double same_time = 1e-9;
  const double small = same_time * std::max(std::abs(frames_a.back().time), std::abs(frames_b.back().time));
  std::map<std::string, Seen> seen;
  std::vector<Difference> differences;
  std::size_t pairs = 0;
  for (const FrameFiles &frame : frames_a)
  {
    const auto other = std::find_if(frames_b.begin(), frames_b.end(), [&](const FrameFiles &f) { return std::abs(f.time - frame.time) <= small; });
    if (other == frames_b.end())
      continue;
    ++pairs;
    const auto blocks_a = read_frame(frame), blocks_b = read_frame(*other);
    std::string fault = blocks_a.size() == blocks_b.size() ? "" : fmt::format("{} and {} parts", blocks_a.size(), blocks_b.size());
    for (std::size_t i = 0; i < blocks_a.size() && fault.empty(); ++i)
      fault = compare_blocks(blocks_a[i], blocks_b[i], frame.time, seen);
    if (!fault.empty())
      return {{"frames", "", infinite, frame.time, frame.time, true, fault}};
  }
  if (pairs != frames_a.size() || pairs != frames_b.size())
    differences.push_back({"frames", "", infinite, 0., 0., true, fmt::format("{} and {}, of which {} have a common time", frames_a.size(), frames_b.size(), pairs)});
  for (const auto &[name, field] : seen)
    differences.push_back(conclusion(name, field, tolerance));
  return differences;
}
}  // namespace symdyn
