#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "elements/files/node_files.h"
#include "elements/shells/shell_element.h"
#include "elements/shells/shell_fibres.h"
#include "elements/shells/shell_layers.h"
#include "elements/shells/shell_part.h"
#include "elements/term_histories.h"
#include "solver/base/names.h"
#include "solver/base/units.h"
#include "solver/stress_points.h"

// What a shell reports, and how it is drawn: with its thickness.
namespace symdyn
{
namespace
{
/// sqrt(s11² - s11 s22 + s22² + 3 s12²) of a stress [Pa].
double von_mises(const std::array<double, 3> &s) { return std::sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3. * s[2] * s[2]); }

void turn(const double c, const double s, ShellResultants &point)
{
  point.E = turned_tensor(point.E, c, s, true);
  point.K = turned_tensor(point.K, c, s, true);
  point.N = turned_tensor(point.N, c, s, false);
  point.M = turned_tensor(point.M, c, s, false);
  for (std::array<double, 2> *shear : {&point.gamma, &point.shear})
    *shear = {c * (*shear)[0] + s * (*shear)[1], c * (*shear)[1] - s * (*shear)[0]};
  for (std::array<double, 3> &stress : point.stress)
    stress = turned_tensor(stress, c, s, false);
  const GramVector e1 = point.e1;
  point.e1 = combination(scaled(c, e1), s, point.e2);
  point.e2 = combination(scaled(c, point.e2), -s, e1);
}

/// Of a cell, and at last the director of a node.
constexpr std::array<const char *, 6> fields_of_vectors{"N", "M", "Q", "stress_bottom", "stress_top", "d"};
constexpr std::size_t of_a_cell = fields_of_vectors.size() - 1;

void append(const std::array<double, 3> &value, NodeField &field) { field.values.insert(field.values.end(), value.begin(), value.end()); }

/// Plane stress between the two faces: `part` of the way from the bottom to the top.
void append_stress(const std::array<double, 3> &bottom, const std::array<double, 3> &top, const double part, NodeField &field)
{
  std::array<double, 3> s{};
  for (std::size_t c = 0; c < s.size(); ++c)
    s[c] = (1. - part) * bottom[c] + part * top[c];
  append({s[0], s[1], 0.}, field);
  append({s[2], 0., 0.}, field);
}

std::array<std::size_t, fields_of_vectors.size()> numbers_of_vectors(NodeFrame &frame)
{
  std::array<std::size_t, fields_of_vectors.size()> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = frame.field(fields_of_vectors[i], 3);
  return numbers;
}

struct DrawnNode
{
  std::size_t node;  ///< of the cell
  double side;       ///< -1/2 below, 1/2 above
};

/// The nodes of an extruded cell of 3, 4, 6 or 8 nodes, in the order of VTK's wedge and hexahedron, linear or quadratic.
std::vector<DrawnNode> extruded(const std::size_t n)
{
  const std::size_t corners = n <= 4 ? n : n / 2;
  std::vector<DrawnNode> nodes;
  for (const auto &[begin, end] : {std::pair{std::size_t(0), corners}, {corners, n}})
    for (const double side : {-0.5, 0.5})
      for (std::size_t a = begin; a < end; ++a)
        nodes.push_back({a, side});
  for (std::size_t a = 0; a < corners && n > corners; ++a)
    nodes.push_back({a, 0.});
  return nodes;
}

/// Those of the middle surface.
std::vector<DrawnNode> flat(const std::size_t n)
{
  std::vector<DrawnNode> nodes;
  for (std::size_t a = 0; a < n; ++a)
    nodes.push_back({a, 0.});
  return nodes;
}

std::uint8_t vtk_type(const std::size_t n, const bool thick)
{
  constexpr std::uint8_t triangle = 5, quad = 9, quadratic_triangle = 22, quadratic_quad = 23;
  if (!thick)
    return n == 3 ? triangle : n == 4 ? quad : n == 6 ? quadratic_triangle : quadratic_quad;
  constexpr std::uint8_t hexahedron = 12, wedge = 13, quadratic_hexahedron = 25, quadratic_wedge = 26;
  return n == 3 ? wedge : n == 4 ? hexahedron : n == 6 ? quadratic_wedge : quadratic_hexahedron;
}
}  // namespace

std::vector<Column> Shell::columns(const Units &) const
{
  std::vector<Column> all = columns_of_layers();
  all.insert(all.begin(), {called + ".director_error", ""});
  return all;
}

void Shell::values(const State &state, std::vector<double> &out) const
{
  state.q.update_ghost_values();
  out.push_back(directors->error(state.q));
  values_of_layers(state, out);
}

void Shell::visit(const State &state, const std::function<void(const GramTerm::Seen &)> &take) const
{
  term->visit(state.q, TermHistories::of(state, number_of_term), take);
}

std::vector<ShellResultants> Shell::resultants(const Cell &cell, const GramTerm::Seen &one) const
{
  const ShellSection &of_cell = section.section(cell.layup);
  if (section.law())
    return plastic_resultants(of_cell, cell.rest, one, axis());
  std::vector<ShellResultants> points = shell_resultants(of_cell, cell.rest, one.eps, axis());
  for (ShellResultants &point : points)
  {
    for (auto *forces : {&point.N, &point.M})
      for (double &force : *forces)
        force *= one.stiffness;
    for (double &force : point.shear)
      force *= one.stiffness;
  }
  return points;
}

std::vector<ShellResultants> Shell::tabulated(const Cell &cell, const GramTerm::Seen &one) const
{
  constexpr double normal = 1.7e-3;  // sine of 0.1 degrees
  std::vector<ShellResultants> points = resultants(cell, one);
  for (ShellResultants &point : points)
  {
    const int along = std::hypot(point.e1[0], point.e2[0]) > normal ? 0 : 2;
    if (const double length = std::hypot(point.e1[along], point.e2[along]); direction.empty())
      turn(point.e1[along] / length, point.e2[along] / length, point);
  }
  if (cell.nodes.size() == 4)  // around the cell; tables count along axis 1 first
    std::swap(points[2], points[3]);
  return points;
}

/// As Abaqus numbers them: SF1, SF2, SF3 are N11, N22, N12, SF4, SF5 Q1, Q2, SM1, SM2, SM3 M11, M22, M12; S at both faces.
void Shell::tabulate(const State &state, const std::string &quantity, const ElementNumbers &wanted, ElementTables &tables) const
{
  const std::string columns = quantity == "SF" ? "(elem, integ.pnt.,sf1,sf2,sf3,sf4,sf5,sm1,sm2,sm3)" : "(elem, integ.pnt.,s11,s22,s12)";
  visit(state, [&](const GramTerm::Seen &one) {
    const Cell &cell = cells[drawn[one.number]];
    int number = 0;
    if (wanted.count(cell.number) > 0)
      for (const ShellResultants &p : tabulated(cell, one))
      {
        ++number;
        if (quantity == "SF")
          tables["section forces " + columns].push_back(
              {cell.number, number, {p.N[0], p.N[1], p.N[2], p.shear[0], p.shear[1], p.M[0], p.M[1], p.M[2]}});
        else
          for (const auto &[title, side, layer] :
               {std::tuple{"stresses at the bottom ", -0.5, std::size_t(0)}, {"stresses at the top ", 0.5, cell.layup.layers.size() - 1}})
          {
            const double zeta = cell.layup.offset + side * cell.layup.thickness;
            const std::array<double, 3> s =
                section.law() ? p.stress[side < 0. ? 0 : 2]
                              : layer_stress(cell.layup.layers[layer], p.E, p.K, zeta, section.own_strain(layer, zeta, one), one.stiffness);
            tables[title + columns].push_back({cell.number, number, {s.begin(), s.end()}});
          }
      }
  });
}

void Shell::draw(const State &state, NodeFrame &frame) const
{
  frame.field("von_mises", 1);
  numbers_of_vectors(frame);
  if (frame.stressed)
    frame.field("stress", StressPoints::components);
  for (const LayerPoint &point : draws_layers ? layer_points(cells.front().layup) : std::vector<LayerPoint>())
    frame.field(point.name, 3);
  if (section.law())
    frame.field("p", 1);
  if (term->has_temperatures())
    frame.field("temperature", 1);
  visit(state, [&](const GramTerm::Seen &one) { draw_cell(one, frame); });
}

/// Cells share the points of a node if they share its director and their axes 1 are the same in the plane across it: components are along
/// the axes of cells.
std::vector<std::uint64_t> Shell::words_of_point(const Cell &cell, const GramVector &axis, const std::size_t a, const double side)
{
  constexpr double same = 1e-3, shift = 0.382;  // keeps round numbers off the ends of the intervals
  const GramVector &director = cell.rest[cell.nodes.size() + a];
  GramVector across = combination(axis, -dot(axis, director) / dot(director, director), director);
  across = scaled(1. / norm(across), across);
  std::vector<std::uint64_t> words{std::uint64_t(cell.nodes[a]), bits_of(side), bits_of(cell.layup.thickness), bits_of(cell.layup.offset)};
  for (int d = 0; d < 3; ++d)
    for (const std::uint64_t word : {bits_of(director[d]), std::uint64_t(std::int64_t(std::floor(across[d] / same + shift)))})
      words.push_back(word);
  return words;
}

void Shell::draw_cell(const GramTerm::Seen &one, NodeFrame &frame) const
{
  const Cell &cell = cells[drawn[one.number]];
  const ShellMeans means = means_of(resultants(cell, one), section.law() != nullptr);
  const std::size_t n = cell.nodes.size();
  const auto at = [&](const double side) { return cell.layup.offset + side * cell.layup.thickness; };
  const auto face = [&](const std::size_t layer, const double side) {
    return means.yields ? means.stress[side < 0. ? 0 : 2]
                        : layer_stress(cell.layup.layers[layer], means.E, means.K, at(side), section.own_strain(layer, at(side), one),
                                       one.stiffness);
  };
  const std::array<double, 3> bottom = face(0, -0.5), top = face(cell.layup.layers.size() - 1, 0.5);
  const auto between = [&](const double bottom, const double top, const double side) {
    return frame.thick ? (0.5 - side) * bottom + (0.5 + side) * top : std::max(bottom, top);
  };
  const std::size_t mises = frame.field("von_mises", 1);
  const auto vectors = numbers_of_vectors(frame);
  const std::array<std::array<double, 3>, of_a_cell> of_cell{{means.N, means.M, {means.shear[0], means.shear[1], 0.}, bottom, top}};
  const std::size_t flow = means.yields ? frame.field("p", 1) : 0, heat = term->has_temperatures() ? frame.field("temperature", 1) : 0;
  const std::size_t stress = frame.stressed ? frame.field("stress", StressPoints::components) : 0;
  const std::vector<DrawnNode> nodes = frame.thick ? extruded(n) : flat(n);
  frame.add_cell(vtk_type(n, frame.thick), nodes.size());
  for (const auto &[a, side] : nodes)
  {
    const double zeta = at(side);
    const GramVector moved = combination(one.u[a], zeta, one.u[n + a]);
    append(combination(combination(one.y[a], zeta, one.y[n + a]), -1., moved), frame.places);
    append(moved, frame.fields[0]);
    frame.name_point(words_of_point(cell, means.e1, a, side));
    frame.fields[mises].values.push_back(between(von_mises(bottom), von_mises(top), side));
    for (std::size_t i = 0; i < of_a_cell; ++i)
      append(of_cell[i], frame.fields[vectors[i]]);
    append(one.y[n + a], frame.fields[vectors.back()]);
    if (frame.stressed)
      append_stress(bottom, top, 0.5 + side, frame.fields[stress]);
    if (means.yields)
      frame.fields[flow].values.push_back(between(means.flow[0], means.flow[2], side));
    if (term->has_temperatures())
      frame.fields[heat].values.push_back(one.temperature);
  }
  if (draws_layers)
    draw_layers(one, means, nodes.size(), frame);
}

std::string Shell::description() const
{
  std::map<std::size_t, std::size_t> counts;  // by nodes
  for (const Cell &cell : cells)
    ++counts[cell.nodes.size()];
  const std::map<std::size_t, std::string> names{{3, "S3"}, {4, "S4"}, {6, "S6"}, {8, "S8R"}};
  std::vector<std::string> kinds;
  for (const auto &[nodes, count] : counts)
    kinds.push_back(fmt::format("{} elements {}", count, names.at(nodes)));
  const std::string stiff = counts.count(3) > 0 ? " (S3 is stiff in bending in its plane: mesh finer)" : "";
  const std::string drilling =
      drilled.empty() ? "" : fmt::format(", drilling stiffness at {} node{} of beams", drilled.size(), drilled.size() > 1 ? "s" : "");
  return fmt::format("{} {}, area {:g} m^2{}{}", ::symdyn::join(kinds), section.description(), area, drilling, stiff);
}
}  // namespace symdyn
