#include "solver/testdata/assurance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace symdyn
{
double mac(const SensorShape &a, const SensorShape &b)
{
  std::complex<double> product = 0.;
  double of_a = 0., of_b = 0.;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    product += std::conj(a[i]) * b[i];
    of_a += std::norm(a[i]);
    of_b += std::norm(b[i]);
  }
  return of_a > 0. && of_b > 0. ? std::norm(product) / (of_a * of_b) : 0.;
}

std::vector<std::vector<double>> mac_table(const std::vector<SensorShape> &a, const std::vector<SensorShape> &b)
{
  std::vector<std::vector<double>> table(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const SensorShape &other : b)
      table[i].push_back(mac(a[i], other));
  return table;
}

namespace
{
/// Rows that have a column each. They come one by one; each takes the cheapest path that moves earlier rows to other columns. Cost: minus
/// the table. Rows and columns are numbered from 1; column 0 is where the new row waits.
class Pairing
{
public:
  explicit Pairing(const std::vector<std::vector<double>> &table)
      : table(table),
        given(table.empty() ? 0 : table.front().size()),
        columns(std::max(table.size(), given)),
        of_row(table.size() + 1, 0.),
        of_column(columns + 1, 0.),
        holder(columns + 1, 0)
  {
  }
  void add(const std::size_t row)
  {
    std::vector<double> least(columns + 1, std::numeric_limits<double>::max());
    std::vector<std::size_t> way(columns + 1, 0);
    std::vector<char> used(columns + 1, 0);
    std::size_t column = 0;
    holder[0] = row;
    while (holder[column] != 0)
    {
      used[column] = 1;
      column = next(column, used, least, way);
    }
    for (; column != 0; column = way[column])
      holder[column] = holder[way[column]];
  }
  std::vector<int> partners() const
  {
    std::vector<int> partner(table.size(), -1);
    for (std::size_t j = 1; j <= given; ++j)
      if (holder[j] > 0)
        partner[holder[j] - 1] = int(j) - 1;
    return partner;
  }

private:
  /// The cheapest column that is not used yet; prices of rows and columns go by what it costs.
  std::size_t next(const std::size_t from, const std::vector<char> &used, std::vector<double> &least, std::vector<std::size_t> &way)
  {
    const std::size_t i = holder[from];
    std::size_t cheapest = 0;
    for (std::size_t j = 1; j <= columns; ++j)
    {
      if (used[j])
        continue;
      if (const double cost = (j <= given ? -table[i - 1][j - 1] : 0.) - of_row[i] - of_column[j]; cost < least[j])
      {
        least[j] = cost;
        way[j] = from;
      }
      if (cheapest == 0 || least[j] < least[cheapest])
        cheapest = j;
    }
    const double step = least[cheapest];
    for (std::size_t j = 0; j <= columns; ++j)
      if (used[j])
      {
        of_row[holder[j]] += step;
        of_column[j] -= step;
      }
      else
        least[j] -= step;
    return cheapest;
  }

  const std::vector<std::vector<double>> &table;
  std::size_t given, columns;
  std::vector<double> of_row, of_column;
  std::vector<std::size_t> holder;  ///< the row of each column; 0: none
};
}  // namespace

std::vector<int> best_pairs(const std::vector<std::vector<double>> &table)
{
  Pairing pairing(table);
  for (std::size_t row = 1; row <= table.size(); ++row)
    pairing.add(row);
  return pairing.partners();
}

std::vector<double> comac(const std::vector<SensorShape> &a, const std::vector<SensorShape> &b)
{
  std::vector<double> all(a.empty() ? 0 : a.front().size());
  for (std::size_t s = 0; s < all.size(); ++s)
  {
    double product = 0., of_a = 0., of_b = 0.;
    for (std::size_t k = 0; k < a.size(); ++k)
    {
      product += std::abs(a[k][s] * b[k][s]);
      of_a += std::norm(a[k][s]);
      of_b += std::norm(b[k][s]);
    }
    all[s] = of_a > 0. && of_b > 0.   ? product * product / (of_a * of_b)
             : of_a > 0. || of_b > 0. ? 0.
                                      : std::numeric_limits<double>::quiet_NaN();
  }
  return all;
}

ShapeComparison::ShapeComparison(std::string given_a, std::vector<Mode> modes_a, const std::vector<SensorShape> &shapes_a,
                                 std::string given_b, std::vector<Mode> modes_b, const std::vector<SensorShape> &shapes_b,
                                 std::vector<std::string> given_sensors, const std::optional<std::vector<SensorShape>> &p)
    : name_a(std::move(given_a)),
      name_b(std::move(given_b)),
      a(std::move(modes_a)),
      b(std::move(modes_b)),
      table(mac_table(shapes_a, shapes_b)),
      sensors(std::move(given_sensors))
{
  constexpr double least = 0.1;
  const std::vector<int> partner = best_pairs(table);
  std::vector<SensorShape> paired_a, paired_b;
  for (std::size_t i = 0; i < partner.size(); ++i)
    if (partner[i] >= 0 && table[i][partner[i]] >= least)
    {
      pairs.push_back({i, std::size_t(partner[i]), table[i][partner[i]]});
      paired_a.push_back(shapes_a[i]);
      paired_b.push_back(shapes_b[partner[i]]);
    }
  coordinate = comac(paired_a, paired_b);
  if (!p)
    return;
  std::vector<SensorShape> unit;
  for (std::size_t j = 0; j < shapes_b.size(); ++j)
  {
    unit.emplace_back(shapes_b.size(), 0.);
    unit.back()[j] = 1.;
  }
  by_mass = mac_table(*p, unit);
}

std::string ShapeComparison::lines(const std::string &unit) const
{
  std::string text = fmt::format("  {:>8} {:>8}  {:>16}  {:>16}  {:>9}  {:>6}{}\n", name_a, name_b, name_a + " [" + unit + "]",
                                 name_b + " [" + unit + "]", "diff. [%]", "MAC", by_mass ? "  MAC by mass" : "");
  for (const Pair &pair : pairs)
  {
    const double f = a[pair.a].frequency, g = b[pair.b].frequency;
    text += fmt::format("  {:>8} {:>8}  {:16.8g}  {:16.8g}  {:9.2f}  {:6.4f}{}\n", a[pair.a].title, b[pair.b].title, f, g,
                        f != 0. ? 100. * (g - f) / f : std::numeric_limits<double>::quiet_NaN(), pair.mac,
                        by_mass ? fmt::format("  {:11.4f}", (*by_mass)[pair.a][pair.b]) : "");
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::none_of(pairs.begin(), pairs.end(), [i](const Pair &pair) { return pair.a == i; }))
      text += fmt::format("  {:>8} {:>8}  {:16.8g}\n", a[i].title, "none", a[i].frequency);
  return text;
}

std::string ShapeComparison::table_csv() const
{
  std::string text = "mode of " + name_a;
  for (const Mode &mode : b)
    text += ",MAC " + name_b + " " + mode.title;
  if (by_mass)
    for (const Mode &mode : b)
      text += ",MAC by mass " + name_b + " " + mode.title;
  text += "\n";
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    text += a[i].title;
    for (const double value : table[i])
      text += fmt::format(",{}", value);
    if (by_mass)
      for (const double value : (*by_mass)[i])
        text += fmt::format(",{}", value);
    text += "\n";
  }
  return text;
}

std::string ShapeComparison::pairs_csv(const std::string &unit) const
{
  std::string text =
      fmt::format("mode of {},mode of {},frequency of {} [{}],frequency of {} [{}],difference [%],MAC,MAC by mass,zeta of {},zeta of {}\n",
                  name_a, name_b, name_a, unit, name_b, unit, name_a, name_b);
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const Pair &pair : pairs)
  {
    const double f = a[pair.a].frequency, g = b[pair.b].frequency;
    text +=
        fmt::format("{},{},{},{},{:.6g},{},{},{:.6g},{:.6g}\n", a[pair.a].title, b[pair.b].title, f, g, f != 0. ? 100. * (g - f) / f : none,
                    pair.mac, by_mass ? (*by_mass)[pair.a][pair.b] : none, a[pair.a].ratio, b[pair.b].ratio);
  }
  return text;
}

std::string ShapeComparison::sensors_csv() const
{
  std::string text = "sensor,COMAC\n";
  for (std::size_t s = 0; s < coordinate.size(); ++s)
    text += fmt::format("{},{}\n", sensors[s], coordinate[s]);
  return text;
}

std::string ShapeComparison::svg() const
{
  constexpr int cell = 44, left = 90, top = 60, below = 30;
  const int width = left + cell * int(b.size()) + 20, height = top + cell * int(a.size()) + below;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<text x=\"{2}\" y=\"20\">MAC: rows {3}, columns {4}</text>\n",
      width, height, left, name_a, name_b);
  for (std::size_t j = 0; j < b.size(); ++j)
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", left + cell * int(j) + cell / 2, top - 8, b[j].title);
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    const int y = top + cell * int(i);
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, y + cell / 2 + 4, a[i].title);
    for (std::size_t j = 0; j < b.size(); ++j)
    {
      const double value = table[i][j];
      const int light = int(std::lround(255. - 185. * value));
      text += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"rgb({},{},255)\" stroke=\"#ccc\"/><text x=\"{}\" y=\"{}\" "
          "text-anchor=\"middle\" fill=\"{}\">{:.2f}</text>\n",
          left + cell * int(j), y, cell, cell, light, light, left + cell * int(j) + cell / 2, y + cell / 2 + 4,
          value > 0.6 ? "white" : "#333", value);
    }
  }
  return text + "</svg>\n";
}
}  // namespace symdyn
