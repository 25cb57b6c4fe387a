// Cost of an explicit step of a neo-Hookean block, beside what the memory of the machine allows, in one run:
//     mpirun -n 2 build/release/benchmarks/explicit_steps [--dofs 3e6] [--repeat 9] [--cells Q1,Q2,Q3,P1,P2] [--json FILE] [--check]
// The step is the scheme's own; the program adds its energy balance. Prints the medians of seconds per degree of freedom of a
// force, a step of central differences, K(q)u and V'''aa, in units of one element of the STREAM triad (McCalpin 1995; 24 bytes), the bound
// by memory traffic in the same units, the bytes that the step keeps, and how much slower a loop with FEValues is (fe_values_force.h).
// --check: exit code 1 where a target is missed.
#include <deal.II/base/mpi.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "benchmarks/fe_values_force.h"
#include "elements/models/solid.h"
#include "solver/deck/deck.h"
#include "solver/diagnosis.h"
#include "solver/integrator.h"
#include "solver/registry.h"

using namespace symdyn;

namespace
{
constexpr double E = 1e6, nu = 0.3;

struct Options
{
  double dofs = 3e6, distortion = 0.15;
  int repeat = 9;
  std::vector<std::string> cells{"Q1", "Q2", "Q3", "P1", "P2"};
  std::string material = "neo-hooke-log", json, shapes = "both";
  bool check = false, compare = true;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Times
{
  double median = 0, least = 0, greatest = 0;
};

/// Wall seconds of `action`, the slowest rank's.
Times seconds_of(const int repeat, const std::function<void()> &action)
{
  std::vector<double> times;
  for (int k = 0; k <= repeat; ++k)
  {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now();
    action();
    MPI_Barrier(MPI_COMM_WORLD);
    if (k > 0)  // the first warms up
      times.push_back(now() - begin);
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

/// Seconds of an element of a = b + s c, on all ranks together, far beyond the caches.
double triad(const int repeat, const int ranks)
{
  constexpr std::size_t size = 20000000;
  std::vector<double> a(size, 0.), b(size, 1.), c(size, 2.);
  const Times times = seconds_of(repeat, [&] {
    for (std::size_t i = 0; i < size; ++i)
      a[i] = b[i] + 3. * c[i];
  });
  if (a[size / 2] != 7.)
    throw std::logic_error("the triad is wrong");
  return times.median / (double(size) * ranks);
}

std::string deck_text(const Options &options, const std::string &cells, const bool distorted)
{
  const int degree = cells[1] - '0';
  // Nodes of a box: degree³, or those of the 24 tetrahedra it is cut into (corner, faces and centre; edges).
  const double nodes = cells[0] == 'Q' ? degree * degree * degree : degree == 1 ? 5. : 34.;
  const int number = std::max(2, int(std::lround(std::cbrt(options.dofs / (3. * nodes)))));
  return fmt::format(R"(subsection Mesh
  set Type = box
  set Subdivisions = {0}, {0}, {0}
  set Order = {1}
  set Cell shape = {2}
  subsection box
    set Distortion = {3}
  end
end
subsection Elements
  set Mass = lumped
end
subsection Materials
  subsection block
    set Type = {4}
    set E = {5}
    set nu = {6}
    set Density = 1000
  end
end
subsection Initial conditions
  set Displacement = 0.01*sin(3*x), 0.01*y*z, 0.02*x*y
  set Velocity = 0.1*sin(3*x), 0.1*y, 0
end
)",
                     number, degree, cells[0] == 'P' ? "tetrahedra" : "hexahedra", distorted ? options.distortion : 0., options.material, E,
                     nu);
}

/// What a step reads of the cells, and all it keeps: the vectors are q, v, a, the new q and v, the force, and the mass of the nodes
/// (stored as they are and summed). In bytes per degree of freedom, all ranks.
struct Bytes
{
  explicit Bytes(const Discretisation<3> &mesh)
      : cells(double(dealii::Utilities::MPI::sum(mesh.regions.front().bytes_of_cells(), mesh.communicator)) / (3. * mesh.n_nodes())),
        vectors(6. * 8. + 2. * 8. / 3.)
  {
  }
  double cells, vectors;
};

/// 56 bytes of vectors a degree of freedom (u and v read and written, f written and read, 1/m read), and what is stored of the cells, in
/// triad elements.
double traffic_bound(const Bytes &bytes) { return (56. + bytes.cells) / 24.; }

/// Largest memory of the processes together [GiB].
double process_memory()
{
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return dealii::Utilities::MPI::sum(double(usage.ru_maxrss), MPI_COMM_WORLD) / (1024. * 1024.);
}

/// |f - f of the kernels|/|f|, and the seconds of the loop.
std::pair<double, Times> plain_loop(const AssembledSystem &system, const Discretisation<3> &mesh, const Vector &q)
{
  benchmarks::FEValuesForce plain(mesh, E, nu);
  Vector f = system.new_vector(), expected = f;
  system.internal_force(q, expected);
  const Times times = seconds_of(1, [&] { plain(q, f); });
  f -= expected;
  return {f.l2_norm() / expected.l2_norm(), times};
}

nlohmann::json measure(const Options &options, const std::string &cells, const bool distorted, const double triad_element)
{
  Deck deck = Deck::from_text(deck_text(options, cells, distorted), "benchmark");
  Parameters root = deck.root();
  Solid<3> solid;
  solid.declare(root);
  deck.finish();
  solid.needs_tangent = false;
  solid.build();
  State state;
  solid.initialise(state);
  const AssembledSystem &system = solid.assembled_system();
  const Discretisation<3> &mesh = solid.solid_body().mesh();
  Deck nothing;
  Parameters p = nothing.root();
  const auto scheme = Registry<Integrator>::instance().make("central-difference");
  scheme->declare(p);
  const double h = 0.1 / system.diagnosis().highest_frequency(0., state.q);
  scheme->start(system, state, h);
  Vector f = system.new_vector(), u = state.v;
  const Bytes bytes(mesh);
  const double dofs = 3. * mesh.n_nodes(), unit = triad_element * dofs;
  const std::vector<std::pair<std::string, std::function<void()>>> actions{{"force", [&] { system.internal_force(state.q, f); }},
                                                                           {"step", [&] { scheme->step(system, state, h); }},
                                                                           {"K u", [&] { system.stiffness(state.q, u, f); }},
                                                                           {"V''' a a", [&] { system.third_derivative(state.q, u, f); }},
                                                                           {"energy", [&] { system.potential(state.q); }}};
  nlohmann::json result{{"cells", cells},
                        {"distorted", distorted},
                        {"dofs", dofs},
                        {"traffic bound", traffic_bound(bytes)},
                        {"bytes per dof", bytes.cells + bytes.vectors},
                        {"bytes of cells per dof", bytes.cells},
                        {"process [GiB]", process_memory()}};
  for (const auto &[name, action] : actions)
  {
    const Times times = seconds_of(options.repeat, action);
    result[name] = {{"triads", times.median / unit},
                    {"least", times.least / unit},
                    {"greatest", times.greatest / unit},
                    {"MDoF/s", 1e-6 * dofs / times.median}};
  }
  if (options.compare && options.material == "neo-hooke-log")
  {
    const auto [difference, times] = plain_loop(system, mesh, state.q);
    result["FEValues loop"] = {{"triads", times.median / unit}, {"difference", difference}};
  }
  return result;
}

/// What is not as it should be. A simplex is affine, distorted or not.
std::vector<std::string> missed(const nlohmann::json &row)
{
  const std::string cells = row["cells"];
  const bool distorted = row["distorted"];
  const double force = row["force"]["triads"];
  std::vector<std::string> list;
  const auto expect = [&](const std::string &what, const double found, const double most) {
    if (!(found <= most))
      list.push_back(fmt::format("{}{}: {} is {:.3g}, target {:.3g}", cells, distorted ? " distorted" : "", what, found, most));
  };
  const std::map<std::string, double> step{{"Q1", 22.}, {"Q2", 12.}, {"Q1 distorted", 40.}, {"Q2 distorted", 25.}};
  if (const auto target = step.find(cells + (distorted ? " distorted" : "")); target != step.end())
    expect("a step in triads", row["step"]["triads"], target->second);
  expect("step / force", double(row["step"]["triads"]) / force, 1.15);
  expect("K u / force", double(row["K u"]["triads"]) / force, 1.6);
  expect("V'''aa / force", double(row["V''' a a"]["triads"]) / force, 1.8);
  if (cells == "Q2" && !distorted)
    expect("bytes per degree of freedom", row["bytes per dof"], 120.);
  if (row.contains("FEValues loop"))
  {
    expect("force / FEValues loop", force / double(row["FEValues loop"]["triads"]), 1. / 30.);
    expect("difference from the FEValues loop", row["FEValues loop"]["difference"], 1e-12);
  }
  return list;
}

void print(const nlohmann::json &row)
{
  const double force = row["force"]["triads"];
  const auto of_force = [&](const char *name) { return row[name]["triads"].get<double>() / force; };
  fmt::print(
      "{} {:9} {:9.0f} dofs  step {:5.1f} triads ({:.1f} to {:.1f}; traffic bound {:.1f}), {:6.1f} MDoF/s;  of a force: step {:.2f}, K u {:.2f}, "
      "V'''aa {:.2f}, energy {:.2f}{};  {:.0f} bytes a dof ({:.0f} of cells), processes {:.2f} GiB\n",
      row["cells"].get<std::string>(), row["distorted"].get<bool>() ? "distorted" : "affine", row["dofs"].get<double>(),
      row["step"]["triads"].get<double>(), row["step"]["least"].get<double>(), row["step"]["greatest"].get<double>(),
      row["traffic bound"].get<double>(), row["step"]["MDoF/s"].get<double>(), of_force("step"), of_force("K u"), of_force("V''' a a"),
      of_force("energy"), row.contains("FEValues loop") ? fmt::format(", FEValues loop {:.0f}", of_force("FEValues loop")) : "",
      row["bytes per dof"].get<double>(), row["bytes of cells per dof"].get<double>(), row["process [GiB]"].get<double>());
  std::fflush(stdout);
}

void read_options(CLI::App &app, Options &options)
{
  app.add_option("--dofs", options.dofs, "degrees of freedom, about");
  app.add_option("--repeat", options.repeat, "of each measurement; the median counts")->check(CLI::PositiveNumber);
  app.add_option("--cells", options.cells, "Q1 to Q4, P1, P2: a list")
      ->delimiter(',')
      ->check(CLI::IsMember({"Q1", "Q2", "Q3", "Q4", "P1", "P2"}));
  app.add_option("--shapes", options.shapes, "of quadrilaterals and hexahedra")->check(CLI::IsMember({"affine", "distorted", "both"}));
  app.add_option("--material", options.material, "its name");
  app.add_option("--json", options.json, "write the figures there");
  app.add_flag("--check", options.check, "exit code 1 where a target is missed");
  app.add_flag("!--no-fe-values", options.compare, "leave the loop with FEValues out");
}

nlohmann::json measure_all(const Options &options)
{
  const int rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD),
            ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  const double element = triad(options.repeat, ranks);
  if (rank == 0)
    fmt::print("{} rank(s), {}; triad {:.3g} ns an element ({:.1f} GB/s)\n", ranks, options.material, 1e9 * element, 24e-9 / element);
  nlohmann::json report{{"ranks", ranks}, {"material", options.material}, {"triad [s]", element}, {"missed", nlohmann::json::array()}};
  for (const std::string &cells : options.cells)
    for (const bool distorted : {false, true})
    {
      const bool wanted = options.shapes == "both" || (options.shapes == "distorted") == distorted;
      if (cells[0] == 'P' ? distorted : !wanted)
        continue;
      report["cases"].push_back(measure(options, cells, distorted, element));
      for (const std::string &target : missed(report["cases"].back()))
        report["missed"].push_back(target);
      if (rank == 0)
        print(report["cases"].back());
    }
  return report;
}
}  // namespace

int main(int argc, char **argv)
{
  Options options;
  CLI::App app("Cost of an explicit step in units of the memory's speed");
  read_options(app, options);
  CLI11_PARSE(app, argc, argv);
  const dealii::Utilities::MPI::MPI_InitFinalize environment(argc, argv, 1);
  const nlohmann::json report = measure_all(options);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
  {
    if (!options.json.empty())
      std::ofstream(options.json) << report.dump(1) << "\n";
    for (const std::string target : report["missed"])
      fmt::print("missed: {}\n", target);
  }
  return options.check && !report["missed"].empty() ? 1 : 0;
}
