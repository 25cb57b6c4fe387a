// Tests of the contact in contact.cc. They hold on any number of ranks; one runs the others on two.
#include <gtest/gtest.h>

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>

#include "solver/searching.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/linear_decks.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_newcomer_contact_tests
{
namespace MPI = dealii::Utilities::MPI;

/// Two cubes of 1 m, 0.35 m apart along x and a little beside each other: their surfaces are `left` and `right`.
std::string mesh_of_two()
{
  std::string nodes, cells;
  int element = 0;
  for (int cube = 0; cube < 2; ++cube)
  {
    for (int v = 0; v < 8; ++v)
      nodes += fmt::format("{} {} {} {}\n", 8 * cube + v + 1, (v & 1) + 1.35 * cube, (v >> 1 & 1) + 0.08 * cube, (v >> 2) + 0.05 * cube);
    const int faces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (const auto &face : faces)
      cells += fmt::format("{} 3 2 {} {} {} {} {} {}\n", ++element, cube + 1, cube + 1, 8 * cube + face[0] + 1, 8 * cube + face[1] + 1,
                           8 * cube + face[2] + 1, 8 * cube + face[3] + 1);
  }
  for (int cube = 0; cube < 2; ++cube)
  {
    cells += fmt::format("{} 5 2 3 3", ++element);
    for (const int v : {0, 1, 3, 2, 4, 5, 7, 6})
      cells += fmt::format(" {}", 8 * cube + v + 1);
    cells += "\n";
  }
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"left\"\n2 2 \"right\"\n3 3 \"body\"\n$EndPhysicalNames\n$Nodes\n16\n" +
         nodes + "$EndNodes\n$Elements\n" + std::to_string(element) + "\n" + cells + "$EndElements\n";
}

/// `mesh`: its file.
std::string two_boxes(const std::string &mesh, const std::string &mass, const std::string &more = "")
{
  return subsection("Mesh", "set Type = file\nset File = " + mesh + "\nset Refinements = 1") + made_of("st-venant-kirchhoff", 3.) +
         subsection("Elements", "set Mass = " + mass) +
         subsection("Contacts of nodes", subsection("both", "set First = left\nset Second = right")) + more;
}

struct Boxes
{
  explicit Boxes(const std::string &mass = "lumped", const std::string &more = "")
      : body(two_boxes(write_file(folder, "two.msh", mesh_of_two()), mass, more)), system(body.system())
  {
    contact = system.all_parts().terms.back().get();
  }
  /// The right box at u along x.
  Vector pushed(const double u) const
  {
    Vector q = system.new_vector();
    const Space &space = *system.all_parts().space;
    for (int site = 0; site < space.owned(); ++site)
      q.local_element(3 * site) = space.position(site)[0] > 1.2 ? u : 0.;
    q.update_ghost_values();
    return q;
  }
  /// Pairs of nodes near each other, on all ranks. The term couples both ends of a pair to each other: each owner counts its row.
  std::size_t number_of_pairs() const
  {
    const Space &space = *system.all_parts().space;
    std::uint64_t rows = 0;
    contact->couple([&](const int row, const int column) { rows += row != column && row < space.owned(); });
    return MPI::sum(rows, space.communicator()) / 2;
  }
  State start() const
  {
    State state;
    state.q = state.a = system.new_vector();
    state.v = pushed(-1.);
    return state;
  }

  Folder folder;
  Body<3> body;
  const AssembledSystem &system;
  const Term *contact = nullptr;
};

TEST(NewcomerContact, ForceIsTheGradientOfVAndSoOn)
{
  Boxes boxes;
  const AssembledSystem &system = boxes.system;
  const Vector q = moved(boxes.pushed(-0.15), 1., Random(1).vector(system.new_vector(), 0.01)), w = Random(2).vector(q, 0.02),
               other = Random(3).vector(q, 0.02);
  search_about(system, q);
  ASSERT_GE(boxes.number_of_pairs(), 9u);
  EXPECT_GT(boxes.contact->largest_step(q, w), 0.999);
  expect_derivatives(system, q, w, other, 0.4);
  Vector f = system.new_vector();
  for (const Vector &to : {moved(q, 1., other), boxes.pushed(0.)})  // within contact, and out of it
  {
    search_about(system, q);
    system.discrete_gradient(q, to, f);
    const double V0 = system.potential(q), V1 = system.potential(to);
    EXPECT_NEAR(f * moved(to, -1., q), V1 - V0, 1e-12);
  }
}

void expect_right_factors(const AssembledSystem &system, const Vector &q, const Vector &from, const std::string &what)
{
  SCOPED_TRACE(what);
  expect_matrix_and_products(system, q, Random(2).vector(q, 1.), from);
}

TEST(NewcomerContact, MatrixAndProductsAgreeBeforeAndAfterCouplingsChange)
{
  const bool one_rank = MPI::n_mpi_processes(MPI_COMM_WORLD) == 1;
  for (const char *mass : {"lumped", "consistent"})
    for (const std::string solver :
         {"set Type = automatic", "set Type = dense", "set Type = mumps", "set Type = eisenstat", "set Type = band", "set Type = ml",
          "set Type = trilinos-direct", "set Type = matrix-free", "set Type = cg\nsubsection cg\nset Preconditioner = gamg\nend",
          "set Type = cg\nsubsection cg\nset Preconditioner = jacobi\nend"})
    {
      if (!one_rank && solver == "set Type = band")
        continue;
      Boxes boxes(mass, subsection("Linear solver", solver + "\nset Tolerance = 1e-13"));
      const AssembledSystem &system = boxes.system;
      const Vector apart = boxes.pushed(0.), near = moved(boxes.pushed(-0.15), 1., Random(1).vector(apart, 0.01)),
                   nearer = moved(boxes.pushed(-0.2), 1., Random(4).vector(apart, 0.01));
      search_about(system, boxes.pushed(1.));
      EXPECT_EQ(boxes.number_of_pairs(), 0u);
      expect_right_factors(system, apart, apart, solver + mass + ", apart");
      const auto before = system.factor(M + 0.01 * K, 0., apart, apart);
      EXPECT_TRUE(before->current());
      const std::uint64_t revision = boxes.contact->revision();
      search_about(system, near);
      EXPECT_GT(boxes.contact->revision(), revision);
      EXPECT_FALSE(before->current()) << "Newton must drop it";
      expect_right_factors(system, near, nearer, solver + mass + ", near");
      search_about(system, boxes.pushed(1.));
      expect_right_factors(system, apart, apart, solver + mass + ", apart again");
    }
}

/// Steps as a stage does.
State run(const Boxes &boxes, const Scheme &scheme, const double h, const int steps)
{
  State state = boxes.start();
  search_about(boxes.system, state.q);
  scheme.integrator->start(boxes.system, state, h);
  for (int k = 0; k < steps; ++k)
    step_within_reach(boxes.system, state, [&] { return scheme.integrator->step(boxes.system, state, h); });
  return state;
}

TEST(NewcomerContact, AnImpactKeepsTheMomenta)
{
  for (const char *name : {"midpoint", "discrete-gradient", "stormer-verlet"})
  {
    SCOPED_TRACE(name);
    Boxes boxes;
    const AssembledSystem &system = boxes.system;
    const State start = boxes.start();
    const std::vector<double> before = momenta(system, start);
    EXPECT_NEAR(before[0], -3., 1e-12);
    EXPECT_GT(std::abs(before[5]), 1.);
    const std::uint64_t revision = boxes.contact->revision();
    const Scheme scheme(name);
    const State end = run(boxes, scheme, 0.01, 120);
    EXPECT_GT(boxes.contact->revision(), revision);
    const std::vector<double> after = momenta(system, end);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], 1e-11) << i;
    // The left box has taken more than a third of the momentum of 3 kg m/s: the boxes do not pass through each other.
    Vector along = boxes.pushed(-1.), p = along;
    system.mass(end.v, p);
    EXPECT_LT(along * p, 2.);
    EXPECT_NEAR(energy(system, end), energy(system, start), scheme.name == "discrete-gradient" ? 1e-10 : 0.02);
  }
}

/// The motion by number of each degree of freedom.
std::map<std::uint64_t, double> motion()
{
  Boxes boxes("consistent", subsection("Linear solver", "set Type = mumps"));
  const State end = run(boxes, Scheme("midpoint"), 0.01, 60);
  const std::vector<std::uint64_t> identities = boxes.system.unknowns().identities();
  std::vector<std::pair<std::uint64_t, double>> mine;
  for (std::size_t i = 0; i < identities.size(); ++i)
    mine.emplace_back(identities[i], end.q.local_element(i));
  std::map<std::uint64_t, double> all;
  for (const auto &of_rank : MPI::all_gather(MPI_COMM_WORLD, mine))
    all.insert(of_rank.begin(), of_rank.end());
  return all;
}

const char *const file_of_motion = "SYMDYN_TEST_MOTION";

TEST(NewcomerContact, MovesOnTwoRanksAsOnOne)
{
  const std::map<std::uint64_t, double> here = motion();
  if (MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
  {
    if (const char *file = std::getenv(file_of_motion); file && MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    {
      std::ofstream out(file);
      for (const auto &[identity, value] : here)
        out << identity << " " << std::setprecision(17) << value << "\n";
    }
    return;
  }
  const Folder folder;
  const Outcome two =
      command(folder, fmt::format("{}={} mpirun --oversubscribe --allow-run-as-root -n 2 {} --gtest_filter='NewcomerContact.*-*Deck*'",
                                  file_of_motion, folder / "motion", std::filesystem::read_symlink("/proc/self/exe").string()));
  EXPECT_EQ(two.exit_code, 0) << two.terminal;
  std::ifstream in(folder / "motion");
  std::uint64_t identity;
  std::size_t count = 0;
  double largest = 0;
  for (double value; in >> identity >> value; ++count)
  {
    ASSERT_EQ(here.count(identity), 1u);
    EXPECT_NEAR(value, here.at(identity), 1e-9);
    largest = std::max(largest, std::abs(value));
  }
  EXPECT_EQ(count, here.size());
  EXPECT_GT(largest, 0.3);
}

std::string free_flight(const Folder &folder)
{
  return two_boxes(write_file(folder, "two.msh", mesh_of_two()), "lumped",
                   subsection("Initial conditions", "set Velocity = if(x > 1.2, -1, 0), 0, 0") +
                       "subsection Time\n  set Time step = 0.01\n  set End time = 1.2\nend\n" +
                       "subsection Integrator\n  set Scheme = midpoint\nend\n" +
                       "subsection Output\n  set Write every = 1\nend\nsubsection Newton\n  set Tolerance = 1e-12\nend\n");
}

TEST(NewcomerContact, StandsInADeck)
{
  const Folder folder;
  const Outcome run = run_well(folder, free_flight(folder));
  for (const char *column : {"P_x", "P_y", "J_z"})
    EXPECT_NEAR(run.history.last(column), run.history[column].front(), 1e-9) << column;
  const std::vector<double> &T = run.history["E_kinetic"];
  EXPECT_LT(*std::min_element(T.begin(), T.end()), 0.9 * T.front());
}

TEST(NewcomerContact, AStepBeyondTheMarginEndsTheDeck)
{
  const Folder folder;
  const Outcome run = run_text(folder, free_flight(folder), {"Time/Time step=0.1", "Contacts of nodes/both/Margin=0.05"});
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(has(run.terminal, "bodies move farther in a step or increment than the margin"), "");
  const Outcome wrong = run_text(folder, free_flight(folder), {"Contacts of nodes/both/Second=rigth"});
  EXPECT_EQ(has(wrong.terminal, "[Contacts of nodes/both] Second = rigth: boundary 'rigth' does not exist; the mesh has: right, left"), "");
}
}  // namespace symdyn::tests::in_newcomer_contact_tests
