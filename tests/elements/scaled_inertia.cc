// Masses of directors: positive where several of them meet, and scaled so that explicit steps follow the size of cells.
#include <gtest/gtest.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include "elements/system/assembled_system.h"
#include "solver/diagnosis.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"

namespace symdyn::tests::in_scaled_inertia
{
namespace
{
constexpr double E = 100., nu = 0.3, rho = 4., c0 = 5.;  // c0² = E/rho

std::string stuff()
{
  return subsection(
      "Materials", subsection("stuff", fmt::format("set Type = linear-elasticity\nset E = {}\nset nu = {}\nset Density = {}", E, nu, rho)));
}
std::string inertia(const std::string &mass, const std::string &rotary, const std::string &directors = "elastic")
{
  return subsection("Elements", "set Mass = " + mass + "\nset Rotary inertia = " + rotary + "\nset Directors = " + directors);
}
std::string skin(const double thickness)
{
  return subsection("Shells",
                    subsection("skin", fmt::format("set Thickness = {}\nset Material = stuff\nset Director stiffness = 0.2", thickness)));
}
/// Square cells of side 0.25.
std::string plate(const double thickness, const std::string &shape = "quadrilaterals")
{
  return subsection("Mesh", "set Type = plate\nset Subdivisions = 4, 4\nset Cell shape = " + shape) + stuff() + skin(thickness);
}
std::string beam(const std::string &from, const std::string &to, const std::string &type, const double size, const int elements)
{
  return fmt::format(
      "set From = {}\nset To = {}\nset Type = {}\nset Size = {}, {}\nset Elements = {}\nset Direction = 0, 0, 1\nset Material "
      "= stuff\nset Director stiffness = 0.2\n",
      from, to, type, size, size, elements);
}
std::string elbow(const std::string &type, const double size = 0.05)
{
  return stuff() + subsection("Points", "set Dimension = 3") +
         subsection("Beams", subsection("leg", beam("0, 0, 0", "1, 0, 0", type, size, 4)) +
                                 subsection("arm", beam("1, 0, 0", "1, 1, 0", type, size, 4)));
}
/// Plates of 2 x 2 cells of side 0.25 that meet in an edge along y: 2 of an L, 3 of a T; nodes of the edge are 1 to 3.
std::string plates(const int count)
{
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=S4, ELSET=SKIN\n";
  const auto number = [](const int plate, const int i, const int j) { return i == 0 ? j + 1 : 3 + 6 * plate + 3 * (i - 1) + j + 1; };
  const double along[3][2] = {{1., 0.}, {0., 1.}, {-1., 0.}};
  for (int plate = 0, cell = 0; plate < count; ++plate)
    for (int i = 0; i <= 2; ++i)
      for (int j = 0; j <= 2; ++j)
      {
        if (i > 0 || plate == 0)
          nodes += fmt::format("{}, {}, {}, {}\n", number(plate, i, j), 0.25 * i * along[plate][0], 0.25 * j, 0.25 * i * along[plate][1]);
        if (i < 2 && j < 2)  // normals to one side: the others go round the other way
          cells += fmt::format("{}, {}, {}, {}, {}\n", ++cell, number(plate, i, j), number(plate, i + (plate == 0), j + (plate > 0)),
                               number(plate, i + 1, j + 1), number(plate, i + (plate > 0), j + (plate == 0)));
      }
  return nodes + cells;
}
std::string folded(const DeckFolder &folder, const int count, const double thickness)
{
  return subsection("Mesh", "set Type = file\nset File = " + folder.file(fmt::format("plates{}.inp", count), plates(count))) + stuff() +
         skin(thickness);
}

const Space &space_of(const MechanicalSystem &system) { return *dynamic_cast<const AssembledSystem &>(system).all_parts().space; }

/// Of D^-1/2 M D^-1/2, D the diagonal of M, of all sites or of directors alone.
double smallest_eigenvalue(const MechanicalSystem &system, const bool directors)
{
  const Space &space = space_of(system);
  std::vector<int> sites;
  for (int site = 0; site < space.owned(); ++site)
    if (!directors || space.is_director(site))
      sites.push_back(site);
  dealii::LAPACKFullMatrix<double> M(sites.size());
  Vector e = system.new_vector(), Me = e;
  for (std::size_t j = 0; j < sites.size(); ++j)
  {
    e = 0.;
    e.local_element(3 * sites[j]) = 1.;
    system.mass(e, Me);
    for (std::size_t i = 0; i < sites.size(); ++i)
      M(i, j) = Me.local_element(3 * sites[i]);
  }
  std::vector<double> root(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i)
    root[i] = std::sqrt(M(i, i));
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = 0; j < sites.size(); ++j)
      M(i, j) /= root[i] * root[j];
  dealii::Vector<double> values;
  dealii::FullMatrix<double> vectors;
  M.compute_eigenvalues_symmetric(-10., 10., 0., values, vectors);
  EXPECT_EQ(values.size(), sites.size());
  return values[0];
}

/// 2/omega of the highest frequency.
double stable_step(const std::string &model, const std::string &rotary, const std::string &directors = "elastic")
{
  std::string text = model;
  const std::string stiffness = "\nset Director stiffness = 0.2";
  for (std::size_t at; directors == "exact" && (at = text.find(stiffness)) != std::string::npos;)
    text.erase(at, stiffness.size());
  DiscreteDeck deck(text + inertia("lumped", rotary, directors));
  return 2. / deck.system().diagnosis().highest_frequency(0., deck.system().new_vector());
}
}  // namespace

/// Issue of beams and shells, section 3: where directors of several elements meet, none is without mass.
TEST(ScaledInertia, MassOfDirectorsIsPositiveDefinite)
{
  const DeckFolder folder;
  for (const auto &[name, model] :
       {std::pair{"B31", elbow("B31")}, {"B32", elbow("B32")}, {"L", folded(folder, 2, 0.02)}, {"T", folded(folder, 3, 0.02)}})
    for (const char *mass : {"consistent", "lumped"})
    {
      DiscreteDeck deck(model + inertia(mass, "physical"));
      constexpr double least = 1e-8;
      EXPECT_GT(smallest_eigenvalue(deck.system(), true), least) << name << mass;
      EXPECT_GT(smallest_eigenvalue(deck.system(), false), least) << name << mass;
    }
}

/// Of a square cell with L/t = 10 and 50; thin cells alone: the thickness no longer counts.
TEST(ScaledInertia, StepOfAPlateFollowsItsCells)
{
  constexpr double L = 0.25;
  for (const double thickness : {L / 10., L / 50.})
  {
    EXPECT_NEAR(stable_step(plate(thickness), "physical"), 1.02 * thickness / c0, 0.02 * thickness / c0) << thickness;
    EXPECT_NEAR(stable_step(plate(thickness), "scaled"), 0.95 * L / c0, 0.02 * L / c0) << thickness;
    EXPECT_NEAR(stable_step(plate(thickness), "scaled", "exact"), 0.95 * L / c0, 0.02 * L / c0) << thickness;
  }
  EXPECT_NEAR(stable_step(plate(2. * L), "scaled"), stable_step(plate(2. * L), "physical"), 1e-12) << "thicker than wide: as it is";
}

/// An elbow, with 106 and 2656 times the inertia: B31 nearly has the axial limit L/c0.
TEST(ScaledInertia, StepOfABeamFollowsItsElements)
{
  constexpr double L = 0.25;
  for (const double size : {L / 10., L / 50.})
    for (const auto &[type, step] : {std::pair{"B31", 0.95}, {"B32", 0.41}})
    {
      const double scaled = stable_step(elbow(type, size), "scaled"), physical = stable_step(elbow(type, size), "physical");
      EXPECT_NEAR(scaled, step * L / c0, 0.03 * L / c0) << type << size;
      EXPECT_LT(physical, 0.8 * size / c0) << type << size;
    }
}

/// Every director of a node has the inertia of all elements there: folds and joints do not shorten the step.
TEST(ScaledInertia, StepOfJoints)
{
  constexpr double L = 0.25;
  const DeckFolder folder;
  for (const int count : {2, 3})
  {
    const std::string model = folded(folder, count, L / 10.);
    EXPECT_NEAR(stable_step(model, "scaled", "exact"), 0.94 * L / c0, 0.02 * L / c0) << count;
    EXPECT_NEAR(stable_step(model, "scaled"), 0.89 * L / c0, 0.02 * L / c0) << count;
    EXPECT_LT(stable_step(model, "physical"), 0.07 * L / c0) << count;
  }
}

/// At each node rho t a A/12, a its area, and places are as they were; the difference of M is what the system reports.
TEST(ScaledInertia, DirectorsAloneAreRaised)
{
  constexpr double L = 0.25, thickness = L / 10.;
  DiscreteDeck physical(plate(thickness) + inertia("lumped", "physical")), scaled(plate(thickness) + inertia("lumped", "scaled"));
  const Space &space = space_of(scaled.system());
  Vector ones = scaled.system().new_vector();
  ones = 1.;
  Vector before = ones, after = ones;
  physical.system().mass(ones, before);
  scaled.system().mass(ones, after);
  double place = 0, added = 0;
  for (int site = 0; site < space.owned(); ++site)
  {
    const double m = after.local_element(3 * site), old = before.local_element(3 * site);
    added += 3. * (m - old);
    if (space.is_director(site))
      EXPECT_NEAR(m, place * L * L / 12., 1e-14) << "directors stand behind their place";
    else
      EXPECT_EQ(place = m, old);
  }
  EXPECT_NEAR(scaled.system().diagnosis().added_inertia(ones), added, 1e-14);
  EXPECT_TRUE(scaled.system().diagnosis().scales_inertia());
  EXPECT_FALSE(physical.system().diagnosis().scales_inertia());
}

/// w = sin k x with its rotation: the rotary inertia adds k² (L² - t²)/12 of the translation, so that the wave is slower by (k L)²/24.
TEST(ScaledInertia, LongWavesHardlyChange)
{
  constexpr double L = 0.25, thickness = L / 10., k = M_PI;
  DiscreteDeck physical(plate(thickness) + inertia("lumped", "physical")), scaled(plate(thickness) + inertia("lumped", "scaled"));
  const Space &space = space_of(scaled.system());
  Vector v = scaled.system().new_vector(), Mv = v;
  double x = 0;
  for (int site = 0; site < space.owned(); ++site)
  {
    x = space.is_director(site) ? x : space.position(site)[0];  // directors stand behind their place
    v.local_element(3 * site + (space.is_director(site) ? 0 : 2)) = space.is_director(site) ? -k * std::cos(k * x) : std::sin(k * x);
  }
  physical.system().mass(v, Mv);
  const double rotary = k * k * thickness * thickness / 12.;
  EXPECT_NEAR(scaled.system().diagnosis().added_inertia(v) / (v * Mv), k * k * (L * L - thickness * thickness) / 12. / (1. + rotary),
              1e-13);
}

TEST(ScaledInertia, IsOfLumpedMass)
{
  EXPECT_THROW(DiscreteDeck(plate(0.01) + inertia("consistent", "scaled")), InputError);
  EXPECT_THROW(DiscreteDeck(subsection("Points", subsection("a", "set Position = 0, 0, 0\nset Mass = 1")) + inertia("lumped", "scaled")),
               InputError);
}
}  // namespace symdyn::tests::in_scaled_inertia
