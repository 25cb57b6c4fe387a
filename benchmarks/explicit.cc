// Cost of an explicit step of a neo-Hookean block, beside what the memory of the machine allows, in one run:
//     mpirun -n 2 build/release/benchmarks/explicit_steps [--dofs 3e6] [--repeat 5] [--degree 1,2] [--json FILE]
// The step is the scheme's own; the program adds its books of energy. Prints the medians of seconds per degree of freedom of a force, a step of central differences, K(q)u and V'''aa, in units of one
// element of the STREAM triad (McCalpin 1995; 24 bytes), and the bound by memory traffic in the same units.
#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "solver/deck.h"
#include "solver/integrator.h"
#include "solver/registry.h"
#include "solver/structure.h"

using namespace symdyn;

namespace
{
struct Options
{
  double dofs = 3e6, distortion = 0.15;
  int repeat = 5;
  std::vector<int> degrees{1, 2};
  std::string material = "neo-hooke-log", json;
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

std::string deck_text(const Options &options, const int degree, const bool distorted)
{
  const int cells = std::max(2, int(std::lround(std::cbrt(options.dofs / 3.) / degree)));
  return fmt::format(R"(subsection Mesh
  set Type = box
  set Cells = {0}, {0}, {0}
  set Degree = {1}
  subsection box
    set Distortion = {2}
  end
end
subsection Elements
  set Mass = lumped
end
subsection Materials
  subsection block
    set Type = {3}
    set E = 1e6
    set nu = 0.3
    set Density = 1000
  end
end
subsection Initial conditions
  set Displacement = 0.01*sin(3*x), 0.01*y*z, 0.02*x*y
  set Velocity = 0.1*sin(3*x), 0.1*y, 0
end
)",
                     cells, degree, distorted ? options.distortion : 0., options.material);
}

/// 56 bytes of vectors a degree of freedom (u and v read and written, f written and read, 1/m read), and the nodes and vertices of
/// the cells, in triad elements.
double traffic_bound(const ModelFacts &facts)
{
  const double nodes = std::pow(facts.degree + 1, 3), cell = 4. * nodes + 8. * 24.;
  return (56. + cell * facts.cells / facts.dofs) / 24.;
}

nlohmann::json measure(const Options &options, const int degree, const bool distorted, const double triad_element)
{
  Deck deck = Deck::from_text(deck_text(options, degree, distorted), "benchmark");
  Parameters root = deck.root();
  const auto structure = Registry<Structure>::instance().make("solid-3d");
  structure->declare(root);
  deck.finish();
  structure->build();
  State state;
  structure->initialise(state);
  const MechanicalSystem &system = structure->system();
  Deck nothing;
  Parameters p = nothing.root();
  const auto scheme = Registry<Integrator>::instance().make("central-difference");
  scheme->declare(p);
  const double h = 0.1 / system.highest_frequency(0., state.q);
  scheme->start(system, state, h);
  Vector f = system.new_vector(), u = state.v;
  const ModelFacts facts = structure->facts();
  const double unit = triad_element * double(facts.dofs);
  const std::vector<std::pair<std::string, std::function<void()>>> actions{
      {"force", [&] { system.internal_force(state.q, f); }},
      {"step", [&] { scheme->step(system, state, h); }},
      {"K u", [&] { system.stiffness(state.q, u, f); }},
      {"V''' a a", [&] { system.third_derivative(state.q, u, f); }},
      {"energy", [&] { system.potential(state.q); }}};
  nlohmann::json result{{"degree", degree}, {"distorted", distorted}, {"dofs", facts.dofs}, {"traffic bound", traffic_bound(facts)}};
  for (const auto &[name, action] : actions)
  {
    const Times times = seconds_of(options.repeat, action);
    result[name] = {{"triads", times.median / unit}, {"least", times.least / unit}, {"greatest", times.greatest / unit},
                    {"MDoF/s", 1e-6 * facts.dofs / times.median}};
  }
  return result;
}

void print(const nlohmann::json &row)
{
  const double force = row["force"]["triads"];
  fmt::print("Q{} {:9} {:10} dofs  step {:6.1f} triads ({:.1f} to {:.1f}; traffic bound {:.1f}), {:6.1f} MDoF/s;  of a force: step {:.2f}, K u {:.2f}, "
             "V'''aa {:.2f}, energy {:.2f}\n",
             row["degree"].get<int>(), row["distorted"].get<bool>() ? "distorted" : "affine", row["dofs"].get<long>(),
             row["step"]["triads"].get<double>(), row["step"]["least"].get<double>(), row["step"]["greatest"].get<double>(),
             row["traffic bound"].get<double>(), row["step"]["MDoF/s"].get<double>(), row["step"]["triads"].get<double>() / force,
             row["K u"]["triads"].get<double>() / force, row["V''' a a"]["triads"].get<double>() / force,
             row["energy"]["triads"].get<double>() / force);
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char **argv)
{
  Options options;
  CLI::App app("Cost of an explicit step in units of the memory's speed");
  app.add_option("--dofs", options.dofs, "degrees of freedom, about");
  app.add_option("--repeat", options.repeat, "of each measurement; the median counts")->check(CLI::PositiveNumber);
  app.add_option("--degree", options.degrees, "1 to 4, a list")->delimiter(',');
  app.add_option("--material", options.material, "its name");
  app.add_option("--json", options.json, "write the figures there");
  CLI11_PARSE(app, argc, argv);
  const dealii::Utilities::MPI::MPI_InitFinalize environment(argc, argv, 1);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double element = triad(options.repeat, ranks);
  if (rank == 0)
    fmt::print("{} rank(s), {}; triad {:.3g} ns an element ({:.1f} GB/s)\n", ranks, options.material, 1e9 * element, 24e-9 / element);
  nlohmann::json report{{"ranks", ranks}, {"material", options.material}, {"triad [s]", element}};
  for (const int degree : options.degrees)
    for (const bool distorted : {false, true})
    {
      report["cases"].push_back(measure(options, degree, distorted, element));
      if (rank == 0)
        print(report["cases"].back());
    }
  if (rank == 0 && !options.json.empty())
    std::ofstream(options.json) << report.dump(1) << "\n";
}
