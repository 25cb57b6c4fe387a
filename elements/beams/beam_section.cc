#include "elements/beams/beam_section.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace symdyn
{
namespace
{
constexpr double pi = 3.14159265358979323846;
constexpr double rectangle_shear = 5. / 6., circle_shear = 0.9;
constexpr double round_off = 1e-12;  ///< relative, of numbers that may be equal

[[noreturn]] void refuse(const std::string &sentences) { throw std::invalid_argument(sentences); }

std::string text(const double x)
{
  std::ostringstream out;
  out << x;
  return out.str();
}

void positive(const std::string &section, const std::initializer_list<std::pair<const char *, double>> &sizes)
{
  for (const auto &[name, size] : sizes)
    if (!(size > 0) || !std::isfinite(size))
      refuse(section + ": " + name + " = " + text(size) + ". It must be positive and finite.");
}

void thinner(const std::string &section, const std::string &walls, const double thickness, const std::string &size, const double limit)
{
  if (thickness >= limit)
    refuse(section + ": " + walls + " of " + text(thickness) + (walls.back() == 's' ? " leave" : " leaves") + " no hole in " + size +
           " of " + text(limit) + ". Use thinner walls or a solid section.");
}

double cube(const double x) { return x * x * x; }

/// Shear factor along the webs of a thin box: I²/(A int S²/t ds), S the first moment from the middle of a flange.
double box_shear(const double width, const double height, const double flange, const double web)
{
  const double A = 2 * (width * flange + height * web), I = flange * width * height * height / 2 + web * cube(height) / 6;
  const double corner = flange * width * height / 4;
  const double in_flanges = flange * height * height * cube(width) / 24;
  const double in_webs = 2 / web * (corner * corner * height + corner * web * cube(height) / 6 + web * web * std::pow(height, 5) / 120);
  return I * I / (A * (in_flanges + in_webs));
}

/// k1, k2 of an I of thin walls, of the flow S/t.
BeamPoint i_shear(const ISides &s)
{
  const double h = s.height - (s.flange1 + s.flange2) / 2, A1 = s.width1 * s.flange1, A2 = s.width2 * s.flange2;
  const double A = A1 + A2 + s.web * h, low = -(A2 * h + s.web * h * h / 2) / A, high = low + h;
  const double I = A1 * low * low + A2 * high * high + s.web * (cube(high) - cube(low)) / 3;
  const double c = A1 * low - s.web * low * low / 2;  // S = c + web y²/2 in the web
  const auto in_web = [&](const double y) { return c * c * y / s.web + c * cube(y) / 3 + s.web * std::pow(y, 5) / 20; };
  const double flanges = (s.flange1 * low * low * cube(s.width1) + s.flange2 * high * high * cube(s.width2)) / 12;
  const double I1 = s.flange1 * cube(s.width1) / 12, I2 = s.flange2 * cube(s.width2) / 12;
  const double across = (s.flange1 * std::pow(s.width1, 5) + s.flange2 * std::pow(s.width2, 5)) / 120;
  return {(I1 + I2) * (I1 + I2) / (A * across), I * I / (A * (flanges + in_web(high) - in_web(low)))};
}
}  // namespace

BeamStiffness BeamSection::stiffness(const double E, const double nu) const
{
  positive("Material of a beam", {{"Young's modulus", E}});
  if (!(nu > -1 && nu <= 0.5))
    refuse("Material of a beam: Poisson's ratio = " + text(nu) + ". It must be above -1 and at most 0.5.");
  const double G = E / (2 * (1 + nu)), shear[] = {k1 * G * area, k2 * G * area}, turn[] = {-shear_centre[1], shear_centre[0]};
  BeamStiffness C{};
  const auto at = [&](const int i, const int j) -> double & { return C[i * BeamStrain::count + j]; };
  at(BeamStrain::extension, BeamStrain::extension) = E * area;
  at(BeamStrain::bending_1, BeamStrain::bending_1) = E * I1;
  at(BeamStrain::bending_2, BeamStrain::bending_2) = E * I2;
  at(BeamStrain::bending_1, BeamStrain::bending_2) = at(BeamStrain::bending_2, BeamStrain::bending_1) = E * I12;
  at(BeamStrain::torsion, BeamStrain::torsion) = G * J;
  for (int a = 0; a < 2; ++a)
  {
    const int i = BeamStrain::shear_1 + a;
    at(i, i) = shear[a];
    at(i, BeamStrain::torsion) = at(BeamStrain::torsion, i) = shear[a] * turn[a];
    at(BeamStrain::torsion, BeamStrain::torsion) += shear[a] * turn[a] * turn[a];
  }
  if (const double both = k12 * G * area; both != 0.)
  {
    at(BeamStrain::shear_1, BeamStrain::shear_2) = at(BeamStrain::shear_2, BeamStrain::shear_1) = both;
    for (int a = 0; a < 2; ++a)
      at(BeamStrain::torsion, a) = at(a, BeamStrain::torsion) += both * turn[1 - a];
    at(BeamStrain::torsion, BeamStrain::torsion) += 2 * both * turn[0] * turn[1];
  }
  return C;
}

BeamMass BeamSection::mass(const double density, const BeamPoint &offset) const
{
  positive("Material of a beam", {{"density", density}});
  const auto [o1, o2] = offset;
  return {density * area,
          {density * area * o1, density * area * o2},
          {density * (I1 + area * o1 * o1), density * (I2 + area * o2 * o2), density * (I12 + area * o1 * o2)}};
}

BeamSection general_section(const BeamSection &s)
{
  const std::string name = "General section";
  positive(name, {{"A", s.area}, {"k1", s.k1}, {"k2", s.k2}, {"I1", s.I1}, {"I2", s.I2}, {"J", s.J}});
  if (!(s.I1 * s.I2 > s.I12 * s.I12))
    refuse(name + ": I1 I2 = " + text(s.I1 * s.I2) + " is not above I12^2 = " + text(s.I12 * s.I12) +
           ". No section has such moments of area.");
  if (s.J > (s.I1 + s.I2) * (1 + round_off))
    refuse(name + ": J = " + text(s.J) + " is above I1 + I2 = " + text(s.I1 + s.I2) +
           ". The polar moment of area is the largest torsion constant.");
  return s;
}

BeamSection rectangle_section(const double a, const double b)
{
  positive("Rectangle", {{"side along axis 1", a}, {"side along axis 2", b}});
  const double large = std::max(a, b), small = std::min(a, b), ratio = small / large;
  BeamSection s;
  s.area = a * b;
  s.k1 = s.k2 = rectangle_shear;
  s.I1 = b * cube(a) / 12;
  s.I2 = a * cube(b) / 12;
  s.J = large * cube(small) * (1. / 3. - 0.21 * ratio * (1 - std::pow(ratio, 4) / 12));
  return s;
}

BeamSection circle_section(const double radius)
{
  positive("Circle", {{"radius", radius}});
  BeamSection s;
  s.area = pi * radius * radius;
  s.k1 = s.k2 = circle_shear;
  s.I1 = s.I2 = pi * std::pow(radius, 4) / 4;
  s.J = s.I1 + s.I2;
  return s;
}

BeamSection pipe_section(const double radius, const double thickness, const double nu)
{
  positive("Pipe", {{"radius", radius}, {"thickness", thickness}});
  thinner("Pipe", "a wall", thickness, "a radius", radius);
  const double inner = radius - thickness;
  BeamSection s;
  s.area = pi * (radius * radius - inner * inner);
  s.k1 = s.k2 = 2 * (1 + nu) / (4 + 3 * nu);
  s.I1 = s.I2 = pi * (std::pow(radius, 4) - std::pow(inner, 4)) / 4;
  s.J = s.I1 + s.I2;
  return s;
}

BeamSection box_section(const BoxSides &box)
{
  const auto [a, b, t1, t2] = box;
  positive("Box", {{"side along axis 1", a}, {"side along axis 2", b}, {"thickness across axis 1", t1}, {"thickness across axis 2", t2}});
  thinner("Box", "two walls", 2 * t1, "a side", a);
  thinner("Box", "two walls", 2 * t2, "a side", b);
  const double inner_a = a - 2 * t1, inner_b = b - 2 * t2, middle_a = a - t1, middle_b = b - t2, inside = middle_a * middle_b;
  BeamSection s;
  s.area = a * b - inner_a * inner_b;
  s.k1 = box_shear(middle_b, middle_a, t1, t2);
  s.k2 = box_shear(middle_a, middle_b, t2, t1);
  s.I1 = (b * cube(a) - inner_b * cube(inner_a)) / 12;
  s.I2 = (a * cube(b) - inner_a * cube(inner_b)) / 12;
  s.J = 4 * inside * inside / (2 * middle_b / t1 + 2 * middle_a / t2);
  return s;
}

BeamSection i_section(const ISides &sides)
{
  const auto &[height, width1, width2, flange1, flange2, web] = sides;
  positive("I section", {{"height", height},
                         {"width of flange 1", width1},
                         {"width of flange 2", width2},
                         {"thickness of flange 1", flange1},
                         {"thickness of flange 2", flange2},
                         {"thickness of the web", web}});
  thinner("I section", "two flanges", flange1 + flange2, "a height", height);
  if (web > std::min(width1, width2))
    refuse("I section: a web of " + text(web) + " is wider than a flange. Use a rectangle or wider flanges.");
  const double clear = height - flange1 - flange2;
  const double A[] = {width1 * flange1, width2 * flange2, clear * web}, thickness[] = {flange1, flange2, clear};
  const double place[] = {(flange1 - height) / 2, (height - flange2) / 2, (flange1 - flange2) / 2};
  const double I_flange[] = {flange1 * cube(width1), flange2 * cube(width2)};
  BeamSection s;
  s.area = A[0] + A[1] + A[2];
  s.centroid = {0, (A[0] * place[0] + A[1] * place[1] + A[2] * place[2]) / s.area};
  // Where the shear forces of the flanges across the web, in the ratio of their moments of area, have their resultant.
  s.shear_centre = {0, (I_flange[0] * place[0] + I_flange[1] * place[1]) / (I_flange[0] + I_flange[1]) - s.centroid[1]};
  const auto [across, along] = i_shear(sides);
  s.k1 = across;
  s.k2 = along;
  s.I1 = (I_flange[0] + I_flange[1] + clear * cube(web)) / 12;
  for (int i = 0; i < 3; ++i)
    s.I2 += A[i] * (thickness[i] * thickness[i] / 12 + (place[i] - s.centroid[1]) * (place[i] - s.centroid[1]));
  s.J = (width1 * cube(flange1) + width2 * cube(flange2) + clear * cube(web)) / 3;
  return s;
}

void check_stiffness(const BeamStiffness &C)
{
  constexpr int n = BeamStrain::count;
  BeamStiffness L = C;  // Cholesky, the lower triangle
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(C[i * n + j] - C[j * n + i]) > round_off * std::sqrt(std::abs(C[i * n + i] * C[j * n + j])))
        refuse("Stiffness of a section: entries " + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
               " differ from those across the diagonal. It must be symmetric.");
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double &entry = L[i * n + j];
      for (int k = 0; k < j; ++k)
        entry -= L[i * n + k] * L[j * n + k];
      if (i == j && !(entry > round_off * C[i * n + i]))
        refuse("Stiffness of a section: it is not positive definite at row " + std::to_string(i + 1) + ". Every strain must cost energy.");
      entry = i == j ? std::sqrt(entry) : entry / L[j * n + j];
    }
}
}  // namespace symdyn
