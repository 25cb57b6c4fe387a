#include "elements/system/free_motions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/lumped/elongations.h"
#include "elements/lumped/formula_potential.h"
#include "elements/space/joined_sets.h"

namespace symdyn
{
namespace
{
constexpr double null_tolerance = 1e-9;     ///< of the largest singular value
constexpr double echelon_tolerance = 1e-6;  ///< of entries of unit vectors
constexpr int most_columns = 600;           ///< of a group: a second for its singular values
}  // namespace

FreeMotions::FreeMotions(Given all) : given(std::move(all)), n(given.dimension)
{
  find_groups();
  number_columns();
  add_supports();
  if (given.points)
  {
    add_equations();
    add_terms();
  }
  for (std::size_t group = 0; group < factors.size(); ++group)
    if (columns[group] > 0)
      find_motions(group);
}

void FreeMotions::find_groups()
{
  const int parts = given.parts.size(), points = given.part_of_point.size();
  JoinedSets sets(parts + points);
  const auto body = [&](const int point) { return given.part_of_point[point] >= 0 ? given.part_of_point[point] : parts + point; };
  for (const SharedPlace &place : given.shared)
    sets.join(place.first, place.second);
  for (int k = 0; k < points; ++k)
  {
    sets.join(parts + k, body(k));
    if (const int centre = given.points->points[k].director_of; centre >= 0)
      sets.join(body(k), body(centre));
  }
  if (given.points)
  {
    for (const auto &term : given.points->terms)
      term->couple([&](const int k, const int l) { sets.join(body(k), body(l)); });
    for (std::size_t i = 0; i < given.points->equations.size(); ++i)
      for (const auto &[coordinate, factor] : given.points->equations[i].terms)
        if (given.equations_hold.empty() || given.equations_hold[i])
          sets.join(body(coordinate / n), body(given.points->equations[i].terms.front().first / n));
  }
  const std::vector<int> number = sets.numbers();
  group_of_part.assign(number.begin(), number.begin() + parts);
  group_of_point.assign(number.begin() + parts, number.end());
}

void FreeMotions::number_columns()
{
  int groups = 0;
  for (const auto *numbers : {&group_of_part, &group_of_point})
    for (const int group : *numbers)
      groups = std::max(groups, group + 1);
  has_part.assign(groups, 0);
  columns.assign(groups, 0);
  for (const int group : group_of_part)
  {
    has_part[group] = true;
    first_of_part.push_back(columns[group]);
    columns[group] += motions_of_part();
  }
  for (std::size_t k = 0; k < group_of_point.size(); ++k)
  {
    const int group = group_of_point[k];
    const bool own = given.part_of_point[k] < 0;
    first_of_point.push_back(has_part[group] ? columns[group] : 0);
    if (!has_part[group])
      columns[group] = n;  // translations of them all
    else if (own)
      columns[group] += n;
  }
  for (int &count : columns)
  {
    count = count > most_columns ? 0 : count;
    factors.emplace_back(count);
  }
}

void FreeMotions::put(const int group, const Row &row)
{
  if (columns[group] == 0)
    return;
  std::vector<double> full(columns[group], 0.);
  for (const auto &[column, value] : row)
    full[column] += value;
  factors[group].add(std::move(full));
}

void FreeMotions::add_place(const int part, const Place &position, const int d, const double factor, Row &row) const
{
  const RigidPart &body = given.parts[part];
  const int first = first_of_part[part];
  Place r{};
  for (int i = 0; i < n; ++i)
    r[i] = (position[i] - body.centre[i]) / body.size;
  if (n == 2)
    row.emplace_back(first, factor * (d == 0 ? -r[1] : r[0]));
  if (n == 3)  // e_a x r has -r_b along c and r_c along b, where a, b, c turn round
  {
    row.emplace_back(first + (d + 1) % 3, factor * r[(d + 2) % 3]);
    row.emplace_back(first + (d + 2) % 3, -factor * r[(d + 1) % 3]);
  }
  row.emplace_back(first + rotations() + d, factor);
}

void FreeMotions::add_coordinate(const int coordinate, const double factor, Row &row) const
{
  const int point = coordinate / n, d = coordinate % n;
  if (const int part = given.part_of_point[point]; part >= 0)
  {
    Place position{};
    for (int i = 0; i < n; ++i)
      position[i] = given.arms[n * point + i];
    return add_place(part, position, d, factor, row);
  }
  if (has_part[group_of_point[point]] || given.points->points[point].director_of < 0)  // directors do not move along
    row.emplace_back(first_of_point[point] + d, factor);
}

void FreeMotions::put(const int coordinate, const std::vector<std::pair<int, double>> &of_coordinates, const double scale)
{
  Row row;
  for (const auto &[other, factor] : of_coordinates)
    add_coordinate(other, factor / scale, row);
  put(group_of_point[coordinate / n], row);
}

void FreeMotions::add_supports()
{
  const int m = motions_of_part();
  for (std::size_t part = 0; part < given.parts.size(); ++part)
    for (int i = 0; i < m; ++i)
    {
      Row row;
      for (int k = i; k < m; ++k)
        row.emplace_back(first_of_part[part] + k, given.parts[part].held.packed()[m * i + k]);
      put(group_of_part[part], row);
    }
  for (const SharedPlace &place : given.shared)
    for (int d = 0; d < n; ++d)
    {
      Row row;
      add_place(place.first, place.position, d, 1., row);
      add_place(place.second, place.position, d, -1., row);
      put(group_of_part[place.first], row);
    }
  for (std::size_t k = 0; k < given.part_of_point.size(); ++k)
    for (int d = 0; d < n; ++d)
      if (given.points->points[k].holds(d))
        put(n * k + d, {{n * k + d, 1.}}, 1.);
}

void FreeMotions::add_equations()
{
  for (std::size_t i = 0; i < given.points->equations.size(); ++i)
  {
    const auto &terms = given.points->equations[i].terms;
    double largest = 0;
    for (const auto &term : terms)
      largest = std::max(largest, std::abs(term.second));
    if (given.equations_hold.empty() || given.equations_hold[i])
      put(terms.front().first, terms, largest);
  }
}

/// A group without a part is judged by what it may resist somewhere: a chain finds its equilibrium far from where it starts. So are
/// formulas, of which V'' may be zero by chance.
void FreeMotions::add_terms()
{
  const std::vector<double> irregular = irregular_positions();
  for (const auto &term : given.points->terms)
  {
    add_stiffness(*term, given.x);
    if (const auto *lines = dynamic_cast<const Elongations *>(term.get()))
      lines->visit_elongations(given.x.data(), [&](const auto &row) { put(row.front().first, row, 1.); });
    const bool formula = dynamic_cast<const FormulaPotential *>(term.get());
    bool alone = !given.parts.empty();
    term->add_tangent(given.x.data(), 0., [&](const int i, int, double) { alone = alone && has_part[group_of_point[i / n]]; });
    if (formula || !alone)
      add_stiffness(*term, irregular);
  }
}

std::vector<double> FreeMotions::irregular_positions() const
{
  double size = 0;
  for (const double x : given.x)
    size = std::max(size, std::abs(x));
  std::vector<double> x = given.x;
  constexpr double part = 0.01;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += part * (size > 0. ? size : 1.) * std::sin(1. + 12.9898 * i);
  return x;
}

/// Rows of V'', each of unit size; but what is 1e-5 of the other rows of its point and less loses size with them, so that rounding does not
/// become a row.
void FreeMotions::add_stiffness(const DiscreteTerm &term, const std::vector<double> &x)
{
  std::map<int, std::map<int, double>> rows;
  term.add_tangent(x.data(), 1., [&](const int i, const int j, const double value) { rows[i][j] += value; });
  std::map<int, double> largest, of_point;
  for (const auto &[i, row] : rows)
    for (const auto &entry : row)
    {
      largest[i] = std::max(largest[i], std::abs(entry.second));
      of_point[i / n] = std::max(of_point[i / n], largest[i]);
    }
  constexpr double small = 1e-5;
  for (const auto &[i, row] : rows)
    if (const double scale = std::max(largest[i], small * of_point[i / n]); scale > 0. && std::isfinite(scale))
      put(i, {row.begin(), row.end()}, scale);
}

void FreeMotions::find_motions(const int group)
{
  const int m = motions_of_part(), parts = std::count(group_of_part.begin(), group_of_part.end(), group);
  for (const auto &vector : echelon_form(factors[group].null_space(null_tolerance), echelon_tolerance))
  {
    const auto pivot = std::find(vector.begin(), vector.end(), 1.) - vector.begin();
    if (has_part[group] && pivot >= m * parts)
      continue;  // a mechanism of points alone
    Motion motion{std::vector<std::vector<double>>(given.parts.size(), std::vector<double>(m, 0.)),
                  std::vector<double>(n * given.part_of_point.size(), 0.)};
    for (std::size_t part = 0; part < given.parts.size(); ++part)
      if (group_of_part[part] == group)
        std::copy_n(vector.begin() + first_of_part[part], m, motion.of_parts[part].begin());
    for (std::size_t k = 0; k < given.part_of_point.size(); ++k)
      if (group_of_point[k] == group && given.part_of_point[k] < 0 && (has_part[group] || given.points->points[k].director_of < 0))
        std::copy_n(vector.begin() + first_of_point[k], n, motion.of_points.begin() + n * k);
    found.push_back(std::move(motion));
  }
}
}  // namespace symdyn
