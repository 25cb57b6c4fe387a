// Nanoseconds a cell of the integrals of one batch of cells (elements/cells/cell_kernels.h), by Google Benchmark:
//     build/release/benchmarks/kernels [--benchmark_filter=Q2] [--benchmark_repetitions=5 --benchmark_report_aggregates_only=true]
// A batch is in the caches: what is measured is arithmetic, not memory. "plain" is the definition, "tensor" the sum factorisation that
// hexahedra use.
#include <benchmark/benchmark.h>
#include <deal.II/base/mpi.h>

#include <memory>
#include <random>
#include <vector>

#include "elements/cells/cell_kernels.h"
#include "elements/cells/simplex_kernels.h"
#include "elements/cells/tensor_kernels.h"
#include "solver/deck/deck.h"
#include "solver/registry.h"

using namespace symdyn;

namespace
{
constexpr int dim = 3;
/// The same energy as a law of the library and as a formula of a deck.
std::unique_ptr<Material> make_material(const bool formula)
{
  auto material = Registry<Material>::instance().make(formula ? "formula" : "neo-hooke-log");
  Deck deck =
      Deck::from_text(formula ? "set psi = mu/2*(I1 - 3 - 2*log(J)) + lambda/2*log(J)^2\nset Named constants = mu 384615, lambda 576923\n"
                              : "set E = 1e6\nset nu = 0.3\n",
                      "benchmark");
  Parameters p = deck.root();
  material->declare(p);
  deck.finish();
  return material;
}

/// `lanes` distorted cells, bent.
struct Batch
{
  Batch(const bool simplex, const int degree, const bool fast, const bool formula)
      : family(simplex ? dealii::ReferenceCells::Tetrahedron : dealii::ReferenceCells::Hexahedron, degree),
        kernels(!fast     ? make_kernels(family)
                : simplex ? make_simplex_kernels(family)
                          : make_tensor_kernels(family)),
        material(make_material(formula)),
        X(family.stiffness.vertices * dim),
        u(family.stiffness.nodes * dim),
        w(u.size()),
        f(u.size()),
        K(std::size_t(family.stiffness.nodes) * (family.stiffness.nodes + 1) / 2 * dim * dim)
  {
    constexpr double shift = 0.1, displacement = 0.02;
    std::mt19937 generator(1);
    const auto random = [&](const double size) { return std::uniform_real_distribution<double>(-size, size)(generator); };
    const dealii::ReferenceCell shape = simplex ? dealii::ReferenceCells::Tetrahedron : dealii::ReferenceCells::Hexahedron;
    for (int lane = 0; lane < lanes; ++lane)
    {
      for (std::size_t i = 0; i < X.size(); ++i)
        X[i].set(lane, shape.template vertex<dim>(i / dim)[i % dim] + random(shift));
      for (std::size_t i = 0; i < u.size(); ++i)
      {
        u[i].set(lane, random(displacement));
        w[i].set(lane, random(1.));
        f[i].set(lane, 0.);
      }
    }
    if (fast)
      affine = kernels->prepare(X.data(), prepared);
  }

  /// As a force is told of the cells: what was prepared once; the plain kernels read vertices.
  CellMap<dim> map() const { return prepared.empty() ? CellMap<dim>(X.data()) : CellMap<dim>(prepared.data(), affine); }

  ElementFamily<dim> family;
  std::unique_ptr<CellKernels<dim>> kernels;
  std::unique_ptr<Material> material;
  std::vector<Wide> X, u, w, f, K, prepared;
  bool affine = false;
};

template <class Do>
void measure(benchmark::State &state, Batch &batch, const Do &action)
{
  for (auto _ : state)
  {
    action(batch);
    benchmark::DoNotOptimize(batch.f.data());
    benchmark::ClobberMemory();
  }
  state.counters["ns/cell"] =
      benchmark::Counter(1e-9 * lanes * double(state.iterations()), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add(const std::string &name, const bool simplex, const int degree, const bool tensor, const bool formula = false)
{
  const auto batch = std::make_shared<Batch>(simplex, degree, tensor, formula);
  const auto enter = [&](const char *what, auto action) {
    benchmark::RegisterBenchmark((name + "/" + what).c_str(), [batch, action](benchmark::State &state) { measure(state, *batch, action); });
  };
  enter("energy", [](Batch &b) { benchmark::DoNotOptimize(b.kernels->energy(b.map(), b.u.data(), *b.material)); });
  enter("force", [](Batch &b) { benchmark::DoNotOptimize(b.kernels->force(b.map(), b.u.data(), *b.material, b.f.data())); });
  enter("K u", [](Batch &b) { b.kernels->stiffness(b.map(), b.u.data(), b.w.data(), *b.material, b.f.data()); });
  enter("V'''aa", [](Batch &b) { b.kernels->third_derivative(b.map(), b.u.data(), b.w.data(), *b.material, b.f.data()); });
  enter("tangent", [](Batch &b) { b.kernels->tangent(b.X.data(), b.u.data(), *b.material, b.K.data()); });
}
}  // namespace

int main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize environment(argc, argv, 1);
  add("Q1 plain", false, 1, false);
  add("Q2 plain", false, 2, false);
  add("Q1 tensor", false, 1, true);
  add("Q2 tensor", false, 2, true);
  add("P1 plain", true, 1, false);
  add("P2 plain", true, 2, false);
  add("P1 fast", true, 1, true);
  add("P2 fast", true, 2, true);
  add("Q1 tensor formula", false, 1, true, true);
  add("Q2 tensor formula", false, 2, true, true);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
