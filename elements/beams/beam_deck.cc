#include "elements/beams/beam_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

#include "elements/gram/line_rules.h"
#include "elements/gram/thin_material.h"
#include "solver/base/number_rows.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int corners_of_circle = 24;

std::vector<BeamPoint> polygon(const double radius)
{
  std::vector<BeamPoint> corners;
  for (int i = 0; i < corners_of_circle; ++i)
  {
    const double angle = 2. * M_PI * i / corners_of_circle;
    corners.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return corners;
}

std::vector<BeamPoint> box(const double a, const double b)
{
  return {{-0.5 * a, -0.5 * b}, {0.5 * a, -0.5 * b}, {0.5 * a, 0.5 * b}, {-0.5 * a, 0.5 * b}};
}

struct Shape
{
  std::size_t numbers;
  const char *names;
  BeamSection (*make)(const std::vector<double> &s, double nu);
  BeamFibres (*fibres)(const std::vector<double> &s, const BeamSection &found, int points) = nullptr;  ///< nullptr: there are none
};

BoxSides box_of(const std::vector<double> &s) { return {s[0], s[1], s[2], s[3]}; }
ISides i_of(const std::vector<double> &s) { return {s[0], s[1], s[3], s[2], s[4], s[5]}; }

/// By the name that a deck gives: the numbers of its Size.
const std::map<std::string, Shape> &shapes()
{
  using Numbers = const std::vector<double> &;
  using Section = const BeamSection &;
  static const std::map<std::string, Shape> all{
      {"rectangle",
       {2, "sides along axes 1 and 2", [](Numbers s, double) { return rectangle_section(s[0], s[1]); },
        [](Numbers s, Section, const int n) { return rectangle_fibres(s[0], s[1], n); }}},
      {"circle",
       {1, "its radius", [](Numbers s, double) { return circle_section(s[0]); },
        [](Numbers s, Section, int) { return circle_fibres(s[0], 0.); }}},
      {"pipe",
       {2, "outer radius and wall", [](Numbers s, const double nu) { return pipe_section(s[0], s[1], nu); },
        [](Numbers s, Section, int) { return circle_fibres(s[0], s[0] - s[1]); }}},
      {"box",
       {4, "outer sides along axes 1 and 2, walls across axis 1 and across axis 2",
        [](Numbers s, double) { return box_section(box_of(s)); },
        [](Numbers s, Section, const int n) { return box_fibres(box_of(s), n); }}},
      {"i",
       {6, "height, width and thickness of the lower flange, of the upper flange, web",
        [](Numbers s, double) { return i_section(i_of(s)); },
        [](Numbers s, Section found, const int n) { return i_fibres(i_of(s), found.centroid, n); }}},
      {"general", {7, "A, I1, I2, I12, J, k1, k2", [](Numbers s, double) {
                     BeamSection numbers;
                     numbers.area = s[0];
                     numbers.I1 = s[1];
                     numbers.I2 = s[2];
                     numbers.I12 = s[3];
                     numbers.J = s[4];
                     numbers.k1 = s[5];
                     numbers.k2 = s[6];
                     return general_section(numbers);
                   }}}};
  return all;
}

BeamOutline::Polygon corners_of(const std::string &text, const char *entry, const Parameters &p)
{
  BeamOutline::Polygon corners;
  try
  {
    for (const std::vector<double> &row : rows_of_numbers(text, 2, "corner", "along axes 1 and 2 [m]"))
      corners.push_back({row[0], row[1]});
  }
  catch (const InputError &error)
  {
    p.fail(entry, error.what());
  }
  return corners;
}
}  // namespace

void BeamDeck::declare_outline(Parameters &p)
{
  p.add("Outline", corners_text, "of Section = outline: its corners 'x y; x y; ...' in order, along axes 1 and 2 from any origin [m]");
  p.add("Holes", holes_text, "of Section = outline: corners of holes, with | between two of them");
  const bool is_outline = shape == "outline";
  for (const char *entry : {"Outline", "Holes"})
    if (p.given(entry) && !is_outline)
      p.fail(entry, "is of Section = outline. Remove it, or change the Section");
  if (is_outline && p.given("Size"))
    p.fail("Size", "has no effect with Section = outline. Remove it");
  if (is_outline && !p.given("Outline"))
    p.fail("Section", "= outline needs an Outline: 'x y; x y; ...', its corners along axes 1 and 2 [m]");
  drawn.outer = corners_of(corners_text, "Outline", p);
  std::istringstream holes(holes_text);
  for (std::string hole; std::getline(holes, hole, '|');)
    drawn.holes.push_back(corners_of(hole, "Holes", p));
}

void BeamDeck::declare(Parameters &p)
{
  p.add(
      "Section", shape,
      "rectangle: Size = sides along axes 1 and 2; circle: radius; pipe: outer radius, wall; box: outer sides along axes 1 and 2, walls across 1 "
      "and across 2; i: height along axis 2, width and thickness of the lower flange, of the upper one, web; general: A, I1, I2, I12, J, k1, k2; outline: a polygon, see Outline",
      {"rectangle", "circle", "pipe", "box", "i", "general", "outline"});
  p.add("Size", size, "of the section [m]; see Section");
  declare_outline(p);
  p.add("Material", material, "an isotropic section of Materials, linear elastic or plastic, instead of E, nu and Density");
  declare_points(
      p, points_of_side,
      "of a plastic material: points along each side of a rectangle, or along each wall of a box or an I with 3 points across, odd; 5, 9, 13, ... "
      "have exact fully plastic moments; circles and pipes have 3 x 16 points");
  p.add("E", E, "Young's modulus [Pa]", positive());
  p.add("nu", nu, "Poisson's ratio [-]", Range{-1., 0.5, true, true});
  p.add("Density", density, "[kg/m^3]", positive());
  declare_thin_expansion(of_heat, p);
  p.in_units("kg/m, kg m, kg m, kg m")
      .add("Inertia", inertia, "instead of Density: rho A [kg/m], rho I1, rho I2, rho I12 [kg m], about the centroid");
  p.add("Shear stiffness", shears, "along axes 1 and 2 [N]; default: k G A of the section");
  p.add("Offset", offset, "of the centroid from the line between the ends, along axes 1 and 2 [m]");
  if (p.given("Material"))
    take_material(p);
  for (const char *entry : {"Size", "E"})
    if (!p.given(entry) && !(std::string(entry) == "E" && E > 0.) && !(std::string(entry) == "Size" && shape == "outline"))
      p.fail("", std::string("the beam has no ") + entry +
                     ". It needs its Section with Size, and a Material, or E, nu, and Density or Inertia");
  if (p.given("Density") && p.given("Inertia"))
    p.fail("Inertia", "there is a Density, too. Remove one of both");
  if (density == 0. && !p.given("Inertia"))
    p.fail("", "the beam has no mass. Give its Density, or an Inertia");
  if (p.given("Inertia"))
    check_inertia(p);
  if (offset.size() != 2)
    p.fail("Offset", "needs two numbers, along axes 1 and 2");
  if (p.given("Shear stiffness") && !(shears.size() == 2 && shears[0] > 0. && shears[1] > 0.))
    p.fail("Shear stiffness", "needs two numbers > 0, along axes 1 and 2");
  find_section(p);
  find_fibres(p);
}

void BeamDeck::find_fibres(const Parameters &p)
{
  if (p.given("Points") && (!yielding || shape == "circle" || shape == "pipe"))
    p.fail("Points", yielding ? "has no effect: circles and pipes have 3 x 16 points. Remove the entry"
                              : "has no effect, because the material does not yield. Remove the entry, or use a plastic material");
  if (!yielding)
    return;
  const auto known = shapes().find(shape);
  if (known == shapes().end() || !known->second.fibres)
    p.fail("Section",
           fmt::format("= {} has no points at which a plastic material could yield. Use rectangle, circle, pipe, box or i, or an "
                       "elastic material",
                       shape));
  points = std::make_shared<const BeamFibres>(known->second.fibres(size, found, points_of_side));
}

int BeamDeck::nearest_fibre(const BeamPoint &place) const
{
  const auto distance = [&](const FibrePoint &point) {
    return std::hypot(point.place[0] + offset[0] - place[0], point.place[1] + offset[1] - place[1]);
  };
  const auto nearer = [&](const FibrePoint &one, const FibrePoint &other) { return distance(one) < distance(other); };
  return int(std::min_element(points->begin(), points->end(), nearer) - points->begin());
}

void BeamDeck::find_section(const Parameters &p)
{
  try
  {
    found = section(p);
    if (const double GA = E / (2. * (1. + nu)) * found.area; !shears.empty())
    {
      found.k1 = shears[0] / GA;
      found.k2 = shears[1] / GA;
      found.k12 = 0.;
    }
    C = found.stiffness(E, nu);
    of_length = density > 0. ? found.mass(density, {offset[0], offset[1]}) : mass_of_inertia();
  }
  catch (const std::invalid_argument &error)
  {
    p.fail(shape == "outline" ? "Outline" : "Size", error.what());
  }
}

void BeamDeck::take_material(const Parameters &p)
{
  for (const char *entry : {"E", "nu", "Density", "Expansion", "Expansion table", "Expansion file", "Reference temperature", "Extrapolate"})
    if (p.given(entry))
      p.fail(entry, "there is a Material, too. Remove one of both");
  const ThinMaterial of = thin_material(material, "Material", p);
  constexpr double same = 1e-9;
  const double G = of.E1 / (2. * (1. + of.nu12));
  const auto differs = [&](const double a, const double b) { return std::abs(a - b) > same * std::abs(b); };
  if (differs(of.E1, of.E2) || differs(of.G12, G) || differs(of.G13, G) || differs(of.G23, G))
    p.fail("Material", "beams take isotropic materials. Give another, or E and nu");
  E = of.E1;
  nu = of.nu12;
  yielding = of.uniaxial;
  of_heat = of.expansion;
  softening = of.stiffness;
  density = p.given("Inertia") ? 0. : of.rho;
}

void BeamDeck::check_inertia(const Parameters &p) const
{
  if (inertia.size() != 4)
    p.fail("Inertia", "needs four numbers: rho A, rho I1, rho I2, rho I12");
  if (!(inertia[0] > 0. && inertia[1] > 0. && inertia[2] > 0. && inertia[1] * inertia[2] > inertia[3] * inertia[3]))
    p.fail("Inertia", "rho A, rho I1 and rho I2 are > 0, and rho I1 rho I2 > (rho I12)²");
}

BeamMass BeamDeck::mass_of_inertia() const
{
  const double o1 = offset[0], o2 = offset[1], line = inertia[0];
  return {line, {line * o1, line * o2}, {inertia[1] + line * o1 * o1, inertia[2] + line * o2 * o2, inertia[3] + line * o1 * o2}};
}

BeamSection BeamDeck::section(const Parameters &p) const
{
  if (shape == "outline")
    return outline_section(drawn);
  const Shape &chosen = shapes().at(shape);
  if (size.size() != chosen.numbers)
    p.fail("Size", fmt::format("Section = {} needs {}: {}", shape,
                               chosen.numbers == 1 ? "one number" : fmt::format("{} numbers", chosen.numbers), chosen.names));
  return chosen.make(size, nu);
}

double BeamDeck::gyration() const
{
  constexpr int n = BeamStrain::count + 1;  // of the diagonal
  return std::sqrt(std::max(C[BeamStrain::bending_1 * n], C[BeamStrain::bending_2 * n]) / C[BeamStrain::extension * n]);
}

BeamAxis BeamDeck::axis(const std::string &beam) const
{
  const double radius = shape == "circle" || shape == "pipe" ? size[0] : 0.;
  double longer = 2. * radius;
  for (int d = 0; d < 2 && radius == 0.; ++d)
  {
    const std::vector<BeamPoint> corners = outline();
    const auto [low, high] =
        std::minmax_element(corners.begin(), corners.end(), [d](const BeamPoint &a, const BeamPoint &b) { return a[d] < b[d]; });
    longer = std::max(longer, (*high)[d] - (*low)[d]);
  }
  return {beam, shape, radius, longer, found.area / longer, E, of_length.line / found.area};
}

BeamType BeamDeck::type(const int nodes) const
{
  BeamType type(nodes, C, of_length, {offset[0], offset[1]});
  type.set_fibres(points);
  return type;
}

std::string BeamDeck::off_nodes(const Parameters &p) const
{
  if (of_length.first != BeamPoint{})
    return p.where("Offset");
  return of_length.second[2] == 0. ? "" : p.where("Section");
}

std::vector<BeamPoint> BeamDeck::stress_points() const
{
  std::vector<BeamPoint> all = outline(), some;
  if (shape == "general")
    return {};
  if (shape == "circle" || shape == "pipe")
    for (int i = 0; i < 4; ++i)
      some.push_back(all[i * corners_of_circle / 4]);
  if (shape == "i")
    some = {all[0], all[1], all[6], all[7]};  // of the flanges, outside
  return some.empty() ? all : some;
}

std::string BeamDeck::description() const
{
  if (yielding)
    return fmt::format("{} with {} points that yield under normal stress (shear and torsion stay elastic)", shape, fibres());
  return shape != "outline" ? shape
                            : fmt::format(
                                  "outline (A = {:g} m^2, I1, I2, I12 = {:g}, {:g}, {:g} m^4, J = {:g} m^4, k1, k2 = {:.3f}, {:.3f}, "
                                  "centroid ({:g}, {:g}) m, from there shear centre ({:g}, {:g}) m)",
                                  found.area, found.I1, found.I2, found.I12, found.J, found.k1, found.k2, found.centroid[0],
                                  found.centroid[1], found.shear_centre[0], found.shear_centre[1]);
}

std::vector<BeamPoint> BeamDeck::outline() const
{
  std::vector<BeamPoint> corners;
  if (shape == "circle" || shape == "pipe")
    corners = polygon(size[0]);
  else if (shape == "rectangle" || shape == "box")
    corners = box(size[0], size[1]);
  else if (shape == "i")
  {
    const double h = size[0], w1 = 0.5 * size[1], t1 = size[2], w2 = 0.5 * size[3], t2 = size[4], w = 0.5 * size[5];
    corners = {{-w1, 0.}, {w1, 0.}, {w1, t1},      {w, t1},      {w, h - t2}, {w2, h - t2},
               {w2, h},   {-w2, h}, {-w2, h - t2}, {-w, h - t2}, {-w, t1},    {-w1, t1}};
    for (BeamPoint &corner : corners)
      corner[1] -= 0.5 * h + found.centroid[1];
  }
  else if (shape == "outline")
    for (const auto &[x, y] : drawn.outer)
      corners.push_back({x - found.centroid[0], y - found.centroid[1]});
  else  // a rectangle of the same area and moments
    corners = box(std::sqrt(12. * found.I1 / found.area), std::sqrt(12. * found.I2 / found.area));
  for (BeamPoint &corner : corners)
    for (int i = 0; i < 2; ++i)
      corner[i] += offset[i];
  return corners;
}
}  // namespace symdyn
