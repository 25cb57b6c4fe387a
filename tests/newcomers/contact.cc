// Contact of two boxes, with a search for neighbours and couplings that change: one file, no edit elsewhere. The tests hold on any number
// of ranks; one runs the others on two.
#include <gtest/gtest.h>

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <optional>

#include "elements/structure_part.h"
#include "solver/base/units.h"
#include "solver/searching.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/linear_decks.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_newcomer_contact
{
namespace MPI = dealii::Utilities::MPI;

/// phi(r) = k (R - r)^4 where r < R, else 0 [J]: three continuous derivatives.
struct Repulsion
{
  double k, R;

  double gap(const double r) const { return std::max(R - r, 0.); }
  double energy(const double r) const { return k * std::pow(gap(r), 4); }
  double first(const double r) const { return -4. * k * std::pow(gap(r), 3); }
  double second(const double r) const { return 12. * k * std::pow(gap(r), 2); }
  double third(const double r) const { return -24. * k * gap(r); }
  /// (phi(r1) - phi(r0))/(r1 - r0), and its derivative by r1.
  std::pair<double, double> divided(const double r0, const double r1) const
  {
    const double g0 = gap(r0), g1 = gap(r1), s = g0 + g1;
    if (g0 == 0. && g1 == 0.)
      return {0., 0.};
    if (g0 > 0. && g1 > 0.)
      return {-k * (g0 * g0 + g1 * g1) * s, k * (2. * g1 * s + g0 * g0 + g1 * g1)};
    const double slope = (energy(r1) - energy(r0)) / (r1 - r0);
    return {slope, (first(r1) - slope) / (r1 - r0)};
  }
};

using Three = std::array<double, 3>;
double dot(const Three &a, const Three &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Every node of one surface repels every node of the other.
class ContactTerm : public Term
{
public:
  ContactTerm(const Repulsion law, const double margin, const std::array<std::vector<SitePlan::Site>, 2> &surfaces,
              const PlannedSites &sites)
      : law(law), margin(margin), space(sites.space())
  {
    for (int side = 0; side < 2; ++side)
      for (const SitePlan::Site site : surfaces[side])
        nodes[side].push_back(sites.local(site));
    for (int side = 0; side < 2; ++side)  // a rank that owns no node of either surface does not know all of them
      if (std::count(nodes[side].begin(), nodes[side].end(), -1) > 0)
        nodes = {};
    Vector undeformed = space->new_vector();
    undeformed.update_ghost_values();
    search(undeformed);
  }

  Traits traits() const override
  {
    Traits traits;
    traits.searches = true;
    return traits;
  }
  double energy(const At &at) const override
  {
    double V = 0;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
        V += law.energy(length(between(pair, *at.q)));
    return V;
  }
  double add_force(const At &at, Vector &f) const override
  {
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q);
        const double r = length(d);
        add(pair, law.first(r) / r, d, f);
      }
    return always_admissible;
  }
  /// (phi1 - phi0)/(r1² - r0²) (d0 + d1), d between the nodes: keeps the momenta.
  double add_discrete_gradient(const At &at, Vector &f) const override
  {
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d0 = between(pair, *at.previous), d1 = between(pair, *at.q);
        const double r0 = length(d0), r1 = length(d1), c = law.divided(r0, r1).first / (r0 + r1);
        add(pair, c, d0, f);
        add(pair, c, d1, f);
      }
    return always_admissible;
  }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q), w = difference(pair, u);
        const double l = length(d), s = dot(d, w) / l, beta = law.first(l) / l;
        add(pair, weights.k * (law.second(l) - beta) * s / l, d, r);
        add(pair, weights.k * beta, w, r);
      }
  }
  void add_second_product(const At &at, const Vector &a, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q), w = difference(pair, a);
        const double l = length(d), s = dot(d, w) / l, alpha = law.second(l) - law.first(l) / l;
        add(pair, (law.third(l) * s * s + alpha * (dot(w, w) - 3. * s * s) / l) / l, d, r);
        add(pair, 2. * alpha * s / l, w, r);
      }
  }
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override
  {
    if (at.part != Part::all || weights.k == 0.)
      return;
    for (const Pair &pair : pairs)
    {
      const Three d = between(pair, *at.q), d0 = at.previous ? between(pair, *at.previous) : d;
      const double l = length(d), l0 = length(d0);
      double unit = law.first(l) / l, outer = (law.second(l) - unit) / (l * l);
      if (at.previous)
      {
        const auto [slope, change] = law.divided(l0, l);
        unit = slope / (l0 + l);
        outer = (change - unit) / ((l0 + l) * l);
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
          const double K = weights.k * ((i == j ? unit : 0.) + outer * (at.previous ? d0[i] + d[i] : d[i]) * d[j]);
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              sink.add(3 * pair[a] + i, 3 * pair[b] + j, a == b ? K : -K);
        }
    }
  }
  void couple(const Couple &join) const override
  {
    for (const Pair &pair : pairs)
      for (const int row : pair)
        for (const int column : pair)
          join(row, column);
  }

  std::uint64_t revision() const override { return changes; }
  /// Pairs nearer than R and the margin; those of one slice of x against another.
  void search(const Vector &q) override
  {
    std::vector<std::pair<double, int>> others;
    for (const int node : nodes[1])
      others.emplace_back(place(node, q)[0], node);
    std::sort(others.begin(), others.end());
    std::vector<Pair> found;
    const double near = law.R + margin;
    for (const int node : nodes[0])
    {
      const double x = place(node, q)[0];
      for (auto other = std::lower_bound(others.begin(), others.end(), std::pair{x - near, -1});
           other != others.end() && other->first < x + near; ++other)
        if (const Pair pair{node, other->second}; length(between(pair, q)) < near)
          found.push_back(pair);
    }
    std::sort(found.begin(), found.end());
    changes += MPI::max(int(found != pairs), space->communicator());
    pairs = std::move(found);
    searched = q;
    searched.update_ghost_values();
  }
  /// Two nodes that have moved by less than half of the margin each are as near as the search has looked.
  double largest_step(const Vector &q, const Vector &dq) const override
  {
    double now = 0, then = 0;
    for (const auto &side : nodes)
      for (const int node : side)
      {
        Three u, w;
        for (int d = 0; d < 3; ++d)
        {
          u[d] = q.local_element(3 * node + d) - searched.local_element(3 * node + d);
          w[d] = u[d] + dq.local_element(3 * node + d);
        }
        now = std::max(now, length(u));
        then = std::max(then, length(w));
      }
    std::array<double, 2> moved{now, then};
    for (double &value : moved)
      value = MPI::max(value, space->communicator());
    const double most = 0.5 * margin;
    return moved[1] <= most ? 1. : std::max(0., (most - moved[0]) / std::max(moved[1] - moved[0], moved[1]));
  }
  std::string diagnose(const Vector &) const override { return ""; }
  std::size_t number_of_pairs() const
  {
    return MPI::sum(std::uint64_t(std::count_if(pairs.begin(), pairs.end(), [&](const Pair &pair) { return owns(pair[0]); })),
                    space->communicator());
  }

private:
  using Pair = std::array<int, 2>;
  bool owns(const int site) const { return site < space->owned(); }
  static double length(const Three &d) { return std::sqrt(dot(d, d)); }
  Three place(const int site, const Vector &q) const
  {
    Three x;
    for (int d = 0; d < 3; ++d)
      x[d] = space->position(site)[d] + q.local_element(3 * site + d);
    return x;
  }
  static Three difference(const Pair &pair, const Vector &u)
  {
    Three w;
    for (int d = 0; d < 3; ++d)
      w[d] = u.local_element(3 * pair[1] + d) - u.local_element(3 * pair[0] + d);
    return w;
  }
  Three between(const Pair &pair, const Vector &q) const
  {
    const Three first = place(pair[0], q), second = place(pair[1], q);
    return {second[0] - first[0], second[1] - first[1], second[2] - first[2]};
  }
  static void add(const Pair &pair, const double factor, const Three &d, Vector &f)
  {
    for (int i = 0; i < 3; ++i)
    {
      f.local_element(3 * pair[0] + i) -= factor * d[i];
      f.local_element(3 * pair[1] + i) += factor * d[i];
    }
  }

  Repulsion law;
  double margin;
  std::shared_ptr<const Space> space;
  std::array<std::vector<int>, 2> nodes;  ///< local
  std::vector<Pair> pairs;
  Vector searched;
  std::uint64_t changes = 0;
};

class Contact : public StructurePart
{
public:
  void declare(const std::string &, Parameters &p) override
  {
    deck = p;
    p.add("First", names[0], "boundary");
    p.add("Second", names[1], "the other boundary");
    p.add("Stiffness", law.k, "k of k (R - r)^4 [N/m^3]", positive());
    p.add("Distance", law.R, "R: where contact begins [m]", positive());
    p.add("Margin", margin, "of the search [m]", positive());
  }
  void plan(SitePlan &plan) override
  {
    std::vector<SitePlan::Site> all;
    for (int side = 0; side < 2; ++side)
    {
      try
      {
        for (const MeshPoints::Node &node : plan.mesh().on_boundary(names[side]))
          surfaces[side].push_back(node.number);
      }
      catch (const InputError &error)
      {
        deck->fail(side == 0 ? "First" : "Second", error.what());
      }
      all.insert(all.end(), surfaces[side].begin(), surfaces[side].end());
    }
    plan.join(all);
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    PartInSystem part;
    part.terms = {std::make_shared<ContactTerm>(law, margin, surfaces, sites)};
    return part;
  }
  std::string description() const override { return fmt::format("{} and {} nodes", surfaces[0].size(), surfaces[1].size()); }

private:
  std::optional<Parameters> deck;
  std::array<std::string, 2> names;
  Repulsion law{1000., 0.3};
  double margin = 0.1;
  std::array<std::vector<SitePlan::Site>, 2> surfaces;
};
SYMDYN_REGISTER(StructurePart, Contact, "Contacts of nodes");

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
    contact = dynamic_cast<ContactTerm *>(system.all_parts().terms.back().get());
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
  ContactTerm *contact = nullptr;
};

TEST(NewcomerContact, ForceIsTheGradientOfVAndSoOn)
{
  Boxes boxes;
  const AssembledSystem &system = boxes.system;
  const Vector q = moved(boxes.pushed(-0.15), 1., Random(1).vector(system.new_vector(), 0.01)), w = Random(2).vector(q, 0.02),
               other = Random(3).vector(q, 0.02);
  search_about(system, q);
  ASSERT_GE(boxes.contact->number_of_pairs(), 9u);
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
      EXPECT_EQ(boxes.contact->number_of_pairs(), 0u);
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
}  // namespace symdyn::tests::in_newcomer_contact
