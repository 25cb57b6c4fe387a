// FiniteElementSystem: its highest and its natural frequencies are those of a dense eigenvalue problem.
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "solver/diagnosis.h"
#include "tests/bodies.h"
#include "tests/system_bodies.h"

namespace symdyn::tests::in_system
{
namespace
{

/// The matrix of all degrees of freedom, full.
template <int dim>
dealii::LAPACKFullMatrix<double> dense(const std::vector<int> &free, const OwnedBlockMatrix &A)
{
  std::vector<int> place(dim * A.pattern->rows(), -1);
  for (std::size_t i = 0; i < free.size(); ++i)
    place[free[i]] = i;
  dealii::LAPACKFullMatrix<double> full(free.size());
  for (int row = 0; row < A.pattern->rows(); ++row)
    A.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          if (const int r = place[dim * row + i], c = place[dim * column + k]; r >= 0 && c >= 0)
            full(r, c) = block(i, k);
    });
  return full;
}

/// omega² of K(q) u = omega² M u on the degrees of freedom that are free, ascending, up to
/// `highest`.
template <int dim>
std::vector<double> eigenvalues(const Body<dim> &body, const Vector &q, const MassMatrix<dim> &mass, const double highest)
{
  const BlockPattern pattern = make_pattern(body.mesh());
  const TangentAssembly<dim> assembly(body.mesh(), pattern);
  OwnedBlockMatrix stiffness, inertia;
  stiffness.allocate(pattern);
  inertia.allocate(pattern);
  assembly.add_stiffness(
      q, 1., [&](const unsigned int id) -> const Material & { return body.fem().material(id); }, stiffness);
  mass.add_to(1., inertia);
  std::vector<int> free;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < dim; ++d)
      if (const auto *P = body.fem().supports().projector_of(node); !P || (*P)[d][d] == 1.)
        free.push_back(dim * node + d);
  auto A = dense<dim>(free, stiffness), B = dense<dim>(free, inertia);
  dealii::Vector<double> found;
  std::vector<dealii::Vector<double>> vectors;
  A.compute_generalized_eigenvalues_symmetric(B, -1e-3 * highest, highest, 0., found, vectors);
  return {found.begin(), found.end()};
}
}  // namespace

/// From below, to 1e-4; of the lumped M on demand. Its mode has it.
TEST(FiniteElementSystem, HighestFrequencyIsThatOfADenseSolve)
{
  for (const std::string type : {"consistent", "lumped"})
    for (const bool simplex : {false, true})
    {
      SCOPED_TRACE(type);
      Body<3> body(box<3>(simplex ? "tetrahedra" : "hexahedra", 1, "neo-hooke-simo") + subsection("Elements", "set Mass = " + type) +
                   subsection("Supports", subsection("wall", "set Boundary = x-")));
      const MassMatrix<3> lumped(
          body.mesh(), MassType::lumped, [](unsigned int) { return 1000.; }, nullptr);
      for (const double size : {0., 0.1})
      {
        const Vector q = deformed(body, size);
        const double exact = std::sqrt(eigenvalues(body, q, lumped, 1e9).back());
        Vector mode, force = body.system().new_vector(), momentum = force;
        const double found = body.system().diagnosis().highest_frequency(0., q, true, &mode);
        EXPECT_LE(found, exact * (1. + 1e-12));
        EXPECT_GT(found, exact * (1. - 1e-4));
        if (type != "lumped")
          continue;
        body.system().stiffness(q, mode, force);
        body.system().mass(mode, momentum);
        EXPECT_NEAR(std::sqrt((mode * force) / (mode * momentum)), exact, 1e-3 * exact) << "Rayleigh's quotient of its mode";
      }
    }
}

/// A scheme with consistent mass has its limit at the higher frequencies of that mass.
TEST(FiniteElementSystem, HighestFrequencyIsThatOfTheOwnMass)
{
  Body<3> body(box<3>("hexahedra", 1, "neo-hooke-simo") + subsection("Supports", subsection("wall", "set Boundary = x-")));
  const Vector q = deformed(body, 0.1);
  const double own = body.system().diagnosis().highest_frequency(0., q), lumped = body.system().diagnosis().highest_frequency(0., q, true);
  EXPECT_GT(own, 1.3 * lumped);
  // Rayleigh quotients never exceed it.
  Vector u = body.system().new_vector(), Ku = u, Mu = u;
  for (int seed = 1; seed < 20; ++seed)
  {
    u = Random(seed).vector(body.system().new_vector(), 1.);
    body.system().project(u);
    for (int power = 0; power < 30; ++power)
    {
      body.system().stiffness(q, u, Ku);
      body.system().project(Ku);
      body.system().mass_solve(Ku, u);
      u /= u.l2_norm();
    }
    body.system().stiffness(q, u, Ku);
    body.system().mass(u, Mu);
    EXPECT_LE(std::sqrt((u * Ku) / (u * Mu)), own * (1. + 1e-4));
    EXPECT_GT(std::sqrt((u * Ku) / (u * Mu)), own * 0.95);
  }
}

TEST(FiniteElementSystem, NaturalFrequenciesAreThoseOfCalculiX)
{
  std::ifstream file(SYMDYN_SOURCE "/tests/reference/natural_frequencies.csv");
  std::vector<double> reference;
  for (std::string line; std::getline(file, line);)
    if (line[0] != '#')
      reference.push_back(std::stod(line));
  ASSERT_EQ(reference.size(), 10u);
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 4, 4, 16\n" + subsection("box", "set Size = 1, 1.5, 8")) +
               subsection("Materials", subsection("steel",
                                                  "set Type = linear-elasticity\nset E = 210000\nset nu = 0.3\n"
                                                  "set Density = 7.8e-9")) +
               subsection("Supports", subsection("clamp", "set Boundary = z-")));
  const auto found = eigenvalues(body, body.system().new_vector(), body.fem().mass_matrix_of_nodes(), 1.01 * reference.back());
  ASSERT_EQ(found.size(), reference.size());
  for (std::size_t i = 0; i < reference.size(); ++i)
    EXPECT_NEAR(found[i] / reference[i], 1., 1e-6) << "mode " << i + 1;
}
}  // namespace symdyn::tests::in_system
