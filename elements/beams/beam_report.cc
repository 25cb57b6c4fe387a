#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elements/beams/beam_part.h"
#include "elements/files/node_files.h"
#include "elements/term_histories.h"
#include "solver/base/units.h"
#include "solver/stress_points.h"

// What a beam reports, and how it is drawn.
namespace symdyn
{
std::vector<Column> Beam::columns(const Units &units) const
{
  std::vector<Column> columns{{called + ".director_error", ""}};
  const std::string moment = units.force + " " + units.length;
  for (const BeamCut &cut : cuts)
    for (const auto &[name, unit, kind] : {std::tuple{"V1", units.force, Kind::force},
                                           {"V2", units.force, Kind::force},
                                           {"N", units.force, Kind::force},
                                           {"M1", moment, Kind::moment},
                                           {"M2", moment, Kind::moment},
                                           {"T", moment, Kind::moment}})
      columns.push_back({fmt::format("{}.{}_{}", called, name, cut.name), unit, kind});
  return columns;
}

void Beam::visit(const State &state, const std::function<void(const GramTerm::Seen &)> &take) const
{
  term->visit(state.q, TermHistories::of(state, number_of_term), take);
}

std::vector<double> Beam::forces_at(const GramTerm::Seen &one, const std::size_t point) const
{
  // Strains of the shape are those in the cell: of Gamma and T one metric J = ds/dxi, of E and K two; sigma has the weight of the point.
  const double J = metrics[counted[one.number]][point], weight = (nodes_of_element() == 2 ? 2. : 1.) * J;
  std::vector<double> forces;
  for (int k = 0; k < BeamStrain::count; ++k)
  {
    const bool once = k == BeamStrain::shear_1 || k == BeamStrain::shear_2 || k == BeamStrain::torsion;
    forces.push_back(one.sigma[point * BeamStrain::count + k] * (once ? J : J * J) / weight);
  }
  return forces;
}

std::vector<double> Beam::section_forces(const State &state) const
{
  std::vector<double> forces(cuts.size() * BeamStrain::count, 0.);
  if (cuts.empty())
    return forces;
  visit(state, [&](const GramTerm::Seen &one) {
    const std::size_t element = counted[one.number];
    for (std::size_t i = 0; i < cuts.size(); ++i)
      if (cuts[i].element == element)
      {
        const std::vector<double> here = forces_at(one, cuts[i].at_start ? 0 : metrics[element].size() - 1);
        std::copy(here.begin(), here.end(), forces.begin() + long(i) * BeamStrain::count);
      }
  });
  dealii::Utilities::MPI::sum(forces, seen->space()->communicator(), forces);
  return forces;
}

void Beam::values(const State &state, std::vector<double> &out) const
{
  state.q.update_ghost_values();
  out.push_back(directors->error(state.q));
  const std::vector<double> forces = section_forces(state);
  out.insert(out.end(), forces.begin(), forces.end());
}

/// As Abaqus numbers them, moments about the axes by the right hand: SF1 N, SF2, SF3 along axes 2, 1; SM1, SM2 about axes 1, 2; SM3 torque.
/// S: that of N, M1, M2 at points of the section.
void Beam::tabulate(const State &state, const std::string &quantity, const ElementNumbers &wanted, ElementTables &tables) const
{
  const std::vector<BeamPoint> points = section.stress_points();
  if (quantity == "S" && section.law() && !section.has_corner_fibres())
    deck->fail("Material",
               "tables of stresses at corners are of elastic beams, and of plastic rectangles, whose corners are points that yield. "
               "Leave S out of the Quantities, or use Section = rectangle");
  visit(state, [&](const GramTerm::Seen &one) {
    const std::size_t element = counted[one.number];
    const long number = course.elements[element].number;
    for (std::size_t point = 0; point < metrics[element].size() && wanted.count(number) > 0; ++point)
      if (quantity == "SF")
      {
        const std::vector<double> f = forces_at(one, point);
        tables["section forces (elem, integ.pnt.,sf1,sf2,sf3,sm1,sm2,sm3)"].push_back(
            {number,
             int(point) + 1,
             {f[BeamStrain::extension], f[BeamStrain::shear_2], f[BeamStrain::shear_1], f[BeamStrain::bending_2], -f[BeamStrain::bending_1],
              f[BeamStrain::torsion]}});
      }
      else
        for (std::size_t c = 0; c < points.size(); ++c)
          tables[fmt::format("stresses at corner {} (elem, integ.pnt.,s11)", c + 1)].push_back(
              {number, int(point) + 1, {axial_stress(one, int(point), points[c])}});
  });
}

const Fibres::Seen &Beam::fibre_at(const GramTerm::Seen &one, const int point, const BeamPoint &corner) const
{
  return one.points[point * section.fibres() + section.nearest_fibre(corner)];
}

double Beam::axial_stress(const GramTerm::Seen &one, const int point, const BeamPoint &corner) const
{
  if (section.law())
    return fibre_at(one, point, corner).stress[0];
  // Strains of the shape are those in the cell, where E and K have ds/dxi twice.
  const double metric = metrics[counted[one.number]][point];
  const double *at = &one.eps[point * BeamStrain::count];
  const BeamPoint centroid = section.centroid();
  return one.stiffness * section.young() *
         (at[BeamStrain::extension] + (corner[0] - centroid[0]) * at[BeamStrain::bending_1] +
          (corner[1] - centroid[1]) * at[BeamStrain::bending_2]) /
         (metric * metric);
}

void Beam::draw(const State &state, NodeFrame &drawn) const
{
  const std::vector<BeamPoint> corners = section.outline();
  drawn.field("von_mises", 1);
  drawn.field("d1", 3);
  drawn.field("d2", 3);
  if (section.law())
    drawn.field("p", 1);
  if (term->has_temperatures())
    drawn.field("temperature", 1);
  if (drawn.stressed)
    drawn.field("stress", StressPoints::components);
  drawn.axial = true;
  visit(state, [&](const GramTerm::Seen &one) { draw_element(one, corners, drawn); });
}

void Beam::draw_element(const GramTerm::Seen &one, const std::vector<BeamPoint> &corners, NodeFrame &drawn) const
{
  constexpr std::uint8_t vtk_line = 3, vtk_polygon = 7, vtk_quad = 9;
  const int nodes = nodes_of_element();
  const DrawnFields fields{drawn.field("von_mises", 1),
                           {drawn.field("d1", 3), drawn.field("d2", 3)},
                           section.law() ? drawn.field("p", 1) : 0,
                           term->has_temperatures() ? drawn.field("temperature", 1) : 0,
                           drawn.stressed ? drawn.field("stress", StressPoints::components) : 0};
  for (int a = 0; a + 1 < nodes && !drawn.thick; ++a)
  {
    drawn.add_cell(vtk_line, 2);
    draw_point(one, a, a, section.centroid(), corners, fields, drawn);
    draw_point(one, a + 1, a, section.centroid(), corners, fields, drawn);
  }
  if (!drawn.thick)
    return;
  const auto put = [&](const int a, const int point, const BeamPoint &corner) {
    draw_point(one, a, point, corner, {corner}, fields, drawn);
  };
  for (int a = 0; a + 1 < nodes; ++a)  // a Gauss point each
    for (std::size_t c = 0; c < corners.size(); ++c)
    {
      const BeamPoint &corner = corners[c], &next = corners[(c + 1) % corners.size()];
      drawn.add_cell(vtk_quad, 4);
      put(a, a, corner);
      put(a, a, next);
      put(a + 1, a, next);
      put(a + 1, a, corner);
    }
  for (const int a : {0, nodes - 1})
  {
    drawn.add_cell(vtk_polygon, corners.size());
    for (const BeamPoint &corner : corners)
      put(a, std::min(a, nodes - 2), corner);
  }
}

/// Elements share the points of a node if they share its directors.
std::vector<std::uint64_t> Beam::words_of_point(const std::size_t element, const std::size_t a, const BeamPoint &place) const
{
  const auto &[nodes, directors] = std::tie(course.elements[element].nodes, course.elements[element].directors);
  std::vector<std::uint64_t> words{std::uint64_t(nodes[a]), hinge_at(element, a) ? element + 1 : 0};
  for (const double x : {place[0], place[1]})
    words.push_back(bits_of(x));
  for (const auto &director : directors[a])
    for (const double x : director)
      words.push_back(bits_of(x));
  return words;
}

void Beam::draw_point(const GramTerm::Seen &one, const int a, const int point, const BeamPoint &place, const std::vector<BeamPoint> &seen,
                      const DrawnFields &fields, NodeFrame &drawn) const
{
  const int nodes = nodes_of_element();
  for (int d = 0; d < 3; ++d)
  {
    const double moved = one.u[a][d] + place[0] * one.u[nodes + a][d] + place[1] * one.u[2 * nodes + a][d],
                 now = one.y[a][d] + place[0] * one.y[nodes + a][d] + place[1] * one.y[2 * nodes + a][d];
    drawn.places.values.push_back(now - moved);
    drawn.fields[0].values.push_back(moved);
  }
  drawn.name_point(words_of_point(counted[one.number], std::size_t(a), place));
  double largest = 0, flow = 0;
  for (const BeamPoint &corner : seen)
  {
    largest = std::max(largest, std::abs(axial_stress(one, point, corner)));
    flow = section.law() ? std::max(flow, fibre_at(one, point, corner).flow) : 0.;
  }
  drawn.fields[fields.mises].values.push_back(largest);
  if (drawn.stressed)
  {
    std::vector<double> &stress = drawn.fields[fields.stress].values;
    stress.push_back(axial_stress(one, point, place));
    stress.insert(stress.end(), StressPoints::components - 1, 0.);
  }
  for (int i = 0; i < 2; ++i)
  {
    const auto &director = one.y[(i + 1) * nodes + a];
    drawn.fields[fields.directors[i]].values.insert(drawn.fields[fields.directors[i]].values.end(), director.begin(), director.end());
  }
  if (section.law())
    drawn.fields[fields.flow].values.push_back(flow);
  if (term->has_temperatures())
    drawn.fields[fields.heat].values.push_back(one.temperature);
}

std::string Beam::description() const
{
  const std::string joined = shared > 2 ? fmt::format(", {} nodes are points or nodes of the mesh", shared) : "";
  return fmt::format("{} elements {} of {}, length {}{}", elements, type, section.description(),
                     Units::of(deck->root()).in_length(std::accumulate(lengths.begin(), lengths.end(), 0.)), joined);
}

}  // namespace symdyn
